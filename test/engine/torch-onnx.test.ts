/** Foreign ONNX graphs as expressions against PyTorch: logits, gradients by images and by weights, for both of its exporters. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { bindState } from "../../src/engine/bind.ts";
import { constant, grad, input, mul, sum } from "../../src/engine/expressions.ts";
import { interpret } from "../../src/engine/interpret.ts";
import { OnnxModel } from "../../src/engine/onnx-model.ts";
import { emitProgram } from "../../src/engine/program.ts";
import { sizeOf } from "../../src/engine/shapes.ts";
import { State } from "../../src/engine/state.ts";
import { initialise } from "../../src/engine/training/parameters.ts";
import { readOnnxNetwork } from "../../src/models/onnx/network.ts";
import { hashUniform } from "../helpers/hash-uniform.ts";
import { storedReference } from "../helpers/reference.ts";
import { testRandom } from "./helpers.ts";

interface Summary {
  norm: number;
  probe: number;
  first: number[];
}

interface WeightSummary extends Summary {
  /** The first values of the weight itself. */
  values: number[];
}

/** Made by torch_onnx.py in float64, whose header says how. */
const references =
  storedReference<
    Record<
      string,
      { side: number; logits: number[]; images: Summary; gradients: Record<string, WeightSummary> }
    >
  >("torch_onnx");

const fileOf = (name: string, exporter: string) =>
  fileURLToPath(new URL(`../references/onnx/${name}-${exporter}.onnx`, import.meta.url));

function summaryOf(values: Float64Array): Summary {
  const probe = hashUniform(values.length, 7);
  return {
    norm: Math.hypot(...values),
    probe: values.reduce((total, value, i) => total + value * (probe[i]! - 0.5), 0),
    first: Array.from(values.subarray(0, 6)),
  };
}

/**
 * Both sides are float64; weights went through the file as float32, those folded into convolutions rounded once more. A gradient
 * far below the largest is what is left of larger numbers: it is measured by these.
 */
function expectClose(got: Summary, expected: Summary, largest: number, label: string): void {
  const all = (each: Summary) => [each.norm, each.probe, ...each.first];
  const scale = Math.max(expected.norm, 1e-4 * largest);
  for (const [i, value] of all(got).entries())
    expect(Math.abs(value - all(expected)[i]!) / scale, `${label} ${i}`).toBeLessThan(2e-5);
}

function begins(values: Float32Array, expected: readonly number[]): boolean {
  return expected.every((value, i) => Math.fround(value) === values[i]);
}

const cases = Object.keys(references).flatMap((name) =>
  ["legacy", "dynamo"].map((exporter) => ({ name, exporter })),
);

describe.each(cases)("$name by the $exporter exporter", ({ name, exporter }) => {
  const { side, logits: expected, images: byImages, gradients } = references[name]!;

  test("has PyTorch's logits and gradients, and its file is small", async () => {
    const path = fileOf(name, exporter);
    expect(readFileSync(path).length).toBeLessThan(1_000_000);
    const network = await readOnnxNetwork(path);
    const images = input("images", [2, 3, side, side]);
    const { logits, layers } = network.build(images);
    const state = new State();
    initialise(layers.parameters.all, state, testRandom);
    const factors = hashUniform(expected.length, 5).map((value) => value - 0.5);
    const loss = sum(mul(logits, constant(factors, logits.shape)));
    const weights = layers.parameters.trained.map(({ tensor }) => tensor);
    const feeds = {
      images: hashUniform(sizeOf(images.shape), 3).map((value) => 4 * value - 2),
      ...Object.fromEntries(layers.parameters.all.map((each) => [each.name, state.get(each.name)])),
    };
    const [found, imageGradient, ...byWeights] = interpret(
      [logits, ...grad(loss, [images, ...weights])],
      feeds,
    );
    const largest = Math.max(...expected.map(Math.abs));
    for (const [i, value] of expected.entries())
      expect(Math.abs(found![i]! - value) / largest).toBeLessThan(1e-5);
    const longest = Math.max(...Object.values(gradients).map(({ norm }) => norm));
    expectClose(summaryOf(imageGradient!), byImages, 0, "images");
    let compared = 0;
    for (const [i, { name: weight }] of layers.parameters.trained.entries()) {
      const reference = gradients[weight];
      // Those that an exporter has transposed, or folded into others, have other values here.
      if (reference === undefined || !begins(state.get(weight), reference.values)) continue;
      expectClose(summaryOf(byWeights[i]!), reference, longest, weight);
      compared++;
    }
    expect(compared).toBeGreaterThan(1);
  });

  test("is exported again for any number of images", async () => {
    const network = await readOnnxNetwork(fileOf(name, exporter));
    const { logits, layers } = network.build(input("images", [1, 3, side, side]));
    const state = new State();
    initialise(layers.parameters.all, state, testRandom);
    const [bound] = bindState([logits], (each) => state.get(each));
    const { model } = emitProgram({ outputs: { logits: bound! } }, { freeBatch: "batch", keepNames: true });
    const runtime = await OnnxModel.open("exported", { output: "logits" }, model);
    const images = Float32Array.from(hashUniform(2 * 3 * side * side, 3), (value) => 4 * value - 2);
    const got = await runtime.run(images, [2, 3, side, side]);
    await runtime.close();
    const largest = Math.max(...expected.map(Math.abs));
    // Float32 throughout.
    for (const [i, value] of expected.entries())
      expect(Math.abs(got[i]! - value) / largest).toBeLessThan(1e-4);
  });
});
