/** What was measured, found again by row, study and factors: one accuracy a dataset sample. */

import { meanOverSeeds } from "../../core/statistics/index.ts";
import {
  factorAggregates,
  hybridGains,
  type PairAccuracy,
  type SampleAggregate,
} from "../../metrics/factor-aggregates.ts";
import { factors, type PublishedFactor } from "../../published/eulig-2021.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";

/** Three classes. */
export const chance = 1 / 3;

/** Nearer to chance than this, a factor is not learned, and its shortcuts tell nothing. */
const learnedFrom = chance + 0.05;

/** In CHGO the first class is coupled to one class of the cue; a sample decides which that is. */
const coupled = 0;

export type SampleValue = readonly [sample: number, value: number];

export class DiagvibNumbers {
  /** Rows that have a finished run, in their order. */
  readonly rows: readonly string[];
  readonly #cases = new Map<string, MeasuredCase[]>();

  constructor(cases: readonly MeasuredCase[]) {
    const finished = cases.filter(({ runs }) => runs.length > 0);
    this.rows = [...new Set(finished.map(({ method }) => method))];
    for (const each of finished) {
      const { study, predict, cue } = each.about ?? {};
      const key = keyOf(each.method, study, predict, cue);
      const known = this.#cases.get(key);
      if (known === undefined) this.#cases.set(key, [each]);
      else known.push(each);
    }
  }

  /** Mean per-class accuracy; the cue is none in ZSO. */
  accuracies(row: string, study: string, predict: PublishedFactor, cue?: PublishedFactor): SampleValue[] {
    return this.#of(row, study, predict, cue).map(({ at, runs }) => [at!.sample!, runs[0]!.unbiased]);
  }

  /** Of all cues that there are. */
  pairs(row: string, study: string, predict: PublishedFactor): PairAccuracy[] {
    return this.cues(row, study, predict).flatMap((cue) =>
      this.accuracies(row, study, predict, cue).map(([sample, accuracy]) => ({ cue, sample, accuracy })),
    );
  }

  cues(row: string, study: string, predict: PublishedFactor): PublishedFactor[] {
    return factors.filter((cue) => cue !== predict && this.#of(row, study, predict, cue).length > 0);
  }

  /** FAAvg and FAMin of each sample, over the cues that there are: which ones says `cues`. */
  aggregates(row: string, study: string, predict: PublishedFactor): SampleAggregate[] {
    return factorAggregates(this.pairs(row, study, predict), this.cues(row, study, predict));
  }

  /** Over all five cues, as equations 1 and 2 have it; empty where a cue is missing. */
  fullAggregates(row: string, study: string, predict: PublishedFactor): SampleAggregate[] {
    return this.cues(row, study, predict).length === factors.length - 1
      ? this.aggregates(row, study, predict)
      : [];
  }

  /** Of CHGO's coupled class over ZGO, a value a cue and sample. */
  gains(row: string, predict: PublishedFactor): PairAccuracy[] {
    const own = this.cues(row, "CHGO", predict).flatMap((cue) =>
      this.#of(row, "CHGO", predict, cue).flatMap(({ at, runs }): PairAccuracy[] => {
        const accuracy = runs[0]!.groups[coupled]?.accuracy;
        return typeof accuracy === "number" ? [{ cue, sample: at!.sample!, accuracy }] : [];
      }),
    );
    return hybridGains(own, this.pairs(row, "ZGO", predict));
  }

  /** Why pairs of the factor say nothing; undefined where they do. */
  unlearned(row: string, factor: PublishedFactor): string | undefined {
    const values = this.accuracies(row, "ZSO", factor).map(([, value]) => value);
    if (values.length === 0) return `${factor} was not tried without a shortcut`;
    const { mean, low = mean } = meanOverSeeds(values);
    return low < learnedFrom ? `${row} does not learn ${factor} even without a shortcut` : undefined;
  }

  #of(row: string, study: string, predict: string, cue: string | undefined): readonly MeasuredCase[] {
    return this.#cases.get(keyOf(row, study, predict, cue)) ?? [];
  }
}

function keyOf(...parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts);
}

/** One less the other within each sample that both have. */
export function differences(one: readonly SampleValue[], other: readonly SampleValue[]): SampleValue[] {
  return combined(one, other, (a, b) => a - b);
}

export function combined(
  one: readonly SampleValue[],
  other: readonly SampleValue[],
  of: (a: number, b: number) => number,
): SampleValue[] {
  const others = new Map(other);
  return one.flatMap(([sample, value]): SampleValue[] => {
    const found = others.get(sample);
    return found === undefined ? [] : [[sample, of(value, found)]];
  });
}

export function shifted(values: readonly SampleValue[], by: number): SampleValue[] {
  return values.map(([sample, value]) => [sample, value + by]);
}

export function valuesOf(values: readonly SampleValue[]): number[] {
  return values.map(([, value]) => value);
}

/** Samples that every list has, and the mean of the lists there. */
export function meanOfLists(lists: readonly (readonly SampleValue[])[]): SampleValue[] {
  const [first = [], ...others] = lists;
  return first.flatMap(([sample, value]): SampleValue[] => {
    const more = others.flatMap((list) => list.find(([other]) => other === sample)?.[1] ?? []);
    if (more.length < others.length) return [];
    return [[sample, more.reduce((sum, each) => sum + each, value) / lists.length]];
  });
}
