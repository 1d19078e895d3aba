/** A pool on disk: the same bytes however often it was stopped, and accuracies that can be told from the data. */

import { createHash } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fingerprint, temporaryFolder } from "../../test/helpers/files.ts";
import { describeTrainingData } from "../training/data-book.ts";
import { openTrainingData } from "../training/training-data.ts";
import { type MakePoolOptions, makePool } from "./make-pool.ts";
import type { PoolSpec } from "./pool-spec.ts";
import { decodeRows } from "./pool-table.ts";
import { checkpointSteps } from "./train-chunk.ts";

const root = temporaryFolder();
const data = await describeTrainingData({
  name: "colored-mnist",
  settings: { trainPerEnvironment: 80 },
  seed: 0,
});
const spec: PoolSpec = {
  data,
  environment: null,
  oodSplits: null,
  groups: [],
  families: ["logistic", "mlp"],
  features: ["pixels-1", "pixels-2"],
  extractors: [],
  vary: "wide",
  trainImages: 70,
  testImages: 40,
  steps: 30,
  checkpoints: 2,
  firstStep: 3,
  seed: 4,
};
const asked = (out: string): MakePoolOptions => ({
  out: join(root, out),
  classifiers: 20,
  holdOut: "0.9",
  force: false,
  workers: 1,
});

test("stopped, killed and gone on with: the same bytes, and nothing is made twice", async () => {
  const whole = await makePool(spec, asked("whole"));
  expect(whole).toMatchObject({ trained: 24, points: 40 });
  const stop = new AbortController();
  const stopped = makePool(spec, {
    ...asked("parts"),
    signal: stop.signal,
    onChunk: (done) => {
      if (done === 8) stop.abort();
    },
  });
  await expect(stopped).rejects.toThrow(/abort/i);
  const parts = join(root, "parts", "parts");
  const [first, ...rest] = await readdir(parts);
  expect(rest).toEqual([]);
  const before = statSync(join(parts, first!)).mtimeMs;
  // What kill -9 leaves of a part that was being written, and of the lock.
  writeFileSync(join(parts, "train-0+1-00001-x.parquet.cuelab-partial-1"), "half");
  writeFileSync(join(root, "parts", "run.lock"), "4194305\n");
  // Fewer first, then all: the pool grows.
  expect(await makePool(spec, { ...asked("parts"), classifiers: 10 })).toMatchObject({
    trained: 8,
    points: 20,
  });
  expect(await makePool(spec, asked("parts"))).toMatchObject({ trained: 8, points: 40 });
  expect(await makePool(spec, asked("parts"))).toMatchObject({ trained: 0, points: 40 });
  expect(statSync(join(parts, first!)).mtimeMs).toBe(before);
  expect(fingerprint(join(root, "parts"))).toEqual(fingerprint(join(root, "whole")));
  const rows = await decodeRows(whole.parquet);
  // Eight classifiers of two checkpoints are drawn together.
  expect(rows.map(({ draw }) => draw)).toEqual(
    Array.from({ length: 40 }, (_, i) => `chunk-0000${Math.floor(i / 16)}`),
  );
  expect(whole.missing).toEqual([]);
  const csv = readFileSync(whole.csv, "utf8").trim().split("\n");
  expect(csv).toHaveLength(41);
  expect(csv[1]!.split(",").at(-1)).toBe(String(rows[0]!.env2_out_acc));
});

test("a classifier that sees nothing but colour is as good as colour is", async () => {
  const made = await makePool(
    {
      ...spec,
      groups: ["color"],
      families: ["logistic"],
      features: ["pixels-1"],
      vary: "training",
      steps: 300,
      checkpoints: 1,
    },
    { ...asked("colour"), classifiers: 16, holdOut: "all" },
  );
  const rows = await decodeRows(made.parquet);
  expect(new Set(rows.map(({ test_env: left }) => left))).toEqual(new Set(["0", "1", "2"]));
  const dataset = await openTrainingData(data);
  const { labels } = dataset;
  const { color } = dataset.attributes;
  // Where colour agrees with the label in 10 and 20% of the images, what is learned is that it does not.
  const opposite = made.plan.environments.map(({ outPart }) => {
    const right = [...outPart].filter((i) => color!.values[i] !== labels[i]).length;
    return right / outPart.length;
  });
  const found = rows
    .filter(({ test_env: left }) => left === "2")
    .map((row) => [row.env0_out_acc, row.env1_out_acc, row.env2_out_acc]);
  expect(found).toHaveLength(16);
  expect(found).toContainEqual(opposite);
  // It is right in all images whose colour is not that of their class, and wrong in all others.
  const learned = rows.find((row) => row.test_env === "2" && row.env2_out_acc === opposite[2])!;
  const groups = made.measured.sets.filter(({ group }) => group !== undefined);
  expect(groups.length + made.measured.empty.length).toBe(6 * 4);
  for (const { column, group } of groups) {
    const agrees = dataset.classNames.indexOf(group!.class!) === color!.valueNames.indexOf(group!.color!);
    expect([column, learned[column]]).toEqual([column, agrees ? 0 : 1]);
  }
});

test("groups make up their part exactly, and change nothing else", async () => {
  const small = { ...asked("plain"), classifiers: 8 };
  const plain = await makePool(spec, small);
  const grouped = await makePool({ ...spec, groups: ["color"] }, { ...small, out: join(root, "grouped") });
  const [before, rows] = [await decodeRows(plain.parquet), await decodeRows(grouped.parquet)];
  const names = Object.keys(before[0]!);
  expect(rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))).toEqual(before);
  const { sets } = grouped.measured;
  const right = (row: (typeof rows)[number], column: string, images: number) => {
    const count = Math.round((row[column] as number) * images);
    expect(row[column]).toBe(count / images);
    return count;
  };
  for (const { column, environment, part, indices } of sets.filter(({ group }) => group === undefined)) {
    const groups = sets.filter(
      (set) => set.group !== undefined && set.environment === environment && set.part === part,
    );
    for (const row of rows) {
      const total = groups.reduce((sum, set) => sum + right(row, set.column, set.indices.length), 0);
      expect(total).toBe(right(row, column, indices.length));
    }
  }
  // The id of a pool without groups does not know of groups, spelled out.
  const { data: all, groups: _, oodSplits: _____, extractors: ____, ...rest } = spec;
  const { path: __, places: ___, ...what } = all;
  const text = JSON.stringify({ formatVersion: 3, chunkSize: 8, data: what, ...rest });
  expect(plain.id).toBe(createHash("sha256").update(text).digest("hex").slice(0, 16));
  expect(grouped.id).not.toBe(plain.id);
  expect(JSON.parse(readFileSync(join(root, "plain", "pool.json"), "utf8"))).not.toHaveProperty("groups");
});

test("a folder that holds something else is left alone", async () => {
  await makePool(spec, { ...asked("mine"), classifiers: 2 });
  const other = { ...spec, seed: 5 };
  await expect(makePool(other, { ...asked("mine"), classifiers: 2 })).rejects.toThrow(
    /another pool is there/,
  );
  expect((await makePool(other, { ...asked("mine"), classifiers: 2, force: true })).trained).toBe(8);
  expect(await readdir(join(root, "mine", "parts"))).toHaveLength(1);
  await mkdir(join(root, "papers"));
  writeFileSync(join(root, "papers", "thesis.tex"), "");
  await expect(makePool(spec, { ...asked("papers"), force: true })).rejects.toThrow(/holds no pool/);
  const part = join(root, "mine", "parts", (await readdir(join(root, "mine", "parts")))[0]!);
  writeFileSync(part, "PAR1");
  await expect(makePool(other, { ...asked("mine"), classifiers: 2 })).rejects.toThrow(
    /part of the pool is damaged/,
  );
});

test("checkpoints are even on a logarithmic scale", () => {
  expect(checkpointSteps({ firstStep: 10, steps: 1000, checkpoints: 3 })).toEqual([10, 100, 1000]);
  expect(checkpointSteps({ firstStep: 10, steps: 4, checkpoints: 3 })).toEqual([4]);
  expect(checkpointSteps({ firstStep: 10, steps: 600, checkpoints: 1 })).toEqual([600]);
});
