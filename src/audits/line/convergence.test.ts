/** The rule of how many classifiers are enough, against the large-sample theory of Pearson's r. */

import { expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { convergence } from "./convergence.ts";

/** Normal points of the given correlation. */
function points(n: number, r: number): { x: Float64Array; y: Float64Array } {
  const random = randomStream(3, "line/convergence-test").at(0);
  const x = Float64Array.from({ length: n }, () => random.normal());
  return { x, y: x.map((value) => r * value + Math.sqrt(1 - r * r) * random.normal()) };
}

const random = () => randomStream(0, "line/convergence").at(0);

test("the number is where theory has it", () => {
  const r = 0.9;
  const { x, y } = points(3000, r);
  const { enough, curve } = convergence(x, y, { random: random() });
  expect(curve.slice(0, 3).map(({ count }) => count)).toEqual([10, 110, 210]);
  // R of m points spreads by (1 - r²) / √m; of m and of m + 100 points, 100 of them new, the difference spreads by
  // (1 - r²) √(1/m - 1/(m + 100)). Within 1.96 of that lie 95%.
  const change = (m: number) => (1.96 * (1 - r * r) * Math.sqrt(1 / m - 1 / (m + 100))) / r;
  for (const { count, change: found } of curve.filter(({ count }) => count >= 210 && count <= 1500)) {
    expect(found! / change(count)).toBeGreaterThan(0.8);
    expect(found! / change(count)).toBeLessThan(1.25);
  }
  let theory = 10;
  while (change(theory) >= 0.01) theory += 100;
  expect(theory).toBe(410);
  expect(Math.abs(enough! - theory)).toBeLessThanOrEqual(100);
  // The curve's band narrows like 1/√count.
  const width = (at: number) => curve[at]!.rHigh - curve[at]!.rLow;
  expect(width(1) / width(16)).toBeGreaterThan(3);
  expect(Math.abs(curve.at(-1)!.r - r)).toBeLessThan(0.01);
});

test("a weak R needs more than there are", () => {
  const { x, y } = points(800, 0.15);
  const { enough, curve } = convergence(x, y, { random: random(), resamples: 300 });
  expect(enough).toBeNull();
  expect(curve.at(-1)).toMatchObject({ count: 710, change: null });
});

test("equal draws give equal curves, and steps are checked", () => {
  const { x, y } = points(300, 0.8);
  const curve = () => convergence(x, y, { random: random(), resamples: 100 });
  expect(curve()).toEqual(curve());
  expect(() => convergence(x, y, { random: random(), first: 2 })).toThrow(/steps/);
});
