/** Environments held out of training, accuracies at checkpoints, and networks as classifiers of a pool. */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { predictedClasses, readPredictions } from "../src/runs/predictions.ts";
import { accuracyIn, type Measurement, readMeasurements } from "../src/training/measurements.ts";
import type { RunSpec } from "../src/training/run-spec.ts";
import { openTrainingData } from "../src/training/training-data.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const data = "--set trainPerEnvironment=120 --set size=14".split(" ");
const train =
  "train --data colored-mnist --hold-out 0.2 --model small-cnn --model-set width=4 --lr 0.02 --threads 1";
const length = "--batch-size 16 --steps 31 --measure 7,15,20,31 --augment crop --out";

/** One run that ends after step 20, and one that is asked to stop again and again until it ends; prints how often. */
const others = `
  import { readFileSync } from "node:fs";
  const [{ RunFolder }, { train }] = await Promise.all([import(process.argv[2]), import(process.argv[3])]);
  const { id, ...spec } = JSON.parse(readFileSync(process.argv[4], "utf8"));
  const ignore = () => {};
  const hooks = { onProgress: ignore, onEpoch: ignore, onPhase: ignore, onEvaluation: ignore };
  const { measureSteps, ...plain } = spec;
  const ended = { ...plain, epochs: 20, steps: 20 };
  const folder = await RunFolder.open(process.argv[5], ended, { force: false });
  await train(ended, { checkpointSeconds: 60 }, folder, { ...hooks, shouldStop: () => false });
  folder.close();
  let [stops, results] = [0, undefined];
  while (results === undefined) {
    const folder = await RunFolder.open(process.argv[6], spec, { force: false });
    let asked = 0;
    // Of one call for each step and each batch of an evaluation, six of them, four measurements and three epochs.
    const shouldStop = () => ++asked > 8 + 6 * stops;
    results = await train(spec, { checkpointSeconds: 60 }, folder, { ...hooks, shouldStop });
    folder.close();
    if (results === undefined) stops++;
  }
  console.log(stops);
`;

test("a checkpoint's accuracies are those of a run that ends there; stopping changes no byte", async () => {
  const [whole, ended, stopped] = ["whole", "ended", "stopped"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await cuelabJson([...`${train} ${length}`.split(" "), whole, ...data]);
  const built = (file: string) => join(import.meta.dirname, "../dist/src", file);
  const script = join(root, "others.mjs");
  writeFileSync(script, others);
  const files = [built("runs/run-folder.js"), built("training/train.js"), join(whole, "spec.json")];
  const stops = execFileSync(process.execPath, [script, ...files, ended, stopped], { encoding: "utf8" });
  expect(Number(stops)).toBeGreaterThan(2);
  expect(fingerprint(stopped)).toEqual(fingerprint(whole));

  const spec = JSON.parse(readFileSync(join(whole, "spec.json"), "utf8")) as RunSpec;
  const { labels, attributes, classNames } = await openTrainingData(spec.data);
  const { values, valueNames } = attributes.environment!;
  const steps = await readMeasurements(join(whole, "checkpoints.csv"));
  expect(steps.map(({ step, epoch }) => [step, epoch])).toEqual(
    [7, 15, 20, 31].map((n) => [n, (n * 16) / 240]),
  );
  const path = join(ended, "predictions.parquet");
  const predictions = await readPredictions(path, classNames.length, () => true);
  const predicted = predictedClasses(predictions);
  const expected = valueNames.map((name, code) => {
    const rows = [...predictions.indices.keys()].filter((row) => values[predictions.indices[row]!] === code);
    const right = rows.filter((row) => predicted[row] === labels[predictions.indices[row]!]);
    expect(rows).toHaveLength(30);
    return [{ split: name === "0.2" ? "test" : "val", value: name }, right.length / rows.length] as const;
  });
  const [first, , third] = steps as [Measurement, Measurement, Measurement];
  expect(expected).toEqual(expected.map(([key]) => [key, accuracyIn(third, key, whole)]));
  // Something was learned between, so that another step's would not do.
  expect(third.slices).not.toEqual(first.slices);
});

interface Made {
  points: number;
  trained: number;
  cnns: { asked: number; trained: number; failed: { classifier: string; error: string }[] };
}

const pool = (out: string, ...more: string[]) => [
  ..."pool run colored-mnist --families logistic,cnn --features pixels-1 --classifiers 2 --cnns 2".split(" "),
  ..."--networks small-cnn:width=4,mlp:width=4 --hold-out 0.9 --steps 12 --checkpoints 2 --first-step 3".split(
    " ",
  ),
  ...data,
  "--groups",
  "color",
  "--out",
  join(root, out),
  ...more,
];
const table = (out: string) => ({ ...fingerprint(join(root, out)), "pool.json": "" });

test("a pool with networks: the same table however many at a time, killed and gone on with", async () => {
  const made = await cuelabJson<Made>(pool("calm", "--workers", "2"));
  expect(made).toMatchObject({ points: 8, trained: 8, cnns: { asked: 2, trained: 2, failed: [] } });
  const runs = join(root, "killed", "runs");
  const finished = () =>
    existsSync(runs) ? readdirSync(runs).filter((id) => existsSync(join(runs, id, "manifest.json"))) : [];
  const killed = await cuelab(pool("killed", "--workers", "1"), {
    started: (child) => {
      const watch = setInterval(() => {
        if (finished().length > 0) child.kill("SIGKILL");
      }, 5);
      child.on("close", () => clearInterval(watch));
    },
  });
  expect(killed.signal).toBe("SIGKILL");
  expect(existsSync(join(root, "killed", "accuracies.csv"))).toBe(false);
  const again = await cuelabJson<Made>(pool("killed", "--workers", "1"));
  expect(again).toMatchObject({ points: 8, trained: 0, cnns: { trained: 1 } });
  expect(table("killed")).toEqual(table("calm"));
  // Nothing that nobody asked for is kept.
  const results = readdirSync(join(runs, finished()[0]!)).filter(
    // Who is killed right after the manifest may not have told what it cost.
    (name) => name !== "time.json" && name !== "log.jsonl",
  );
  expect(results.toSorted()).toEqual([
    "checkpoints.csv",
    "history.csv",
    "manifest.json",
    "results.json",
    "spec.json",
  ]);
});

test("its rows say what the runs measured, groups too, and empty cells do not disturb the fits", async () => {
  const [head, ...lines] = readFileSync(join(root, "calm", "accuracies.csv"), "utf8")
    .trim()
    .split("\n");
  const names = head!.split(",");
  const rows = lines.map((line) => Object.fromEntries(line.split(",").map((cell, i) => [names[i]!, cell])));
  const networks = rows.filter(({ family }) => family === "cnn");
  expect(networks.map(({ classifier, step }) => `${classifier} ${step}`)).toEqual([
    "cnn-000000 3",
    "cnn-000000 12",
    "cnn-000001 3",
    "cnn-000001 12",
  ]);
  expect(new Set(networks.map(({ network }) => network))).toEqual(
    new Set(["small-cnn:width=4", "mlp:width=4"]),
  );
  const runs = join(root, "calm", "runs");
  const all = await Promise.all(
    readdirSync(runs).map(async (id) => ({
      spec: JSON.parse(readFileSync(join(runs, id, "spec.json"), "utf8")) as RunSpec,
      steps: await readMeasurements(join(runs, id, "checkpoints.csv")),
    })),
  );
  const left: number[] = [];
  for (const row of networks) {
    const { steps } = all.find(({ spec }) => row.network!.startsWith(spec.model.name))!;
    const { slices } = steps.find(({ step }) => step === Number(row.step))!;
    // Two environments of 120 images each, of which a network sees its share; no last batch is left away in the count.
    const images = 2 * Math.round(120 * Number(row.subset));
    left.push(images % Number(row.batch_size));
    expect(Number(row.epoch)).toBeCloseTo((Number(row.step) * Number(row.batch_size)) / images, 12);
    const named = (name: string) => slices.find(({ slice }) => slice === name)!.accuracy;
    expect(Number(row.env2_out_acc)).toBe(named("test, environment 0.9"));
    expect(Number(row.env0_out_acc)).toBe(named("val, environment 0.1"));
    const group = "class=below_5 color=green";
    expect(Number(row[`env0_out_acc ${group}`])).toBe(named(`val, environment 0.1 ${group}`));
  }
  // Else steps divided by those of an epoch would be the same.
  expect(left.some((rest) => rest > 0)).toBe(true);
});
