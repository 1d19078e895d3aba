import { expect, test } from "vitest";
import { notWorseThanBest } from "./not-worse.ts";

const seeds = (...values: number[]) => values.map((value, seed) => ({ seed, value }));

/**
 * By hand, differences from the first row over four seeds, t = mean / (sd / 2) with 3 degrees of freedom:
 * near: -0.01, 0.01, -0.02, 0.01 → mean -0.0025, sd 0.015, t = -0.3333, p = 0.7608 (closed form for three degrees of freedom);
 * far: -0.10, -0.12, -0.11, -0.13 → mean -0.115, sd 0.01291, t = -17.82, p = 0.000384. Holm: 0.000768 and 0.7608.
 */
const best = seeds(0.8, 0.82, 0.84, 0.86);
const near = seeds(0.79, 0.83, 0.82, 0.87);
const far = seeds(0.7, 0.7, 0.73, 0.73);

test("what differs from the best by a paired t, adjusted for all rows, is worse; the rest is not", () => {
  const { best: at, rows } = notWorseThanBest([best, near, far], "higher");
  expect(at).toBe(0);
  expect(rows.map(({ notWorse }) => notWorse)).toEqual([true, true, false]);
  expect(rows[1]!.pValue).toBeCloseTo(0.7608, 3);
  expect(rows[2]!.pValue).toBeCloseTo(0.000384, 5);
  expect(rows[2]!.adjusted).toBeCloseTo(0.000768, 5);
});

test("lower may be better, and pairs go by seed, not by place", () => {
  const shuffled = [far[2]!, far[0]!, far[3]!, far[1]!];
  const { best: at, rows } = notWorseThanBest([best, shuffled], "lower");
  expect(at).toBe(1);
  expect(rows[0]!.pValue).toBeCloseTo(0.000384, 5);
});

test("one seed marks nothing; a single row is no best; equal rows are both not worse", () => {
  expect(notWorseThanBest([seeds(0.9), seeds(0.1)], "higher")).toMatchObject({ best: undefined });
  expect(notWorseThanBest([best], "higher").rows[0]!.notWorse).toBe(false);
  const { rows } = notWorseThanBest(
    [
      best,
      best,
      seeds(0.99),
      [
        { seed: 77, value: 0.9 },
        { seed: 78, value: 0.1 },
      ],
    ],
    "higher",
  );
  expect(rows.map(({ notWorse }) => notWorse)).toEqual([true, true, false, false]);
});
