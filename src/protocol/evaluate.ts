/** Runs a network over whole splits. */

import type { Dataset } from "../core/dataset.ts";
import type { Executable } from "../engine/executable.ts";
import { State } from "../engine/state.ts";
import { type Predictions, predictedClasses } from "../store/predictions.ts";
import type { BatchFeed } from "./batch-feed.ts";
import { indicesOf } from "./splits.ts";

export interface Evaluation {
  predictions: Predictions;
  /** Mean cross entropy and accuracy over all images; null without any. */
  loss: number | null;
  accuracy: number | null;
}

export interface EvaluationParts {
  dataset: Dataset;
  evaluation: Executable;
  feed: BatchFeed;
  batchSize: number;
}

export interface EvaluationHooks {
  onEvaluation?(progress: EvaluationProgress): void;
  /** Asked between batches. */
  shouldStop?(): boolean;
}

export interface EvaluationProgress {
  images: number;
  totalImages: number;
}

/** Undefined where it was asked to stop. */
export async function evaluateSplits(
  splits: readonly string[],
  weights: ReadonlyMap<string, Float32Array>,
  { dataset, evaluation, feed, batchSize }: EvaluationParts,
  hooks: EvaluationHooks = {},
): Promise<Evaluation | undefined> {
  const state = new State();
  for (const [name, data] of weights) state.set(name, data);
  const indices = Uint32Array.from(splits.flatMap((split) => [...indicesOf(dataset, split)]));
  const classes = dataset.classNames.length;
  const logits = new Float32Array(indices.length * classes);
  const requests = Array.from({ length: Math.ceil(indices.length / batchSize) }, (_, b) => ({
    // The last batch is filled up with its last image, whose further answers are not used.
    indices: Uint32Array.from(
      { length: batchSize },
      (_, i) => indices[Math.min(b * batchSize + i, indices.length - 1)]!,
    ),
  }));
  let done = 0;
  for await (const { images } of feed.batches(requests)) {
    const { logits: answers } = await evaluation.run({ images }, { state });
    const used = Math.min(batchSize, indices.length - done);
    logits.set((answers as Float32Array).subarray(0, used * classes), done * classes);
    done += used;
    hooks.onEvaluation?.({ images: done, totalImages: indices.length });
    if (done < indices.length && hooks.shouldStop?.()) return undefined;
  }
  return { predictions: { indices, logits }, ...scoresOf(logits, indices, dataset) };
}

/** Mean cross entropy and accuracy of logits [images, classes]; null without any. */
export function scoresOf(
  logits: Float32Array,
  indices: Uint32Array,
  { labels, classNames }: Pick<Dataset, "labels" | "classNames">,
): Pick<Evaluation, "loss" | "accuracy"> {
  if (indices.length === 0) return { loss: null, accuracy: null };
  const classes = classNames.length;
  const predicted = predictedClasses({ indices, logits });
  let [loss, correct] = [0, 0];
  for (let row = 0; row < indices.length; row++) {
    const label = labels[indices[row]!]!;
    loss += crossEntropyOf(logits.subarray(row * classes, (row + 1) * classes), label);
    if (predicted[row] === label) correct++;
  }
  return { loss: loss / indices.length, accuracy: correct / indices.length };
}

function crossEntropyOf(logits: Float32Array, label: number): number {
  const largest = Math.max(...logits);
  let total = 0;
  for (const logit of logits) total += Math.exp(logit - largest);
  return Math.log(total) + largest - logits[label]!;
}
