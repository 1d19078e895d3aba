/** Equal rows that come once are as many as there are, whoever reads them, and their texts are in the file's order. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { openTableFile } from "./open-table.ts";
import { type ColumnRequest, type ReadOptions, textAt } from "./table.ts";

const folder = temporaryFolder();
const duckdb = await (await DuckDBInstance.create(":memory:")).connect();

/** Rows as text with how often each occurs, and the texts of each column in order. */
async function counted(path: string, wanted: readonly ColumnRequest[], options: ReadOptions) {
  const counts = new Map<string, number>();
  let texts: (readonly string[])[] = [];
  let [told, read] = [0, 0];
  for await (const batch of (await openTableFile(path)).batches(wanted, { ...options, equalOnce: true })) {
    for (let row = 0; row < batch.count; row++) {
      const text = batch.columns.map((column) => textAt(column, row)).join("|");
      counts.set(text, (counts.get(text) ?? 0) + (batch.equal ? batch.equal.times[row]! : 1));
    }
    texts = batch.columns.map((column) => (column.as === "codes" ? column.texts : []));
    told += batch.count;
    read = batch.equal?.read ?? batch.first + batch.count - 1;
  }
  return { counts: [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)), texts, told, read };
}

test("they are counted as DuckDB counts them, by any number of threads and in parts of any size", async () => {
  // New values come late, so that places move; one column has an empty cell now and then.
  await duckdb.run(`create or replace table t as select 'a' || (i * 7919 % 13) as a,
    case when i % 50 = 0 then null else 'b' || (i // 1500) end as b, (i * 31 % 3)::int as c
    from range(9000) r(i)`);
  const files = ["t.csv", "t.parquet"].map((name) => join(folder, name));
  await duckdb.run(`copy t to '${files[0]}' (header)`);
  await duckdb.run(`copy t to '${files[1]}' (format parquet, row_group_size 2048)`);
  const wanted = ["a", "b", "c"].map((name): ColumnRequest => ({ name, as: "codes" }));
  const reference = (
    await duckdb.runAndReadAll(
      `select a || '|' || coalesce(b, '') || '|' || c, count(*)::int from t group by 1`,
    )
  ).getRows() as [string, number][];
  const expected = reference.toSorted(([a], [b]) => (a < b ? -1 : 1));
  for (const path of files) {
    for (const [workers, chunk] of [
      [0, 500],
      [1, 4000],
      [2, 900],
      // More threads than parts.
      [3, 1 << 20],
    ] as const) {
      const { counts, texts, told, read } = await counted(path, wanted, { workers, chunk });
      expect(counts).toEqual(expected);
      expect(texts[0]).toEqual(Array.from({ length: 13 }, (_, i) => `a${(i * 7919) % 13}`));
      expect(read).toBe(9000);
      expect(told).toBeLessThan(4500);
    }
  }
});

test("Parquet without empty cells, in every compression, with values of many bits and of none", async () => {
  // d has values of ten bits, e one value, f new ones in every group, g another form from the second group on.
  await duckdb.run(`create or replace table u as select 'a' || (i * 7919 % 13) as a, (i * 31 % 2)::int as c,
    (i * 7919 % 700)::bigint as d, 'e' as e, 'f' || (i // 2048) as f,
    case when i < 2048 then 7 else i * 7919 % 9000 end as g from range(9000) r(i)`);
  const read = async (names: readonly string[]) => {
    const cells = names.map((name) => `${name}::text`).join(` || '|' || `);
    const rows = await duckdb.runAndReadAll(`select ${cells}, count(*)::int from u group by 1`);
    return (rows.getRows() as [string, number][]).toSorted(([a], [b]) => (a < b ? -1 : 1));
  };
  for (const compression of ["uncompressed", "snappy", "zstd", "gzip"]) {
    const path = join(folder, `u.${compression}.parquet`);
    await duckdb.run(`copy u to '${path}' (format parquet, compression ${compression}, row_group_size 2048)`);
    for (const names of [
      ["a", "c", "e"],
      ["c", "d", "f"],
      ["a", "g"],
    ]) {
      const wanted = names.map((name): ColumnRequest => ({ name, as: "codes" }));
      const expected = await read(names);
      const rows = await duckdb.runAndReadAll(`select ${names[0]}::text, min(i) from
        (select *, row_number() over () as i from u) group by 1 order by 2`);
      for (const [workers, chunk] of [
        [0, 333],
        [0, 2048],
        [1, 1000],
        [2, 1 << 20],
      ] as const) {
        const { counts, texts, read: all } = await counted(path, wanted, { workers, chunk });
        expect(counts).toEqual(expected);
        expect(texts[0]).toEqual(rows.getRows().map(([text]) => text));
        expect(all).toBe(9000);
      }
    }
  }
});

test("where codes have too many combinations for places, rows come as they are, and are as many", async () => {
  const path = join(folder, "many.csv");
  const lines = Array.from({ length: 6000 }, (_, i) => `u${i},v${(i * 7) % 3000},${i % 2}`);
  writeFileSync(path, `a,b,c\n${lines.join("\n")}\n`);
  for (const workers of [0, 2]) {
    const all = ["a", "b", "c"].map((name): ColumnRequest => ({ name, as: "codes" }));
    const { counts, told } = await counted(path, all, { workers, chunk: 8000 });
    expect(counts).toHaveLength(6000);
    expect(counts.every(([, count]) => count === 1)).toBe(true);
    expect(told).toBe(6000);
    // A column of more texts than are asked for is no reason not to count the others.
    const most = all.map((request) => (request.name === "a" ? { ...request, most: 10 } : request));
    const fewer = await counted(path, most.toSpliced(1, 1), { workers, chunk: 8000 });
    expect(fewer.counts.reduce((sum, [, count]) => sum + count, 0)).toBe(6000);
    expect(fewer.told).toBeLessThan(100);
  }
});

test("texts and numbers come row by row, whatever is asked for", async () => {
  const path = join(folder, "few.csv");
  writeFileSync(path, "a,b\nx,1\nx,1\n");
  const wanted: ColumnRequest[] = [
    { name: "a", as: "codes" },
    { name: "b", as: "numbers" },
  ];
  expect(await counted(path, wanted, {})).toMatchObject({ counts: [["x|1", 2]], told: 2 });
});
