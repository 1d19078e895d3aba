/** Every method over stored features, by the same files as over images: what it learns, and that a kill changes no byte. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Dataset } from "../../src/core/dataset.ts";
import { CuelabError } from "../../src/core/errors.ts";
import { randomStream } from "../../src/core/random.ts";
import { methods } from "../../src/methods/index.ts";
import { describeFeatures, readFeatures } from "../../src/runs/feature-folder.ts";
import { FeatureWriter, type OwnHead } from "../../src/runs/feature-writer.ts";
import { RunFolder } from "../../src/runs/run-folder.ts";
import { decodeSafetensors } from "../../src/runs/safetensors.ts";
import { parseViews } from "../../src/training/features/view-parts.ts";
import { scaledRows } from "../../src/training/heads/head-rows.ts";
import { methodWeights } from "../../src/training/heads/method-problem.ts";
import { solveHeads } from "../../src/training/heads/solve-heads.ts";
import type { RunResults } from "../../src/training/results.ts";
import { type RunSpecInput, resolveSpec } from "../../src/training/run-spec.ts";
import type { TrainingHooks } from "../../src/training/train.ts";
import { featureModel, trainOnFeatures } from "../../src/training/train-features.ts";
import { fingerprint, temporaryFolder } from "../helpers/files.ts";

const root = temporaryFolder();
const [count, training, width] = [160, 96, 6];
const folder = join(root, "features");
const views = parseViews(
  ["background-swap", "co-object-swap", "augmix", "grey-box", "random-background", "mixup"],
  [],
);
const head: OwnHead = {
  name: "fc",
  weight: Float32Array.from({ length: 2 * width }, (_, i) => (i === 0 ? -3 : i === width ? 3 : 0)),
  bias: new Float32Array(2),
};
let identity: string;

/** Feature 0 is the class, feature 1 a cue that goes with it in nine of ten images, all others nothing. */
beforeAll(async () => {
  const stream = randomStream(0, "features").at(0);
  const labels = Uint16Array.from({ length: count }, (_, i) => i % 2);
  const cue = labels.map((label, i) => (i % 10 < 2 ? 1 - label : label));
  const dataset: Dataset = {
    name: "drawn",
    images: { count, shape: null, pixels: () => Promise.reject(new Error("none")), describe: String },
    labels,
    classNames: ["no", "yes"],
    attributes: { cue: { valueNames: ["a", "b"], values: cue, role: "cue", classValues: [0, 1] } },
    splits: {
      names: ["train", "val"],
      values: Uint8Array.from({ length: count }, (_, i) => (i < training ? 0 : 1)),
    },
    provenance: {
      title: "",
      description: "",
      generator: { name: "test", version: 1 },
      settings: {},
      seed: 0,
      sources: [],
      license: "",
      skipped: [],
    },
  };
  const features = (i: number) =>
    Array.from({ length: width }, (_, k) => {
      const sign = 2 * (k === 0 ? labels[i]! : k === 1 ? cue[i]! : 0.5) - 1;
      return (k === 1 ? 2 : 1) * sign + 0.5 * stream.normal();
    });
  const writer = await FeatureWriter.create(folder, dataset, width, {
    force: false,
    views: views.map(({ name, chain }) => ({ name, chain, copies: 2, images: training })),
  });
  const own = Array.from({ length: count }, (_, i) => features(i));
  await writer.write(Float32Array.from(own.flat()));
  for (const { name } of views)
    for (let copy = 0; copy < 2; copy++)
      await writer.view(name).write({
        features: Float32Array.from(
          own.slice(0, training).flatMap((row, i) => viewOf(name, row, own[partner(i)]!)),
        ),
        rows: Int32Array.from(Array.from({ length: training }, (_, i) => [i, partner(i), 0]).flat()),
        shares: Float32Array.from({ length: 2 * training }, (_, i) =>
          i % 2 === 1 && name === "mixup" ? 0.75 : 1,
        ),
      });
  await writer.finish({ model: "made", options: {}, head: "fc", weights: null, data: "test" }, head);
  ({ identity } = await describeFeatures(folder));
});

const partner = (i: number) => (i + 7) % training;

/** A view takes the cue away; a mixed image is three quarters its own. */
const viewOf = (name: string, row: readonly number[], other: readonly number[]) =>
  name === "mixup"
    ? row.map((value, k) => 0.75 * value + 0.25 * other[k]!)
    : row.map((value, k) => (k === 1 ? 0 : value));

interface Given {
  more?: Partial<RunSpecInput>;
  lastLayer?: object;
  hooks?: Partial<TrainingHooks>;
}

async function trained(out: string, method: RunSpecInput["method"], { more, lastLayer, hooks }: Given = {}) {
  const spec = resolveSpec({
    data: { path: folder, features: true, identity },
    model: { name: featureModel },
    method,
    optimiser: { name: "adam", rate: 0.05 },
    lastLayer: { standardise: true, ...lastLayer },
    batchSize: 32,
    epochs: 15,
    threads: 1,
    ...more,
  });
  const run = await RunFolder.open(join(root, out), spec, { force: false });
  const silent: TrainingHooks = {
    onProgress: () => {},
    onEvaluation: () => {},
    onEpoch: () => {},
    onPhase: () => {},
    shouldStop: () => false,
  };
  try {
    return (await trainOnFeatures(spec, { checkpointSeconds: 60 }, run, {
      ...silent,
      ...hooks,
    })) as RunResults;
  } finally {
    run.close();
  }
}

const accuracyOf = (results: RunResults, slice: string) =>
  results.accuracy.find((each) => each.slice === slice)!.accuracy!;

/** Settings that make them quick, and what a method needs to know. */
const forms: Record<string, { settings?: Record<string, unknown>; least?: number }> = {
  eiil: { settings: { inferenceSteps: 200 } },
  jtt: { settings: { upweight: 3 } },
  dfr: { settings: { strengths: [1, 0.1], refits: 2 } },
  // What it removes is what it is told, and here the class goes with that.
  lnl: { least: 0 },
};

/** Those that take apart what an image shows have nothing to show here. */
const ofImages = methods.names.filter((name) => /vae$|^lens$/.test(name));

test.each(ofImages)("%s wants images, and says so", async (name) => {
  await expect(trained(`${name}/never`, { name })).rejects.toThrow(CuelabError);
});

describe.each(methods.names.filter((name) => !ofImages.includes(name)))("%s", (name) => {
  const { settings = {}, least = 0.75 } = forms[name] ?? {};
  const isTold = (() => {
    const { supervision } = methods.get(name);
    const told = typeof supervision === "function" ? supervision(settings) : supervision;
    return told.groups !== undefined;
  })();
  const method = { name, settings, ...(isTold && { explicit: ["cue"] }) };

  test("learns over features, and ends with the same bytes wherever it was killed", async () => {
    const results = await trained(`${name}/calm`, method);
    expect(accuracyOf(results, "val")).toBeGreaterThanOrEqual(least);
    let steps = 0;
    const stop = { shouldStop: () => ++steps >= 11, onProgress: () => {} };
    expect(await trained(`${name}/stopped`, method, { hooks: stop })).toBeUndefined();
    await trained(`${name}/stopped`, method);
    expect(fingerprint(join(root, name, "stopped"))).toEqual(fingerprint(join(root, name, "calm")));
  });
});

test("from the network's own head, a run of no rate says what that head says", async () => {
  for (const name of ["erm", "domain-independent", "lff"]) {
    const explicit = name === "domain-independent" ? { explicit: ["cue"] } : {};
    const still = { epochs: 1, optimiser: { name: "sgd" as const, rate: 1e-12 } };
    const results = await trained(
      `${name}/head`,
      { name, ...explicit },
      { more: still, lastLayer: { fromHead: true } },
    );
    // Its sign is that of feature 0, whose mean is one from the boundary at a deviation of a half.
    expect(accuracyOf(results, "val")).toBeGreaterThan(0.9);
  }
});

test("solved: the objective is lower than all steps get it, and what has no end is refused", async () => {
  const lastLayer = { l2: 0.1, solve: true as const };
  await trained("solved", { name: "erm" }, { lastLayer });
  const more = { epochs: 100, batchSize: 96 };
  await trained("stepped", { name: "erm" }, { lastLayer: { l2: 0.1 }, more });
  const objective = (run: string) =>
    Number(
      readFileSync(join(root, run, "history.csv"), "utf8")
        .trim()
        .split("\n")
        .at(-1)!
        .split(",")[2],
    );
  expect(readFileSync(join(root, "solved", "history.csv"), "utf8")).toMatch(/^stage,epoch,train_loss/);
  expect(objective("solved")).toBeLessThanOrEqual(objective("stepped") + 1e-6);
  expect(objective("solved")).toBeGreaterThan(objective("stepped") - 0.01);
  await expect(trained("refused", { name: "group-dro", explicit: ["cue"] }, { lastLayer })).rejects.toThrow(
    /no convex problem that could be solved: it keeps numbers from step to step/,
  );
  // A product of two things that are trained.
  await expect(trained("masked", { name: "rubi", explicit: ["cue"] }, { lastLayer })).rejects.toThrow(
    /no convex problem that could be solved: its loss is not said to be convex[\s\S]*domain-independent, erm/,
  );
});

test("mixed images: their loss is shared with their partners' classes", async () => {
  const augment = views.find(({ name }) => name === "mixup")!.chain;
  const mixed = await trained("mixup", { name: "erm" }, { more: { augment: [...augment] } });
  expect(accuracyOf(mixed, "val")).toBeGreaterThan(0.75);
  await expect(
    trained("cutmix", { name: "erm" }, { more: { augment: [{ view: "cutmix" }] } }),
  ).rejects.toThrow(
    /these features have no view cutmix with cutmix.alpha=1[\s\S]*one of: background-swap, .*mixup/,
  );
});

describe("many heads at once by the methods' own files", () => {
  const specOf = (name: string, settings = {}) =>
    resolveSpec({
      data: { path: folder, features: true, identity },
      model: { name: featureModel },
      method: { name, settings, ...(/dro|upweighting|subg/.test(name) && { explicit: ["cue"] }) },
    });

  test("how much an image counts is what the method's loss says", async () => {
    const { dataset } = await readFeatures(folder);
    const erm = await methodWeights(specOf("erm"), dataset);
    for (const weight of erm.weights) expect(weight).toBeCloseTo(1 / training, 7);
    const { weights } = await methodWeights(specOf("group-upweighting"), dataset);
    const { values } = dataset.attributes.cue!;
    const size = (i: number) =>
      Array.from({ length: training }, (_, j) => j).filter(
        (j) => values[j] === values[i] && dataset.labels[j] === dataset.labels[i],
      ).length;
    for (const i of [0, 1, 2, 3, 10, 11]) expect(weights[i]).toBeCloseTo(1 / size(i), 6);
    const subg = await methodWeights(specOf("subg"), dataset);
    const drawn = subg.weights.filter((weight) => weight > 0).length;
    expect(drawn).toBe(4 * Math.min(...Array.from({ length: 12 }, (_, i) => size(i))));
    for (const [name, why] of [
      ["group-dro", /sampling of its own/],
      ["jtt", /length/],
      ["lff", /more than the head|from step to step/],
      ["debian", /no sum over images/],
    ] as const)
      await expect(methodWeights(specOf(name), dataset)).rejects.toThrow(why);
  });

  test("a head among many is that of a run that is solved alone", async () => {
    const set = await readFeatures(folder);
    const places = Uint32Array.from({ length: training }, (_, i) => i);
    const read = async (rows: Uint32Array, into: Float32Array<ArrayBuffer>) =>
      into.set(set.features.subarray(rows[0]! * width, (rows.at(-1)! + 1) * width));
    const rows = await scaledRows(places, read, { width, most: 2 ** 30 });
    const { weights, total } = await methodWeights(specOf("group-upweighting"), set.dataset);
    const labels = set.dataset.labels.slice(0, training);
    const [head] = (await solveHeads(rows, [{ labels, classes: 2, l2: 0.05 / total, weights }], {
      threads: 1,
      tolerance: 1e-9,
    }))!;
    const method = { name: "group-upweighting", explicit: ["cue"] };
    await trained("alone", method, { lastLayer: { l2: 0.05, solve: true as const } });
    const { tensors } = decodeSafetensors(readFileSync(join(root, "alone", "weights.safetensors")), "alone");
    const alone = tensors.get("fc.weight")!.data;
    const { deviation } = rows.scale;
    // Solved to a slope of 1e-5 there; the kept layer takes features as they are.
    for (const [i, value] of head!.weight.entries())
      expect(value / deviation[i % width]!).toBeCloseTo(alone[i]!, 3);
  });
});
