/** Accuracy on slices of a prediction table, with intervals. */

import { wilsonInterval } from "../core/statistics/index.ts";

/** What a model said about some images. */
export interface PredictedClasses {
  labels: ArrayLike<number>;
  predicted: ArrayLike<number>;
}

export interface SliceAccuracy {
  slice: string;
  count: number;
  /** Null where the slice has no images: an empty group is not a group that was got wrong. */
  accuracy: number | null;
  /** Wilson's 95% interval. */
  low: number | null;
  high: number | null;
}

export function accuracyOf(
  slice: string,
  { labels, predicted }: PredictedClasses,
  has: (index: number) => boolean = () => true,
): SliceAccuracy {
  let [count, correct] = [0, 0];
  for (let i = 0; i < labels.length; i++) {
    if (!has(i)) continue;
    count++;
    if (labels[i] === predicted[i]) correct++;
  }
  if (count === 0) return { slice, count, accuracy: null, low: null, high: null };
  const { low, high } = wilsonInterval(correct, count);
  return { slice, count, accuracy: correct / count, low, high };
}
