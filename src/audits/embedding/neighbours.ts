/** Whom out-of-distribution points lie among: how many of their nearest in-distribution points share a label with them. */

import { type Interval, mean, normalQuantile, standardError } from "../../core/statistics/index.ts";
import type { FeatureMatrix } from "./pca.ts";
import type { Labelling } from "./silhouette.ts";

export interface Agreement {
  /** Mean share of a point's neighbours that have its label. */
  share: number;
  /** 95%, points taken as independent. */
  interval: Interval;
  /** What neighbours drawn at random would give. */
  chance: number;
}

/** Indices of the k nearest rows of `among`, nearest first, for each row of `points`; ties go to the earlier row. */
export function nearestPoints(points: FeatureMatrix, among: FeatureMatrix, k: number): Uint32Array[] {
  const { width } = points;
  const best = new Float64Array(k);
  return Array.from({ length: points.count }, (_, i) => {
    const indices = new Uint32Array(k);
    best.fill(Number.POSITIVE_INFINITY);
    for (let j = 0; j < among.count; j++) {
      let distance = 0;
      for (let d = 0; d < width; d++) {
        const away = points.values[i * width + d]! - among.values[j * width + d]!;
        distance += away * away;
      }
      if (distance >= best[k - 1]!) continue;
      let place = k - 1;
      for (; place > 0 && distance < best[place - 1]!; place--) {
        best[place] = best[place - 1]!;
        indices[place] = indices[place - 1]!;
      }
      best[place] = distance;
      indices[place] = j;
    }
    return indices;
  });
}

export function agreement(
  neighbours: readonly Uint32Array[],
  labels: Labelling,
  amongLabels: Labelling,
): Agreement {
  const shares = neighbours.map((indices, i) => {
    let same = 0;
    for (const j of indices) if (amongLabels[j] === labels[i]) same++;
    return same / indices.length;
  });
  const share = mean(shares);
  const half = shares.length < 2 ? 0 : normalQuantile(0.975) * standardError(shares);
  return {
    share,
    interval: { low: Math.max(0, share - half), high: Math.min(1, share + half) },
    chance: meetingChance(labels, amongLabels),
  };
}

/** The chance that one of either column, drawn at random, have the same label. */
function meetingChance(labels: Labelling, others: Labelling): number {
  const counts = new Map<number, number>();
  for (let j = 0; j < others.length; j++) counts.set(others[j]!, (counts.get(others[j]!) ?? 0) + 1);
  let total = 0;
  for (let i = 0; i < labels.length; i++) total += counts.get(labels[i]!) ?? 0;
  return total / (labels.length * others.length);
}
