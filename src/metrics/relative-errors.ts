/** Errors beside those of a reference network, group by group: what domains and corruptions of different hardness are averaged by. */

import { lookUp } from "../core/look-up.ts";
import type { Interval } from "../core/statistics/index.ts";
import { addTally, cellsOf, emptyTally, type PredictionCounts, type Tally } from "./counts.ts";
import { WeightedSum, wilsonEstimate } from "./intervals.ts";

export interface ReferenceErrors {
  /** Groups are combinations of their values; those of the first are averaged over, others within it added up. */
  attributes: readonly string[];
  /** Shares of images that the reference gets wrong, above 0. */
  rows: readonly { values: readonly string[]; error: number }[];
}

export interface RelativeErrors {
  /** Value of the first attribute. */
  of: string;
  parts: readonly (Tally & { reference: number })[];
}

/** In the reference's order; parts without images count none. */
export function relativeErrorsOf(
  counts: PredictionCounts,
  { attributes, rows }: ReferenceErrors,
): RelativeErrors[] {
  const names = attributes.map((name) => lookUp(counts.valueNames, name));
  const tallies = new Map<string, Tally>();
  for (const cell of cellsOf(counts, attributes)) {
    const key = cell.values.map((code, i) => names[i]![code]).join("\n");
    const tally = tallies.get(key) ?? emptyTally();
    tallies.set(key, tally);
    addTally(tally, cell);
  }
  const found = new Map<string, (Tally & { reference: number })[]>();
  for (const { values, error } of rows) {
    const part = { ...(tallies.get(values.join("\n")) ?? emptyTally()), reference: error };
    found.set(values[0]!, [...(found.get(values[0]!) ?? []), part]);
  }
  return [...found].map(([of, parts]) => ({ of, parts }));
}

/** Mean over values of Σ error / Σ the reference's error; null where some part has no images. */
export function meanRelativeError(all: readonly RelativeErrors[]): {
  value: number | null;
  interval: Interval | null;
  count: number;
} {
  const sum = new WeightedSum();
  const parts = all.flatMap(({ parts: own }) => {
    const reference = own.reduce((total, part) => total + part.reference, 0);
    return own.map((part) => ({ ...part, weight: 1 / (reference * all.length) }));
  });
  const count = parts.reduce((total, part) => total + part.count, 0);
  if (parts.some((part) => part.count === 0)) return { value: null, interval: null, count };
  for (const { weight, ...tally } of parts) {
    const { estimate, low, high } = wilsonEstimate(tally);
    sum.add(weight, { estimate: 1 - estimate, low: 1 - high, high: 1 - low });
  }
  return { value: sum.value, interval: sum.interval(), count };
}
