/** Delimited texts as people save them: separators, marks, line ends, ways to write numbers, and what is wrong. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { csvRows } from "./csv-rows.ts";
import { openCsv } from "./open-csv.ts";
import { openTableFile } from "./open-table.ts";
import type { NumberColumn } from "./table.ts";

const folder = temporaryFolder();

function file(content: string | Uint8Array, name = "t.csv"): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function rowsOf(path: string): Promise<string[][]> {
  const found: string[][] = [];
  for await (const { cells } of csvRows(path, (names) => found.push(names))) found.push(cells);
  return found;
}

async function numbersOf(content: string, workers = 0) {
  const table = await openCsv(file(content));
  const found: { numbers: number[]; wrong?: unknown; missing?: unknown } = { numbers: [] };
  for await (const { columns } of table.batches([{ name: "x", as: "numbers" }], { workers })) {
    const { numbers, wrong, missing } = columns[0] as NumberColumn;
    found.numbers.push(...numbers);
    found.wrong ??= wrong;
    found.missing ??= missing;
  }
  return { ...found, remarks: table.remarks.map((remark) => remark.replace(`${folder}/`, "")) };
}

describe("layouts", () => {
  test.each([
    ["commas", "a,b\n1,2\n"],
    ["semicolons", "a;b\n1;2\n"],
    ["tabs", "a\tb\n1\t2\n"],
    ["a byte order mark", "\ufeffa,b\n1,2\n"],
    ["Windows' line ends", "a,b\r\n1,2\r\n"],
    ["an old Mac's line ends", "a,b\r1,2\r"],
    ["no line end at the end", "a,b\n1,2"],
    ["empty lines", "\na,b\n\n1,2\n \n\n"],
    ["spaces around cells", " a , b \n 1 ,\t2 \n"],
    ["quotes", '"a","b"\n"1" , "2"\n'],
  ])("%s", async (_, content) => {
    expect(await rowsOf(file(content))).toEqual([
      ["a", "b"],
      ["1", "2"],
    ]);
  });

  test("the separator is the one by which all rows have as many cells as the header", async () => {
    expect(await rowsOf(file("x;y\n0,5;1,5\n0,25;2\n"))).toEqual([
      ["x", "y"],
      ["0,5", "1,5"],
      ["0,25", "2"],
    ]);
    expect(await rowsOf(file('"a;b",c\n1;2,3\n'))).toEqual([
      ["a;b", "c"],
      ["1;2", "3"],
    ]);
    expect((await openCsv(file("x;y\n1;2\n"))).remarks[0]).toMatch(/separated by semicolons/);
    expect((await openCsv(file("x,y\n1,2\n"))).remarks).toEqual([]);
    expect((await openCsv(file("x\ty\n1\t2\n", "t.tsv"))).remarks).toEqual([]);
  });

  test("quotes, separators and line ends inside cells", async () => {
    expect(await rowsOf(file('a,b\n"x,""y""\nz",1\n"",2\n'))).toEqual([
      ["a", "b"],
      ['x,"y"\nz', "1"],
      ["", "2"],
    ]);
  });

  test("lines are those of the editor", async () => {
    const lines: number[] = [];
    for await (const { line } of csvRows(file('a,b\n\n"x\ny",1\nz,2\n'), () => {})) lines.push(line);
    expect(lines).toEqual([3, 5]);
  });

  test("a Parquet file by another name is told apart by its content", async () => {
    const { parquetWriteFile } = await import("hyparquet-writer");
    const path = join(folder, "p.csv");
    parquetWriteFile({ filename: path, columnData: [{ name: "a", data: [1, 2], type: "INT32" }] });
    const table = await openTableFile(path);
    expect(table.columns).toEqual(["a"]);
    expect(table.remarks[0]).toMatch(/Parquet file by its content/);
    await expect(openTableFile(file("a,b\n1,2\n", "t.parquet"))).rejects.toThrow(
      /cannot read the Parquet file/,
    );
  });
});

describe("numbers", () => {
  test("decimal commas and per cent, with a remark", async () => {
    const commas = await numbersOf("n;x\n1;0,93\n2;-12,5\n3;1,2345e-3\n4;7\n");
    expect(commas.numbers).toEqual([0.93, -12.5, 1.2345e-3, 7]);
    expect(commas.remarks.at(-1)).toBe('t.csv: column "x" has decimal commas, such as "0,93" in row 1');
    const percent = await numbersOf("n,x\n1,93.1 %\n2,5%\n");
    expect(percent.numbers).toEqual([0.931, 0.05]);
    expect(percent.remarks.at(-1)).toMatch(
      /is in per cent and was divided by 100, such as "93.1 %" in row 1/,
    );
    expect((await numbersOf("n;x\n1;93,1%\n")).numbers).toEqual([0.931]);
    expect((await numbersOf('n,x\n1,"0,5"\n')).numbers).toEqual([0.5]);
  });

  test.each([
    ["1,234", "n;x\n1;1,234\n"],
    ["1.234,5", "n;x\n1;1.234,5\n"],
    ["1,234.5", 'n,x\n1,"1,234.5"\n'],
    ["12,345,678", 'n,x\n1,"12,345,678"\n'],
  ])("%s could be two numbers, and is none", async (text, content) => {
    await expect(numbersOf(content)).rejects.toThrow(
      new RegExp(
        `read in two ways[\\s\\S]*t\\.csv, line 2, column x[\\s\\S]*"${text.replaceAll(".", "\\.")}"`,
      ),
    );
  });

  test("a column is written in one way", async () => {
    await expect(numbersOf("n;x\n1;0,5\n2;1.234\n")).rejects.toThrow(
      /two ways[\s\S]*row 2[\s\S]*"0,5" in row 1[\s\S]*"1.234"/,
    );
    await expect(numbersOf("n,x\n1,93.1%\n2,0.5\n")).rejects.toThrow(
      /two ways[\s\S]*row 2[\s\S]*per cent[\s\S]*"0.5"/,
    );
    expect((await numbersOf("n;x\n1;0,5\n2;7\n3;nan\n4;\n")).numbers).toEqual([
      0.5,
      7,
      Number.NaN,
      Number.NaN,
    ]);
  });

  test("what is no number, and what is nothing, with its place", async () => {
    const { wrong, missing } = await numbersOf("n,x\n1,\n\n2,cat\n3,dog\n");
    expect(wrong).toEqual({ row: 2, text: "cat", line: 4 });
    expect(missing).toEqual({ row: 1, text: "", line: 2 });
    for (const text of ["0x10", "1_000", "inf", "1e999", "1-2", "--1", "."]) {
      expect((await numbersOf(`n,x\n1,${text}\n`)).wrong, text).toMatchObject({ text });
    }
  });

  test("are the doubles that JavaScript reads", async () => {
    const texts = [
      "0.1",
      "-3.5",
      "12345678901234567890",
      "6.738998584810297e-05",
      "007",
      "1.",
      ".5",
      "+2",
      "-0",
    ];
    expect((await numbersOf(`n,x\n${texts.map((text) => `1,${text}\n`).join("")}`)).numbers).toEqual(
      texts.map(Number),
    );
  });
});

describe("what cannot be read", () => {
  const every = async (content: string | Uint8Array) => rowsOf(file(content));

  test.each([
    ["a row that is too short", "a,b\n1,2\n3\n", /line 3[\s\S]*2 values, as in the header[\s\S]*1 values/],
    ["a row that is too long", "a,b\n1,2,3\n", /line 2[\s\S]*2 values[\s\S]*3 values/],
    ["a quote that is never closed", 'a,b\n1,2\n"3,4\n5,6\n', /line 3[\s\S]*does not end/],
    ["text behind a quote", 'a,b\n"1"x,2\n', /line 2[\s\S]*follows a closing quote/],
    ["a quote within a cell", 'a,b\n1,2\n5" disk,2\n', /line 3[\s\S]*a quote within/],
    ["two columns of one name", "a,a\n1,2\n", /two columns "a"/],
    ["nothing", "", /the table is empty/],
    ["blank lines only", " \n\n", /the table is empty/],
    ["UTF-16", Buffer.from("\ufeffa,b\n1,2\n", "utf16le"), /UTF-16/],
    ["UTF-16 without a mark", Buffer.from("a,b\n1,2\n", "utf16le"), /NUL bytes/],
    ["Latin-1", Buffer.from("a,b\n1,caf\xe9\n", "latin1"), /not in UTF-8[\s\S]*line 2, column b[\s\S]*café/],
    ["a NUL byte", `a,b\n${"1,2\n".repeat(1000)}1,\0\n`, /NUL byte[\s\S]*line 1002, column b/],
    ["Excel's own file", Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), /zip archive/],
    ["gzip", Buffer.from([0x1f, 0x8b, 8, 0]), /gzip/],
  ])("%s", async (_, content, message) => {
    await expect(every(content)).rejects.toThrow(message);
  });

  test("a missing file", async () => {
    await expect(rowsOf(join(folder, "none.csv"))).rejects.toThrow(/cannot be read[\s\S]*ENOENT/);
  });
});
