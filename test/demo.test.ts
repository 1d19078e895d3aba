/** The demo as a newcomer meets it, in small: its numbers, its page in a browser, running it again, stopping it. */

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "./helpers/browser.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
/** A name that shells and queries would take apart. */
const out = join(root, "it's a demo");
const small = ["demo", "--images", "300", "--epochs", "1", "--out"];

interface Estimate {
  value: number;
  low: number;
  high: number;
}

interface Demo {
  report: string;
  data: { folder: string; count: number; hash: string; sheet: string };
  explicit: string;
  runs: {
    label: string;
    told: string[];
    id: string;
    accuracy: Estimate;
    cues: Record<string, { mmd: Estimate }>;
  }[];
  findings: string[];
}

let demo: Demo;

beforeAll(async () => {
  demo = await cuelabJson<Demo>([...small, out]);
  // Three processes that train, on machines that may have other things to do.
}, 180_000);

test("three runs, seven gaps each, and one of them told one cue; numbers as DuckDB computes them", async () => {
  expect(demo.runs.map(({ told }) => told)).toEqual([[], [demo.explicit], []]);
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  for (const { id, accuracy, cues } of demo.runs) {
    const table = `read_parquet('${join(out, "runs", id, "predictions.parquet").replaceAll("'", "''")}')`;
    const share = async (where: string) => {
      const query = `select avg((y_pred = y_true)::int) from ${table} where split = 'test' and ${where}`;
      return (await connection.runAndReadAll(query)).getRows()[0]![0] as number;
    };
    expect(accuracy.value).toBeCloseTo(await share("true"), 12);
    expect(Object.keys(cues)).toHaveLength(7);
    for (const [name, { mmd }] of Object.entries(cues)) {
      const gap = (await share(`${name}Majority = 'yes'`)) - (await share(`${name}Majority = 'no'`));
      expect(mmd.value, name).toBeCloseTo(gap, 12);
      expect(mmd.low).toBeLessThan(mmd.value);
      expect(mmd.high).toBeGreaterThan(mmd.value);
    }
  }
  connection.closeSync();
});

test("again: nothing is made anew, the page has the same bytes, and the sweep's file finds the runs", async () => {
  const before = readFileSync(demo.report);
  const made = statSync(demo.data.sheet).mtimeMs;
  const { stdout, stderr, code } = await cuelab([...small, out]);
  expect(code).toBe(0);
  expect(stderr.match(/^done before: /gm)).toHaveLength(3);
  expect(stderr).not.toContain("making");
  expect(readFileSync(demo.report).equals(before)).toBe(true);
  expect(statSync(demo.data.sheet).mtimeMs).toBe(made);
  expect(stdout).toContain(`gap ${demo.explicit} (told)`);
  // Sentences are wrapped on the terminal.
  for (const finding of demo.findings) expect(stdout.replaceAll("\n", " ")).toContain(finding);
  expect(stdout).toContain(demo.report);
  expect(stdout).toContain(`npx cuelab runs compare '${out.replace("'", "'\\''")}/runs'`);
  const swept = await cuelab(["sweep", "run", join(out, "demo.yaml"), "--out", join(out, "runs")]);
  expect(swept.stderr.match(/^done before: /gm)).toHaveLength(3);
});

test("what is not the demo's is left alone", async () => {
  const foreign = join(root, "foreign");
  const tiny = ["--set", "trainPerEnvironment=50"];
  await cuelabJson(["data", "make", "colored-mnist", ...tiny, "--out", join(foreign, "biased-mnist")]);
  const refused = await cuelab([...small, foreign, "--quiet"]);
  expect(refused.stderr).toMatch(/a dataset is there already/);
  expect(refused.code).toBe(3);
  const page = join(out, "report.html");
  const ours = readFileSync(page);
  writeFileSync(page, "<p>mine</p>");
  const second = await cuelab([...small, out, "--quiet"]);
  expect(second.stderr).toMatch(/the file was changed since it was made[\s\S]*--force/);
  expect(second.code).toBe(3);
  expect(readFileSync(page, "utf8")).toBe("<p>mine</p>");
  writeFileSync(page, ours);
});

test("Ctrl-C saves what was done and leaves no page", async () => {
  const folder = join(root, "interrupted");
  const outcome = await cuelab(["demo", "--images", "300", "--epochs", "900", "--out", folder], {
    started: (child) => {
      const look = setInterval(() => {
        if (existsSync(join(folder, "runs"))) setTimeout(() => child.kill("SIGINT"), 1500);
        else return;
        clearInterval(look);
      }, 100);
    },
  });
  expect(outcome.stderr).toContain("saved; the same command goes on from here");
  expect(outcome.code).toBe(130);
  expect(existsSync(join(folder, "report.html"))).toBe(false);
});

describe("the page in a browser", async () => {
  const { browser, reason } = await openBrowser();
  afterAll(() => browser?.close());

  async function open(options: { width?: number; colorScheme?: "light" | "dark" } = {}) {
    const { width = 1000, colorScheme = "light" } = options;
    const context = await browser!.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) problems.push(`asks for ${request.url()}`);
    });
    await page.goto(pathToFileURL(demo.report).href);
    return { page, problems };
  }

  const shown = async (page: Page, selector: string) =>
    (await page.locator(selector).allInnerTexts()).map((text) => text.trim());

  test("shows the table's numbers, pictures and charts, without script, requests or errors", async ({
    skip,
  }) => {
    skip(browser === undefined, reason);
    const { page, problems } = await open();
    expect(await page.title()).toBe("Which shortcuts do three networks take?");
    expect(await page.locator("script").count()).toBe(0);
    const pictures = await page
      .locator("img")
      .evaluateAll((images) =>
        images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      );
    expect(pictures).toHaveLength(20);
    expect(pictures.every((width) => width === 144)).toBe(true);
    const rows = await shown(page, "table:has(tr.marked) tbody tr");
    const text = (value: number) =>
      (100 * value)
        .toFixed(1)
        .replace(/^-0\.0$/, "0.0")
        .replace("-", "−");
    const cells = ({ value, low, high }: Estimate) => `${text(value)} ${text(low)} to ${text(high)}`;
    const [first] = demo.runs;
    expect(rows.map((row) => row.replaceAll(/\s+/g, " "))).toEqual([
      ...Object.keys(first!.cues).map((name) => {
        const told = name === demo.explicit ? " told" : "";
        const words = name
          .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
          .replace("color", "colour");
        return `${words}${told} ${demo.runs.map(({ cues }) => cells(cues[name]!.mmd)).join(" ")}`;
      }),
      `Accuracy, % ${demo.runs.map(({ accuracy }) => cells(accuracy)).join(" ")}`,
    ]);
    expect((await shown(page, ".finding p")).join(" ")).toBe(demo.findings.join(" "));
    // The wide form of both charts; the narrow one is there and hidden.
    expect(await page.locator("figure svg:visible").count()).toBe(2);
    expect(await page.locator("figure svg").count()).toBe(4);
    expect(await page.content()).toContain(demo.data.hash);
    for (const { id } of demo.runs) expect(await page.content()).toContain(`runs/${id}`);
    expect(problems).toEqual([]);
  });

  test("says everything to those who cannot see it", async ({ skip }) => {
    skip(browser === undefined, reason);
    const { page } = await open();
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
    expect(await page.locator("h1").count()).toBe(1);
    const levels = await page
      .locator("h1, h2, h3, h4")
      .evaluateAll((all) => all.map(({ nodeName }) => nodeName));
    expect(levels).toEqual(["H1", ...levels.slice(1).map(() => "H2")]);
    for (const image of await page.locator("img").all())
      expect(await image.getAttribute("alt")).toMatch(/^class \d: background colour \w+.*, digit colour \w/);
    for (const chart of await page.locator("figure svg").all()) {
      expect(await chart.getAttribute("role")).toBe("img");
      expect(await chart.getAttribute("aria-label")).toMatch(/^(Gap of each cue|Accuracy)/);
    }
    for (const table of await page.locator("table").all()) {
      // Outside the box that scrolls, so that it stays in sight.
      expect(await table.locator("xpath=ancestor::figure[1]/figcaption").count()).toBe(1);
      expect(await table.locator('thead th[scope="col"]').count()).toBeGreaterThan(1);
      expect(await table.locator('tbody th[scope="row"]').count()).toBe(
        await table.locator("tbody tr").count(),
      );
    }
    const names = await page
      .locator("[aria-labelledby]")
      .evaluateAll((all) =>
        all.map((element) =>
          (element as unknown as { getAttribute(name: string): string }).getAttribute("aria-labelledby"),
        ),
      );
    expect(new Set(names).size).toBe(names.length);
  });

  test("fits a phone, and its text can be read in light and dark", async ({ skip }) => {
    skip(browser === undefined, reason);
    const { page } = await open({ width: 360 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    const scales = (await page.evaluate(
      `[...document.querySelectorAll("figure svg")].filter((chart) => chart.checkVisibility())
        .map((chart) => chart.getBoundingClientRect().width / chart.viewBox.baseVal.width)`,
    )) as number[];
    expect(scales).toHaveLength(2);
    // Text of 12 pixels is never shown below 10.
    for (const scale of scales) expect(scale).toBeGreaterThan(10 / 12);
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await open({ colorScheme });
      const colours =
        await page.evaluate(`[...document.querySelectorAll("p, td, figcaption, dt, .tag, .chart text")].map((element) => {
        const style = getComputedStyle(element);
        const ink = element.closest("svg") ? style.fill : style.color;
        let back = element;
        while (back && getComputedStyle(back).backgroundColor === "rgba(0, 0, 0, 0)") back = back.parentElement;
        return [ink, getComputedStyle(back).backgroundColor, element.textContent];
      })`);
      for (const [ink, paper, text] of colours as [string, string, string][])
        expect(contrast(ink, paper), `${colorScheme}: ${text}`).toBeGreaterThan(4.5);
    }
  });
});

/** Of the Web Content Accessibility Guidelines; 4.5 is their level AA. */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = (colour.match(/\d+/g) ?? []).map((part) => {
    const share = Number(part) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
