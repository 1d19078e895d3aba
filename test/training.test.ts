/** `cuelab train` from end to end: what it learns, what it leaves, and that nothing can make it differ. */

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import * as ort from "onnxruntime-node";
import { expect, test } from "vitest";
import { datasets } from "../src/datasets/index.ts";
import type { RunResults } from "../src/protocol/results.ts";
import { cuelab, cuelabJson, type Outcome } from "./helpers/cuelab.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const data = ["--data", "colored-mnist", "--set", "trainPerEnvironment=400", "--set", "size=14"];
const network = ["--model", "small-cnn", "--model-set", "width=4", "--threads", "1"];
const train = (out: string, ...more: string[]) => [
  "train",
  ...data,
  ...network,
  "--out",
  join(root, out),
  ...more,
];
const basic = ["--epochs", "4", "--batch-size", "32", "--lr", "0.01", "--seed", "1"];

test("the shortcut is learned: better than 75% where colour holds, worse than chance where it turns round", async () => {
  const { accuracy } = await cuelabJson<RunResults>(train("learned", ...basic));
  const of = (slice: string) => accuracy.find((row) => row.slice === slice)!.accuracy!;
  expect(of("val, environment 0.1")).toBeGreaterThan(0.75);
  expect(of("test, environment 0.9")).toBeLessThan(0.5);
  expect(readdirSync(join(root, "learned")).toSorted()).toEqual([
    "history.csv",
    "manifest.json",
    "model.onnx",
    "predictions.parquet",
    "results.json",
    "spec.json",
  ]);
});

test("the same command gives the same bytes, with one thread or two; another seed does not", async () => {
  await cuelabJson(train("again", ...basic, "--threads", "2"));
  expect(fingerprint(join(root, "again"))).toEqual(fingerprint(join(root, "learned")));
  await cuelabJson(train("other", ...basic.with(-1, "2")));
  expect(fingerprint(join(root, "other"))["model.onnx"]).not.toBe(
    fingerprint(join(root, "learned"))["model.onnx"],
  );
});

test("a finished run is not trained again, and another run's folder is not taken", async () => {
  const before = fingerprint(join(root, "again"));
  const { stdout } = await cuelab(train("again", ...basic));
  expect(stdout).toMatch(/^finished before: run [0-9a-f]{16}/);
  expect(fingerprint(join(root, "again"))).toEqual(before);
  const refused = await cuelab(train("again", "--epochs", "5"));
  expect(refused.stderr).toMatch(/another run is there already[\s\S]*--force/);
  expect(refused.code).toBe(3);
  writeFileSync(join(root, "notes.txt"), "mine");
  const foreign = await cuelab(["train", ...data, ...network, "--out", root]);
  expect(foreign.stderr).toMatch(/not empty and holds no run/);
});

/** Every kind of state at once: moments, averages, running statistics, dropout-free mixing, a schedule, selection. */
const demanding =
  `--epochs 5 --batch-size 16 --optimiser sgd --lr 0.02 --nesterov --schedule cosine --warm-up 10 --ema 0.9 --clip 1
  --weight-decay 1e-4 --augment crop,flip,jitter,grey,erase,mixup --select val-loss --seed 7 --checkpoint-seconds 0.05`.split(
    /\s+/,
  );

/** Starts a run and sends the signal to it once there is a checkpoint. */
async function stopMidway(out: string, signal: NodeJS.Signals, args: string[]): Promise<Outcome> {
  const checkpoint = join(root, out, "checkpoint.safetensors");
  return cuelab(train(out, ...args), {
    started: (child) => {
      const watch = setInterval(() => {
        if (!existsSync(checkpoint)) return;
        clearInterval(watch);
        child.kill(signal);
      }, 5);
      child.on("close", () => clearInterval(watch));
    },
  });
}

test("killed again and again, it ends with the bytes of an undisturbed run", async () => {
  await cuelabJson(train("calm", ...demanding));
  let kills = 0;
  for (let round = 0; round < 3; round++) {
    const { signal } = await stopMidway("killed", "SIGKILL", demanding);
    if (signal === "SIGKILL") kills++;
    expect(existsSync(join(root, "killed", "manifest.json"))).toBe(signal !== "SIGKILL");
  }
  expect(kills).toBeGreaterThan(0);
  await cuelabJson(train("killed", ...demanding));
  expect(fingerprint(join(root, "killed"))).toEqual(fingerprint(join(root, "calm")));
});

test("Ctrl-C saves and ends with 130, and the same command goes on to the same bytes", async () => {
  const interrupted = await stopMidway("interrupted", "SIGINT", demanding);
  expect(interrupted.code).toBe(130);
  expect(readdirSync(join(root, "interrupted"))).toContain("checkpoint.safetensors");
  await cuelabJson(train("interrupted", ...demanding));
  expect(fingerprint(join(root, "interrupted"))).toEqual(fingerprint(join(root, "calm")));
});

test("the exported model gives the stored logits in a bare runtime, for any batch size", async () => {
  const folder = join(root, "learned");
  const connection = await (await DuckDBInstance.create()).connect();
  const table = `'${join(folder, "predictions.parquet")}'`;
  const rows = await connection.runAndReadAll(
    `SELECT id, split, y_true, y_pred, logit_0, logit_1, color FROM ${table} ORDER BY id LIMIT 7`,
  );
  const dataset = await datasets.get("colored-mnist").build({ trainPerEnvironment: 400, size: 14 }, 0);
  const session = await ort.InferenceSession.create(join(folder, "model.onnx"));
  expect(session.inputNames).toEqual(["images"]);
  const pixels: number[] = [];
  for (const [id] of rows.getRows()) pixels.push(...(await dataset.images.pixels(Number(id))).data);
  const images = new ort.Tensor("uint8", Uint8Array.from(pixels), [7, 14, 14, 3]);
  const { logits: output } = await session.run({ images });
  rows.getRows().forEach(([id, split, label, predicted, first, second, color], row) => {
    const [a, b] = [...(output!.data as Float32Array).subarray(2 * row, 2 * row + 2)] as [number, number];
    expect(Math.abs(a - Number(first))).toBeLessThan(1e-5);
    expect(Math.abs(b - Number(second))).toBeLessThan(1e-5);
    expect(Number(predicted)).toBe(b > a ? 1 : 0);
    expect(Number(label)).toBe(dataset.labels[Number(id)]);
    expect(color).toBe(["red", "green"][dataset.attributes.color!.values[Number(id)]!]);
    expect(split).toBe("val");
  });
  // The model says what it is: names of the classes and of what happens to the pixels are in its metadata.
  const text = readFileSync(join(folder, "model.onnx"), "latin1");
  for (const words of ["classNames", "below 5", "preprocessing", "0 to 255"]) expect(text).toContain(words);
  await session.release();
  connection.closeSync();
});

test("a loss that leaves the numbers stops the run and names the step", async () => {
  const outcome = await cuelab(train("exploded", "--optimiser", "sgd", "--lr", "1e18", "--epochs", "2"));
  expect(outcome.stderr).toMatch(/the loss (exploded|is no longer a number)\n {2}where: epoch \d+, step \d+/);
  expect(outcome.code).toBe(1);
  expect(readdirSync(join(root, "exploded"))).not.toContain("manifest.json");
});

test("training stops early when patience is over, and keeps the best epoch", async () => {
  const { epoch } = await cuelabJson<RunResults>(
    train("patient", "--epochs", "40", "--lr", "0.03", "--select", "val-accuracy", "--patience", "2"),
  );
  const history = readFileSync(join(root, "patient", "history.csv"), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",").map(Number));
  expect(history.length).toBe(epoch + 2);
  const accuracies = history.map((row) => row[3]!);
  expect(accuracies.indexOf(Math.max(...accuracies)) + 1).toBe(epoch);
});

test("a dataset on disk trains like the same dataset by name", async () => {
  const out = join(root, "dataset");
  await cuelabJson([
    "data",
    "make",
    "colored-mnist",
    "--set",
    "trainPerEnvironment=400",
    "--set",
    "size=14",
    "--format",
    "parquet",
    "--out",
    out,
  ]);
  const fromDisk = await cuelabJson<RunResults>([
    "train",
    "--data",
    out,
    ...network,
    ...basic,
    "--out",
    join(root, "from-disk"),
  ]);
  const byName = JSON.parse(readFileSync(join(root, "learned", "results.json"), "utf8")) as RunResults;
  expect(fromDisk.accuracy).toEqual(byName.accuracy);
});

test.each([
  [["--device", "cuda"], 3, /device "cuda" is not available[\s\S]*--device cpu/],
  [["--model-set", "wdith=3"], 2, /has no option wdith/],
  [["--model-set", "width=wide"], 2, /has no option width/],
  [["--set", "labelNose=1"], 2, /did you mean "labelNoise"/],
  [["--augment", "blur"], 2, /augment/],
  [["--augment", "mixup,cutmix"], 2, /choose one/],
  [["--patience", "3"], 2, /--select val-loss/],
  [["--lr", "-1"], 2, /optimiser\.rate/],
])("%j is refused", async (more, code, message) => {
  const outcome = await cuelab(train("refused", ...more));
  expect(outcome.stderr).toMatch(message);
  expect(outcome.code).toBe(code);
});

test("a training process that is killed by the system is reported, and resumes", async () => {
  const outcome = await cuelab(train("orphan", ...demanding), {
    started: (parent) => {
      const watch = setInterval(() => {
        if (!existsSync(join(root, "orphan", "checkpoint.safetensors"))) return;
        const children = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8").trim();
        if (children === "") return;
        clearInterval(watch);
        process.kill(Number(children.split(" ")[0]), "SIGKILL");
      }, 5);
      parent.on("close", () => clearInterval(watch));
    },
  });
  expect(outcome.stderr).toMatch(/the training process died[\s\S]*SIGKILL[\s\S]*same command again/);
  expect(outcome.code).toBe(1);
  await cuelabJson(train("orphan", ...demanding));
  expect(fingerprint(join(root, "orphan"))).toEqual(fingerprint(join(root, "calm")));
});

test("memory does not grow over ten thousand steps, once the allocator has settled in ten thousand others", () => {
  const script = join(import.meta.dirname, "helpers/many-steps.mjs");
  const held = JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", script, "20000"], { encoding: "utf8" }),
  ) as [number, number];
  // A leak of one batch a step would be 27 MB, of one weight tensor 100 MB.
  expect(held[1] - held[0]).toBeLessThan(12);
});
