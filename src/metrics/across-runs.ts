/** One score from those of several runs: the mean over seeds with Student's interval. */

import { meanOverSeeds } from "../core/statistics/index.ts";
import type { Score } from "./metric.ts";

export interface RunsScore extends Score {
  /** Whether another choice of images, or another seed, is what the interval tells of. */
  over: "images" | "seeds";
  /** Runs that have a value. */
  runs: number;
  /** Of the mean over runs, s/√n; null for one run. */
  standardError: number | null;
  /** One a run. */
  values: readonly (number | null)[];
}

/**
 * Scores of the same metric from every run. They are matched by what they are of; a metric with one score a run, such
 * as the worst group, is matched whatever it is of, and is then of what most runs say.
 */
export function acrossRuns(runs: readonly (readonly Score[])[]): RunsScore[] {
  const [first = []] = runs;
  if (runs.length === 1) {
    return first.map(({ of, value, interval, count }) => ({
      of,
      value,
      interval,
      count,
      over: "images",
      runs: value === null ? 0 : 1,
      standardError: null,
      values: [value],
    }));
  }
  if (runs.every(({ length }) => length === 1)) return [together(runs.flat())];
  const byName = new Map<string | null, Score[]>();
  for (const score of runs.flat()) {
    const known = byName.get(score.of);
    if (known) known.push(score);
    else byName.set(score.of, [score]);
  }
  return [...byName.values()].map(together);
}

function together(scores: readonly Score[]): RunsScore {
  const known = scores.flatMap(({ value }) => (value === null ? [] : [value]));
  const { mean, low, high, deviation } = known.length === 0 ? nothing : meanOverSeeds(known);
  return {
    of: mostFrequent(scores.map(({ of }) => of)),
    value: mean,
    // One seed tells nothing of others, and its images' interval is about something else.
    interval: low === undefined || high === undefined ? null : { low, high },
    over: "seeds",
    runs: known.length,
    standardError: deviation === undefined ? null : deviation / Math.sqrt(known.length),
    values: scores.map(({ value }) => value),
    count: scores.reduce((sum, { count }) => sum + count, 0),
  };
}

const nothing = { mean: null, low: undefined, high: undefined, deviation: undefined };

/** The first of those that occur most often. */
function mostFrequent<Name>(names: readonly Name[]): Name {
  const counts = new Map<Name, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return names.find((name) => counts.get(name) === most)!;
}
