/** Small sums over a study's runs that its tables and findings share. */

import { mean, meanOverSeeds, pairedDifference, seedHalfWidth } from "../core/statistics/index.ts";
import type { Finding, MeasuredCase, MeasuredPart, MeasuredRun, StudyCell } from "./study.ts";

/** A cell of what several seeds gave; null where no run is finished. */
export function cellOf(values: readonly (number | null | undefined)[]): StudyCell {
  const numbers = values.filter((value): value is number => typeof value === "number");
  if (numbers.length === 0) return null;
  const { mean, deviation = null, n } = meanOverSeeds(numbers);
  return { mean, deviation, runs: n };
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
  /** Half of Student's 95% interval over seeds; of one seed two standard errors of the number of images. */
  margin: number;
  over: "seeds" | "images";
  seeds: number;
}

/** Of one value a seed; `images` is the margin by the images alone, for a single one. */
export function estimateOf(values: readonly number[], images: number): Estimate {
  const { mean: value, n, deviation } = meanOverSeeds(values);
  return deviation === undefined
    ? { value, margin: images, over: "images", seeds: n }
    : { value, margin: seedHalfWidth(deviation, n), over: "seeds", seeds: n };
}

export function accuracyEstimate(runs: readonly MeasuredRun[]): Estimate {
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

/**
 * One less the other, seed by seed, since equal seeds had the same draw; seeds that only one side has are in no difference.
 * Where they share one seed or none, both means and the images alone decide.
 */
export function differenceOf(
  one: readonly MeasuredRun[],
  other: readonly MeasuredRun[],
  of: (run: MeasuredRun) => number = ({ unbiased }) => unbiased,
): Estimate {
  const keyed = (runs: readonly MeasuredRun[]) => runs.map((run) => ({ key: run.seed, value: of(run) }));
  const shared = one.filter(({ seed }) => other.some((run) => run.seed === seed));
  if (shared.length > 1) {
    const { differences } = pairedDifference(keyed(one), keyed(other));
    return estimateOf(
      differences.map(({ difference }) => difference),
      0,
    );
  }
  const [a, b] = [one, other].map((runs) => {
    const images = runs.reduce((sum, { count }) => sum + count, 0);
    const share = mean(runs.map(of));
    return { share, margin: imagesMargin(share, images) };
  }) as [{ share: number; margin: number }, { share: number; margin: number }];
  return {
    value: a.share - b.share,
    margin: Math.hypot(a.margin, b.margin),
    over: "images",
    seeds: shared.length,
  };
}

/** How two accuracies stand to each other: equal where the difference is within its margin. */
export function compare(
  one: readonly MeasuredRun[],
  other: readonly MeasuredRun[],
): "more" | "less" | "equal" {
  const { value, margin } = differenceOf(one, other);
  if (Math.abs(value) <= margin) return "equal";
  return value > 0 ? "more" : "less";
}

/** What a finding's margins are about, as the end of its evidence. */
export function basisOf(estimates: readonly Pick<Estimate, "over" | "seeds">[]): string {
  const seeds = estimates.filter(({ over }) => over === "seeds").map((each) => each.seeds);
  const images =
    seeds.length < estimates.length ? ["over images alone, which tells nothing of other seeds"] : [];
  const [least, most] = [Math.min(...seeds), Math.max(...seeds)];
  const count = least === most ? `${most}` : `${least} to ${most}`;
  const told = seeds.length > 0 ? [`by Student's t over ${count} seeds (degrees of freedom: one less)`] : [];
  return `judged ${[...told, ...images].join(", or ")}`;
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

/** A point of a line: the mean of the unbiased accuracy, with Student's interval over seeds where there are several. */
export function accuracyPoint(runs: readonly MeasuredRun[]): { y: number; low?: number; high?: number } {
  const { mean, low, high } = meanOverSeeds(unbiasedOf(runs));
  return low === undefined || high === undefined ? { y: mean } : { y: mean, low, high };
}
