/** Samples of seeds, families and shuffles where there is little or nothing to compute, and what must always hold. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectError } from "../../../test/helpers/errors.ts";
import { randomStream } from "../random.ts";
import {
  associationOf,
  benjaminiHochberg,
  clusterBootstrap,
  clusterSums,
  effectOutcome,
  equivalenceTest,
  holm,
  meanOverSeeds,
  pairedDifference,
  permutationTest,
  signFlipTest,
  smallestEffect,
  studentPower,
  studentQuantile,
  studentTest,
} from "./index.ts";

const random = () => randomStream(5, "statistics/edges").at(0);

describe("few seeds", () => {
  test("none is an error, one has no interval, two have a wide one", () => {
    expectError(() => meanOverSeeds([]), "input", "too few values", "got: 0");
    expect(studentTest([0.7])).toEqual({
      mean: 0.7,
      low: undefined,
      high: undefined,
      n: 1,
      degreesOfFreedom: 0,
      deviation: undefined,
      t: undefined,
      pValue: undefined,
    });
    // t of one degree of freedom is 12.706: ±12.706 · 0.5 = ±6.353 for 0 and 1.
    const { low, high, n, degreesOfFreedom } = meanOverSeeds([0, 1]);
    expect([low, high, n, degreesOfFreedom]).toEqual([
      expect.closeTo(0.5 - 6.3531, 4),
      expect.closeTo(0.5 + 6.3531, 4),
      2,
      1,
    ]);
  });

  test("equal seeds: the interval is their value, which they do not contradict", () => {
    expect(studentTest([0.1, 0.1, 0.1])).toMatchObject({ low: 0.1, high: 0.1, deviation: 0, pValue: 0 });
    expect(studentTest([0, 0, 0])).toMatchObject({ t: 0, pValue: 1 });
    expect(studentTest([0.1, 0.1], { against: 0.1 }).pValue).toBe(1);
    expect(equivalenceTest([0, 0], { margin: 0.01 })).toMatchObject({ equivalent: true, pValue: 0 });
    expect(equivalenceTest([0.01, 0.01], { margin: 0.01 })).toMatchObject({ equivalent: false, pValue: 1 });
    expect(equivalenceTest([0.02, 0.02], { margin: 0.01 })).toMatchObject({ equivalent: false, pValue: 1 });
  });

  test.each([Number.NaN, Infinity])("%f is refused by name", (bad) => {
    expectError(() => meanOverSeeds([1, bad]), "input", "values[1] is not finite");
    expectError(() => equivalenceTest([1, bad], { margin: 1 }), "input", "values[1] is not finite");
    expectError(
      () => effectOutcome({ values: [bad], expected: "above" }, { margin: 1 }),
      "input",
      "values[0]",
    );
    expectError(() => signFlipTest([[1, bad]], { random: random() }), "input", "rows[0][1] is not finite");
    expectError(() => holm([0.1, bad]), "input", "p-value 1 is none");
    const pair = [{ key: 3, value: bad }];
    expectError(() => pairedDifference(pair, pair), "input", "value of 3 is not finite");
  });

  test("levels, margins, powers and degrees of freedom that there are not", () => {
    expectError(() => meanOverSeeds([1, 2], { confidence: 95 }), "usage", "no such confidence");
    expectError(() => equivalenceTest([1], { margin: 1 }), "input", "too few values", "at least 2");
    expectError(() => equivalenceTest([1, 2], { margin: 0 }), "usage", "no such margin", "three points");
    expectError(() => equivalenceTest([1, 2], { margin: 1, alpha: 0.5 }), "usage", "no such level");
    expectError(() => studentQuantile(1.1, 2), "usage", "no such probability");
    expectError(() => studentQuantile(0.9, 0), "usage", "no such degrees of freedom");
    expectError(() => smallestEffect(1), "usage", "no test of so few values");
    expectError(() => smallestEffect(3, { power: 1 }), "usage", "no such power");
    expectError(
      () => effectOutcome({ values: [1], expected: "up" as "above" }, { margin: 1 }),
      "usage",
      "no such direction",
    );
    expect([studentQuantile(0, 3), studentQuantile(1, 3), studentQuantile(0.5, 3)]).toEqual([
      -Infinity,
      Infinity,
      0,
    ]);
  });

  test("keys twice, and none in common", () => {
    const one = [{ key: 1, value: 2 }];
    expectError(() => pairedDifference([...one, ...one], one), "input", "the first has two values of 1");
    expectError(
      () => pairedDifference(one, [{ key: 2, value: 2 }]),
      "input",
      "nothing to pair",
      "1 against 2",
    );
    expectError(() => pairedDifference([], []), "input", "nothing to pair", "none against none");
    expect(pairedDifference(one, one)).toMatchObject({ mean: 0, n: 1, low: undefined, pValue: undefined });
  });
});

describe("shuffles", () => {
  test("what cannot be shuffled", () => {
    const nothing = () => [1];
    expectError(() => permutationTest([1], nothing, { random: random() }), "input", "too few labels");
    expectError(
      () => permutationTest([0, 1], nothing, { random: random(), permutations: 0 }),
      "usage",
      "no such number of permutations",
    );
    expectError(
      () => permutationTest([0, 1], nothing, { random: random(), clusters: [4, 4] }),
      "input",
      "a cluster has two labels",
      "rows 0 and 1 of cluster 4",
      "as strata",
    );
    expectError(
      () => permutationTest([0, 0], nothing, { random: random(), clusters: [4, 4], strata: [0, 1] }),
      "input",
      "a cluster has two strata",
    );
    expectError(() => permutationTest([0, 1], nothing, { random: random(), strata: [1] }), "input", "strata");
    expectError(
      () => permutationTest([0, 1], () => [Number.NaN], { random: random() }),
      "input",
      "statistics",
    );
    expectError(() => signFlipTest([], { random: random() }), "input", "nothing to test");
    expectError(() => signFlipTest([[1], [1, 2]], { random: random() }), "input", "row 1 differs in length");
  });

  test("signs of a cluster turn together: four rows in two clusters have two arrangements", () => {
    const found = signFlipTest([[1], [2], [3], [4]], { random: random(), clusters: [0, 0, 1, 1] });
    // 3 + 7 = 10 against |3 - 7| = 4.
    expect(found).toMatchObject({ rearrangements: 2, exact: true });
    expect(found.adjusted[0]).toBe(0.5);
  });

  test("random signs of many pairs come near Student's t", () => {
    const draws = random();
    const values = Array.from({ length: 40 }, () => draws.normal() + 0.35);
    const flipped = signFlipTest(
      values.map((value) => [value]),
      { random: random() },
    );
    expect(flipped.exact).toBe(false);
    // The distributions differ by less than their 10,000 draws' error.
    expect(Math.abs(flipped.adjusted[0]! - studentTest(values).pValue!)).toBeLessThan(0.01);
  });
});

describe("association", () => {
  test("codes that are none, and a single category", () => {
    expectError(() => associationOf([0, 1.5], [0, 1], { random: random() }), "input", "labels[1] is no code");
    expectError(() => associationOf([0, 1], [0, 1, 1], { random: random() }), "input", "differ in length");
    expectError(() => associationOf([0, 1], [0, 0], { random: random() }), "input", "single row or column");
  });

  test("copies of rows are no evidence where they are known as clusters", () => {
    // 12, 8 and 8, 12: V is 0.2, which forty rows do not tell from chance, and four hundred would.
    const labels = Array.from({ length: 40 }, (_, i) => (i < 20 ? 0 : 1));
    const values = labels.map((label, i) => (i % 20 < 12 ? label : 1 - label));
    const copies = (codes: number[]) => codes.flatMap((code) => Array<number>(10).fill(code));
    const clusters = copies(labels.map((_, i) => i));
    const alone = associationOf(labels, values, { random: random() });
    const naive = associationOf(copies(labels), copies(values), { random: random() });
    const clustered = associationOf(copies(labels), copies(values), { random: random(), clusters });
    expect(naive.pValue).toBeLessThan(0.005);
    // Equal to the test of the forty rows: four standard errors of a share of 999 are at most 0.063.
    expect(Math.abs(clustered.pValue - alone.pValue)).toBeLessThan(0.063);
    // Ten copies of each row tell what the row tells, to the last digit.
    expect(clustered.effective).toBe(40);
    expect(clustered.v).toBeCloseTo(alone.v, 12);
    expect(clustered.interval!.low).toBeCloseTo(alone.interval!.low, 9);
    expect(clustered.interval!.high).toBeCloseTo(alone.interval!.high, 9);
    expect(naive.interval!.low).toBeGreaterThan(alone.interval!.low);
    // By hand: pairs of rows with two values, one each: rows of a cluster never share one, and count in full.
    const apart = associationOf(
      copies(labels),
      copies(values).map((_, i) => i % 2),
      { random: random(), clusters },
    );
    expect(apart).toMatchObject({ effective: 400, pValueBy: "permutation", n: 400 });
    const neither = associationOf([0, 1, 0, 1, 1, 0], [0, 1, 1, 1, 0, 0], {
      random: random(),
      clusters: [0, 0, 1, 1, 2, 2],
    });
    expect(neither.pValueBy).toBe("χ²");
    // Fewer than five clusters tell nothing.
    const few = associationOf([0, 0, 1, 1], [0, 1, 1, 0], { random: random(), clusters: [0, 0, 1, 1] });
    expect(few.interval).toBeUndefined();
  });
});

test("a bootstrap over clusters: the mean of rows, against drawing all 5^5 by hand", () => {
  const clusters = [9, 9, 2, 4, 4, 4, 7, 1];
  const values = [1, 2, 5, 3, 3, 4, 0, 8];
  const sums = clusterSums(clusters, [values, values.map(() => 1)]);
  const mean = ([total, count]: Float64Array) => total! / count!;
  const found = clusterBootstrap(sums, mean, { random: random(), resamples: 20_000, confidence: 0.9 })!;
  const [totals, counts] = [
    [3, 5, 10, 0, 8],
    [2, 1, 3, 1, 1],
  ];
  const all: number[] = [];
  for (let draw = 0; draw < 5 ** 5; draw++) {
    const picks = Array.from({ length: 5 }, (_, i) => Math.floor(draw / 5 ** i) % 5);
    const of = (each: number[]) => picks.reduce((sum, pick) => sum + each[pick]!, 0);
    all.push(of(totals!) / of(counts!));
  }
  all.sort((a, b) => a - b);
  // Four standard errors of a share of 5% are 0.6% of 3,125 draws.
  const between = (p: number) => [all[Math.floor((p - 0.0062) * 3125)], all[Math.ceil((p + 0.0062) * 3125)]];
  for (const [end, p] of [
    [found.low, 0.05],
    [found.high, 0.95],
  ] as const) {
    expect(end).toBeGreaterThanOrEqual(between(p)[0]!);
    expect(end).toBeLessThanOrEqual(between(p)[1]!);
  }
  const few = clusterSums([1, 2, 3, 4], [[1, 2, 3, 4]]);
  const options = { random: random(), resamples: 10, confidence: 0.9 };
  expect(clusterBootstrap(few, ([total]) => total!, options)).toBeUndefined();
  expect(clusterBootstrap(sums, () => Number.NaN, options)).toBeUndefined();
  expectError(() => clusterSums([1, 2], [[1]]), "input", "column 0 and clusters differ in length");
});

describe("what always holds", () => {
  const seeds = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 2, maxLength: 8 });
  const chances = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 20 });

  test("an interval is around its mean, moves with its values, and grows with confidence", () => {
    fc.assert(
      fc.property(seeds, fc.double({ min: -10, max: 10, noNaN: true }), (values, shift) => {
        const [usual, wide] = [meanOverSeeds(values), meanOverSeeds(values, { confidence: 0.99 })];
        expect(usual.low! <= usual.mean && usual.mean <= usual.high!).toBe(true);
        expect(wide.low! <= usual.low! && usual.high! <= wide.high!).toBe(true);
        const moved = meanOverSeeds(values.map((value) => value + shift));
        expect(moved.low! - usual.low!).toBeCloseTo(shift, 9);
      }),
    );
  });

  test("a p-value is below α just where the interval leaves 0 out; equivalence where the margin holds the interval", () => {
    fc.assert(
      fc.property(seeds, (values) => {
        const { low, high, pValue } = studentTest(values);
        // At the boundary rounding decides.
        if (Math.min(Math.abs(low!), Math.abs(high!)) > 1e-9)
          expect(pValue! < 0.05).toBe(low! > 0 || high! < 0);
        const { smallestMargin } = equivalenceTest(values, { margin: 0.1 });
        expect(equivalenceTest(values, { margin: smallestMargin * 1.001 + 1e-9 }).equivalent).toBe(true);
        if (smallestMargin > 1e-9)
          expect(equivalenceTest(values, { margin: smallestMargin * 0.999 }).equivalent).toBe(false);
      }),
    );
  });

  test("turning all signs turns seen into contradicted, and nothing else", () => {
    const turned = { seen: "contradicted", contradicted: "seen" } as Record<string, string>;
    fc.assert(
      fc.property(seeds, (values) => {
        const of = (sign: number) =>
          effectOutcome({ values: values.map((value) => sign * value), expected: "above" }, { margin: 0.1 })
            .outcome;
        expect(of(-1)).toBe(turned[of(1)] ?? of(1));
      }),
    );
  });

  test("adjusted p-values are no smaller, keep their order, and Holm is the stricter", () => {
    fc.assert(
      fc.property(chances, (pValues) => {
        const [strict, mild] = [holm(pValues), benjaminiHochberg(pValues)];
        for (const [i, p] of pValues.entries()) {
          expect(strict[i]! >= mild[i]! && mild[i]! >= p && strict[i]! <= 1).toBe(true);
          for (const [j, other] of pValues.entries())
            if (p <= other) expect(strict[i]! <= strict[j]! && mild[i]! <= mild[j]!).toBe(true);
        }
      }),
    );
  });

  test("power grows with effect and size", () => {
    for (const n of [2, 3, 5, 9]) {
      expect(studentPower(0, n)).toBeCloseTo(0.05, 10);
      expect(studentPower(1, n)).toBeGreaterThan(studentPower(0.5, n));
      expect(studentPower(1, n + 1)).toBeGreaterThan(studentPower(1, n));
      expect(studentPower(-1, n)).toBeCloseTo(studentPower(1, n), 12);
    }
  });
});
