/** `cuelab train` from end to end: what it learns, what it leaves, and that nothing can make it differ. */

import { execFileSync, fork } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import * as ort from "onnxruntime-node";
import sharp from "sharp";
import { expect, test } from "vitest";
import { datasets } from "../src/datasets/index.ts";
import { input } from "../src/engine/expressions.ts";
import { interpret } from "../src/engine/interpret.ts";
import { models } from "../src/models/index.ts";
import { Network } from "../src/models/model.ts";
import { decodeSafetensors } from "../src/runs/safetensors.ts";
import { describeTrainingData } from "../src/training/data-book.ts";
import type { RunResults } from "../src/training/results.ts";
import { runInProcess } from "../src/training/run-process.ts";
import type { RunSpec } from "../src/training/run-spec.ts";
import { cuelab, cuelabJson, type Outcome } from "./helpers/cuelab.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";
import { ranHere } from "./helpers/in-process.ts";
import { preparedAsTold } from "./helpers/told-pixels.ts";

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
  expect(accuracy.map((row) => row.distribution)).toEqual(
    // The test split weighed as training is what to expect in distribution.
    ["ID", "ID", "ID", "OOD", "ID", "OOD"],
  );
  expect(accuracy[4]!.slice).toBe("test, cues as common as in training");
  expect(accuracy[4]!.accuracy).toBeGreaterThan(0.75);
  expect(readdirSync(join(root, "learned")).toSorted()).toEqual([
    "history.csv",
    "log.jsonl",
    "manifest.json",
    "model.onnx",
    "predictions.parquet",
    "results.json",
    "spec.json",
    "time.json",
    "weights.safetensors",
  ]);
});

test("the same command gives the same bytes; another seed does not, and other threads are another run", async () => {
  await cuelabJson(train("again", ...basic));
  expect(fingerprint(join(root, "again"))).toEqual(fingerprint(join(root, "learned")));
  await cuelabJson(train("other", ...basic.with(-1, "2")));
  expect(fingerprint(join(root, "other"))["model.onnx"]).not.toBe(
    fingerprint(join(root, "learned"))["model.onnx"],
  );
  const threads = await ranHere(train("again", ...basic, "--threads", "2"));
  expect(threads.stderr).toMatch(/another run is there already[\s\S]*threads/);
});

test("a finished run is not trained again, and another run's folder is not taken", async () => {
  const before = fingerprint(join(root, "again"));
  const { stdout } = await ranHere(train("again", ...basic));
  expect(stdout).toMatch(/^finished before: run [0-9a-f]{16}/);
  expect(stdout).toMatch(/test, environment 0\.9 +OOD/);
  expect(fingerprint(join(root, "again"))).toEqual(before);
  const refused = await ranHere(train("again", "--epochs", "5"));
  expect(refused.stderr).toMatch(/another run is there already[\s\S]*--force/);
  expect(refused.code).toBe(3);
  writeFileSync(join(root, "notes.txt"), "mine");
  const foreign = await cuelab(["train", ...data, ...network, "--out", root]);
  expect(foreign.stderr).toMatch(/not empty and holds no run/);
});

test("a finished run whose files were changed is no finished run", async () => {
  const path = join(root, "other", "results.json");
  rmSync(path);
  const outcome = await cuelab(train("other", ...basic.with(-1, "2")));
  expect(outcome.stderr).toContain(`where: ${path}`);
  expect(outcome.stderr).toContain("--force");
  expect(outcome.code).toBe(3);
});

/** Every kind of state at once: moments, averages, running statistics, dropout-free mixing, a schedule, selection. */
const demanding =
  `--epochs 5 --batch-size 16 --optimiser sgd --lr 0.02 --nesterov --schedule cosine --warm-up 10 --ema 0.9 --clip 1
  --weight-decay 1e-4 --augment crop,flip,jitter,grey,erase,mixup --select val-loss --seed 7 --checkpoint-seconds 0.05`.split(
    /\s+/,
  );

/** Batch normalisation: running statistics that move in training and are used in evaluation. */
const normalisedOptions =
  `--model biased-mnist-cnn --threads 1 --epochs 4 --batch-size 16 --select val-accuracy
  --checkpoint-seconds 0.05 --data colored-mnist --set trainPerEnvironment=200 --set size=14`.split(/\s+/);
const normalisedRun = (out: string) => ["train", ...normalisedOptions, "--out", join(root, out)];

/** Starts a run and sends the signal to it once there is a checkpoint that it has written itself. */
async function stopMidway(out: string, signal: NodeJS.Signals, args: string[]): Promise<Outcome> {
  const checkpoint = join(root, out, "checkpoint.safetensors");
  const written = () => statSync(checkpoint, { throwIfNoEntry: false })?.mtimeMs;
  const before = written();
  return cuelab(args, {
    started: (child) => {
      const watch = setInterval(() => {
        if (written() === undefined || written() === before) return;
        clearInterval(watch);
        child.kill(signal);
      }, 5);
      child.on("close", () => clearInterval(watch));
    },
  });
}

test.each([
  ["small-cnn", 3, "", (out: string) => train(out, ...demanding)],
  ["batch normalisation", 2, "-norm", (out: string) => normalisedRun(out)],
])("%s: killed %i times, it ends with the bytes of an undisturbed run", async (_, times, suffix, args) => {
  const [calm, killed] = [`calm${suffix}`, `killed${suffix}`];
  await cuelabJson(args(calm));
  let kills = 0;
  for (let round = 0; round < times; round++) {
    const { signal } = await stopMidway(killed, "SIGKILL", args(killed));
    if (signal === "SIGKILL") kills++;
    expect(existsSync(join(root, killed, "manifest.json"))).toBe(signal !== "SIGKILL");
  }
  // The last one may have been quicker than its signal.
  expect(kills).toBeGreaterThanOrEqual(times - 1);
  await cuelabJson(args(killed));
  expect(fingerprint(join(root, killed))).toEqual(fingerprint(join(root, calm)));
});

test("Ctrl-C saves and ends with 130, and the same command goes on to the same bytes", async () => {
  const interrupted = await stopMidway(
    "interrupted",
    "SIGINT",
    train("interrupted", ...demanding, "--force"),
  );
  expect(interrupted.code).toBe(130);
  expect(interrupted.stderr).toContain("give the same command without --force to go on");
  expect(readdirSync(join(root, "interrupted"))).toContain("checkpoint.safetensors");
  await cuelabJson(train("interrupted", ...demanding));
  expect(fingerprint(join(root, "interrupted"))).toEqual(fingerprint(join(root, "calm")));
});

const built = (file: string) => join(import.meta.dirname, "../dist/src", file);

/** Stops once in the middle of every evaluation, and goes on; prints how often. */
const stopInEvaluations = `
  import { readFileSync } from "node:fs";
  const [{ RunFolder }, { train }] = await Promise.all([import(process.argv[2]), import(process.argv[3])]);
  const { id, ...spec } = JSON.parse(readFileSync(process.argv[4], "utf8"));
  let [stops, results] = [0, undefined];
  while (results === undefined) {
    const folder = await RunFolder.open(process.argv[5], spec, { force: false });
    let [passes, last] = [0, Infinity];
    results = await train(spec, { checkpointSeconds: 60 }, folder, {
      onProgress() {},
      onEpoch() {},
      onPhase() {},
      onEvaluation({ images }) {
        if (images <= last) passes++;
        last = images;
      },
      shouldStop: () => passes > (stops === 0 ? 0 : 1),
    });
    folder.close();
    if (results === undefined) stops++;
  }
  console.log(stops);
`;

test("asked to stop while it evaluates, it stops, and ends with the same bytes all the same", () => {
  const folder = join(root, "evaluations");
  const files = [built("runs/run-folder.js"), built("training/train.js")];
  const spec = join(root, "learned", "spec.json");
  const script = join(root, "stop-in-evaluations.mjs");
  writeFileSync(script, stopInEvaluations);
  const stops = execFileSync(process.execPath, [script, ...files, spec, folder], { encoding: "utf8" });
  // Four epochs, and the final evaluation.
  expect(Number(stops)).toBe(5);
  expect(fingerprint(folder)).toEqual(fingerprint(join(root, "learned")));
});

test("the training process tells its last word before it goes, with exit code 0 or 1", async () => {
  const { id: _, ...spec } = JSON.parse(
    readFileSync(join(root, "learned", "spec.json"), "utf8"),
  ) as RunSpec & { id: string };
  const run = (out: string) => {
    const child = fork(built("training/train-process.js"), { serialization: "advanced", stdio: "ignore" });
    child.send({
      type: "start",
      spec,
      resources: { checkpointSeconds: 60 },
      out,
      force: false,
      plugins: [],
    });
    let last = "";
    child.on("message", ({ type }: { type: string }) => {
      last = type;
    });
    return new Promise((done) => child.on("close", (code) => done([last, code])));
  };
  expect(await run(join(root, "direct"))).toEqual(["done", 0]);
  expect(fingerprint(join(root, "direct"))).toEqual(fingerprint(join(root, "learned")));
  expect(await run(root)).toEqual(["failed", 1]);
  const signal = AbortSignal.abort();
  const options = { out: join(root, "never"), force: false, resources: { checkpointSeconds: 60 }, signal };
  await expect(runInProcess(spec, options)).rejects.toThrow(/aborted/);
  expect(existsSync(join(root, "never"))).toBe(false);
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
  // So do its weights, with pixels prepared by what their file says and nothing else, in float64.
  const file = join(folder, "weights.safetensors");
  const { tensors, metadata } = decodeSafetensors(readFileSync(file), file);
  const bare = new Network(models.get("small-cnn"), { classes: 2, mode: "evaluate", options: { width: 4 } });
  const [carried] = interpret([bare.logits(input("images", [7, 3, 14, 14]))], {
    images: preparedAsTold(metadata, Uint8Array.from(pixels)),
    ...Object.fromEntries([...tensors].map(([name, tensor]) => [name, tensor.data])),
  });
  for (const [i, logit] of carried!.entries())
    expect(Math.abs(logit - Number(output!.data[i]))).toBeLessThan(1e-5);
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

test("a run whose last step leaves the numbers is no success either", async () => {
  const huge = ["--optimiser", "sgd", "--lr", "1e38", "--epochs", "1", "--batch-size", "5000"];
  const outcome = await cuelab(train("diverged", ...huge));
  expect(outcome.stderr).toMatch(/no longer a number\n {2}where: epoch 1, validation/);
  expect(outcome.stderr).toMatch(/all 800 training images make one batch/);
  expect(outcome.code).toBe(1);
  expect(readdirSync(join(root, "diverged"))).not.toContain("manifest.json");
});

test("--max-minutes saves, and tells scripts that the run is not finished", async () => {
  const args = train("limited", "--epochs", "10000", "--max-minutes", "0.02");
  const outcome = await cuelab([...args, "--json"]);
  expect(outcome.code).toBe(1);
  expect(JSON.parse(outcome.stdout)).toEqual({ state: "stopped", out: join(root, "limited") });
  expect(outcome.stderr).toMatch(/not finished; the same command goes on/);
  expect(outcome.stderr).toMatch(/32 of 800 training images, others each time, are left out/);
  expect(readdirSync(join(root, "limited")).toSorted()).toEqual([
    "checkpoint.safetensors",
    "log.jsonl",
    "spec.json",
    "time.json",
  ]);
});

test("a checkpoint that is damaged, or of other kernels, is named and not gone on from", async () => {
  const path = join(root, "limited", "checkpoint.safetensors");
  const args = train("limited", "--epochs", "10000");
  const bytes = readFileSync(path);
  const place = bytes.indexOf("cpu, ");
  writeFileSync(
    path,
    Buffer.concat([bytes.subarray(0, place), Buffer.from("gpu"), bytes.subarray(place + 3)]),
  );
  const other = await cuelab(args);
  expect(other.stderr).toContain("this checkpoint was made with other kernels; start over with --force");
  expect(other.code).toBe(3);
  writeFileSync(path, bytes.subarray(0, 1000));
  const broken = await cuelab(args);
  expect(broken.stderr).toContain(`where: ${path}`);
  expect(broken.stderr).toContain("--force");
  expect(broken.code).toBe(3);
});

test("a run that failed before its first checkpoint leaves its folder to the corrected command", async () => {
  expect((await cuelab(train("corrected", "--device", "cuda"))).code).toBe(3);
  const { accuracy } = await cuelabJson<RunResults>(train("corrected", "--epochs", "1"));
  expect(accuracy.length).toBeGreaterThan(0);
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
  const accuracies = history.map((row) => row[4]!);
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
  [["--model-set", "wdith=3"], 2, /has no option wdith/],
  [["--model-set", "width=wide"], 2, /option width of model "small-cnn" cannot be "wide"/],
  [["--model-set", "width=0"], 2, /option width of model "small-cnn" cannot be 0/],
  [["--momentum", "0.5"], 2, /momentum has no effect on adam[\s\S]*--optimiser sgd/],
  [["--nesterov", "--optimiser", "adamw"], 2, /nesterov has no effect on adamw/],
  [["--milestones", "2"], 2, /--schedule step/],
  [["--schedule", "step"], 2, /add --milestones/],
  [["--max-minutes", "0"], 2, /above 0/],
  [["--max-minutes", "35001"], 2, /35000/],
  [["--set", "labelNose=1"], 2, /did you mean "labelNoise"/],
  [["--augment", "blur"], 2, /augment/],
  [["--augment", "mixup,cutmix"], 2, /choose one/],
  [["--patience", "3"], 2, /--select val-loss/],
  [["--lr", "-1"], 2, /optimiser\.rate/],
])("%j is refused", async (more, code, message) => {
  const outcome = await ranHere(train("refused", ...more));
  expect(outcome.stderr).toMatch(message);
  expect(outcome.code).toBe(code);
});

test.each([
  [["--device", "cuda"], 3, /device "cuda" is not available[\s\S]*--device cpu/],
  [["--warm-up", "120", "--force"], 2, /warm-up would never end/],
])("%j is refused by the process that trains", async (more, code, message) => {
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

test("people's own data: every column counts for its identity, its place does not, and Ctrl-C is heard", async () => {
  const folder = join(root, "own");
  const write = async (name: string, place: string) => {
    mkdirSync(join(root, name), { recursive: true });
    const rows: string[] = [];
    for (let i = 0; i < 12; i++) {
      const background = { r: 20 * i, g: 90, b: 10 };
      await sharp({ create: { width: 8, height: 8, channels: 3, background } })
        .png()
        .toFile(join(root, name, `${i}.png`));
      rows.push(`${i}.png,${i % 2},${i < 8 ? 0 : 2},${i % 3 === 0 ? place : "water"}`);
    }
    writeFileSync(join(root, name, "metadata.csv"), `img_filename,y,split,place\n${rows.join("\n")}\n`);
  };
  const identity = async (name: string) =>
    (await describeTrainingData({ path: join(root, name), settings: {}, seed: 0 })).identity;
  await write("own", "land");
  await write("own-moved", "land");
  await write("own-other", "sand");
  expect(await identity("own-moved")).toBe(await identity("own"));
  expect(await identity("own-other")).not.toBe(await identity("own"));
  await expect(
    describeTrainingData({ path: folder, settings: {}, seed: 0 }, AbortSignal.abort()),
  ).rejects.toThrow(/aborted/);
  const options = "--model logistic-regression --epochs 1 --batch-size 4".split(" ");
  const run = (name: string, ...more: string[]) =>
    cuelab(["train", "--data", join(root, name), "--out", join(root, "own-run"), ...options, ...more]);
  // Before anything is compiled or written beside the spec.
  const unselectable = await run("own", "--select", "val-loss");
  expect(unselectable.stderr).toMatch(/no validation images[\s\S]*--select last/);
  expect(unselectable.code).toBe(3);
  const huge = await run("own", "--force", "--batch-size", "8", "--optimiser", "sgd", "--lr", "1e39");
  expect(huge.stderr).toMatch(/no longer a number\n {2}where: weights of epoch 1, final evaluation/);
  expect(huge.code).toBe(1);
  expect((await run("own", "--force")).code).toBe(0);
  expect((await run("own-moved")).stdout).toMatch(/^finished before/);
  expect((await run("own-other")).stderr).toMatch(/another run is there already/);
  expect((await run("own", "--data-seed", "0")).stderr).toMatch(/--data-seed is for datasets by name/);
});

test("memory does not grow over thousands of steps, once the allocator has settled in as many others", {
  timeout: 240_000,
}, () => {
  const script = join(import.meta.dirname, "helpers/many-steps.mjs");
  const held = JSON.parse(
    execFileSync(process.execPath, ["--expose-gc", script, "10000"], { encoding: "utf8" }),
  ) as [number, number];
  // A leak of one batch a step would be 62 MB, of one weight tensor 50 MB; the allocator alone takes up to 20 more at times.
  expect(held[1] - held[0]).toBeLessThan(35);
});
