/** Features that are too many for memory: read from a file batch by batch, to the same bits, in memory that is bounded. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { leftBy, smallRun } from "../src/contracts/small-run.ts";
import type { Dataset } from "../src/core/dataset.ts";
import { datasets } from "../src/datasets/index.ts";
import { add, mean } from "../src/engine/expressions.ts";
import { defineMethod, type Made, type Method, meanLoss, methods, type Stage } from "../src/methods/index.ts";
import { describeFeatures } from "../src/runs/feature-folder.ts";
import { FeatureWriter } from "../src/runs/feature-writer.ts";
import { RunFolder } from "../src/runs/run-folder.ts";
import { type RunSpecInput, resolveSpec } from "../src/training/run-spec.ts";
import type { TrainingHooks } from "../src/training/train.ts";
import { featureModel, trainOnFeatures } from "../src/training/train-features.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
let dataset: Dataset;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

beforeAll(async () => {
  dataset = await datasets.get("colored-mnist").build({ trainPerEnvironment: 60, size: 14 }, 0);
});

const spec = (method: string, more: Partial<RunSpecInput> = {}): RunSpecInput => ({
  data: { name: "colored-mnist", identity: "test" },
  model: { name: "small-cnn", options: { width: 4 } },
  method: { name: method },
  batchSize: 16,
  epochs: 2,
  seed: 1,
  threads: 1,
  ...more,
});

/** A network for an epoch, and then its last layer in some way. */
const lastLayer = (stage: Partial<Stage>): Method =>
  defineMethod({
    name: "last-layer",
    version: 1,
    title: "",
    paper: "",
    supervision: {},
    settings: z.object({}),
    search: {},
    presets: {},
    *stages(): Generator<Stage, undefined, Made> {
      yield { name: "network", length: { epochs: 1 }, selected: false, build: meanLoss };
      yield { name: "layer", inputs: "features", length: { epochs: 3 }, build: meanLoss, ...stage };
      return undefined;
    },
  });

const repeated = Uint32Array.from({ length: 90 }, (_, i) => (i * i) % 61);

test.each<[string, Partial<Stage>, Partial<RunSpecInput>]>([
  ["as they are", {}, {}],
  [
    "brought to a scale, some places again",
    { standardise: true, from: { part: "train", places: repeated } },
    {},
  ],
  [
    "brought to the scale of a part, chosen by validation",
    { standardise: "train" },
    { select: { by: "val-loss" } },
  ],
  [
    "two batches a step, penalised",
    {
      penalise: { l1: 0.001, l2: 0.1 },
      optimiser: { name: "sgd", rate: 0.1, momentum: 0.9 },
      build: ({ network, batch, other }) => ({
        loss: add(
          mean(batch.losses(network.logits(batch.inputs))),
          mean(other().losses(network.logits(other().inputs))),
        ),
      }),
    },
    {},
  ],
  [
    "chosen by a number of its own",
    {
      selected: { by: "size" },
      standardise: true,
      build: (context) => ({
        ...meanLoss(context),
        columns: { size: mean(context.network.logits(context.batch.inputs), [1]) },
      }),
    },
    {},
  ],
])("%s: the same bytes from memory and from a file", async (name, stage, more) => {
  const at = (kind: string) => join(root, name.replaceAll(" ", "-"), kind);
  const method = lastLayer(stage);
  await smallRun(spec(method.name, more), { out: at("memory"), dataset, method });
  const killed: string[] = [];
  const seen = new Set<string>();
  await smallRun(spec(method.name, more), {
    out: at("file"),
    dataset,
    method,
    featureBytes: 1000,
    checkpointSeconds: 0,
    hooks: {
      onProgress: ({ stage: now, epoch, step }) => {
        for (const file of readdirSync(at("file"))) seen.add(file);
        if (now !== "layer" || epoch !== 2 || step !== 2) return;
        killed.push(at("killed"));
        leftBy(at("file"), at("killed"));
      },
    },
  });
  // It was in a file, which is gone.
  expect([...seen].filter((file) => file.startsWith(".features.cuelab-partial"))).toHaveLength(1);
  expect(fingerprint(at("file"))).toEqual(fingerprint(at("memory")));
  expect(killed).toHaveLength(1);
  await smallRun(spec(method.name, more), { out: at("killed"), dataset, method, featureBytes: 1000 });
  expect(fingerprint(at("killed"))).toEqual(fingerprint(at("memory")));
});

describe("what needs all features at once is refused above the limit, with the figure", () => {
  const wants: Method = {
    ...lastLayer({}),
    *stages(): Generator<Stage, undefined, Made> {
      yield { name: "network", build: meanLoss, wants: [{ of: "train", features: true }] };
      return undefined;
    },
  };
  test.each<[string, Method, Partial<RunSpecInput>]>([
    [
      "a solver",
      methods.get("dfr"),
      { method: { name: "dfr", explicit: ["color"], settings: { strengths: [1] } } },
    ],
    ["a full batch", lastLayer({ batch: "full" }), {}],
    ["a method that wants them", wants, {}],
  ])("%s", async (name, method, more) => {
    const run = smallRun(spec(method.name, more), {
      out: join(root, `refused-${name.replaceAll(" ", "-")}`),
      dataset,
      method,
      featureBytes: 1000,
    });
    await expect(run).rejects.toThrow(
      /do not fit[\s\S]*1,000 bytes or less[\s\S]*\d,\d\d\d bytes: \d+ images of 16 features/,
    );
  });
});

describe("features that were brought", () => {
  const [count, width] = [6000, 1024];
  const folder = join(root, "features");
  let identity: string;

  beforeAll(async () => {
    const split = (i: number) => (i < 5000 ? 0 : i < 5500 ? 1 : 2);
    const columns: Dataset = {
      ...dataset,
      images: { ...dataset.images, count },
      labels: Uint16Array.from({ length: count }, (_, i) => i % 2),
      attributes: {},
      splits: {
        names: ["train", "val", "test"],
        values: Uint8Array.from({ length: count }, (_, i) => split(i)),
      },
    };
    const writer = await FeatureWriter.create(folder, columns, width, { force: false });
    for (let row = 0; row < count; row += 500)
      await writer.write(
        Float32Array.from(
          { length: 500 * width },
          (_, i) => Math.sin(0.7 * i + row) + (i % (2 * width) < width ? 0 : 0.1),
        ),
      );
    const pixels = { mode: "data" as const, mean: [0, 0, 0], deviation: [1, 1, 1] };
    await writer.finish({
      model: "mlp",
      options: {},
      head: "head",
      weights: null,
      seed: 0,
      pixels,
      data: "test",
    });
    ({ identity } = await describeFeatures(folder));
  });

  async function trained(
    out: string,
    featureBytes: number | undefined,
    onProgress = () => {},
  ): Promise<void> {
    const silent: TrainingHooks = {
      onProgress,
      onEvaluation: () => {},
      onEpoch: () => {},
      onPhase: () => {},
      shouldStop: () => false,
    };
    const resolved = resolveSpec({
      data: { name: "features", features: true, path: folder, identity },
      model: { name: featureModel },
      method: { name: "erm" },
      lastLayer: { l1: 0, l2: 0.001, standardise: true },
      batchSize: 128,
      epochs: 2,
      threads: 1,
    } as RunSpecInput);
    const opened = await RunFolder.open(join(root, out), resolved, { force: false });
    try {
      await trainOnFeatures(resolved, { checkpointSeconds: 60, featureBytes }, opened, silent);
    } finally {
      opened.close();
    }
  }

  /** Bytes of arrays that are in use while it trains, beside those that were before. */
  async function inUse(out: string, featureBytes: number | undefined): Promise<number> {
    const arrays = () => {
      // What the first leaves to another thread to free, the second waits for.
      collect();
      collect();
      return process.memoryUsage().arrayBuffers;
    };
    const before = arrays();
    let [peak, steps] = [0, 0];
    await trained(out, featureBytes, () => {
      if (steps++ % 10 === 5) peak = Math.max(peak, arrays() - before);
    });
    return peak;
  }

  test("give the same bytes by rows of their file, in the memory of a few batches", async () => {
    const [streamed, resident] = [await inUse("rows", 2 ** 20), await inUse("whole", undefined)];
    expect(fingerprint(join(root, "rows"))).toEqual(fingerprint(join(root, "whole")));
    // 24.6 MB of features, and 20.5 MB of them to train on; a batch has half a megabyte.
    expect(resident).toBeGreaterThan(45e6);
    expect(streamed).toBeLessThan(6e6);
  });
});
