/** Laws that hold for any input. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  averageRanks,
  cramersV,
  kendall,
  mean,
  mutualInformation,
  normalCdf,
  normalisedMutualInformation,
  normalQuantile,
  pearson,
  quantile,
  spearman,
  variance,
  wilsonInterval,
} from "./index.ts";

// Small integers: many ties, and exact sums.
const small = fc.integer({ min: -5, max: 5 });
const values = fc.array(
  fc.integer({ min: -1e12, max: 1e12 }).map((value) => value / 1000),
  { minLength: 2, maxLength: 50 },
);
const pairs = fc
  .array(fc.tuple(small, small), { minLength: 3, maxLength: 40 })
  .map((rows) => ({ x: rows.map(([x]) => x), y: rows.map(([, y]) => y) }))
  .filter(({ x, y }) => new Set(x).size > 1 && new Set(y).size > 1);
const counts = fc
  .array(fc.array(fc.nat(20), { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 5 })
  .filter((rows) => [0, 1, 2].filter((j) => rows.some((row) => row[j]! > 0)).length > 1)
  .filter((rows) => rows.filter((row) => row.some((count) => count > 0)).length > 1);

describe("summary", () => {
  test("the mean and every quantile lie between the extremes, quantiles in order", () => {
    fc.assert(
      fc.property(
        values,
        fc.double({ noNaN: true, min: 0, max: 1 }),
        fc.double({ noNaN: true, min: 0, max: 1 }),
        (v, p, q) => {
          const low = Math.min(...v);
          const high = Math.max(...v);
          const [first, second] = [quantile(v, Math.min(p, q)), quantile(v, Math.max(p, q))];
          expect(low <= first && first <= second && second <= high).toBe(true);
          // Division rounds once.
          const slack = 1e-15 * Math.max(Math.abs(low), Math.abs(high));
          expect(mean(v)).toBeGreaterThanOrEqual(low - slack);
          expect(mean(v)).toBeLessThanOrEqual(high + slack);
        },
      ),
    );
  });

  test("the variance forgets the order and squares a factor of two", () => {
    fc.assert(
      fc.property(values, (v) => {
        const spread = variance(v);
        expect(variance(v.map((value) => 2 * value))).toBe(4 * spread);
        // Neumaier's sum is the correctly rounded one but for rare ties.
        expect(Math.abs(variance(v.toReversed()) - spread)).toBeLessThanOrEqual(1e-14 * spread);
      }),
    );
  });
});

describe("correlation", () => {
  test("pearson is symmetric, turns with the sign, and lies in its interval", () => {
    fc.assert(
      fc.property(pairs, ({ x, y }) => {
        const forward = pearson(x, y);
        expect(forward.r).toBeCloseTo(pearson(y, x).r, 14);
        expect(
          pearson(
            x,
            y.map((value) => -4 * value),
          ).r,
        ).toBeCloseTo(-forward.r, 15);
        expect(forward.low <= forward.r && forward.r <= forward.high).toBe(true);
        expect(forward.pValue >= 0 && forward.pValue <= 1).toBe(true);
      }),
    );
  });

  test("spearman and kendall see only the order", () => {
    fc.assert(
      fc.property(pairs, ({ x, y }) => {
        const bent = x.map((value) => value ** 3 - 7);
        expect(spearman(bent, y)).toEqual(spearman(x, y));
        expect(kendall(bent, y)).toEqual(kendall(x, y));
      }),
    );
  });

  test("kendall's τ-b is its definition over all pairs", () => {
    fc.assert(
      fc.property(pairs, ({ x, y }) => {
        let s = 0;
        let untiedX = 0;
        let untiedY = 0;
        for (let i = 0; i < x.length; i++) {
          for (let j = 0; j < i; j++) {
            const [a, b] = [Math.sign(x[i]! - x[j]!), Math.sign(y[i]! - y[j]!)];
            s += a * b;
            untiedX += a * a;
            untiedY += b * b;
          }
        }
        expect(kendall(x, y).tau).toBeCloseTo(s / Math.sqrt(untiedX * untiedY), 14);
      }),
    );
  });

  test("ranks add up to n(n + 1) / 2", () => {
    fc.assert(
      fc.property(fc.array(small), (v) => {
        const total = averageRanks(v).reduce((sum, rank) => sum + rank, 0);
        expect(total).toBe((v.length * (v.length + 1)) / 2);
      }),
    );
  });
});

test("normalCdf undoes normalQuantile, from 1e-300 on", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -300, max: -0.31 }), (exponent) => {
      const p = 10 ** exponent;
      // At 1e-300 one last bit of x = -37 is 3e-13 of p.
      expect(Math.abs(normalCdf(normalQuantile(p)) / p - 1)).toBeLessThan(1e-12);
      expect(normalQuantile(1 - p)).toBeCloseTo(-normalQuantile(1 - (1 - p)), 12);
    }),
  );
});

test("the interval of successes mirrors that of failures, and holds the proportion", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.nat(),
      fc.double({ noNaN: true, min: 0.01, max: 0.999 }),
      (n, k, c) => {
        const successes = k % (n + 1);
        const { low, high } = wilsonInterval(successes, n, c);
        const failures = wilsonInterval(n - successes, n, c);
        expect(0 <= low && low <= successes / n && successes / n <= high && high <= 1).toBe(true);
        expect(failures.low).toBeCloseTo(1 - high, 12);
        expect(failures.high).toBeCloseTo(1 - low, 12);
      },
    ),
  );
});

test("association is symmetric and between 0 and 1", () => {
  fc.assert(
    fc.property(counts, (table) => {
      const turned = [0, 1, 2].map((j) => table.map((row) => row[j]!));
      for (const measure of [(t: number[][]) => cramersV(t), normalisedMutualInformation]) {
        expect(measure(table)).toBeGreaterThanOrEqual(0);
        expect(measure(table)).toBeLessThanOrEqual(1);
        expect(measure(table)).toBeCloseTo(measure(turned), 12);
      }
      expect(mutualInformation(table)).toBeCloseTo(mutualInformation(turned), 12);
    }),
  );
});

test("a category that decides the other is associated fully, an independent one not at all", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 2, maxLength: 6 }), (sizes) => {
      const decided = sizes.map((size, i) => sizes.map((_, j) => (i === j ? size : 0)));
      expect(cramersV(decided)).toBeCloseTo(1, 12);
      expect(normalisedMutualInformation(decided)).toBeCloseTo(1, 12);
      const independent = sizes.map((row) => sizes.map((column) => row * column));
      expect(cramersV(independent)).toBeCloseTo(0, 12);
      expect(mutualInformation(independent)).toBeCloseTo(0, 12);
    }),
  );
});
