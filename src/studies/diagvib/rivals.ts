/** Two cues at once: which of them a network follows, and which pairs of one cue say that it will. */

import { mean } from "../../core/statistics/index.ts";
import type { PublishedFactor } from "../../published/eulig-2021.ts";
import type { MeasuredCase, MeasuredRun } from "../jobs/runs-job.ts";
import { combined, type DiagvibNumbers, meanOfLists, type SampleValue } from "./numbers.ts";
import type { RivalCues } from "./pairs.ts";

/** Accuracy where one cue is broken and the other is not, and where both are: one value a dataset sample. */
export interface RivalNumbers extends RivalCues {
  oneBroken: readonly SampleValue[];
  otherBroken: readonly SampleValue[];
  bothBroken: readonly SampleValue[];
  /**
   * Accuracy where only the other is broken less that where only the one is: +1 where the one alone is followed, −1 where the other is,
   * 0 where neither is, or both alike.
   */
  preference: readonly SampleValue[];
  /** P of the one with the other as cue less P of the other with the one, of other samples: how they fare against each other. */
  against: readonly SampleValue[];
  /** P of the predicted factor with the other as cue less that with the one: how much more the one overrides it. */
  over: readonly SampleValue[];
  /** Factors that are not learned even without a shortcut. */
  unlearned: readonly string[];
}

/** As `brokenAttribute` of the dataset names what an image breaks. */
function accuracyWhere({ groups }: MeasuredRun, broken: string): number | undefined {
  const own = groups.filter(({ values }) => values.broken === broken).map(({ accuracy }) => accuracy);
  return own.length > 0 && own.every((accuracy) => accuracy !== null) ? mean(own) : undefined;
}

/** In the order of the cases; `from` are the samples whose pairs predict. */
export function rivalNumbers(
  cases: readonly MeasuredCase[],
  pairs: DiagvibNumbers,
  from: readonly number[],
): RivalNumbers[] {
  const sets = new Map<string, MeasuredCase[]>();
  for (const each of cases) {
    const key = JSON.stringify(each.about);
    sets.set(key, [...(sets.get(key) ?? []), each]);
  }
  return [...sets.values()].flatMap((own) => {
    const { method: row, about } = own[0]!;
    const { predict, cue: one, other } = about as Record<"predict" | "cue" | "other", PublishedFactor>;
    const where = (broken: string) =>
      own.flatMap(({ at, runs }) => {
        const accuracy = runs[0] && accuracyWhere(runs[0], broken);
        return accuracy === undefined ? [] : [[at!.sample!, accuracy] as const];
      });
    const [oneBroken, otherBroken] = [where(one), where(other)];
    if (oneBroken.length === 0) return [];
    const earlier = (factor: PublishedFactor, cue: PublishedFactor) =>
      pairs.accuracies(row, "ZGO", factor, cue).filter(([sample]) => from.includes(sample));
    const less = (a: readonly SampleValue[], b: readonly SampleValue[]) => combined(a, b, (x, y) => x - y);
    return [
      {
        predict,
        one,
        other,
        oneBroken,
        otherBroken,
        bothBroken: where(`${one} and ${other}`),
        preference: less(otherBroken, oneBroken),
        against: less(earlier(one, other), earlier(other, one)),
        over: less(earlier(predict, other), earlier(predict, one)),
        unlearned: [predict, one, other].flatMap((factor) => pairs.unlearned(row, factor) ?? []),
      },
    ];
  });
}

/** Nearer to level than this, in accuracy, pairs predict neither cue. */
export const leastLead = 0.1;

/** Which cue the pairs predict: 1 the one, −1 the other, 0 neither; undefined where pairs are missing. */
export function predictedBy(lead: readonly SampleValue[]): -1 | 0 | 1 | undefined {
  if (lead.length === 0) return undefined;
  const value = mean(lead.map(([, each]) => each));
  return Math.abs(value) < leastLead ? 0 : value > 0 ? 1 : -1;
}

/** How far the predicted cue is preferred, a value a sample: mean over the sets of cues of which the pairs predict one. */
export function preferenceAsPredicted(
  rivals: readonly RivalNumbers[],
  by: (rival: RivalNumbers) => readonly SampleValue[],
): { values: SampleValue[]; sets: number } {
  const lists = rivals
    .filter(({ unlearned }) => unlearned.length === 0)
    .flatMap((rival) => {
      const predicted = predictedBy(by(rival));
      if (predicted === undefined || predicted === 0) return [];
      return [predicted === 1 ? rival.preference : rival.preference.map(([s, v]): SampleValue => [s, -v])];
    });
  return { values: meanOfLists(lists), sets: lists.length };
}
