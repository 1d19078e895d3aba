/** Averages of group accuracies under any weights, with their intervals. */

import type { CountedGroup } from "./groups.ts";
import { type CountEstimate, WeightedSum, wilsonEstimate } from "./intervals.ts";
import type { Score } from "./metric.ts";

interface OccupiedGroups {
  /** Groups that have images. */
  occupied: readonly CountedGroup[];
  /** Images of all. */
  count: number;
  /** The accuracy of each. */
  accuracies: readonly CountEstimate[];
}

/** A report weighs the same groups in many ways. */
const known = new WeakMap<readonly CountedGroup[], OccupiedGroups>();

export function occupiedOf(groups: readonly CountedGroup[]): OccupiedGroups {
  const before = known.get(groups);
  if (before !== undefined) return before;
  const occupied = groups.filter(({ count }) => count > 0);
  const count = occupied.reduce((sum, group) => sum + group.count, 0);
  const found = { occupied, count, accuracies: occupied.map(wilsonEstimate) };
  known.set(groups, found);
  return found;
}

/** Σ weight · accuracy / Σ weight over groups that have images; null where no such group has any weight. */
export function weightedAccuracy(
  groups: readonly CountedGroup[],
  weightOf: (group: CountedGroup) => number,
): Omit<Score, "of"> {
  const { occupied, count, accuracies } = occupiedOf(groups);
  const weights = new Float64Array(occupied.length);
  let total = 0;
  for (let i = 0; i < weights.length; i++) {
    weights[i] = weightOf(occupied[i]!);
    total += weights[i]!;
  }
  if (!(total > 0)) return { value: null, interval: null, count };
  const sum = new WeightedSum();
  for (let i = 0; i < weights.length; i++) sum.add(weights[i]! / total, accuracies[i]!);
  return { value: sum.value, interval: sum.interval(), count };
}
