/** Small sums over a study's runs that its tables and findings share. */

import { type Cell, seedsCell } from "../core/section.ts";
import { mean, meanOverSeeds, seedHalfWidth } from "../core/statistics/index.ts";
import { type Measured, measuredAs } from "./jobs/kinds.ts";
import type { MeasuredCase, MeasuredRun } from "./jobs/runs-job.ts";

/** A printed number, which is in per cent. */
export function printed(percent: number | undefined): Cell {
  return percent === undefined
    ? null
    : { mean: Number((percent / 100).toFixed(6)), deviation: null, runs: 0 };
}

/** The part's cases that have a result. */
export function partNamed(parts: readonly Measured[], name: string): readonly MeasuredCase[] {
  return casesOf(parts, name).filter(({ runs }) => runs.length > 0);
}

/** All of a part's cases, those that have ended without a result among them. */
export function casesOf(parts: readonly Measured[], name: string): readonly MeasuredCase[] {
  return measuredAs(parts, "runs").find(({ job }) => job.name === name)?.cases ?? [];
}

/** The unbiased accuracy, or why there is none. */
export function accuracyCell({ runs, failures }: MeasuredCase): Cell {
  return runs.length > 0 ? seedsCell(unbiasedOf(runs), runs[0]!.count) : (failures[0] ?? null);
}

export function unbiasedOf(runs: readonly MeasuredRun[]): number[] {
  return runs.map(({ unbiased }) => unbiased);
}

export function mmdsOf(runs: readonly MeasuredRun[], cue: string): number[] {
  return runs.flatMap(({ cues }) => cues[cue]?.mmd ?? []);
}

/** A mean and how far chance alone may move it. */
export interface SeedEstimate {
  value: number;
  /** Half of Student's 95% interval over seeds; of one seed two standard errors of the number of images. */
  margin: number;
  over: "seeds" | "images";
  seeds: number;
}

/** Of one value a seed; `images` is the margin by the images alone, for a single one. */
export function estimateOf(values: readonly number[], images: number): SeedEstimate {
  const { mean: value, n, deviation } = meanOverSeeds(values);
  return deviation === undefined
    ? { value, margin: images, over: "images", seeds: n }
    : { value, margin: seedHalfWidth(deviation, n), over: "seeds", seeds: n };
}

function accuracyEstimate(runs: readonly MeasuredRun[]): SeedEstimate {
  const values = unbiasedOf(runs);
  return estimateOf(values, imagesMargin(mean(values), runs[0]?.count ?? 0));
}

/** Two standard errors of a share of so many images. */
function imagesMargin(share: number, images: number): number {
  return 2 * Math.sqrt((share * (1 - share)) / images);
}

/** Below this distance from guessing, differences in accuracy are not about shortcuts. */
const fromChance = 0.05;

export function atChance({ runs }: MeasuredCase, chance: number): boolean {
  const { value, margin } = accuracyEstimate(runs);
  return value - margin < chance + fromChance;
}

/** For each seed the mean over cases, such as a method told one variable after the other; seeds that one of them lacks are left out. */
export function seedMeans(
  cases: readonly Pick<MeasuredCase, "runs">[],
  of: (run: MeasuredRun) => number | null = ({ unbiased }) => unbiased,
): { seed: number; value: number }[] {
  const [first, ...others] = cases;
  if (first === undefined) return [];
  return first.runs.flatMap((run) => {
    const own = [run, ...others.flatMap(({ runs }) => runs.find(({ seed }) => seed === run.seed) ?? [])];
    const values = own.flatMap((each) => of(each) ?? []);
    return values.length === cases.length ? [{ seed: run.seed, value: mean(values) }] : [];
  });
}

/** One less the other, seed by seed, since equal seeds had the same draw; empty where they share none. */
export function differencesOf(
  one: readonly Pick<MeasuredCase, "runs">[],
  other: readonly Pick<MeasuredCase, "runs">[],
  of?: (run: MeasuredRun) => number | null,
): number[] {
  const theirs = seedMeans(other, of);
  return seedMeans(one, of).flatMap(({ seed, value }) => {
    const found = theirs.find((each) => each.seed === seed);
    return found === undefined ? [] : [value - found.value];
  });
}

/** Percentage points, with a real minus sign; what rounds to zero has none. */
export function points(value: number): string {
  return (100 * value)
    .toFixed(1)
    .replace(/^-0\.0$/, "0.0")
    .replace("-", "−");
}

/** Points of a difference, with its interval where there is one. */
export function differenceCell(value: number, interval: { low: number; high: number } | null): Cell {
  const words = interval === null ? "" : ` (${points(interval.low)} to ${points(interval.high)})`;
  return { value, text: `${value > 0 ? "+" : ""}${points(value)}${words}` };
}

/** The mean of differences within seeds, with Student's interval; null where there are none. */
export function meanDifferenceCell(differences: readonly number[]): Cell {
  if (differences.length === 0) return null;
  const { mean: value, low, high } = meanOverSeeds(differences);
  return differenceCell(value, low === undefined || high === undefined ? null : { low, high });
}

/** A point of a line: the mean of the unbiased accuracy, with Student's interval over seeds where there are several. */
export function accuracyPoint(runs: readonly MeasuredRun[]): { y: number; low?: number; high?: number } {
  const { mean, low, high } = meanOverSeeds(unbiasedOf(runs));
  return low === undefined || high === undefined ? { y: mean } : { y: mean, low, high };
}
