/** The fit against NumPy and SciPy: test/references/line.py made the numbers. */

import { describe, expect, test } from "vitest";
import { storedReference } from "../../../test/helpers/reference.ts";
import type { Transform } from "../../core/accuracy-scale.ts";
import { fitLine } from "./fit.ts";

type Numbers = Record<"slope" | "intercept" | "r" | "pValue" | "stdErr" | "rLow" | "rHigh", number>;

interface Reference {
  tables: { name: string; id: number[]; ood: number[]; weights: number[] | null }[];
  fits: ({ table: string; transform: Transform; clip: [number, number] } & Numbers)[];
}

const reference = storedReference<Reference>("line");

const tables = new Map(reference.tables.map((table) => [table.name, table]));

describe.each(reference.fits)("$table, $transform, clip $clip", (expected) => {
  const { id, ood, weights } = tables.get(expected.table)!;
  const fit = fitLine(Float64Array.from(id), Float64Array.from(ood), {
    transform: expected.transform,
    clip: expected.clip,
    weights: weights === null ? undefined : Float64Array.from(weights),
  });

  test.each(["slope", "intercept", "r", "pValue", "stdErr", "rLow", "rHigh"] as const)("%s", (name) => {
    // The same formula in another order of sums: a few of the last digits of a double may differ.
    expect(Math.abs(fit[name]! - expected[name])).toBeLessThan(1e-10);
  });

  test("the standard error is the paper's |slope| √((1 - R²) / (R² (n - 2)))", () => {
    const [slope, r] = [fit.slope!, fit.r!];
    const byFormula = Math.abs(slope) * Math.sqrt((1 - r ** 2) / (r ** 2 * (fit.n - 2)));
    // 1 - R² cancels where points lie on a line.
    expect(Math.abs(fit.stdErr! - byFormula)).toBeLessThan(1e-8);
  });
});

const column = (...values: number[]) => Float64Array.from(values);

test("the verdict needs the whole interval on one side of the threshold", () => {
  const { id, ood } = tables.get("near the threshold")!;
  const fit = fitLine(Float64Array.from(id), Float64Array.from(ood));
  expect(fit.rLow!).toBeLessThan(fit.r!);
  const verdict = (threshold: number) =>
    fitLine(Float64Array.from(id), Float64Array.from(ood), { threshold }).verdict;
  expect(verdict(fit.rHigh! + 1e-9)).toBe("well-specified");
  expect(verdict(fit.rHigh! - 1e-9)).toBe("undecided");
  expect(verdict(fit.rLow! + 1e-9)).toBe("undecided");
  expect(verdict(fit.rLow! - 1e-9)).toBe("misspecified");
});

test("what has no R says why, and decides nothing", () => {
  const nulls = { r: null, slope: null, pValue: null, verdict: "undecided" };
  expect(fitLine(column(), column())).toMatchObject({ n: 0, ...nulls, undefinedBecause: "no points" });
  expect(fitLine(column(0.5, 0.6), column(0.5, 0.6))).toMatchObject({ n: 2, ...nulls });
  expect(fitLine(column(0.995, 1, 0.999), column(0.5, 0.6, 0.7))).toMatchObject({
    ...nulls,
    undefinedBecause: "all ID accuracies are equal (after clipping)",
  });
  expect(fitLine(column(0.5, 0.6, 0.7), column(0.4, 0.4, 0.4))).toMatchObject({
    ...nulls,
    undefinedBecause: "all OOD accuracies are equal (after clipping)",
  });
  // Four models at two places: a line goes through any two, and its R of 1 says nothing.
  const two = "two distinct points (after clipping); a fit needs three";
  const [x, y] = [column(0.5, 0.7, 0.5, 0.7), column(0.4, 0.6, 0.4, 0.6)];
  expect(fitLine(x, y)).toMatchObject({ n: 4, ...nulls, undefinedBecause: two });
  const third = [column(...x, 0.6), column(...y, 0.5)] as const;
  expect(fitLine(...third).r).toBeGreaterThan(0.9);
  const weights = column(1, 1, 1, 1, 0);
  expect(fitLine(...third, { weights })).toMatchObject({ n: 4, ...nulls, undefinedBecause: two });
});

test("what is no accuracy is refused", () => {
  expect(() => fitLine(column(50, 60, 70), column(0.5, 0.6, 0.7))).toThrow(/no accuracy.*0 to 1.*50/s);
  expect(() => fitLine(column(0.5, Number.NaN, 0.7), column(0.5, 0.6, 0.7))).toThrow(/NaN/);
  expect(() => fitLine(column(0.5, 1, 0.7), column(0.5, 0.6, 0.7), { clip: [0, 1] })).toThrow(/no probit/);
  expect(() => fitLine(column(0.5, 0.6), column(0.5))).toThrow(/differ in number/);
  expect(() => fitLine(column(0.5), column(0.5), { clip: [0.9, 0.1] })).toThrow(/limits/);
});

test("on normal points the bootstrap's interval is near Fisher's", () => {
  const { id, ood } = tables.get("accuracy on the line")!;
  const [x, y] = [Float64Array.from(id), Float64Array.from(ood)];
  const [fisher, drawn] = (["fisher", "bootstrap"] as const).map((interval) => fitLine(x, y, { interval }));
  // Percentiles of 1000 resamples are known to about a tenth of the interval's half-width.
  const half = (fisher!.rHigh! - fisher!.rLow!) / 2;
  expect(Math.abs(drawn!.rLow! - fisher!.rLow!)).toBeLessThan(0.4 * half);
  expect(Math.abs(drawn!.rHigh! - fisher!.rHigh!)).toBeLessThan(0.4 * half);
  expect(drawn).not.toEqual(fisher);
  expect(fitLine(x, y, { interval: "bootstrap" })).toEqual(drawn);
});
