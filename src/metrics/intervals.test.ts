import { describe, expect, test } from "vitest";
import { randomStream } from "../core/random.ts";
import { combinedInterval, pairedInterval, wilsonTerm } from "./intervals.ts";

describe("the interval of a weighted sum", () => {
  // Newcombe 1998, "Interval estimation for the difference between independent proportions", Table II, method 10.
  test.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
  ])("of %i/%i − %i/%i is Newcombe's", (a, m, b, n, low, high) => {
    const interval = combinedInterval([
      wilsonTerm(1, { count: m, correct: a }),
      wilsonTerm(-1, { count: n, correct: b }),
    ]);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  test("holds the true mean of four groups 95 times of 100", () => {
    const random = randomStream(1, "test/intervals").at(0);
    const groups = [
      { p: 0.99, n: 200 },
      { p: 0.8, n: 60 },
      { p: 0.4, n: 25 },
      { p: 0.95, n: 100 },
    ];
    const truth = groups.reduce((sum, { p }) => sum + p / 4, 0);
    let held = 0;
    const draws = 2000;
    for (let i = 0; i < draws; i++) {
      const terms = groups.map(({ p, n }) => wilsonTerm(0.25, { count: n, correct: successes(n, p) }));
      const { low, high } = combinedInterval(terms);
      if (low <= truth && truth <= high) held++;
    }
    // Three standard errors of a share of 0.95 in 2,000 are 0.015.
    expect(Math.abs(held / draws - 0.95)).toBeLessThan(0.02);

    function successes(n: number, p: number): number {
      let sum = 0;
      for (let i = 0; i < n; i++) if (random.boolean(p)) sum++;
      return sum;
    }
  });
});

describe("the interval of a difference on the same images", () => {
  test("is Bonett and Price's", () => {
    // n = 50, 12 only ours, 5 only theirs: p̃₁₂ = 13/52, p̃₂₁ = 6/52, difference 7/52 = 0.134615,
    // half = 1.959964·√((19/52 − 0.134615²)/52) = 0.160164.
    const interval = pairedInterval({ count: 50, correct: 32, baselineCorrect: 25, bothCorrect: 20 })!;
    expect(interval.low).toBeCloseTo(-0.02555, 4);
    expect(interval.high).toBeCloseTo(0.29478, 4);
  });

  test("is narrower than an unpaired one where both mostly agree", () => {
    const counts = { count: 100, correct: 80, baselineCorrect: 78 };
    const paired = pairedInterval({ ...counts, bothCorrect: 77 })!;
    const unpaired = pairedInterval({ ...counts, bothCorrect: null })!;
    expect(paired.high - paired.low).toBeLessThan(0.6 * (unpaired.high - unpaired.low));
  });

  test("is none without images or without a baseline", () => {
    expect(pairedInterval({ count: 0, correct: 0, baselineCorrect: 0, bothCorrect: 0 })).toBeNull();
    expect(pairedInterval({ count: 5, correct: 1, baselineCorrect: null, bothCorrect: null })).toBeNull();
  });
});
