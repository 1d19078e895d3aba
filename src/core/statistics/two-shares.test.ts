/** Differences of shares against statsmodels and SciPy, and BY's procedure against SciPy. */

import { expect, test } from "vitest";
import { storedReference } from "../../../test/helpers/reference.ts";
import { benjaminiYekutieli, fisherGreater, shareDifferenceInterval } from "./index.ts";

const { shares, yekutieli } = storedReference<{
  shares: { counts: [number, number, number, number]; low: number; high: number; pValue: number }[];
  yekutieli: { pValues: number[]; adjusted: number[] };
}>("discover");

test.each(shares)("$counts", ({ counts: [a, n, b, m], low, high, pValue }) => {
  const [one, other] = [
    { successes: a, n },
    { successes: b, n: m },
  ];
  const interval = shareDifferenceInterval(one, other);
  expect(interval.low).toBeCloseTo(low, 12);
  expect(interval.high).toBeCloseTo(high, 12);
  const found = fisherGreater(one, other);
  // Logarithms of factorials of fifty thousand have ten digits left after they cancel; below doubles both are 0.
  if (pValue === 0) expect(found).toBe(0);
  else expect(found / pValue).toBeCloseTo(1, 8);
});

test("no success is no evidence, and impossible counts are refused", () => {
  expect(fisherGreater({ successes: 0, n: 5 }, { successes: 3, n: 5 })).toBe(1);
  expect(fisherGreater({ successes: 5, n: 5 }, { successes: 7, n: 7 })).toBe(1);
  expect(() => fisherGreater({ successes: 6, n: 5 }, { successes: 0, n: 1 })).toThrow("6 of 5");
});

test("Benjamini and Yekutieli", () => {
  const found = benjaminiYekutieli(yekutieli.pValues);
  for (const [i, p] of yekutieli.adjusted.entries()) expect(found[i]).toBeCloseTo(p, 12);
});
