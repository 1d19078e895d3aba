/** How far ID and OOD accuracy go along a line inside groups, whatever lies between them: Simpson's paradox shows here. */

import { fisherInterval } from "../../core/statistics/correlation.ts";

export interface WithinGroups {
  r: number;
  low: number;
  high: number;
  /** Groups of at least two points; others tell nothing. */
  groups: number;
}

/** Pearson's r of the deviations from each group's means; undefined where none are left. */
export function withinGroups(x: Float64Array, y: Float64Array, codes: Uint32Array): WithinGroups | undefined {
  const groups = codes.reduce((most, code) => Math.max(most, code + 1), 0);
  const [n, xMean, yMean] = [0, 0, 0].map(() => new Float64Array(groups)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  for (let i = 0; i < x.length; i++) {
    const code = codes[i]!;
    n[code]!++;
    xMean[code]! += x[i]!;
    yMean[code]! += y[i]!;
  }
  for (let code = 0; code < groups; code++) {
    xMean[code]! /= n[code]!;
    yMean[code]! /= n[code]!;
  }
  let [xx, xy, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const [a, b] = [x[i]! - xMean[codes[i]!]!, y[i]! - yMean[codes[i]!]!];
    xx += a * a;
    xy += a * b;
    yy += b * b;
  }
  const [occupied, used] = [n.filter((count) => count > 0).length, n.filter((count) => count > 1).length];
  // Every group's mean costs a point.
  const size = x.length - occupied + 1;
  if (!(xx > 0 && yy > 0) || size < 4) return undefined;
  const r = Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  return { r, ...fisherInterval(r, size, 0.95), groups: used };
}
