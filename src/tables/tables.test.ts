/** Tables that another program wrote come back as they were, however they are cut and whoever reads them. */

import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { openCsv } from "./open-csv.ts";
import { openParquet } from "./open-parquet.ts";
import { type ColumnRequest, type ReadOptions, type TableFile, textAt } from "./table.ts";

const folder = temporaryFolder();
const duckdb = await (await DuckDBInstance.create(":memory:")).connect();

/** Every cell as text, and what codes tell beside. */
async function read(table: TableFile, wanted: readonly ColumnRequest[], options: ReadOptions) {
  const rows: string[][] = [];
  let told: (readonly [readonly string[], readonly number[]] | undefined)[] = [];
  for await (const batch of table.batches(wanted, options)) {
    expect(batch.first).toBe(rows.length + 1);
    for (let row = 0; row < batch.count; row++) rows.push(batch.columns.map((column) => textAt(column, row)));
    told = batch.columns.map((column) =>
      column.as === "codes" ? ([column.texts, column.firstRows] as const) : undefined,
    );
  }
  return { rows, told };
}

/** Texts in order of appearance, and the rows of that, counted another way. */
function firsts(rows: readonly string[][], column: number) {
  const texts = [...new Set(rows.map((row) => row[column]!))];
  return [texts, texts.map((text) => 1 + rows.findIndex((row) => row[column] === text))];
}

async function fill(cells: readonly (readonly (string | null)[])[]): Promise<void> {
  await duckdb.run("create or replace table t (n integer, a varchar, b varchar, c varchar)");
  const literal = (cell: string | null) => (cell === null ? "null" : `'${cell.replaceAll("'", "''")}'`);
  const values = cells.map((row, n) => `(${n}, ${row.map(literal).join()})`);
  if (values.length > 0) await duckdb.run(`insert into t values ${values.join()}`);
}

const cell = fc.oneof(
  fc.constantFrom("a", "b", "", "1", "0.5", null),
  fc.string({
    unit: fc.constantFrom("a", '"', ",", ";", "\t", "\n", "\r\n", "'", "ü", "語", "😀"),
    maxLength: 6,
  }),
);
const rows = fc.array(fc.tuple(cell, cell, cell), { maxLength: 40 });
const wanted: ColumnRequest[] = [
  { name: "c", as: "codes" },
  { name: "a", as: "texts" },
  { name: "b", as: "codes" },
];

/** Spaces and tabs around cells do not count, unless they stand in quotes. */
function expected(cells: readonly (readonly (string | null)[])[], quoted = /[\s\S]*/): string[][] {
  const text = (cell: string | null) => (cell === null ? "" : quoted.test(cell) ? cell : cell.trim());
  return cells.map(([a, b, c]) => [text(c!), text(a!), text(b!)]);
}

test("what DuckDB writes as CSV, with any separator, cut anywhere", async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(",", ";", "\t"),
      fc.boolean(),
      fc.integer({ min: 1, max: 60 }),
      async (cells, separator, quoteAll, chunk) => {
        const path = join(folder, "t.csv");
        await fill(cells);
        const options = `header, delimiter '${separator}'${quoteAll ? ", force_quote *" : ""}`;
        await duckdb.run(`copy t to '${path}' (${options})`);
        const { rows: found, told } = await read(await openCsv(path), wanted, { workers: 0, chunk });
        const quoted = new RegExp(quoteAll ? "[\\s\\S]*" : `["\\n\\r${separator}]`);
        expect(found).toEqual(expected(cells, quoted));
        if (cells.length > 0) {
          for (const column of [0, 2]) expect(told[column]).toEqual(firsts(found, column));
        }
      },
    ),
    { numRuns: 60 },
  );
});

test("what DuckDB writes as Parquet, in any encoding of its own, cut anywhere", async () => {
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom("uncompressed", "snappy", "zstd", "gzip", "lz4_raw", "brotli"),
      fc.constantFrom("v1", "v2"),
      fc.integer({ min: 1, max: 50 }),
      async (cells, compression, version, chunk) => {
        const path = join(folder, "t.parquet");
        await fill(cells);
        await duckdb.run(
          `copy t to '${path}' (format parquet, compression ${compression}, parquet_version ${version}, row_group_size 2048)`,
        );
        const { rows: found } = await read(await openParquet(path), wanted, { workers: 0, chunk });
        expect(found).toEqual(expected(cells));
      },
    ),
    { numRuns: 40 },
  );
});

test("one, two and no threads give the same codes, texts and numbers", async () => {
  const csv = join(folder, "many.csv");
  await duckdb.run(`create or replace table m as select i as id, 'v' || (i * 7919 % 301) as v,
    case when i % 11 = 0 then null else (i % 17)::smallint end as n, i % 3 = 0 as b, i * 5000000000 as wide,
    ((i * 37 % 1000) / 8)::float as f, sin(i) as d, date '2020-01-01' + (i % 5)::int as day
    from range(6000) r(i)`);
  await duckdb.run(`copy m to '${csv}' (header)`);
  const files = [csv];
  for (const [version, compression] of [
    ["v1", "snappy"],
    ["v2", "zstd"],
    ["v1", "uncompressed"],
  ]) {
    const path = join(folder, `many-${version}-${compression}.parquet`);
    await duckdb.run(
      `copy m to '${path}' (format parquet, parquet_version ${version}, compression ${compression}, row_group_size 2048)`,
    );
    files.push(path);
  }
  const asked: ColumnRequest[] = [
    ...["v", "n", "b", "wide", "day"].map((name) => ({ name, as: "codes" as const })),
    ...["f", "d"].map((name) => ({ name, as: "numbers" as const })),
    { name: "id", as: "texts" },
  ];
  const answers: unknown[] = [];
  const reference = (
    await duckdb.runAndReadAll("select v, n, b, wide, f, d, id from m order by id")
  ).getRows();
  for (const path of files) {
    const table = path === csv ? await openCsv(path) : await openParquet(path);
    for (const [workers, chunk] of [
      [0, 700],
      [1, path === csv ? 20_000 : 1500],
      [2, path === csv ? 30_000 : 900],
    ]) {
      const found = await read(table, asked, { workers, chunk });
      // Dates are written in two ways; all else is the same in both kinds of file.
      for (const row of found.rows) row[4] = row[4]!.slice(0, 10);
      answers.push({ rows: found.rows, told: [0, 1, 2, 3].map((column) => found.told[column]) });
    }
  }
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  const text = (value: unknown) => (value === null ? "" : String(value as string | number | bigint));
  const { rows: ours } = answers[0] as { rows: string[][] };
  expect(ours.map(([v, n, b, wide, , f, d, id]) => [v, n, b, wide, f, d, id])).toEqual(
    reference.map((row) => row.map(text)),
  );
});
