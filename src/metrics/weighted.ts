/** Averages of group accuracies under any weights, with their intervals. */

import type { Group } from "./groups.ts";
import { combinedInterval, wilsonTerm } from "./intervals.ts";
import type { Score } from "./metric.ts";

/** Σ weight · accuracy / Σ weight over groups that have images; null where no such group has any weight. */
export function weightedAccuracy(
  groups: readonly Group[],
  weightOf: (group: Group) => number,
): Omit<Score, "of"> {
  const occupied = groups.filter(({ count }) => count > 0);
  const weights = occupied.map(weightOf);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const count = occupied.reduce((sum, group) => sum + group.count, 0);
  if (!(total > 0)) return { value: null, interval: null, count };
  const terms = occupied.map((group, i) => wilsonTerm(weights[i]! / total, group));
  const value = terms.reduce((sum, { weight, estimate }) => sum + weight * estimate, 0);
  return { value, interval: combinedInterval(terms), count };
}
