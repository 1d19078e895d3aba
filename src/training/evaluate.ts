/** What a model says of whole splits, and how good that is. */

import type { DataColumns } from "../core/dataset.ts";
import type { Weights } from "../methods/method.ts";
import { type Predictions, predictedClasses } from "../runs/predictions.ts";
import type { EvaluationHooks, Evaluator } from "./evaluator.ts";
import { indicesOf } from "./splits.ts";

export interface ValidationScore {
  predictions: Predictions;
  /** Mean cross entropy and accuracy over all images; null without any. */
  loss: number | null;
  accuracy: number | null;
}

/** Undefined where it was asked to stop. */
export async function evaluateSplits(
  splits: readonly string[],
  weights: Weights,
  dataset: DataColumns,
  evaluator: Evaluator,
  hooks: EvaluationHooks = {},
): Promise<ValidationScore | undefined> {
  const lists = splits.map((split) => indicesOf(dataset, split));
  const indices = lists.length === 1 ? lists[0]! : Uint32Array.from(lists.flatMap((list) => [...list]));
  const logits = await evaluator.rows(indices, weights, hooks);
  if (logits === undefined) return undefined;
  return { predictions: { indices, logits }, ...scoresOf(logits, indices, dataset) };
}

/** Mean cross entropy and accuracy of logits [images, classes]; null without any. */
export function scoresOf(
  logits: Float32Array,
  indices: Uint32Array,
  { labels, classNames }: Pick<DataColumns, "labels" | "classNames">,
): Pick<ValidationScore, "loss" | "accuracy"> {
  if (indices.length === 0) return { loss: null, accuracy: null };
  const predicted = predictedClasses({ indices, logits });
  const losses = lossesOf(logits, indices, labels, classNames.length);
  let [loss, correct] = [0, 0];
  for (let row = 0; row < indices.length; row++) {
    loss += losses[row]!;
    if (predicted[row] === labels[indices[row]!]!) correct++;
  }
  return { loss: loss / indices.length, accuracy: correct / indices.length };
}

/** Cross entropy of each of some images of the dataset. */
export function lossesOf(
  logits: Float32Array,
  indices: Uint32Array,
  labels: Uint16Array,
  classes: number,
): Float64Array {
  const losses = new Float64Array(indices.length);
  for (let row = 0; row < indices.length; row++)
    losses[row] = crossEntropyAt(logits, row * classes, classes, labels[indices[row]!]!);
  return losses;
}

/** Of the row that begins at `from`; by loops, since last layers are validated thousands of times. */
function crossEntropyAt(logits: Float32Array, from: number, classes: number, label: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = from; k < from + classes; k++) largest = Math.max(largest, logits[k]!);
  let total = 0;
  for (let k = from; k < from + classes; k++) total += Math.exp(logits[k]! - largest);
  return Math.log(total) + largest - logits[from + label]!;
}
