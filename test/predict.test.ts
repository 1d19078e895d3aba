/** `cuelab predict`: what a run says of data, its own and others', labelled or not. */

import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { beforeAll, expect, test } from "vitest";
import { inClassesOf } from "../src/training/predict.ts";
import type { RunResults } from "../src/training/results.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);
const data = "--data colored-mnist --set trainPerEnvironment=120 --set size=14".split(" ");

beforeAll(async () => {
  const network = "--model resnet18 --model-set stem=small --model-set width=4 --model-set blocks=1,1,1,1";
  await jsonHere([
    "train",
    ...data,
    ...network.split(" "),
    ..."--steps 5 --threads 1 --out".split(" "),
    at("run"),
  ]);
  await jsonHere([
    ..."data make colored-mnist --set trainPerEnvironment=20 --set size=14 --out".split(" "),
    at("made"),
  ]);
});

async function query<Row>(sql: string): Promise<Row[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  try {
    return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Row[];
  } finally {
    connection.closeSync();
  }
}

test("a run's predictions of its own data are those that it wrote, and give the same report", async () => {
  await jsonHere(["predict", at("run"), ...data, "--splits", "val,test", "--out", at("same.parquet")]);
  const [row] = await query<{ n: string; gap: number; other: string }>(
    `select count(*) n, max(abs(a.logit_0 - b.logit_0)) gap, count(*) filter (where a.y_pred != b.y_pred) other
     from '${at("same.parquet")}' a join '${at("run", "predictions.parquet")}' b using (id, split, y_true, color)`,
  );
  // Plain kernels round otherwise than the engine's own.
  expect([Number(row!.n), Number(row!.other), row!.gap < 1e-4]).toEqual([210, 0, true]);
  const evaluated = (table: string) => jsonHere<Record<string, unknown>>(["eval", table]);
  const [own, predicted] = [await evaluated(at("run")), await evaluated(at("same.parquet"))];
  for (const part of ["groups", "cues", "training"]) expect(predicted[part]).toEqual(own[part]);
});

test("other data, of any split: classes are met by name", async () => {
  const { accuracy } = await jsonHere<RunResults>([
    "predict",
    at("run"),
    "--data",
    at("made"),
    "--out",
    at("p.parquet"),
  ]);
  expect(accuracy.map(({ slice, count }) => [slice, count])).toEqual([
    ["train", 40],
    ["val", 10],
    ["test", 25],
  ]);
  const turned = {
    name: "turned",
    classNames: ["b", "a"],
    labels: Uint16Array.of(0, 1, 1),
    attributes: {
      hue: { values: Uint16Array.of(0, 0, 1), valueNames: ["x", "y"], role: "cue", classValues: [0, 1] },
    },
  };
  const open = () => Promise.reject(new Error("nobody asks it"));
  const model = { name: "m", classNames: ["a", "b"], takes: { features: 1 }, digest: "", open };
  const met = inClassesOf(model, turned as never);
  expect([...met.labels]).toEqual([1, 0, 0]);
  expect(met.attributes.hue!.classValues).toEqual([1, 0]);
  expect(() => inClassesOf({ ...model, classNames: ["a", "c"] }, turned as never)).toThrow(
    /classes that m does not know[\s\S]*b[\s\S]*--no-labels/,
  );
});

test("images that nobody has labelled: any folder of them", async () => {
  mkdirSync(at("bare", "deeper"), { recursive: true });
  const files = readdirSync(at("made"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /^(train|test).*png$/.test(name),
  );
  for (const [i, file] of files.slice(0, 9).entries())
    copyFileSync(at("made", file), at("bare", i % 2 === 0 ? `${i}.png` : `deeper/${i}.png`));
  const said = await jsonHere<{ images: number; predicted: Record<string, number> }>([
    "predict",
    at("run"),
    "--data",
    at("bare"),
    "--no-labels",
    "--out",
    at("bare.parquet"),
  ]);
  expect(said.images).toBe(9);
  expect(Object.values(said.predicted).reduce((a, b) => a + b, 0)).toBe(9);
  const columns = await query<{ column_name: string }>(`describe select * from '${at("bare.parquet")}'`);
  const names = columns.map((column) => column.column_name);
  expect(names).toEqual(expect.arrayContaining(["source_file", "y_pred", "logit_1"]));
  expect(names).not.toContain("y_true");
});

test("a network with a file of weights says the same as the run that they are of", async () => {
  const network =
    "--model resnet18 --model-set stem=small --model-set width=4 --model-set blocks=1,1,1,1".split(" ");
  const weights = ["--weights", at("run", "weights.safetensors")];
  await jsonHere(["predict", ...network, ...weights, "--data", at("made"), "--out", at("network.parquet")]);
  const [row] = await query<{ gap: number }>(
    `select max(abs(a.logit_0 - b.logit_0)) gap from '${at("p.parquet")}' a join '${at("network.parquet")}' b using (id)`,
  );
  expect(row!.gap).toBeLessThan(1e-6);
});

test.each([
  [["--data", "made"], 2, /whose predictions\?/],
  [["run", "--data", "made", "--weights", "w"], 2, /--weights has no effect with a run/],
  [["--model", "mlp", "--data", "made"], 2, /needs --weights/],
  [["run", "--data", "made", "--splits", "tset"], 2, /no split "tset"[\s\S]*train, val, test/],
  [["nowhere", "--data", "made"], 3, /there is no such model/],
  [
    ["run", "--data", "colored-mnist", "--set", "size=28"],
    3,
    /do not fit run run[\s\S]*14 × 14[\s\S]*28 × 28/,
  ],
] as const)("%j is refused", async (words, code, message) => {
  const placed = words.map((word) => (["run", "made", "nowhere"].includes(word) ? at(word) : word));
  const outcome = await ranHere(["predict", ...placed, "--out", at("never.parquet")]);
  expect(outcome.stderr).toMatch(message);
  expect(outcome.code).toBe(code);
});

test("a table that is there is not overwritten unless that is wanted", async () => {
  const before = readFileSync(at("p.parquet"));
  const outcome = await ranHere(["predict", at("run"), "--data", at("made"), "--out", at("p.parquet")]);
  expect([outcome.code, readFileSync(at("p.parquet")).equals(before)]).toEqual([3, true]);
});
