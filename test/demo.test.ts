/** The demo as a newcomer meets it, in small: its numbers, its page in a browser, running it again, stopping it. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "./helpers/browser.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { ranHere } from "./helpers/in-process.ts";

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
  explicit: string[];
  runs: {
    label: string;
    told: string[];
    id: string;
    inDistribution: Estimate;
    gaps: (Estimate & { cues: string[] })[];
    judged: {
      over: string;
      family: number;
      cues: { cues: string[]; gap: Estimate; verdict: string | null }[];
    } | null;
  }[];
  findings: string[];
}

let demo: Demo;

beforeAll(async () => {
  demo = await cuelabJson<Demo>([...small, out]);
  // Three processes that train, on machines that may have other things to do.
}, 600_000);

/** By largest remainders, .9025, .0475, .0475 and .0025 of 150 images of a class are 136, 7, 7 and none. */
const shares = [272, 14, 14, 0].map((count) => count / 300);

test("three runs, one of them told a shortcut; gaps and their changes as DuckDB computes them", async () => {
  expect(demo.runs.map(({ told }) => told)).toEqual([[], ["background"], []]);
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const standings: number[][] = [];
  for (const { id, inDistribution, gaps } of demo.runs) {
    const table = `read_parquet('${join(out, "runs", id, "predictions.parquet").replaceAll("'", "''")}')`;
    const cells: number[] = [];
    for (const broken of ["none", "background", "coObject", "background, coObject"]) {
      const query = `select avg(share) from (select avg((y_pred = y_true)::int) as share from ${table} where split = 'test' and broken = '${broken}' group by y_true)`;
      cells.push((await connection.runAndReadAll(query)).getRows()[0]![0] as number);
    }
    const usual = cells.reduce((sum, accuracy, i) => sum + shares[i]! * accuracy, 0);
    expect(inDistribution.value).toBeCloseTo(usual, 12);
    expect(gaps.map(({ cues }) => cues)).toEqual([["background"], ["coObject"], ["background", "coObject"]]);
    for (const [i, { value, low, high }] of gaps.entries()) {
      expect(value).toBeCloseTo(cells[i + 1]! - usual, 12);
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
    }
    standings.push(gaps.map(({ value }) => value));
  }
  connection.closeSync();
  const [baseline, ...others] = demo.runs;
  expect(baseline!.judged).toBeNull();
  for (const [i, { judged }] of others.entries()) {
    // Two methods with two shortcuts each.
    expect(judged).toMatchObject({ over: "images", family: 4 });
    for (const [k, { gap, verdict, cues }] of judged!.cues.entries()) {
      expect(gap.value).toBeCloseTo(standings[i + 1]![k]! - standings[0]![k]!, 12);
      expect(verdict === null).toBe(cues.length === 2);
    }
  }
});

test("again: nothing is made anew, the page has the same bytes, and the sweep's file finds the runs", async () => {
  const before = readFileSync(demo.report);
  const { stdout, stderr, code } = await cuelab([...small, out]);
  expect(code).toBe(0);
  expect(stderr.match(/^done before: /gm)).toHaveLength(3);
  expect(readFileSync(demo.report).equals(before)).toBe(true);
  expect(stdout).toContain("Group DRO, told background");
  // Sentences are wrapped on the terminal.
  for (const finding of demo.findings) expect(stdout.replaceAll("\n", " ")).toContain(finding);
  expect(stdout).toContain(demo.report);
  const swept = await cuelab(["sweep", "run", join(out, "demo.yaml"), "--out", join(out, "runs")]);
  expect(swept.stderr.match(/^done before: /gm)).toHaveLength(3);
});

test("what to try next are commands that run", async () => {
  const { stdout } = await cuelab([...small, out]);
  const commands = [...stdout.matchAll(/^ {2}npx cuelab (.*)$/gm)].map(([, words]) => words!);
  expect(commands.length).toBeGreaterThan(6);
  for (const words of commands.filter((each) => each.startsWith("eval"))) {
    const told = await ranHere(shellWords(words));
    expect(told.code, told.stderr).toBe(0);
    expect(told.stdout).toContain("Beside the baseline");
  }
  // Those that train or draw for minutes are understood as they are: what comes after them is refused, and nothing before.
  for (const words of commands.filter((each) => !each.startsWith("eval")))
    expect((await ranHere([...shellWords(words), "--no-such-option"])).stderr, words).toMatch(
      /unknown option '--no-such-option'/,
    );
  const other = commands.find((words) => words.includes("--explicit coObject"))!;
  const told = await cuelabJson<Demo>(shellWords(other));
  expect(told.runs.map((run) => run.told)).toEqual([[], ["coObject"], []]);
  expect(told.runs.map(({ id }) => id)).toEqual([demo.runs[0]!.id, expect.any(String), demo.runs[2]!.id]);
  // Back to the page that the other tests are about.
  await cuelab([...small, out]);
}, 300_000);

/** As a shell takes them apart. */
function shellWords(text: string): string[] {
  return [...text.matchAll(/(?:'[^']*'|\\.|[^\s'])+/g)].map(([word]) =>
    word.replaceAll(
      /'([^']*)'|\\(.)/g,
      (_, within: string | undefined, escaped: string) => within ?? escaped,
    ),
  );
}

test("a cue that the demo has not is refused", async () => {
  const { stderr, code } = await ranHere([...small, out, "--explicit", "carKind"]);
  expect(stderr).toContain("Allowed are background, coObject, or both by a comma.");
  expect(code).toBe(2);
});

test("what was changed since is left alone", async () => {
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
      const runs = join(folder, "runs");
      const look = setInterval(() => {
        const begun = existsSync(runs) ? readdirSync(runs) : [];
        if (!begun.some((run) => existsSync(join(runs, run, "checkpoint.safetensors")))) return;
        clearInterval(look);
        child.kill("SIGINT");
      }, 50);
      child.on("close", () => clearInterval(look));
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
    expect(await page.title()).toBe("Cured of one shortcut: what becomes of the other?");
    expect(await page.locator("script").count()).toBe(0);
    const pictures = await page
      .locator("img")
      .evaluateAll((images) =>
        images.map((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      );
    // The six groups that so few images have, one image, and its two views.
    expect(pictures).toHaveLength(9);
    expect(pictures.every((width) => width === 192)).toBe(true);
    const rows = await shown(page, "section[aria-labelledby=gaps] tbody tr");
    const text = (share: number) => (100 * share).toFixed(1).replace(/^-0\.0$/, "0.0");
    const points = (share: number) => (share > 0 ? `+${text(share)}` : text(share));
    const cell = ({ value, low, high }: Estimate, of: (share: number) => string) =>
      `${of(value)} (${of(low)} to ${of(high)})`;
    expect(rows.map((row) => row.replaceAll(/\s+/g, " "))).toEqual([
      `none (I.D. accuracy) ${demo.runs.map(({ inDistribution }) => cell(inDistribution, (share) => `${text(share)}%`)).join(" ")}`,
      ...demo.runs[0]!.gaps.map(
        ({ cues }, i) =>
          `${cues.join(" + ")} ${demo.runs.map(({ gaps }) => cell(gaps[i]!, points)).join(" ")}`,
      ),
    ]);
    expect((await shown(page, ".finding p")).join(" ")).toBe(demo.findings.join(" "));
    for (const { id } of demo.runs) expect(await page.content()).toContain(`runs/${id}`);
    expect((await shown(page, "pre")).every((command) => command.startsWith("npx cuelab "))).toBe(true);
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
      expect(await image.getAttribute("alt")).toMatch(/^(urban|country) car, (urban|country) background, /);
    for (const chart of await page.locator("figure svg").all()) {
      expect(await chart.getAttribute("role")).toBe("img");
      expect(await chart.getAttribute("aria-label")).toMatch(/\d\.\d/);
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
      `[...document.querySelectorAll("figure svg")]
        .map((chart) => chart.getBoundingClientRect().width / chart.viewBox.baseVal.width)`,
    )) as number[];
    expect(scales.length).toBeGreaterThan(0);
    // Text of 12 pixels is never shown below 10.
    for (const scale of scales) expect(scale).toBeGreaterThan(10 / 12);
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await open({ colorScheme });
      const colours =
        await page.evaluate(`[...document.querySelectorAll("p, td, figcaption, dt, .chart text")].map((element) => {
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
