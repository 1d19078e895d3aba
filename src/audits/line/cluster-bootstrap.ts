/** An interval of R that draws whole clusters of points, such as checkpoints of one training: each is six sums. */

import {
  type ClusterBootstrapOptions,
  type ClusterSums,
  clusterBootstrap,
  clusterSums,
  type Interval,
} from "../../core/statistics/index.ts";
import { centredColumns, correlationOfSums } from "./resample.ts";

/** Of points on their scale; those without weight are in no cluster. */
export function pointSums(
  x: Float64Array,
  y: Float64Array,
  clusters: Uint32Array,
  weights: Float64Array | undefined,
): ClusterSums {
  const columns = centredColumns(x, y);
  const counting = (_: number, i: number) => weights?.[i] !== 0;
  const kept = (values: Float64Array) => values.filter(counting);
  const [a, b] = [kept(columns.x), kept(columns.y)];
  const w = kept(weights ?? new Float64Array(x.length).fill(1));
  const times = (one: Float64Array, other: Float64Array) => one.map((value, i) => value * other[i]!);
  const [wa, wb] = [times(w, a), times(w, b)];
  return clusterSums(clusters.filter(counting), [w, wa, wb, times(wa, a), times(wa, b), times(wb, b)]);
}

/** The percentile interval; everything where there are too few clusters, or nearly all lie in one point. */
export function correlationInterval(sums: ClusterSums, options: ClusterBootstrapOptions): Interval {
  const r = ([w, x, y, xx, xy, yy]: Float64Array) => correlationOfSums(w!, x!, y!, xx!, xy!, yy!);
  return clusterBootstrap(sums, r, options) ?? { low: -1, high: 1 };
}
