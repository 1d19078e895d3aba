/** Components against scikit-learn (test/references/numpy_components.py), and repaired files against what is claimed of them. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { hashUniform } from "../../../test/helpers/hash-uniform.ts";
import { storedReference } from "../../../test/helpers/reference.ts";
import { OnnxModel } from "../../engine/onnx-model.ts";
import { readOnnxNetwork } from "../../models/onnx/network.ts";
import { withHead } from "../../models/onnx/repair-head.ts";
import { judgeCandidates } from "./choose.ts";
import { classComponents, contributions, logitsOf, withoutComponents } from "./class-components.ts";

const reference = storedReference<{
  mean: number[];
  axes: number[];
  shares: number[];
  push: number[];
  contributions: number[][];
  logits: number[];
  without: number[];
}>("numpy_components");

const features = Float32Array.from(hashUniform(40 * 6, 21));
const head = {
  classes: 3,
  inputs: 6,
  weight: Float32Array.from(hashUniform(18, 22), (value) => value - 0.5),
  bias: Float32Array.from(hashUniform(3, 23)),
};
const rows = Array.from({ length: 20 }, (_, i) => 2 * i);

test("axes, shares and contributions are scikit-learn's, and a head without one of them NumPy's", () => {
  const found = classComponents(features, rows, head, { of: 1, wanted: 3, seed: 0 });
  // Subspace iteration ends when eigenvalues stand still to 1e-10; axes then to its root.
  near(found.mean, reference.mean, 1e-12);
  near(found.axes, reference.axes, 1e-4);
  near(found.shares, reference.shares, 1e-8);
  near(found.push, reference.push, 1e-4);
  for (const [k, expected] of reference.contributions.entries())
    near(contributions(features, head, found, k), expected, 1e-4);
  near(logitsOf(features, head), reference.logits, 1e-6);
  const repaired = withoutComponents(head, [{ of: found, k: 1 }]);
  near(logitsOf(features, repaired), reference.without, 1e-5);
  // Other classes keep theirs.
  expect(repaired.weight.subarray(0, 6)).toEqual(head.weight.subarray(0, 6));
});

test("all components together are the class's logit less that of its mean image", () => {
  const found = classComponents(features, rows, head, { of: 2, wanted: 6, seed: 0 });
  const parts = found.push.map((_, k) => contributions(features, head, found, k));
  const logits = logitsOf(features, head);
  const mean = found.mean.reduce((sum, value) => sum + value, head.bias[2]!);
  for (let i = 0; i < 40; i++)
    expect(parts.reduce((sum, part) => sum + part[i]!, mean)).toBeCloseTo(logits[3 * i + 2]!, 5);
});

test("a component that pushes others' images into its class does harm, and one that helps does not", () => {
  // Class 0's logit is 1 in its own images; a cue adds 3 in half of class 1's, whose own logit is 2.
  const count = 80;
  const labels = Array.from({ length: count }, (_, i) => i % 2);
  const cue = labels.map((label, i) => (label === 1 && i % 4 === 1 ? 3 : 0));
  const own = labels.map((label) => (label === 0 ? 1 : -1));
  const logits = Float32Array.from({ length: 2 * count }, (_, at) => {
    const i = Math.floor(at / 2);
    return at % 2 === 0 ? own[i]! + cue[i]! : labels[i] === 1 ? 1 : 0.5;
  });
  const adds = [cue, own].map((values) => Float64Array.from(values));
  const [harmful, useful] = judgeCandidates(
    logits,
    labels,
    2,
    adds.map((values, k) => ({ class: 0, k, adds: values })),
    0,
  );
  expect(harmful).toMatchObject({ k: 0, gain: expect.closeTo(0.25, 10) });
  expect(harmful!.pValue).toBeLessThan(0.01);
  expect(useful!.gain).toBeLessThan(0);
});

test.each([
  "resnet-legacy",
  "resnet-dynamo",
  "convnext-legacy",
  "timm-vit-legacy",
  "swin-dynamo",
  "densenet-legacy",
])("a file with another last layer gives its logits in a bare runtime: %s", async (name) => {
  const path = fileURLToPath(new URL(`../../../test/references/onnx/${name}.onnx`, import.meta.url));
  const network = await readOnnxNetwork(path);
  const found = network.head!;
  const { height, width } = network.input;
  const images = Float32Array.from(hashUniform(2 * 3 * height! * width!, 3), (value) => 4 * value - 2);
  const bytes = readFileSync(path);
  const run = async (model: Uint8Array) => {
    const opened = await OnnxModel.open(path, { output: "logits" }, model);
    const logits = await opened.run(images, [2, 3, height!, width!]);
    await opened.close();
    return logits;
  };
  const [weight, bias] = [found.weight(), found.bias()];
  const before = await run(bytes);
  near(await run(withHead(bytes, found, { weight, bias })), [...before], 1e-6);
  // Class 1 as class 0 was, shifted by 7.
  weight.copyWithin(found.inputs, 0, found.inputs);
  bias[1] = bias[0]! + 7;
  const changed = withHead(bytes, found, { weight, bias });
  const after = await run(changed);
  for (const i of [0, 1]) {
    expect(after[5 * i + 1]! - after[5 * i]!).toBeCloseTo(7, 4);
    expect(after[5 * i]).toBeCloseTo(before[5 * i]!, 5);
  }
  // The old layer is no longer in it.
  expect(Math.abs(changed.length - bytes.length)).toBeLessThan(300);
});

function near(got: ArrayLike<number>, expected: readonly number[], tolerance: number): void {
  expect(got.length).toBe(expected.length);
  for (const [i, value] of expected.entries())
    expect(Math.abs(got[i]! - value), `${i}`).toBeLessThan(tolerance);
}
