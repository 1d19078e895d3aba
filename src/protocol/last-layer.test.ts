import { expect, test } from "vitest";
import { randomStream } from "../core/random.ts";
import { applyLastLayer, type LastLayer, type LastLayerOptions, trainLastLayer } from "./last-layer.ts";

const [rows, width, classes] = [120, 6, 3];
const random = randomStream(5, "test").at(0);
const features = Float32Array.from({ length: rows * width }, () => random.normal());
/** Overlapping classes that three of the six features tell apart. */
const labels = Int32Array.from({ length: rows }, (_, i) => {
  const scores = [0, 1, 2].map((k) => features[i * width + k]! + random.normal());
  return scores.indexOf(Math.max(...scores));
});
const data = { features, width, labels };
const usual: LastLayerOptions = {
  classes,
  optimiser: "sgd",
  rate: 0.2,
  momentum: 0.9,
  schedule: "constant",
  epochs: 400,
  l1: 0,
  l2: 0,
  seed: 0,
  threads: 1,
};

/** Gradient of the mean cross entropy, written out in float64. */
function slopes({ weight, bias }: LastLayer): { weight: number[]; bias: number[] } {
  const result = { weight: Array<number>(classes * width).fill(0), bias: [0, 0, 0] };
  for (let i = 0; i < rows; i++) {
    const x = Array.from(features.subarray(i * width, (i + 1) * width));
    const scores = [0, 1, 2].map((k) =>
      Math.exp(x.reduce((sum, value, j) => sum + value * weight[k * width + j]!, bias[k]!)),
    );
    const total = scores.reduce((sum, score) => sum + score, 0);
    for (let k = 0; k < classes; k++) {
      const excess = (scores[k]! / total - (labels[i] === k ? 1 : 0)) / rows;
      result.bias[k]! += excess;
      for (let j = 0; j < width; j++) result.weight[k * width + j]! += excess * x[j]!;
    }
  }
  return result;
}

// Float32 leaves the gradient about 1e-7 from zero.
const nothing = 1e-5;

test.each(["sgd", "adam"] as const)("L2 with %s ends where the gradient is −l2·w", async (optimiser) => {
  const l2 = 0.05;
  const layer = await trainLastLayer(data, {
    ...usual,
    optimiser,
    l2,
    rate: optimiser === "sgd" ? 0.2 : 0.02,
  });
  const gradient = slopes(layer);
  for (const [i, w] of layer.weight.entries())
    expect(Math.abs(gradient.weight[i]! + l2 * w)).toBeLessThan(nothing);
  for (const slope of gradient.bias) expect(Math.abs(slope)).toBeLessThan(nothing);
});

test.each([0, 0.9])(
  "L1 ends at its optimality conditions, with exact zeros (momentum %d)",
  async (momentum) => {
    const l1 = 0.05;
    const layer = await trainLastLayer(data, { ...usual, l1, momentum, epochs: momentum === 0 ? 1500 : 400 });
    const gradient = slopes(layer);
    const zeros = layer.weight.filter((w) => w === 0).length;
    expect(zeros).toBeGreaterThan(classes * width * 0.3);
    expect(zeros).toBeLessThan(classes * width);
    for (const [i, w] of layer.weight.entries()) {
      if (w === 0) expect(Math.abs(gradient.weight[i]!)).toBeLessThan(l1 + nothing);
      else expect(Math.abs(gradient.weight[i]! + l1 * Math.sign(w))).toBeLessThan(nothing);
    }
  },
);

test("mini batches come near the same solution, and twice give the same bytes", async () => {
  const full = await trainLastLayer(data, { ...usual, l2: 0.05 });
  const options: LastLayerOptions = { ...usual, l2: 0.05, batchSize: 32, epochs: 200, schedule: "cosine" };
  const mini = await trainLastLayer(data, options);
  for (const [i, w] of mini.weight.entries()) expect(Math.abs(w - full.weight[i]!)).toBeLessThan(0.02);
  expect(await trainLastLayer(data, options)).toEqual(mini);
  expect((await trainLastLayer(data, { ...options, seed: 1 })).weight).not.toEqual(mini.weight);
});

test("the reported loss is the objective, penalties included", async () => {
  const losses: number[] = [];
  await trainLastLayer(
    data,
    { ...usual, l1: 0.05, l2: 0.1, epochs: 60 },
    (_epoch, loss) => void losses.push(loss),
  );
  expect(losses[0]).toBeCloseTo(Math.log(3), 3);
  expect(losses.at(-1)!).toBeLessThan(losses[0]!);
});

test("applying a layer is features · weightᵀ + bias", async () => {
  const layer = { weight: Float32Array.of(1, 2, 3, 4, 5, 6), bias: Float32Array.of(10, 20) };
  const logits = await applyLastLayer(Float32Array.of(1, 0, 0, 1, 1, 1), 3, layer, 1);
  expect([...logits]).toEqual([11, 24, 16, 35]);
});
