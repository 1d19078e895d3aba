/** Small sums over a study's runs that its tables and findings share. */

import { mean, standardDeviation } from "../core/statistics/index.ts";
import type { Finding, MeasuredCase, MeasuredPart, MeasuredRun, StudyCell } from "./study.ts";

/** A cell of what several seeds gave; null where no run is finished. */
export function cellOf(values: readonly (number | null | undefined)[]): StudyCell {
  const numbers = values.filter((value): value is number => typeof value === "number");
  if (numbers.length === 0) return null;
  return {
    mean: mean(numbers),
    deviation: numbers.length > 1 ? standardDeviation(numbers) : null,
    runs: numbers.length,
  };
}

/** A printed number, which is in per cent. */
export function printed(percent: number | undefined): StudyCell {
  return percent === undefined
    ? null
    : { mean: Number((percent / 100).toFixed(6)), deviation: null, runs: 0 };
}

/** The part's cases that have a result. */
export function partNamed(parts: readonly MeasuredPart[], name: string): readonly MeasuredCase[] {
  return casesOf(parts, name).filter(({ runs }) => runs.length > 0);
}

/** All of a part's cases, those that have ended without a result among them. */
export function casesOf(parts: readonly MeasuredPart[], name: string): readonly MeasuredCase[] {
  return parts.find(({ part }) => part.name === name)?.cases ?? [];
}

/** The unbiased accuracy, or why there is none. */
export function accuracyCell({ runs, failures }: MeasuredCase): StudyCell {
  return runs.length > 0 ? cellOf(unbiasedOf(runs)) : (failures[0] ?? null);
}

export function unbiasedOf(runs: readonly MeasuredRun[]): number[] {
  return runs.map(({ unbiased }) => unbiased);
}

export function mmdsOf(runs: readonly MeasuredRun[], cue: string): number[] {
  return runs.flatMap(({ cues }) => cues[cue]?.mmd ?? []);
}

/** A mean and how far chance alone may move it. */
export interface Estimate {
  value: number;
  /** Two standard errors: of seeds where there are three, else of the images' number alone. */
  margin: number;
}

const fewestSeeds = 3;

export function accuracyEstimate(runs: readonly MeasuredRun[]): Estimate {
  const values = unbiasedOf(runs);
  const value = mean(values);
  if (values.length >= fewestSeeds)
    return { value, margin: (2 * standardDeviation(values)) / Math.sqrt(values.length) };
  const images = runs.reduce((sum, { count }) => sum + count, 0);
  return { value, margin: 2 * Math.sqrt((value * (1 - value)) / images) };
}

/** Below this distance from guessing, differences in accuracy are not about shortcuts. */
const fromChance = 0.05;

export function atChance({ runs }: MeasuredCase, chance: number): boolean {
  const { value, margin } = accuracyEstimate(runs);
  return value - margin < chance + fromChance;
}

/** How two estimates stand to each other: equal where the difference is within both margins together. */
export function compare(one: Estimate, other: Estimate): "more" | "less" | "equal" {
  const difference = one.value - other.value;
  if (Math.abs(difference) <= Math.hypot(one.margin, other.margin)) return "equal";
  return difference > 0 ? "more" : "less";
}

export function percent(value: number): string {
  return `${(100 * value).toFixed(1)}%`;
}

/** Percentage points, with a real minus sign; what rounds to zero has none. */
export function points(value: number): string {
  return (100 * value)
    .toFixed(1)
    .replace(/^-0\.0$/, "0.0")
    .replace("-", "−");
}

/** All, some or none of several answers. */
export function verdictOf(answers: readonly boolean[]): Finding["verdict"] {
  if (answers.every(Boolean)) return "seen";
  return answers.some(Boolean) ? "mixed" : "not seen";
}

export function untold(claim: string, evidence: string): Finding {
  return { claim, verdict: "cannot be told", evidence };
}

/** A point of a line: the mean of the unbiased accuracy, and its deviation over seeds as an interval. */
export function accuracyPoint(runs: readonly MeasuredRun[]): { y: number; low?: number; high?: number } {
  const values = unbiasedOf(runs);
  const y = mean(values);
  if (values.length < 2) return { y };
  const deviation = standardDeviation(values);
  return { y, low: y - deviation, high: y + deviation };
}
