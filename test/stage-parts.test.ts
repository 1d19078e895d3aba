/** What stages offer beyond the methods that are here: passes, parts of one's own, second batches, inferred groups, shows. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as ort from "onnxruntime-node";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { leftBy, smallRun } from "../src/contracts/small-run.ts";
import type { Dataset } from "../src/core/dataset.ts";
import { datasets } from "../src/datasets/index.ts";
import {
  abs,
  add,
  cast,
  constant,
  crossEntropy,
  exp,
  full,
  grad,
  less,
  mean,
  mul,
  neg,
  relu,
  reshape,
  sigmoid,
  stopGradient,
  sub,
  sum,
  type Tensor,
} from "../src/engine/expressions.ts";
import { filled } from "../src/engine/training/initialisers.ts";
import {
  defineMethod,
  type Made,
  type Method,
  meanLoss,
  type Own,
  type Stage,
  type Weights,
} from "../src/methods/index.ts";
import { decodeSafetensors } from "../src/runs/safetensors.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const about = {
  version: 1,
  title: "",
  paper: "",
  supervision: {},
  settings: z.object({}),
  search: {},
  presets: {},
};
let dataset: Dataset;

beforeAll(async () => {
  dataset = await datasets.get("colored-mnist").build({ trainPerEnvironment: 40, size: 14 }, 0);
});

const run = (method: Method, out: string, more: object = {}) =>
  smallRun(
    {
      data: { name: "colored-mnist", identity: "test" },
      model: { name: "mlp", options: { width: 8 } },
      method: { name: method.name },
      batchSize: 16,
      epochs: 2,
      seed: 1,
      threads: 1,
      ...more,
    },
    { out: join(root, out), dataset, method },
  );

const weightsOf = (out: string) =>
  decodeSafetensors(readFileSync(join(root, out, "weights.safetensors")), out).tensors;

test("an autoencoder and a judge of their own layers, each pass with its optimiser and what it moves", async () => {
  const code = (own: Own, images: Tensor) => {
    const flat = reshape(mul(cast(images, "float"), 1 / 255), [images.shape[0]!, -1]);
    return { flat, seen: relu(own.layers("encoder").linear("in", flat, 6)) };
  };
  const rebuilt = (own: Own, seen: Tensor, width: number) =>
    sigmoid(own.layers("decoder").linear("out", seen, width));
  const method = defineMethod({
    ...about,
    name: "autoencoder",
    *stages(): Generator<Stage, undefined, Made> {
      yield {
        name: "represent",
        selected: false,
        optimiser: { rate: 1e-2 },
        build({ own, batch, random }) {
          const { flat, seen } = code(own, batch.inputs);
          const noisy = add(seen, mul(random("noise", seen.shape, "normal"), 0.01));
          const off = sub(rebuilt(own, noisy, flat.shape[1]!), flat);
          const error = mean(mul(off, off));
          const judge = own.layers("judge").linear("out", stopGradient(seen), 2);
          return {
            loss: error,
            moves: ["encoder", "decoder"],
            further: [
              {
                loss: mean(batch.losses(judge)),
                moves: ["judge"],
                optimiser: { name: "sgd", rate: 0.1, momentum: 0 },
              },
            ],
            columns: { rebuilding: error },
          };
        },
      };
      yield {
        name: "classify",
        freeze: ["encoder"],
        build({ own, batch, classes }) {
          const { seen } = code(own, batch.inputs);
          return { loss: mean(batch.losses(own.linear("classifier", classes)(seen))) };
        },
      };
      return undefined;
    },
    predict: ({ own, inputs, classes }) => own.linear("classifier", classes)(code(own, inputs).seen),
    shows: {
      rebuilt: ({ own, inputs }) => {
        const { flat, seen } = code(own, inputs);
        return rebuilt(own, seen, flat.shape[1]!);
      },
    },
  });
  const results = await run(method, "autoencoder", { epochs: 3 });
  const rows = readFileSync(join(root, "autoencoder", "history.csv"), "utf8")
    .trim()
    .split("\n");
  expect(rows[0]).toMatch(/^stage,epoch,train_loss,val_loss,val_accuracy,(val_follows_\w+,)+rebuilding$/);
  const errors = rows.slice(1, 4).map((row) => Number(row.split(",").at(-1)));
  expect(errors[2]).toBeLessThan(errors[0]!);
  // The first stage makes no model yet: nothing can be validated.
  expect(rows[1]!.split(",")[4]).toBe("");
  expect(rows.at(-1)!.split(",")[4]).not.toBe("");
  // What predicts is kept; the judge and the network's own layers, which nothing trained, are not.
  expect([...weightsOf("autoencoder").keys()].toSorted()).toEqual([
    "branch/classifier.bias",
    "branch/classifier.weight",
    "branch/decoder/out.bias",
    "branch/decoder/out.weight",
    "branch/encoder/in.bias",
    "branch/encoder/in.weight",
  ]);
  const session = await ort.InferenceSession.create(join(root, "autoencoder", "model.onnx"));
  const images = (await dataset.images.pixels(0)).data;
  const said = await session.run({ images: new ort.Tensor("uint8", images, [1, 14, 14, 3]) });
  expect(said.rebuilt!.dims).toEqual([1, 588]);
  expect(said.logits!.dims).toEqual([1, 2]);
  expect(results!.accuracy.length).toBeGreaterThan(0);
});

test("a second batch is drawn independently of the first, and a twin learns from it", async () => {
  const seen: number[][] = [];
  const method = defineMethod({
    ...about,
    name: "two-batches",
    *stages({ labels }): Generator<Stage, undefined, Made> {
      const places = Float32Array.from(labels("train"), (_, i) => i);
      yield {
        name: "train",
        columns: { places },
        build({ network, own, batch, other }) {
          const second = other();
          const difference = mean(abs(sub(batch.column("places"), second.column("places"))));
          const side = own.twin("discoverer");
          return {
            loss: mean(batch.losses(network.logits(batch.inputs))),
            moves: ["network"],
            further: [{ loss: mean(second.losses(side.logits(second.inputs))), moves: ["discoverer"] }],
            columns: { difference },
          };
        },
      };
      return undefined;
    },
  });
  await run(method, "two");
  const rows = readFileSync(join(root, "two", "history.csv"), "utf8")
    .trim()
    .split("\n")
    .slice(1);
  for (const row of rows) seen.push([Number(row.split(",").at(-1))]);
  // Two independent draws of 80 places differ by about a third of 80 on average; the same ones by nothing.
  for (const [difference] of seen) expect(difference).toBeGreaterThan(15);
});

test("environments are inferred over logits alone, and groups made of them are sampled and weighed", async () => {
  const method = defineMethod({
    ...about,
    name: "inferred",
    *stages({ labels, classes }): Generator<Stage, undefined, Made> {
      const y = labels("train");
      const { outputs } = yield {
        name: "reference",
        length: { epochs: 1 },
        selected: false,
        build: meanLoss,
        wants: [{ of: "train", logits: true, losses: true }],
      };
      const { logits, losses } = outputs[0]!;
      expect([logits.length, losses.length]).toEqual([y.length * classes, y.length]);
      const assigned = yield {
        name: "environments",
        inputs: "none",
        batch: "full",
        selected: false,
        length: { steps: 50 },
        optimiser: { name: "adam", rate: 0.1 },
        build({ own }) {
          const soft = sigmoid(own.parameter("assignment", [y.length], filled(0)));
          const scale = full([1, 1], 1);
          const each = crossEntropy(
            mul(constant(logits, [y.length, classes]), scale),
            constant(y, [y.length], "int"),
          );
          const slope = (weight: Tensor) => grad(mean(mul(each, weight)), [scale])[0]!;
          const [a, b] = [slope(soft), slope(sub(1, soft))];
          return { loss: neg(add(sum(mul(a, a)), sum(mul(b, b)))) };
        },
      };
      const soft = assigned.parameter("assignment");
      expect(() => assigned.parameter("nowhere")).toThrow(/has left no parameter "nowhere"/);
      const codes = Int32Array.from(y, (label, i) => 2 * label + Number(soft[i]! > 0));
      yield {
        name: "robust",
        begin: "fresh",
        groups: { codes, count: 2 * classes },
        sampling: "balanced-groups",
        reports: { environment: codes },
        build: ({ network, batch }) => {
          const each = batch.losses(network.logits(batch.inputs));
          return { loss: mean(mul(each, exp(mul(cast(batch.groups, "float"), 0)))) };
        },
      };
      return undefined;
    },
  });
  const notes: string[] = [];
  await smallRun(
    {
      data: { name: "colored-mnist", identity: "test" },
      model: { name: "mlp", options: { width: 8 } },
      method: { name: "inferred" },
      batchSize: 16,
      epochs: 1,
      threads: 1,
    },
    { out: join(root, "inferred"), dataset, method, hooks: { onPhase: (note) => void notes.push(note) } },
  );
  expect(notes.join("\n")).toMatch(/stage 2: environments[\s\S]*stage 3: robust/);
  expect(readFileSync(join(root, "inferred", "manifest.json"), "utf8")).toContain("reports.parquet");
});

/** Pixels, and an encoder's code of them. */
function coded(own: Own, images: Tensor) {
  const flat = reshape(mul(cast(images, "float"), 1 / 255), [images.shape[0]!, -1]);
  return { flat, seen: relu(own.layers("encoder").linear("in", flat, 6)) };
}

/** Of a decoder's pictures: [batch]. */
function squaredError(own: Own, images: Tensor): Tensor {
  const { flat, seen } = coded(own, images);
  const off = sub(sigmoid(own.layers("decoder").linear("out", seen, flat.shape[1]!)), flat);
  return mean(mul(off, off), [1]);
}

/** Its first stage learns for a while, and then is driven away again: its best epoch is in the middle. */
const chosenByItself = (selected: Stage["selected"], name = "chosen-by-itself", epochs = 6) =>
  defineMethod({
    ...about,
    name,
    *stages(): Generator<Stage, undefined, Made> {
      const { weights } = yield {
        name: "represent",
        ...(selected !== undefined && { selected }),
        length: { epochs },
        optimiser: { rate: 0.02 },
        build({ own, batch, random, state }) {
          const error = squaredError(own, batch.inputs);
          const steps = state("steps", [0]);
          // Learns for 15 steps, of which an epoch has 5, and unlearns from then on.
          const sign = sub(1, mul(2, cast(less(14.5, steps), "float")));
          const noise = mean(random("noise", [batch.size], "normal"));
          return {
            loss: mul(reshape(sign, []), mean(error)),
            next: { steps: add(steps, 1) },
            columns: {
              error,
              noise,
              entropy: batch.losses(full([batch.size, 2], 0)),
            },
          };
        },
      };
      left.set(name, weights);
      yield {
        name: "classify",
        freeze: ["encoder"],
        selected: false,
        length: { epochs: 2 },
        build: ({ own, batch, classes }) => ({
          loss: mean(batch.losses(own.linear("classifier", classes)(coded(own, batch.inputs).seen))),
        }),
      };
      return undefined;
    },
    predict: ({ own, inputs, classes }) => own.linear("classifier", classes)(coded(own, inputs).seen),
  });
const left = new Map<string, Weights>();

const rowsOf = (out: string) => {
  const [head, ...rows] = readFileSync(join(root, out, "history.csv"), "utf8")
    .trim()
    .split("\n");
  const names = head!.split(",");
  return rows.map((row) => Object.fromEntries(row.split(",").map((cell, i) => [names[i]!, cell])));
};

test("a stage is chosen by a number of its own on validation images, at an epoch that is not its last", async () => {
  await run(chosenByItself({ by: "error" }), "own-choice");
  const own = rowsOf("own-choice")
    .filter(({ stage }) => stage === "represent")
    .map((row) => Number(row.val_own_error));
  expect(own).toHaveLength(6);
  const best = own.indexOf(Math.min(...own)) + 1;
  expect(best).toBeGreaterThan(1);
  expect(best).toBeLessThan(6);
  // As long as the epoch that was chosen, and kept as it ends: the same weights.
  await run(chosenByItself(false, "shorter", best), "shorter");
  for (const [name, values] of left.get("shorter")!)
    expect(left.get("chosen-by-itself")!.get(name)).toEqual(values);
  await run(chosenByItself(false, "unchosen"), "unchosen");
  expect(left.get("unchosen")!.get("branch/encoder/in.weight")).not.toEqual(
    left.get("chosen-by-itself")!.get("branch/encoder/in.weight"),
  );

  // By hand: the mean over every validation image of the error that these weights leave, and no other image's.
  const value = (key: string) => left.get("chosen-by-itself")!.get(`branch/${key}`)!;
  const errors: number[] = [];
  for (const [i, split] of dataset.splits.values.entries()) {
    if (dataset.splits.names[split] !== "val") continue;
    const pixels = Array.from((await dataset.images.pixels(i)).data, (byte) => byte / 255);
    const linear = (x: number[], layer: string) =>
      Array.from(value(`${layer}.bias`), (bias, row) =>
        x.reduce((total, each, k) => total + each * value(`${layer}.weight`)[row * x.length + k]!, bias),
      );
    const seen = linear(pixels, "encoder/in").map((each) => Math.max(0, each));
    const rebuilt = linear(seen, "decoder/out").map((each) => 1 / (1 + Math.exp(-each)));
    errors.push(rebuilt.reduce((total, each, k) => total + (each - pixels[k]!) ** 2, 0) / pixels.length);
  }
  expect(errors.length % 16).not.toBe(0);
  // Sums of float32.
  expect(own[best - 1]).toBeCloseTo(errors.reduce((a, b) => a + b, 0) / errors.length, 6);
});

test("noise in such a number is the same at every epoch", async () => {
  await run(chosenByItself({ by: "noise" }, "noisy"), "noisy");
  const noise = rowsOf("noisy").filter(({ stage }) => stage === "represent");
  expect(new Set(noise.map((row) => row.val_own_noise)).size).toBe(1);
  expect(new Set(noise.map((row) => row.noise)).size).toBe(6);
});

test("killed in a stage that chooses by itself, or after it, a run ends with the same bytes", async () => {
  const method = chosenByItself({ by: "error" });
  const spec = {
    data: { name: "colored-mnist", identity: "test" },
    model: { name: "mlp", options: { width: 8 } },
    method: { name: method.name },
    batchSize: 16,
    epochs: 2,
    seed: 1,
    threads: 1,
  };
  const [out, moments] = [join(root, "calm"), [] as string[]];
  await smallRun(spec, {
    out,
    dataset,
    method,
    checkpointSeconds: 0,
    hooks: {
      onProgress: ({ stage, epoch, step }) => {
        if (step !== 3 || (stage === "represent" && epoch % 2 === 1)) return;
        moments.push(join(root, `killed-${moments.length}`));
        leftBy(out, moments.at(-1)!);
      },
    },
  });
  expect(moments).toHaveLength(5);
  for (const folder of moments) {
    await smallRun(spec, { out: folder, dataset, method });
    expect(fingerprint(folder)).toEqual(fingerprint(out));
  }
  // Asked to stop while it looks at validation images, too.
  let asked = 0;
  const stopped = join(root, "stopped");
  const hooks = { shouldStop: () => ++asked === 7 };
  expect(await smallRun(spec, { out: stopped, dataset, method, hooks })).toBeUndefined();
  await smallRun(spec, { out: stopped, dataset, method });
  expect(fingerprint(stopped)).toEqual(fingerprint(out));
});

test("what a stage is chosen by is part of its id", async () => {
  const stages = join(root, "by-what");
  const spec = {
    data: { name: "colored-mnist", identity: "test" },
    model: { name: "mlp", options: { width: 8 } },
    batchSize: 16,
    seed: 1,
    threads: 1,
  };
  const found: number[] = [];
  for (const [i, selected] of [{ by: "error" }, { by: "loss" }, false, { by: "error" }].entries()) {
    const notes: string[] = [];
    const method = chosenByItself(selected as Stage["selected"]);
    await smallRun(
      { ...spec, method: { name: method.name } },
      {
        out: join(root, `by-${i}`),
        dataset,
        method,
        stages,
        hooks: { onPhase: (note) => void notes.push(note) },
      },
    );
    found.push(notes.filter((note) => note.includes("as another run has left it")).length);
  }
  expect(found.slice(0, 3)).toEqual([0, 0, 0]);
  expect(found[3]).toBeGreaterThan(0);
  expect(rowsOf("by-3")).toEqual(rowsOf("by-0"));
});

test.each([
  [
    "a misspelt name",
    { by: "eror" },
    {},
    /chosen by "eror", which it does not have[\s\S]*loss, error, noise, entropy/,
  ],
  ["labels", { by: "entropy" }, {}, /chosen by "entropy", which needs more than images[\s\S]*classes/],
  ["images that are trained on", { by: "error" }, { trainsOnVal: true }, /either learnt from or chosen by/],
] as const)("chosen by %s: refused by name", async (name, selected, supervision, message) => {
  const method = { ...chosenByItself(selected), supervision };
  await expect(run(method, `refused-${name.replaceAll(" ", "-")}`)).rejects.toThrow(message);
});

test.each([
  ["first values of its own", { first: 1 }],
  ["the rate of one of its passes", { rate: 0.05 }],
])("a stored stage is not taken for one with %s that differ", async (name, other) => {
  const left: number[][] = [];
  const method = ({ first = 0, rate = 0.01 }: { first?: number; rate?: number }) =>
    defineMethod({
      ...about,
      name: "beginning",
      *stages(): Generator<Stage, undefined, Made> {
        const made = yield {
          name: "first",
          length: { epochs: 1 },
          selected: false,
          build: ({ network, own, batch }) => ({
            loss: mean(batch.losses(network.logits(batch.inputs))),
            moves: ["network"],
            further: [
              {
                loss: sum(abs(sub(own.parameter("mark", [2], filled(first)), 3))),
                moves: ["mark"],
                optimiser: { name: "sgd", rate, momentum: 0 },
              },
            ],
          }),
        };
        left.push([...made.parameter("mark")]);
        yield { name: "second", build: meanLoss };
        return undefined;
      },
    });
  const shared = { dataset, stages: join(root, name.replaceAll(" ", "-"), "stages") };
  for (const [i, settings] of [{}, other, {}].entries())
    await smallRun(
      {
        data: { name: "colored-mnist", identity: "test" },
        model: { name: "mlp", options: { width: 8 } },
        method: { name: "beginning" },
        batchSize: 16,
        epochs: 1,
        threads: 1,
      },
      { ...shared, out: join(root, name.replaceAll(" ", "-"), String(i)), method: method(settings) },
    );
  expect(left[1]).not.toEqual(left[0]);
  expect(left[2]).toEqual(left[0]);
});

test.each([
  [
    "two stages of one name",
    function* (): Generator<Stage, undefined, Made> {
      yield { name: "a", build: meanLoss };
      yield { name: "a", build: meanLoss };
      return undefined;
    },
    /two stages called "a"/,
  ],
  [
    "no stages at all",
    function* (): Generator<Stage, undefined, Made> {
      yield* [];
      return undefined;
    },
    /has no stages/,
  ],
  [
    "images that are not there",
    function* (): Generator<Stage, undefined, Made> {
      yield { name: "a", from: { part: "train", places: Uint32Array.of(1_000_000) }, build: meanLoss };
      return undefined;
    },
    /places below 80/,
  ],
  [
    "validation images",
    function* (): Generator<Stage, undefined, Made> {
      yield { name: "a", from: "val", build: meanLoss };
      return undefined;
    },
    /asks for validation images, which its supervision does not allow/,
  ],
  [
    "a column that nobody brought",
    function* (): Generator<Stage, undefined, Made> {
      yield { name: "a", build: ({ batch }) => ({ loss: mean(batch.column("x")) }) };
      return undefined;
    },
    /has no column "x"/,
  ],
  [
    "a view that it did not name",
    function* (): Generator<Stage, undefined, Made> {
      yield { name: "a", build: ({ batch, network }) => ({ loss: mean(network.logits(batch.view("x"))) }) };
      return undefined;
    },
    /has no view "x"/,
  ],
  [
    "inputs where it has none",
    function* (): Generator<Stage, undefined, Made> {
      yield { name: "a", inputs: "none", build: meanLoss };
      return undefined;
    },
    /nothing but columns asks for its inputs/,
  ],
] as const)("%s: refused by name", async (name, stages, message) => {
  const method = defineMethod({ ...about, name: "wrong", stages });
  await expect(run(method, name.replaceAll(" ", "-"))).rejects.toThrow(message);
});
