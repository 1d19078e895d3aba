import { expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { minimise } from "../stages/solve-stage.ts";
import { scaledRows } from "./head-rows.ts";
import { type HeadProblem, solveHeads } from "./solve-heads.ts";

const [count, width] = [3000, 5];
const random = randomStream(0, "heads").at(0);
const features = Float32Array.from(
  { length: count * width },
  (_, i) => random.normal() * (1 + (i % width)) + (i % 3),
);
const score = (row: number) => features[row * width]! - 0.3 * features[row * width + 2]! + random.normal();
const two = Int32Array.from({ length: count }, (_, row) => (score(row) > 0 ? 1 : 0));
const three = Int32Array.from({ length: count }, (_, row) => (score(row) > 1 ? 2 : score(row) > -1 ? 1 : 0));
const uneven = Float32Array.from({ length: count }, (_, row) => (row % 7 === 0 ? 5 : row % 5 === 0 ? 0 : 1));
const places = Uint32Array.from({ length: count }, (_, i) => i);
const read = async (at: Uint32Array, into: Float32Array) => {
  for (const [i, place] of at.entries())
    into.set(features.subarray(place * width, (place + 1) * width), i * width);
};
const rows = () => scaledRows(places, read, { width, most: 2 ** 30 });

/** The objective in float64, by loops of its own: minimised by another algorithm. */
async function alone({ labels, classes, l2, weights }: HeadProblem): Promise<number> {
  const all = await rows();
  const x = new Float64Array(count * width);
  for (let block = 0; block * 2048 < count; block++)
    x.set(
      (await all.block(block)).subarray(0, Math.min(2048, count - block * 2048) * width),
      block * 2048 * width,
    );
  const size = classes * (width + 1);
  const mass = Array.from({ length: count }, (_, i) => weights?.[i] ?? 1);
  const whole = mass.reduce((a, b) => a + b);
  const at = async (point: Float64Array) => {
    const slopes = new Float64Array(size);
    let loss = 0;
    for (let i = 0; i < count; i++) {
      const z = Array.from({ length: classes }, (_, c) => {
        let sum = point[c * (width + 1) + width]!;
        for (let k = 0; k < width; k++) sum += point[c * (width + 1) + k]! * x[i * width + k]!;
        return sum;
      });
      const most = Math.max(...z);
      const raised = z.map((each) => Math.exp(each - most));
      const total = raised.reduce((a, b) => a + b);
      loss += (mass[i]! / whole) * (Math.log(total) + most - z[labels[i]!]!);
      for (let c = 0; c < classes; c++) {
        const slope = (mass[i]! / whole) * (raised[c]! / total - (labels[i] === c ? 1 : 0));
        for (let k = 0; k < width; k++) slopes[c * (width + 1) + k]! += slope * x[i * width + k]!;
        slopes[c * (width + 1) + width]! += slope;
      }
    }
    return { loss, slopes };
  };
  const isWeight = Uint8Array.from({ length: size }, (_, i) => (i % (width + 1) === width ? 0 : 1));
  const end = await minimise(
    { first: new Float64Array(size), isWeight, at },
    { l1: 0, l2, tolerance: 1e-7, most: 3000, onStep: () => false },
  );
  return end!.objective;
}

const problems: HeadProblem[] = [
  { labels: two, classes: 2, l2: 0.01 },
  { labels: two, classes: 2, l2: 1, weights: uneven },
  { labels: three, classes: 3, l2: 0.001 },
  { labels: three, classes: 3, l2: 0.1, weights: uneven },
];

test("many heads at once end where each would alone, of two and three classes, with weights", async () => {
  const solved = (await solveHeads(await rows(), problems, { threads: 1 }))!;
  for (const [i, problem] of problems.entries()) {
    const expected = await alone(problem);
    // Sums of float32 products.
    expect(Math.abs(solved[i]!.objective - expected) / expected).toBeLessThan(2e-6);
    expect(solved[i]!.evaluations).toBeLessThan(30);
  }
});

test("a head does not depend on those beside it, nor on whether rows are in memory", async () => {
  const many = Array.from({ length: 70 }, (_, i) => ({ labels: two, classes: 2, l2: 0.001 * (1 + i) }));
  const together = (await solveHeads(await rows(), many, { threads: 1 }))!;
  const streamed = await scaledRows(places, read, { width, most: 0 });
  const [one] = (await solveHeads(streamed, [many[33]!], { threads: 1 }))!;
  for (const [i, value] of one!.weight.entries()) expect(value).toBeCloseTo(together[33]!.weight[i]!, 4);
});

test("it stops where it is asked to", async () => {
  expect(await solveHeads(await rows(), problems, { shouldStop: () => true })).toBeUndefined();
});
