/** Which point of a search is taken: by the rule, ties by a stated order, and what other rules would have taken. */

import { describeSelection, type Selection } from "../training/selection.ts";
import type { SearchPoint } from "./points.ts";

/** What validation says of a run; higher is better. */
export interface PointScores {
  /** By the sweep's rule. */
  score: number;
  /** What ties are broken by: mean accuracy of the rule's groups, or accuracy over images; then the loss, less is better. */
  accuracy: number;
  loss: number;
  /** By each of the rules beside it. */
  also: number[];
}

export interface Trial {
  point: SearchPoint;
  id: string;
  /** By the sweep's rule, higher is better; null where the run failed. */
  score: number | null;
  /** Null where the run failed. */
  accuracy: number | null;
  loss: number | null;
}

/** A trial with all that is needed to choose, which records leave out. */
export interface ScoredTrial extends Trial {
  also: readonly number[];
}

export type TieBreak = "accuracy" | "loss" | "order";

/** Points of one stage that had the same best score, and what decided between them. */
export interface SearchTie {
  stage: number;
  of: number;
  score: number;
  by: TieBreak;
}

export interface ChosenPoint {
  trial: ScoredTrial;
  tie: Omit<SearchTie, "stage"> | undefined;
}

/** Accuracy, then loss, then the earlier point: the order of finishing decides nothing. Undefined where all have failed. */
export function choosePoint(trials: readonly ScoredTrial[]): ChosenPoint | undefined {
  const known = trials.filter(({ score }) => score !== null);
  if (known.length === 0) return undefined;
  const best = Math.max(...known.map(({ score }) => score!));
  const tied = known.filter(({ score }) => score === best);
  const [accurate, byAccuracy] = narrowed(tied, ({ accuracy }) => accuracy!);
  const [least, byLoss] = narrowed(accurate, ({ loss }) => -loss!);
  const trial = least[0]!;
  // One run that chance has drawn twice is no tie.
  const of = new Set(tied.map(({ id }) => id)).size;
  if (of === 1) return { trial, tie: undefined };
  const left = new Set(least.map(({ id }) => id)).size;
  const by: TieBreak = left > 1 ? "order" : byLoss ? "loss" : byAccuracy ? "accuracy" : "order";
  return { trial, tie: { of, score: best, by } };
}

/** Those with the highest value, and whether that left any away. */
function narrowed(
  trials: readonly ScoredTrial[],
  of: (trial: ScoredTrial) => number,
): [kept: ScoredTrial[], fewer: boolean] {
  const best = Math.max(...trials.map(of));
  const kept = trials.filter((trial) => of(trial) === best);
  return [kept, kept.length < trials.length];
}

/** What another rule would have taken of the same trials, all stages together; null where all have failed. */
export interface OtherChoice {
  rule: string;
  labels: string;
  point: SearchPoint | null;
  id: string | null;
  score: number | null;
}

export function otherChoices(trials: readonly ScoredTrial[], rules: readonly Selection[]): OtherChoice[] {
  return rules.map((rule, i) => {
    const scored = trials.map((trial) => ({ ...trial, score: trial.also[i] ?? null }));
    const { trial } = choosePoint(scored) ?? {};
    return {
      ...describeSelection(rule),
      point: trial?.point ?? null,
      id: trial?.id ?? null,
      score: trial?.score ?? null,
    };
  });
}

/** The rule that ties are broken by first. */
export function tieRule({ groups }: Selection): Selection {
  return groups.length > 0 ? { by: "val-unbiased", groups } : { by: "val-accuracy", groups: [] };
}

/** In words, for tables and records. */
export function tieWords(by: TieBreak, select: Selection): string {
  if (by === "accuracy") return describeSelection(tieRule(select)).rule;
  return by === "loss" ? "lower validation loss" : "the earlier point";
}
