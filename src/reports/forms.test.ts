/** One answer in every form: what is shown, and that names from files stay text in each. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import type { Section, Table } from "../core/section.ts";
import { decodePng } from "../images/png.ts";
import { thumbnail } from "../images/thumbnail.ts";
import { answerFiles } from "./answer-files.ts";
import { asCsv } from "./as-csv.ts";
import { asHtml } from "./as-html.ts";
import { asLatex } from "./as-latex.ts";
import { asMarkdown } from "./as-markdown.ts";
import { asText } from "./as-text.ts";
import { formattedTable } from "./formatted-table.ts";
import { htmlTable } from "./html-page.ts";

const hostile = [
  "<script>alert(1)</script>",
  `"quoted", 'single' & more`,
  "a|b\\|c",
  "50% of $10 & #1_{x}^2~y\\z",
  "line\nbreak\r\nagain",
  "\u001b[31mred\u0007",
  "**bold** _it_ `code` [link](javascript:alert(1))",
  "–−±×≥≤αβ",
  "\u202etxt.exe",
];

const table: Table = {
  name: "names",
  caption: "names & <captions> \u001b[1m",
  columns: [{ title: "name | <th>" }, { title: "accuracy", better: "higher" }],
  rows: hostile.map((name, i) => ({ cells: [name, { value: i / 10, text: `${10 * i}.0%` }] })),
};

const sections: Section[] = [
  {
    name: "all",
    heading: hostile[0]!,
    text: "one\n\ntwo <b>",
    facts: [[hostile[1]!, hostile[5]!]],
    findings: [{ claim: hostile[3]!, verdict: "seen", evidence: hostile[6]! }],
    tables: [table],
    remarks: hostile,
  },
  { name: "more", heading: "", remarks: ["goes on"] },
];

test("what a table is about joins which of its rows are shown; of pictures it stands above them", async () => {
  const rows = [{ cells: ["a"] }, { cells: ["b"] }];
  const some = { name: "t", caption: "Every head.", columns: [{ title: "x" }], rows };
  const png = async () => ({ png: new Uint8Array(1), width: 1, height: 1 });
  const galleries = [{ name: "g", caption: "Mistakes", pictures: [{ label: "a.png", alt: "a", draw: png }] }];
  const shown = { rows: [0], why: "the first of 2" };
  const page = await asHtml({
    title: "t",
    lead: "l",
    sections: [{ name: "s", heading: "h", tables: [{ ...some, shown }], galleries }],
  });
  expect(page).toContain(">Every head; the first of 2<");
  expect(page.indexOf(">Mistakes<")).toBeLessThan(page.indexOf("<img"));
});

/** Rows as DuckDB reads them, by the names of columns. */
async function readBack(csv: string): Promise<Record<string, string | null>[]> {
  const path = join(temporaryFolder(), "table.csv");
  writeFileSync(path, csv);
  const connection = await (await DuckDBInstance.create()).connect();
  const query = `SELECT * FROM read_csv('${path}', header = true, all_varchar = true, quote = '"', escape = '"', delim = ',')`;
  const rows = (await connection.runAndReadAll(query)).getRowObjects();
  connection.closeSync();
  return rows as Record<string, string | null>[];
}

test("commands stand as they are typed, and are nothing else in any form", async () => {
  const typed: Section = {
    name: "next",
    heading: "Next",
    commands: [[hostile[0]!, `npx cuelab eval 'a \`b' ${hostile[5]!}`]],
  };
  expect(asText([typed])).toBe("Next\n<script>alert(1)</script>:\n  npx cuelab eval 'a `b' �[31mred�");
  const page = await asHtml({ title: "t", lead: "l", sections: [typed] });
  expect(page).toContain("<p>&lt;script&gt;alert(1)&lt;/script&gt;:</p>");
  expect(page).toContain("<code>npx cuelab eval &#39;a `b&#39; �[31mred�</code>");
  expect(asMarkdown([typed])).toContain(": `` npx cuelab eval 'a `b' �[31mred� ``");
});

test("a terminal gets one line a name, and nothing that moves its cursor", () => {
  const text = asText(sections, { bold: (words) => `*${words}*` });
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\u2028-\u202e]/u);
  expect(text).toContain("*<script>alert(1)</script>*");
  expect(text).toContain("line�break��again");
  expect(text).toMatch(/80\.0% ★$/m);
  expect(text).toMatch(/remark: goes on$/);
});

test("a heading of figures alone is left to pages, that of nothing at all stays", () => {
  const figures = [{ name: "f", caption: "c", draw: () => expect.unreachable() }];
  expect(asText([{ name: "curves", heading: "Curves", figures }])).toBe("");
  expect(asText([{ name: "curves", heading: "Curves", figures, remarks: ["slow"] }])).toBe(
    "Curves\nremark: slow",
  );
  expect(asText([{ name: "empty", heading: "Empty" }])).toBe("Empty");
});

test("a page shows names, and has none of them as markup", async () => {
  const page = await asHtml({ title: hostile[0]!, lead: hostile[0]!, sections });
  expect(page).not.toMatch(/<script|<th>"|<b>/);
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(page).toContain("<strong>80.0%</strong>");
  // Both sections are one on the page: the second has no heading of its own.
  expect(page.match(/<section/g)).toHaveLength(1);
});

test("Markdown keeps its rows and shows marks as characters", () => {
  const markdown = asMarkdown(sections);
  const rows = markdown.split("\n").filter((line) => line.startsWith("| "));
  for (const row of rows) expect(row.match(/(?<!\\)\|/g), row).toHaveLength(3);
  expect(rows).toHaveLength(hostile.length + 2);
  expect(markdown).not.toMatch(/(?<!\\)[<`[]/);
  expect(markdown).toContain("**80.0%**");
});

test("LaTeX has every special character as itself", () => {
  const latex = asLatex(table);
  expect(latex).toContain(
    "50\\% of \\$10 \\& \\#1\\_\\{x\\}\\textasciicircum{}2\\textasciitilde{}y\\textbackslash{}z",
  );
  expect(latex).toContain("--$-$$\\pm$$\\times$$\\geq$$\\leq$$\\alpha$$\\beta$");
  expect(latex.match(/\\\\$/gm)).toHaveLength(hostile.length + 1);
  expect(latex).toContain("\\textbf{80.0\\%}");
  // What is left unescaped after all that is escaped is taken out: nothing that LaTeX would read as its own.
  const body = latex.split("\n").filter((line) => line.endsWith("\\\\"));
  const plain = body.map((line) => line.replaceAll(/\\[a-z]+(\{\})?|\\[&%$#_{}\\]|\$[^$]*\$| & /g, ""));
  for (const line of plain) expect(line).not.toMatch(/[%#_^~]/);
});

test("CSV gives every name back, by another program", async () => {
  const rows = await readBack(asCsv(table));
  expect(rows.map((row) => row["name | <th>"])).toEqual(hostile);
  expect(rows.map(({ accuracy }) => Number(accuracy))).toEqual(hostile.map((_, i) => i / 10));
});

test("numbers over seeds have a line each in CSV, with Student's interval", async () => {
  const cell = { mean: 0.8, deviation: 0.02, runs: 3 };
  const seeds: Table = {
    ...table,
    columns: [{ title: "method" }, { title: "accuracy" }],
    rows: [
      { cells: ["erm", cell] },
      { cells: ["published", { mean: 0.7, deviation: 0.01, runs: 0 }], source: "published" },
    ],
  };
  const rows = await readBack(asCsv(seeds));
  // t(0.975; 2) = 4.302653, 4.302653 · 0.02 / √3 = 0.0496828.
  expect(rows[0]).toMatchObject({ method: "erm", source: "ours", mean: "0.8", sd: "0.02", seeds: "3" });
  expect(Number(rows[0]!.low)).toBeCloseTo(0.8 - 0.0496828, 6);
  expect(rows[1]).toMatchObject({ source: "published", low: null });
  expect(asText([{ name: "s", heading: "", tables: [seeds] }])).toContain("80.0 ± 5.0 (3)");
});

test("of a long table the rows that are shown are shown, and files have all", async () => {
  const long = { ...table, shown: { rows: [1, 8], why: "two of nine" } };
  const text = asText([{ name: "long", heading: "", tables: [long] }]);
  expect(text.split("\n").filter((line) => line.includes("%") && line.includes(".0"))).toHaveLength(2);
  expect(text).toContain("two of nine");
  expect(await readBack(asCsv(long))).toHaveLength(9);
});

test("pictures are shown on a page, are files beside Markdown, and are named in a terminal", async () => {
  const pixels = { data: new Uint8Array(48).fill(7), height: 4, width: 4, channels: 3 };
  const picture = { label: hostile[0]!, alt: hostile[1]!, draw: async () => thumbnail(pixels) };
  const shown: Section[] = [
    { name: "s", heading: "", galleries: [{ name: "wrong", caption: "wrong ones", pictures: [picture] }] },
  ];
  const page = { title: "t", lead: "l", inShort: [hostile[0]!], sections: shown };
  const files = await answerFiles({ ...page, name: "report", answer: {} });
  expect(decodePng(files.get("figures/wrong-1.png") as Buffer)).toMatchObject({ height: 12, width: 12 });
  expect(files.get("report.md")).toContain("(figures/wrong-1.png)");
  const html = String(files.get("report.html"));
  expect(html).not.toContain("<script");
  expect(html.match(/<img src="data:image\/png/g)).toHaveLength(1);
  expect(html).toContain('<div class="finding"><p>&lt;script&gt;');
  expect(asText(shown)).toBe(`wrong ones:\n  ${hostile[0]}`);
});

test("a wide table is turned on paper, one whose words can wrap is not", () => {
  const columns = Array.from({ length: 14 }, (_, i) => ({ title: `column ${i}`, numeric: true }));
  const wide = htmlTable("", columns, [{ cells: columns.map(() => "75.2 (70.1–80.3)") }]).text;
  expect(wide).toMatch(/class="table turned" style="--em:1\d\d"/);
  const words = htmlTable("", columns.slice(0, 2), [{ cells: ["a b ".repeat(99), "1"] }]).text;
  expect(words).toMatch(/class="table" style="--em:\d+"/);
});

test("by a test, those that are not worse are marked, unless nothing is worse", () => {
  const marks = (...tested: boolean[]) => {
    const rows = tested.map((notWorse) => ({ cells: [{ value: 1, text: "1", notWorse }] }));
    const table = { name: "t", caption: "", columns: [{ title: "m" }], rows };
    return formattedTable(table).rows.map(({ cells }) => cells[0]!.rank);
  };
  expect(marks(true, false, true)).toEqual([1, undefined, 1]);
  expect(marks(true, true)).toEqual([undefined, undefined]);
});

test("what several share is marked for none of them", () => {
  const cell = (mean: number) => ({ mean, deviation: 0.01, runs: 3 });
  const marks = (...means: number[]) => {
    const columns = [{ title: "m", better: "higher" as const }];
    const rows = means.map((mean) => ({ cells: [cell(mean)] }));
    return formattedTable({ name: "t", caption: "", columns, rows }).rows.map(({ cells }) => cells[0]!.rank);
  };
  expect(marks(0.5, 0.4, 0.3)).toEqual([1, 2, undefined]);
  // 10.5% twice, as it is shown.
  expect(marks(0.1051, 0.1049, 0.1, 0.09)).toEqual([undefined, undefined, undefined, undefined]);
  expect(marks(0.5, 0.4, 0.4, 0.3)).toEqual([1, undefined, undefined, undefined]);
});

test("columns that are empty in all rows shown are left out on screens, not in files", () => {
  const table: Table = {
    name: "t",
    caption: "",
    columns: [{ title: "what" }, { title: "explained by" }],
    rows: [{ cells: ["hue", ""] }, { cells: ["size", "hue"] }],
  };
  const part = { ...table, shown: { rows: [0], why: "the first" } };
  expect(formattedTable(part, "shown").columns.map(({ title }) => title)).toEqual(["what"]);
  expect(formattedTable(part).columns).toHaveLength(2);
  expect(formattedTable(table, "shown").columns).toHaveLength(2);
});

test("lines with a dash are a list on a page; a table without rows is none", async () => {
  const section: Section = {
    name: "s",
    heading: "h",
    text: "Why:\n\n– one\n– two",
    facts: [["augment", ""]],
    tables: [{ name: "t", caption: "of nothing", columns: [{ title: "c" }], rows: [] }],
  };
  const page = await asHtml({ title: "t", lead: "l", sections: [section] });
  expect(page).toMatch(/<p>Why:<\/p>\s*<ul><li>one<\/li>\s*<li>two<\/li>\s*<\/ul>/);
  expect(page).not.toContain("of nothing");
  expect(page).toContain("<dt>augment</dt><dd>none</dd>");
  expect(asText([section])).toContain("augment  none");
});

test("a column of nothing but dashes stands with the numbers beside it", () => {
  const counts: Table = {
    name: "counts",
    caption: "",
    columns: [{ title: "class" }, { title: "train" }, { title: "val" }],
    rows: [
      { cells: ["cat", { value: 3, text: "3" }, null] },
      { cells: ["dog", { value: 4, text: "4" }, null] },
    ],
  };
  expect(formattedTable(counts, "shown").columns.map(({ numeric }) => numeric)).toEqual([false, true, true]);
});
