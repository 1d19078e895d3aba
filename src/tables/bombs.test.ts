/** Files that claim more than they hold end in words, soon, and without taking the memory they claim. */

import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parquetWriteFile } from "hyparquet-writer";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { openCsv } from "./open-csv.ts";
import { openParquet } from "./open-parquet.ts";
import type { ColumnRequest, TableFile } from "./table.ts";
import { TableWorkers } from "./table-workers.ts";
import { boundedZstd } from "./zstd-bound.ts";

const folder = temporaryFolder();
const wanted: ColumnRequest[] = [{ name: "a", as: "codes" }];

async function readAll(table: TableFile, workers?: number): Promise<number> {
  let rows = 0;
  for await (const batch of table.batches(wanted, { workers })) rows += batch.count;
  return rows;
}

test("a quoted cell of two gigabytes", async () => {
  const path = join(folder, "cell.csv");
  writeFileSync(path, `a,b\n1,2\n"${"x".repeat(5000)}`);
  // Nothing but zeros, which take no room on the disk.
  truncateSync(path, 2 ** 31);
  const before = process.memoryUsage.rss();
  const start = performance.now();
  await expect(readAll(await openCsv(path), 1)).rejects.toThrow(/line 3[\s\S]*quoted cell does not end/);
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(process.memoryUsage.rss() - before).toBeLessThan(2 ** 28);
});

test("a column of nothing but different texts is let go", async () => {
  const path = join(folder, "different.csv");
  writeFileSync(path, `a,b\n${Array.from({ length: 3000 }, (_, i) => `text ${i},1\n`).join("")}`);
  const table = await openCsv(path);
  const few: ColumnRequest[] = [{ name: "a", as: "codes", most: 1000 }];
  for await (const { columns } of table.batches(few, { chunk: 10_000, workers: 0 })) {
    const [column] = columns;
    if (column?.as === "codes" && column.overflowed)
      expect(column.codes.every((code) => code === 0)).toBe(true);
  }
  const states: boolean[] = [];
  for await (const { columns } of table.batches(few, { chunk: 10_000, workers: 0 })) {
    states.push(columns[0]?.as === "codes" && columns[0].overflowed);
  }
  expect(states.at(0)).toBe(false);
  expect(states.at(-1)).toBe(true);
});

/** A Parquet file with some bytes of it replaced. */
function patched(change: (bytes: Buffer) => void): string {
  const path = join(folder, "patched.parquet");
  const data = Array.from({ length: 100 }, (_, i) => i);
  parquetWriteFile({
    filename: path,
    columnData: [{ name: "a", data, type: "INT32" }],
    codec: "UNCOMPRESSED",
  });
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
  return path;
}

/** 100 as Thrift's compact protocol writes it: 200 in two bytes. */
const hundred = Buffer.from([0xc8, 0x01]);

test("a page of more values than the group has rows", async () => {
  const path = patched((bytes) => {
    const at = bytes.indexOf(hundred);
    expect(at).toBeGreaterThan(0);
    bytes.set([0xfe, 0x7f], at);
  });
  for (const workers of [0, 1]) {
    await expect(readAll(await openParquet(path), workers)).rejects.toThrow(
      /column a[\s\S]*8191 values where at most 100/,
    );
  }
});

test("a file that says it has more rows than its pages", async () => {
  const path = patched((bytes) => {
    // Behind the pages stands what the file says of itself.
    for (let at = bytes.indexOf(hundred) + 2; ; at += 2) {
      at = bytes.indexOf(hundred, at);
      if (at < 0) break;
      bytes.set([0xfe, 0x7f], at);
    }
  });
  await expect(readAll(await openParquet(path))).rejects.toThrow(/column a[\s\S]*fewer values than rows/);
});

test("a file that is cut off, and one that is another", async () => {
  const path = patched(() => {});
  truncateSync(path, 60);
  await expect(openParquet(path)).rejects.toThrow(/does not end as Parquet files do/);
});

test("zstd frames of a few bytes that become gigabytes", () => {
  const frame = (blocks: number, size: number) => {
    const header = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58];
    const block = (last: boolean) => {
      const word = (size << 3) | (1 << 1) | (last ? 1 : 0);
      return [word & 0xff, (word >> 8) & 0xff, (word >> 16) & 0xff, 0x61];
    };
    return Uint8Array.from([
      ...header,
      ...Array.from({ length: blocks }, (_, i) => block(i === blocks - 1)).flat(),
    ]);
  };
  expect(() => boundedZstd(frame(2, 1000), 2000)).not.toThrow();
  expect(() => boundedZstd(frame(20_000, 1 << 17), 2000)).toThrow(/damaged/);
  expect(() => boundedZstd(Uint8Array.from([1, 2, 3, 4, 5]), 10)).toThrow(/damaged/);
});

test("zstd pages that hold more, less or other than they say", async () => {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  const path = join(folder, "zstd.parquet");
  await duckdb.run(`copy (select 'x' || (i * 7919 % 1000) as a from range(20000) r(i))
    to '${path}' (format parquet, compression zstd)`);
  const whole = readFileSync(path);
  const frames: number[] = [];
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  for (let at = whole.indexOf(magic); at >= 0; at = whole.indexOf(magic, at + 1)) frames.push(at);
  expect(frames.length).toBeGreaterThan(1);
  for (const frame of frames) {
    for (const offset of [0, 5, 8, 40, 200]) {
      const bytes = Buffer.from(whole);
      bytes[frame + offset]! ^= 0x55;
      writeFileSync(path, bytes);
      for (const [workers, equalOnce] of [
        [0, false],
        [0, true],
        [1, true],
      ] as const) {
        const reading = async () => {
          let rows = 0;
          for await (const batch of (await openParquet(path)).batches(wanted, { workers, equalOnce }))
            rows += batch.equal ? batch.equal.times.reduce((sum, one) => sum + one, 0) : batch.count;
          return rows;
        };
        // A byte of a value may be another value; nothing else goes without a word.
        const outcome = await reading().catch((error: unknown) => error);
        if (outcome !== 20_000) expect(outcome).toMatchObject({ parts: { kind: "input" } });
      }
    }
  }
});

test("a thread that takes more time or memory than it should is ended", async () => {
  const layout = { columns: ["a", "b"], separator: 0x2c, newline: 0x0a, start: 4, line: 2 };
  const setup = { kind: "csv" as const, layout, wanted, equalOnce: false, lines: false };
  const limits = { taskSeconds: 8, fileSeconds: 10, growth: 2 ** 30 };
  for (const [limit, words] of [
    [{ ...limits, taskSeconds: 0 }, /takes more[\s\S]*t\.csv[\s\S]*more time/],
    [{ ...limits, fileSeconds: 0 }, /takes more[\s\S]*more time/],
    [{ ...limits, growth: -(2 ** 40) }, /takes more[\s\S]*more memory/],
  ] as const) {
    const workers = new TableWorkers("t.csv", 0, 1, setup, limit);
    const chunks = Array.from(
      { length: 8 },
      () => workers.run({ bytes: Buffer.alloc(2 ** 25, "1,2\n") }).chunk,
    );
    await expect(Promise.all(chunks)).rejects.toThrow(words);
    await expect(workers.run({ bytes: Buffer.alloc(4, "1,2\n") }).chunk).rejects.toThrow(words);
    workers.close();
  }
});

test("reading ends when it is no longer wanted", async () => {
  const path = join(folder, "long.csv");
  writeFileSync(path, `a,b\n${"1,2\n".repeat(200_000)}`);
  for (const workers of [0, 2]) {
    const controller = new AbortController();
    let batches = 0;
    const reading = async () => {
      const options = { workers, chunk: 10_000, signal: controller.signal };
      for await (const _ of (await openCsv(path)).batches(wanted, options)) {
        batches++;
        controller.abort();
      }
    };
    await expect(reading()).rejects.toThrow(/abort/i);
    expect(batches).toBe(1);
  }
});
