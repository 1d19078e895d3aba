/** A method beside a baseline, cue by cue: what became of each gap, and through which images. */

import type { Interval } from "../../core/statistics/index.ts";
import type { ContrastKind } from "./contrasts.ts";

/** Points nearer to nothing than this do not matter, unless a plan says otherwise. */
export const usualMargin = 0.03;

export interface CompareOptions {
  /** Differences below it are as good as none, and a baseline's reliance must exceed it for a ratio; a share. */
  margin?: number | undefined;
  /** 0.05 unless told. */
  alpha?: number | undefined;
}

/** Method less baseline, as a share, and how far it is known. */
export interface Effect {
  value: number;
  /** Of confidence 1 − α, not adjusted for others; null for one seed. */
  interval: Interval | null;
  /** Two-sided, that there is no difference; undefined for one seed. */
  pValue: number | undefined;
  /** Of two one-sided tests that it is as large as the margin; undefined for one seed. */
  equivalencePValue: number | undefined;
  /** Of the one of these two that it rose by the margin or more; undefined for one seed. */
  risePValue: number | undefined;
  /** Its standard error; undefined for one seed. */
  error: number | undefined;
}

/** Images of the uncommon cells on which the two models differ, of all seeds. */
export interface Flips {
  images: number;
  /** Right by the baseline, wrong by the method. */
  toWrong: number;
  /** The other way round. */
  toRight: number;
}

/** Reliance of the method over that of the baseline; reliance is the size of a negative gap, else 0. */
export interface Amplification extends Interval {
  value: number;
}

export interface CueComparison {
  /** The cues that are uncommon: one, or all of them together. */
  cues: readonly string[];
  /** Gaps, signed as printed: reliance is negative. */
  method: number;
  baseline: number;
  /** Of the baseline's gap. */
  baselineInterval: Interval | null;
  /** Of the gap: below 0 the method leans on the cue more than the baseline. */
  gap: Effect;
  /** Of the accuracy where the cue is uncommon. */
  uncommon: Effect;
  /** Of what that is held against: I.D. accuracy, or the majority's. */
  common: Effect;
  /** Null where the baseline's reliance is not known to exceed the margin. */
  ratio: Amplification | null;
  /** Null where only accuracies are known. */
  flips: Flips | null;
  /** Seeds that have the gap by both; 1 for one table. */
  seeds: number;
}

export interface MoleComparison {
  kind: ContrastKind;
  /** Whether another choice of images, or another seed, is what intervals tell of. */
  over: "images" | "seeds";
  margin: number;
  alpha: number;
  cues: readonly CueComparison[];
}

/** Of two gaps; null where the baseline leans on nothing. Below-noise reliance of a method is never an amplification: 0. */
export function amplificationOf(method: number, baseline: number): number | null {
  if (baseline >= 0) return null;
  return Math.max(0, -method) / -baseline;
}

/** `background`, or `background + coObject`. */
export function comparisonName({ cues }: Pick<CueComparison, "cues">): string {
  return cues.join(" + ");
}
