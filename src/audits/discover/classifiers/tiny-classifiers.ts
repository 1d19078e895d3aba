/** How often a tiny classifier is right about images that it has not seen, beside guessing. */

import { setImmediate } from "node:timers/promises";
import { wilsonInterval } from "../../../core/statistics/index.ts";
import { fitRidge } from "./ridge.ts";
import type { TinyInput } from "./tiny-inputs.ts";

export interface TinyClassifier {
  name: string;
  description: string;
  /** Mean over classes of the share of their images that are told right. */
  accuracy: number;
  low: number;
  high: number;
  /** What guessing would reach: one over the number of classes. */
  guessing: number;
  images: number;
}

export const folds = 5;

export interface TinyTask {
  /** Of each drawn image. */
  labels: ArrayLike<number>;
  classes: number;
  folds: Uint8Array;
  clusters: ArrayLike<number>;
}

/** Undefined where fewer than two classes have images in two parts at least. */
export async function tinyClassifier(
  { name, description, width, features }: TinyInput,
  task: TinyTask,
  signal?: AbortSignal,
): Promise<TinyClassifier | undefined> {
  const { labels, classes, clusters } = task;
  const rows = [...task.folds.keys()];
  const right = new Float64Array(rows.length);
  for (let fold = 0; fold < folds; fold++) {
    signal?.throwIfAborted();
    await setImmediate();
    const [fitted, judged] = [
      rows.filter((row) => task.folds[row] !== fold),
      rows.filter((row) => task.folds[row] === fold),
    ];
    if (new Set(fitted.map((row) => labels[row])).size < 2) return undefined;
    // As strong as there are features: fifty images must not be learnt by heart.
    const { predict } = fitRidge({ features, width, labels, classes }, fitted, width);
    for (const row of judged) right[row] = predict(row) === labels[row] ? 1 : 0;
  }
  return { name, description, images: rows.length, ...balancedAccuracy(right, labels, classes, clusters) };
}

/**
 * With Wilson's interval of as many independent images as would have the variance that is seen between clusters; of a perfect
 * classifier, of as many as there are clusters.
 */
export function balancedAccuracy(
  right: ArrayLike<number>,
  labels: ArrayLike<number>,
  classes: number,
  clusters: ArrayLike<number>,
): Pick<TinyClassifier, "accuracy" | "low" | "high" | "guessing"> {
  const [counts, hits] = [new Float64Array(classes), new Float64Array(classes)];
  for (let row = 0; row < right.length; row++) {
    counts[labels[row]!]!++;
    hits[labels[row]!]! += right[row]!;
  }
  const present = counts.reduce((sum, count) => sum + (count > 0 ? 1 : 0), 0);
  const recall = hits.map((hit, label) => (counts[label] === 0 ? 0 : hit / counts[label]!));
  const accuracy = recall.reduce((sum, share) => sum + share, 0) / present;
  // Each cluster's part in the difference between this mean and the true one.
  const influence = new Map<number, number>();
  for (let row = 0; row < right.length; row++) {
    const label = labels[row]!;
    const own = (right[row]! - recall[label]!) / (counts[label]! * present);
    influence.set(clusters[row]!, (influence.get(clusters[row]!) ?? 0) + own);
  }
  let variance = 0;
  for (const own of influence.values()) variance += own * own;
  variance *= influence.size / Math.max(1, influence.size - 1);
  const seen = variance === 0 ? influence.size : (accuracy * (1 - accuracy)) / variance;
  const n = Math.max(1, Math.min(influence.size, Math.round(seen)));
  const { low, high } = wilsonInterval(Math.round(accuracy * n), n);
  return { accuracy, low: Math.min(low, accuracy), high: Math.max(high, accuracy), guessing: 1 / present };
}
