/** One list of hostile names through every form in which people see names: none of them is more than text there. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { XMLParser } from "fast-xml-parser";
import { afterEach, describe, expect, test, vi } from "vitest";
import { chartPng, drawChart } from "../src/charts/chart.ts";
import { chartPdf } from "../src/charts/chart-pdf.ts";
import { dotChart } from "../src/charts/dot-chart.ts";
import { Console } from "../src/cli/console.ts";
import { LiveBlock } from "../src/cli/live-block.ts";
import { Progress } from "../src/cli/progress.ts";
import { auditedThings } from "../src/contracts/audited-things.ts";
import { hostileNames, markupOfNames, steering } from "../src/contracts/hostile-names.ts";
import type { Section, Table } from "../src/core/section.ts";
import { contactSheet } from "../src/formats/card/contact-sheet.ts";
import { croissant } from "../src/formats/card/croissant.ts";
import { dataCard } from "../src/formats/card/data-card.ts";
import { shortened } from "../src/formats/card/drawing.ts";
import { formats } from "../src/formats/index.ts";
import type { Manifest } from "../src/formats/manifest.ts";
import { models } from "../src/models/index.ts";
import { parseModelOptions } from "../src/models/model.ts";
import { answerFiles } from "../src/reports/answer-files.ts";
import { asCsv } from "../src/reports/as-csv.ts";
import { asHtml } from "../src/reports/as-html.ts";
import { asLatex } from "../src/reports/as-latex.ts";
import { asText } from "../src/reports/as-text.ts";
import type { RunComparison } from "../src/reports/comparison.ts";
import { comparisonFormats, formatComparison } from "../src/reports/comparison-formats.ts";
import { comparisonPage } from "../src/reports/comparison-page.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { ranHere } from "./helpers/in-process.ts";

const names = [...hostileNames];
const table: Table = {
  name: "names",
  caption: names.slice(0, 30).join(" "),
  columns: [
    { title: names[0]!, group: names[7]! },
    { title: names[9]!, better: "higher" },
  ],
  rows: names.map((name, i) => ({ cells: [name, { value: i / 100, text: `${i}.0%` }] })),
};
const sections: Section[] = names.map((name, i) => ({
  name: `section-${i}`,
  heading: name,
  text: name,
  facts: [[name, name]],
  findings: [{ claim: name, verdict: "seen", evidence: name }],
  tables: i === 0 ? [table] : [],
  remarks: [name],
}));

function cellsOf(row: string): number {
  return row.split("|").length - 2;
}

function expectMarkdown(text: string): void {
  expect(text).not.toMatch(steering);
  const fenced = text.replaceAll(/^```\w*\n[\s\S]*?^```$/gm, "");
  const outside = fenced.replaceAll(/\\./g, "").replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "");
  expect(outside.match(/[<`]|\](?!\((figures\/|contact-sheet))/)?.[0]).toBeUndefined();
  const tables = outside.split("\n\n").filter((block) => block.startsWith("| "));
  for (const block of tables)
    expect(
      new Set(
        block
          .split("\n")
          .filter((line) => line.startsWith("|"))
          .map(cellsOf),
      ).size,
    ).toBe(1);
}

function expectPage(page: string): void {
  expect(markupOfNames.exec(page)?.[0]).toBeUndefined();
  expect(steering.exec(page)?.[0]).toBeUndefined();
}

test("sections, in every form and every file", async () => {
  const title = names.join(" ");
  const files = await answerFiles({
    name: "r",
    title,
    lead: title,
    inShort: names,
    sections,
    answer: { names },
  });
  expectPage(String(files.get("r.html")));
  expectMarkdown(String(files.get("r.md")));
  const json = String(files.get("r.json"));
  expect(json).not.toMatch(steering);
  expect(JSON.parse(json)).toEqual({ names });
  expect(asText(sections)).not.toMatch(steering);
  expect(asText(sections).split("\n")).toHaveLength(asText(sections.map(plainly)).split("\n").length);
});

/** The same with a word for each name. */
function plainly(section: Section): Section {
  const plain = (text: string) => (text.trim() === "" ? text : "word");
  return {
    ...section,
    heading: plain(section.heading),
    text: section.text!.replaceAll(/[^\n]+/g, "word"),
    facts: [["word", "word"]],
    findings: [{ claim: "word", verdict: "seen", evidence: "word" }],
    tables: section.tables!.map((each) => ({
      ...each,
      rows: each.rows.map(({ cells }) => ({ cells: ["word", cells[1]!] })),
    })),
    remarks: ["word"],
  };
}

test("LaTeX: a row a line, and nothing of a name is a command, a column or a comment", () => {
  const latex = asLatex(table);
  expect(latex).not.toMatch(steering);
  const rows = latex.split("\n").filter((line) => line.endsWith(" \\\\"));
  expect(rows).toHaveLength(names.length + 2);
  for (const row of rows.slice(1)) {
    expect(row).not.toMatch(/^[[*]/);
    const bare = row
      .slice(0, -3)
      .replaceAll(/\\(text\w+|underline)\{|\\[&%$#_{}]|\$(-|\\\w+)\$|\{[[\]*`-]\}/g, "");
    expect(bare.replace(" & ", "")).not.toMatch(/[\\&%$#_^~]/);
  }
});

test("CSV is data: another program reads every name back; the form for spreadsheets has no formula", async () => {
  // What UTF-8 cannot hold is no name in any file.
  const kept = names.filter((name) => !/\p{Cs}/u.test(name) && !name.includes("\0"));
  const short = { ...table, rows: kept.map((name) => ({ cells: [name, { value: -1, text: "-1" }] })) };
  const path = join(temporaryFolder(), "names.csv");
  writeFileSync(path, asCsv(short));
  const connection = await (await DuckDBInstance.create()).connect();
  const query = `select * from read_csv('${path}', header=true, all_varchar=true, quote='"', escape='"', delim=',')`;
  const read = (await connection.runAndReadAll(query)).getRows();
  connection.closeSync();
  expect(read.map(([name]) => name)).toEqual(kept);
  for (const line of asCsv(short, { excel: true })
    .split(/(?<=,-1\r?\n)/)
    .slice(1))
    expect(line).not.toMatch(/^"?[=+@\t\r-]/);
  expect(asCsv(short, { excel: true })).toContain(",-1");
});

test("figures: whole XML, a text a name, a picture, and a PDF", async () => {
  const points = names.map((row, i) => ({ row, series: names[(i + 1) % 3]!, value: i / 100 }));
  const chart = () =>
    dotChart({ description: names.join(" "), value: { title: names[0]!, format: ".0%" }, points });
  const svg = await drawChart(chart());
  expectPage(svg);
  expect(() => new XMLParser({ ignoreAttributes: false }).parse(svg, true)).not.toThrow();
  expect((await chartPng(svg, 0.1)).subarray(1, 4).toString()).toBe("PNG");
  expect((await chartPdf(chart())).subarray(0, 5).toString()).toBe("%PDF-");
});

test("runs compared: as a page and in every format", async () => {
  const cell = { mean: 0.5, deviation: 0.1, runs: 2, low: 0.1, high: 0.9 };
  const comparison = {
    dataset: names[0]!,
    fields: ["method", names[1]!],
    shown: [0, 1],
    slices: [names[2]!],
    rows: names.map((name) => ({ values: [name, name], cells: [cell], runs: [], selection: "last" })),
    copies: [],
    remarks: names,
  } as unknown as RunComparison;
  for (const format of comparisonFormats) {
    const text = formatComparison([comparison], format);
    if (format !== "csv") expect(text, format).not.toMatch(steering);
    if (format === "markdown") expectMarkdown(text);
  }
  expectPage(await asHtml(comparisonPage([comparison], names[3]!)));
});

test("a dataset's card, picture and Croissant", async () => {
  const dataset = await auditedThings("dataset", temporaryFolder(), "hostile");
  for (const format of formats.entries) {
    const manifest = manifestOf(format.name);
    expectMarkdown(
      dataCard({ ...dataset, classNames: names.slice(0, 2) }, manifest, format).split("---\n\n")[1]!,
    );
    expect(JSON.parse(JSON.stringify(croissant(manifest, format)))).toBeTypeOf("object");
  }
  expect(
    (await contactSheet({ ...dataset, classNames: ["\0", "x".repeat(200_000)] })).length,
  ).toBeGreaterThan(1000);
});

function manifestOf(format: string): Manifest {
  return {
    cuelabDataset: 1,
    cuelabVersion: "0.0.0",
    name: names[0]!,
    title: names.join(" "),
    description: names.join("\n\n"),
    license: names[2]!,
    citation: names[12]!,
    format,
    encoding: "png",
    count: 2,
    splits: { train: 2 },
    image: { height: 28, width: 28, channels: 3 },
    classNames: names,
    attributes: names.map((name) => ({
      name,
      role: "cue",
      valueNames: names.slice(0, 10),
      description: name,
    })),
    generator: { name: names[6]!, version: 1 },
    settings: { of: names },
    seed: 0,
    sources: [{ name: names[1]!, license: names[2]!, sha256: { [names[3]!]: names[4]! } }],
    skipped: names.map((image) => ({ image, reason: image })),
    hash: `sha256:${"0".repeat(64)}`,
    files: [{ path: "metadata.csv", bytes: 12, sha256: "f".repeat(64) }],
  } as Manifest;
}

describe("a terminal", () => {
  afterEach(() => vi.restoreAllMocks());

  function written(stream: "stdout" | "stderr", terminal: boolean, say: (console: Console) => void): string {
    let text = "";
    vi.spyOn(process[stream], "write").mockImplementation((part) => {
      text += String(part);
      return true;
    });
    const before = process[stream].isTTY;
    process[stream].isTTY = terminal;
    try {
      say(new Console());
    } finally {
      process[stream].isTTY = before;
    }
    return text;
  }

  const all = names.join(" ");

  test.each([true, false])("obeys no name; is one: %s", (terminal) => {
    expect(written("stdout", terminal, (console) => console.print(all))).not.toMatch(steering);
    expect(written("stderr", terminal, (console) => console.note(all))).not.toMatch(steering);
    const json = written("stdout", terminal, (console) => console.json(names));
    expect(json).not.toMatch(steering);
    expect(JSON.parse(json)).toEqual(names);
    const data = written("stdout", terminal, (console) => console.data(all));
    if (terminal) expect(data).not.toMatch(steering);
    else expect(data).toBe(`${all}\n`);
  });

  test("gets our colours, and none of a name's", () => {
    vi.stubEnv("NO_COLOR", "");
    const words = "\u001b[31m \ufdd0x";
    const text = written("stdout", true, (console) =>
      console.print(`${console.style("bold", words)} ${words}`),
    );
    vi.unstubAllEnvs();
    expect(text.split("\u001b")).toEqual(["", "[1m�[31m �x", "[22m �[31m �x\n"]);
  });

  test("shows progress of what has a hostile name", () => {
    let said = "";
    const stream = { isTTY: false, write: (text: string) => (said += text) };
    let now = 0;
    const clock = () => (now += 60_000);
    new Progress(stream, all, 10, "images", clock).update(1);
    new Progress(stream, all, 10, "images", clock).finish();
    new LiveBlock(stream, clock).update(() => [all]);
    expect(said).not.toMatch(steering);
  });

  test("is told of a wrong command without obeying it", async () => {
    const { stderr, stdout, code } = await ranHere([
      "data",
      "make",
      "\u001b[31m\u202ex",
      "--\u001b[2Jx",
      "--json",
    ]);
    expect(code).toBe(2);
    expect(stderr + stdout).not.toMatch(steering);
  });
});

test("a label is shortened as if letter by letter, in few tries", () => {
  const width = (text: string) => text.length + 2 * (text.split("…").length - 1);
  const slowly = (text: string, room: number) => {
    let shown = text;
    while (shown.length > 1 && width(shown) > room) shown = `${shown.slice(0, -2).trimEnd()}…`;
    return shown;
  };
  for (const text of ["", "a", "ab", "a b c d e f g h", "abcdefghij   klm", "x".repeat(100)])
    for (let room = 0; room < 30; room++)
      expect(
        shortened(text, (words) => width(words) <= room),
        `${text} in ${room}`,
      ).toBe(slowly(text, room));
  let tries = 0;
  const fitting = (words: string) => {
    tries++;
    return words.length < 20;
  };
  shortened("y".repeat(1_000_000), fitting);
  expect(tries).toBeLessThan(40);
});

test.each(["__proto__=1", "constructor=1", "prototype=1"])("no network takes the option %s", (assignment) => {
  const [key] = assignment.split("=");
  expect(() => parseModelOptions(models.get("small-cnn"), [assignment])).toThrow(`has no option ${key} = 1`);
});
