/** Rows of a study of ready-made networks: those of ours with several seeds, and those that people bring, of which there is one each. */

import { type Cell, seedsCell } from "../../core/section.ts";
import { type Measured, measuredAs } from "../jobs/kinds.ts";
import type { NetworkAnswer } from "../jobs/predictions-job.ts";

export interface NetworkRow {
  label: string;
  /** Brought by people: one set of weights, so that intervals are over images alone. */
  brought: boolean;
  answers: readonly NetworkAnswer[];
}

/** Of one part, in its order; none where it was not asked or nothing of it is finished. */
export function networksOf(measured: readonly Measured[], part: string): NetworkRow[] {
  const found = measuredAs(measured, "predictions").find(({ job }) => job.name === part);
  const byLabel = new Map<string, NetworkAnswer[]>();
  for (const model of found?.models ?? [])
    byLabel.set(model.label, [...(byLabel.get(model.label) ?? []), model]);
  return [...byLabel].map(([label, answers]) => ({
    label,
    brought: answers.some(({ seed }) => seed === null),
    answers,
  }));
}

/** So many of so many images. */
export interface CountedShare {
  images: number;
  correct: number;
}

function shareOf({ images, correct }: CountedShare): number {
  return correct / images;
}

/** Of its images; of groups that are told as the mean of their own shares, each group counts the same. */
export function meanShare(shares: readonly CountedShare[]): Estimate {
  const each = shares.map(shareEstimate);
  const n = each.length;
  return {
    value: each.reduce((sum, { value }) => sum + value, 0) / n,
    error: Math.sqrt(each.reduce((sum, { error }) => sum + error * error, 0)) / n,
  };
}

/** A number and its standard error over images, with the model's weights as they are. */
export interface Estimate {
  value: number;
  error: number;
}

export function shareEstimate(share: CountedShare): Estimate {
  const value = shareOf(share);
  return { value, error: Math.sqrt((value * (1 - value)) / share.images) };
}

/** As if both were of other images, which makes the error too large rather than too small where they are of the same ones. */
export function less(one: Estimate, other: Estimate): Estimate {
  return { value: one.value - other.value, error: Math.hypot(one.error, other.error) };
}

/** Share of the images of a change: right with it alone, less right without it alone. */
export function pairedChange({
  gained,
  lost,
  images,
}: {
  gained: number;
  lost: number;
  images: number;
}): Estimate {
  const value = (gained - lost) / images;
  return { value, error: Math.sqrt(Math.max(0, (gained + lost) / images - value * value) / images) };
}

/** Over seeds; of a network that was brought with the number of its images, which gives an interval over these. */
export function networkShare(
  { answers }: NetworkRow,
  of: (answer: NetworkAnswer) => CountedShare | undefined,
): Cell {
  const shares = answers.flatMap((answer) => of(answer) ?? []);
  return seedsCell(shares.map(shareOf), shares[0]?.images);
}
