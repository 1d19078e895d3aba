/** Deep feature reweighting on stored features, solved through a whole run, against scikit-learn's own solution. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Dataset } from "../../src/core/dataset.ts";
import { describeFeatures } from "../../src/runs/feature-folder.ts";
import { FeatureWriter } from "../../src/runs/feature-writer.ts";
import { RunFolder } from "../../src/runs/run-folder.ts";
import { decodeSafetensors } from "../../src/runs/safetensors.ts";
import { resolveSpec } from "../../src/training/run-spec.ts";
import { trainOnFeatures } from "../../src/training/train-features.ts";
import { temporaryFolder } from "../helpers/files.ts";
import { hashUniform } from "../helpers/hash-uniform.ts";
import { storedReference } from "../helpers/reference.ts";

interface Reference {
  c: number;
  objective: number;
  weights: number[][];
}

/** Made by sklearn_dfr.py, whose header says how. */
const references = storedReference<Record<string, Reference>>("sklearn_dfr");
const root = temporaryFolder();
const [rows, width] = [162, 24];

function featuresOf(classes: number): Float32Array {
  const noise = hashUniform(rows * width, 700 + classes);
  const scale = hashUniform(width, 800);
  return Float32Array.from(noise, (value, i) => {
    const [row, k] = [Math.floor(i / width), i % width];
    const shift = k < 4 ? 0.25 * (((row % classes) + k) % classes) : 0;
    return (value + shift) * (0.1 + 10 * scale[k]!);
  });
}

/** Every image has the same cue: each class is a group, and all are of one size. */
async function stored(classes: number): Promise<string> {
  const out = join(root, `features-${classes}`);
  const dataset = {
    name: "hashed",
    images: { count: rows, shape: { height: 1, width: 1, channels: 1 } },
    labels: Uint16Array.from({ length: rows }, (_, i) => i % classes),
    classNames: Array.from({ length: classes }, String),
    attributes: { place: { values: new Uint16Array(rows), valueNames: ["a"], role: "cue" } },
    splits: { names: ["train"], values: new Uint8Array(rows) },
    provenance: {
      title: "",
      description: "",
      generator: { name: "hash", version: 1 },
      settings: {},
      seed: 0,
      sources: [],
      license: "",
      skipped: [],
    },
  } as unknown as Dataset;
  const writer = await FeatureWriter.create(out, dataset, width, { force: true });
  await writer.write(featuresOf(classes));
  await writer.finish({ model: "mlp", options: {}, head: "head", weights: null, data: "hashed" });
  return out;
}

const cases = Object.entries(references).map(([name, reference]) => [name, reference] as const);

test.each(cases)(
  "%s: the objective is scikit-learn's, and so are the weights that are zero",
  async (name, reference) => {
    const classes = Number(name[0]);
    const isScaled = name.endsWith("scaled");
    const path = await stored(classes);
    const { identity } = await describeFeatures(path);
    const spec = resolveSpec({
      data: { path, features: true, identity },
      model: { name: "logistic-regression" },
      method: {
        name: "dfr",
        settings: { strengths: [reference.c], refits: 1, standardise: isScaled ? "train" : "none" },
        explicit: ["place"],
      },
      epochs: 1,
      threads: 1,
    });
    const out = join(root, name.replaceAll(/\W+/g, "-"));
    const folder = await RunFolder.open(out, spec, { force: false });
    await trainOnFeatures(spec, { checkpointSeconds: 60 }, folder, {
      onProgress: () => {},
      onEvaluation: () => {},
      onEpoch: () => {},
      onPhase: () => {},
      shouldStop: () => false,
    });
    folder.close();
    const { tensors } = decodeSafetensors(readFileSync(join(out, "weights.safetensors")), out);
    const [weight, bias] = [tensors.get("head.weight")!.data, tensors.get("head.bias")!.data];
    const { objective, zeros } = judged(featuresOf(classes), {
      weight,
      bias,
      classes,
      c: reference.c,
      isScaled,
    });
    const off = (objective - reference.objective) / reference.objective;
    // An accuracy of 1e-4 is asked for; it ends below 1e-7, where float32 slopes are noise.
    expect(Math.abs(off), `objective ${objective}`).toBeLessThan(1e-6);
    const expected = reference.weights.flat().filter((value) => value === 0).length;
    // Of two classes scikit-learn has one row of weights, and we two that are opposite.
    expect(zeros).toBe(classes === 2 ? 2 * expected : expected);
  },
);

/** In float64, in the units that the penalty is about. */
function judged(
  features: Float32Array,
  {
    weight,
    bias,
    classes,
    c,
    isScaled,
  }: { weight: Float32Array; bias: Float32Array; classes: number; c: number; isScaled: boolean },
) {
  const column = (k: number) => Array.from({ length: rows }, (_, row) => features[row * width + k]!);
  const deviations = Array.from({ length: width }, (_, k) => {
    const mean = column(k).reduce((a, b) => a + b, 0) / rows;
    return isScaled ? Math.sqrt(column(k).reduce((total, x) => total + (x - mean) ** 2, 0) / rows) : 1;
  });
  let objective = 0;
  let zeros = 0;
  for (const [i, value] of weight.entries()) {
    objective += Math.abs(value) * deviations[i % width]!;
    if (value === 0) zeros++;
  }
  for (let row = 0; row < rows; row++) {
    const logits = Array.from({ length: classes }, (_, j) => {
      let sum = bias[j]!;
      for (let k = 0; k < width; k++) sum += weight[j * width + k]! * features[row * width + k]!;
      return sum;
    });
    const largest = Math.max(...logits);
    const total = logits.reduce((sum, logit) => sum + Math.exp(logit - largest), 0);
    objective += c * (Math.log(total) + largest - logits[row % classes]!);
  }
  return { objective, zeros };
}
