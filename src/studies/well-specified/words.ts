/** How fits are told in tables and sentences. */

import type { Cell } from "../../core/section.ts";
import type { MeasuredFit, MeasuredPools, MeasuredSplit } from "../jobs/pools-job.ts";

/** The paper's: above it a correlation is no longer weak. */
export const threshold = 0.3;

/** A split with what it belongs to. */
export interface JudgedSplit extends MeasuredSplit {
  part: string;
  dataset: string;
}

export function judgedSplits(parts: readonly Pick<MeasuredPools, "job" | "pools">[]): JudgedSplit[] {
  return parts.flatMap(({ job, pools }) =>
    pools.flatMap(({ pool, splits }) =>
      splits.map((split) => ({ ...split, part: job.name, dataset: pool.dataset })),
    ),
  );
}

/** With a real minus sign; what rounds to zero has none. */
export function two(value: number): string {
  return value
    .toFixed(2)
    .replace(/^-0\.00$/, "0.00")
    .replace("-", "−");
}

export function fitCell(value: number | null, text: (value: number) => string = two): Cell {
  return value === null ? null : { value, text: text(value) };
}

/** `−0.85 (−0.86 to −0.84)`. */
export function rWithInterval({ r, rLow, rHigh }: MeasuredFit): string {
  return r === null ? "no R" : `${two(r)} (${two(rLow!)} to ${two(rHigh!)})`;
}

/** Intervals that do not meet. */
export function compareR(one: MeasuredFit, other: MeasuredFit): "lower" | "higher" | "equal" {
  if (one.r === null || other.r === null) return "equal";
  if (one.rHigh! < other.rLow!) return "lower";
  return one.rLow! > other.rHigh! ? "higher" : "equal";
}

/** The best of the pool is so near to guessing that there was nothing to compare. */
export function learnedNothing({ bestId, guessing }: MeasuredSplit): boolean {
  return bestId - guessing < leastLearned * (1 - guessing);
}

/** Of the way from guessing to being always right. */
const leastLearned = 0.2;

export function spelledSplit(split: JudgedSplit): string {
  return `${split.dataset}, ${split.ood}`;
}
