/** One score from those of several runs: the mean over seeds, its standard error and a bootstrap interval. */

import { randomStream } from "../core/random.ts";
import { bootstrapInterval, mean, standardError } from "../core/statistics/index.ts";
import type { Score } from "./metric.ts";

export interface RunsScore extends Score {
  /** Of the mean over runs, s/√n; null for one run. */
  standardError: number | null;
  /** One a run. */
  values: readonly (number | null)[];
}

export interface AcrossRunsOptions {
  /** Resampling runs takes thousands of means a score: too many where there are as many scores as groups. */
  bootstrap: boolean;
}

/**
 * Scores of the same metric from every run. They are matched by what they are of; a metric with one score a run, such
 * as the worst group, is matched whatever it is of, and is then of what most runs say.
 */
export function acrossRuns(
  runs: readonly (readonly Score[])[],
  { bootstrap }: AcrossRunsOptions,
): RunsScore[] {
  const [first = []] = runs;
  if (runs.length === 1) {
    return first.map(({ of, value, interval, count }) => ({
      of,
      value,
      interval,
      count,
      standardError: null,
      values: [value],
    }));
  }
  if (runs.every(({ length }) => length === 1)) return [together(runs.flat(), bootstrap)];
  const byName = new Map<string | null, Score[]>();
  for (const score of runs.flat()) {
    const known = byName.get(score.of);
    if (known) known.push(score);
    else byName.set(score.of, [score]);
  }
  return [...byName.values()].map((scores) => together(scores, bootstrap));
}

function together(scores: readonly Score[], bootstrap: boolean): RunsScore {
  const known = scores.flatMap(({ value }) => (value === null ? [] : [value]));
  const several = known.length > 1;
  return {
    of: mostFrequent(scores.map(({ of }) => of)),
    value: known.length === 0 ? null : mean(known),
    interval:
      several && bootstrap
        ? bootstrapInterval(known, mean, {
            random: randomStream(0, "metrics/across-runs").at(0),
            method: "percentile",
          })
        : null,
    standardError: several ? standardError(known) : null,
    values: scores.map(({ value }) => value),
    count: scores.reduce((sum, { count }) => sum + count, 0),
  };
}

/** The first of those that occur most often. */
function mostFrequent<Name>(names: readonly Name[]): Name {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return names.find((name) => counts.get(name) === most)!;
}
