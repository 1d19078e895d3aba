import { expect, test } from "vitest";
import { testRandom } from "../../../test/engine/helpers.ts";
import { trainLastLayer } from "./last-layer.ts";

const [samples, width, classes] = [60, 5, 3];
const stream = testRandom("features");
const features = Float32Array.from({ length: samples * width }, () => stream.normal());
const labels = Int32Array.from({ length: samples }, (_, i) =>
  features[i * width]! > 0.5 ? 0 : features[i * width + 1]! > 0 ? 1 : 2,
);

/** The same descent by hand, in float64, one sample after another. */
function byHand(steps: number, rate: number, l2: number, l1: number, rows: (step: number) => number[]) {
  const weight = new Float64Array(classes * width);
  const bias = new Float64Array(classes);
  for (let step = 0; step < steps; step++) {
    const slope = Float64Array.from(weight, (value) => l2 * value);
    const shift = new Float64Array(classes);
    const chosen = rows(step);
    for (const row of chosen) {
      const x = features.subarray(row * width, (row + 1) * width);
      const scores = Array.from(bias, (b, k) =>
        Math.exp(x.reduce((total, value, i) => total + value * weight[k * width + i]!, b)),
      );
      const total = scores.reduce((a, b) => a + b);
      for (const [k, score] of scores.entries()) {
        const difference = (score / total - (labels[row] === k ? 1 : 0)) / chosen.length;
        shift[k]! += difference;
        for (const [i, value] of x.entries()) slope[k * width + i]! += difference * value;
      }
    }
    for (const [i, value] of slope.entries()) {
      const moved = weight[i]! - rate * value;
      weight[i] = Math.sign(moved) * Math.max(0, Math.abs(moved) - rate * l1);
    }
    for (const [k, value] of shift.entries()) bias[k]! -= rate * value;
  }
  return { weight, bias };
}

const everything = Array.from({ length: samples }, (_, i) => i);
const some = (step: number) => Array.from({ length: 8 }, (_, i) => (step * 11 + i * 5) % samples);

test.each([
  { name: "full batch", l1: 0, l2: 0, rows: undefined },
  { name: "full batch with L1 and L2", l1: 0.05, l2: 0.1, rows: undefined },
  { name: "mini batches with L1", l1: 0.02, l2: 0, rows: some },
])("$name follows the descent by hand", async ({ l1, l2, rows }) => {
  const options = { classes, steps: 25, rate: () => 0.3, l1, l2 };
  const mini = rows && { rows: (step: number) => Int32Array.from(rows(step)) };
  const fitted = await trainLastLayer(features, labels, { ...options, ...mini });
  const expected = byHand(25, 0.3, l2, l1, rows ?? (() => everything));
  for (const [i, value] of expected.weight.entries()) expect(fitted.weight[i]!).toBeCloseTo(value, 5);
  for (const [k, value] of expected.bias.entries()) expect(fitted.bias[k]!).toBeCloseTo(value, 5);
});

test("a strong L1 penalty leaves only zeros", async () => {
  const fitted = await trainLastLayer(features, labels, { classes, steps: 20, rate: () => 0.3, l1: 5 });
  expect(fitted.weight.every((value) => value === 0)).toBe(true);
});

test("features that do not fit the labels are refused", async () => {
  const wrong = trainLastLayer(features.subarray(1), labels, { classes, steps: 1, rate: () => 1 });
  await expect(wrong).rejects.toThrow(/one row of features for each label/);
});
