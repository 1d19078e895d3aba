/** Accuracy over samples: as a metric, and on slices of a table in memory. */

import { wilsonInterval } from "../core/statistics/index.ts";
import { wilson } from "./intervals.ts";
import { defineMetric } from "./metric.ts";

/** Over all images alike, so that it follows the evaluated split's own group sizes. */
export const accuracy = defineMetric({
  name: "accuracy",
  title: "accuracy over samples",
  better: "higher",
  bounds: [0, 1],
  needs: [],
  of: ({ all }) => [
    {
      of: null,
      value: all.count === 0 ? null : all.correct / all.count,
      interval: wilson(all),
      count: all.count,
    },
  ],
});

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
  /** Wilson's 95% interval, over images alone. */
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
