/** Looks at what a model says while it says it: whether that looks as if its pictures were made ready in another way than it knows. */

import type { Dataset } from "../../core/dataset.ts";
import { percentText } from "../../core/words.ts";
import { accuracyOf } from "../../metrics/accuracy.ts";
import type { Predictions } from "../../runs/predictions.ts";
import type { AskedModel } from "./asked-model.ts";
import { assumed } from "./preparation.ts";

/** Fewer images tell nothing. */
const fewest = 20;

/** An accuracy from which on nobody need wonder why a model is sure. */
const surelyRight = 0.8;

/** A probability that no softmax of moderate logits has. */
const sure = 0.9999;

interface Said {
  indices: Uint32Array;
  predicted: Uint16Array;
  dataset: Dataset;
  labelled: boolean;
}

export class OutputWatch {
  #first: Float32Array | undefined;
  #images = 0;
  #same = 0;
  #sure = 0;
  #broken = 0;

  add({ indices, logits }: Predictions): void {
    const classes = logits.length / indices.length;
    for (let row = 0; row < indices.length; row++) {
      const own = logits.subarray(row * classes, (row + 1) * classes);
      this.#first ??= own.slice();
      const first = this.#first;
      if (own.every((logit, k) => Math.abs(logit - first[k]!) <= 1e-6 * Math.abs(first[k]!))) this.#same++;
      const largest = own.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
      const sum = own.reduce((all, logit) => all + Math.exp(logit - largest), 0);
      if (Number.isNaN(sum)) this.#broken++;
      else if (1 / sum > sure) this.#sure++;
      this.#images++;
    }
  }

  remarks({ indices, predicted, dataset, labelled }: Said, { preparation }: AskedModel): string[] {
    const images = this.#images;
    const found: string[] = [];
    const guesses =
      preparation?.said.filter(({ from }) => from === assumed).map(({ part, how }) => `${part}: ${how}`) ??
      [];
    const guess = guesses.length > 0 ? `; assumed was ${guesses.join("; ")}` : "";
    if (this.#broken > 0) found.push(`${this.#broken} images have logits that are no numbers${guess}`);
    if (images < fewest) return found;
    const measured = labelled ? measuredOf({ indices, predicted, dataset }) : undefined;
    // Whoever is right may be sure.
    const isRight = (measured?.low ?? 0) > surelyRight;
    if (this.#same === images)
      found.push(`the model says the same of every image: does it see them at all?${guess}`);
    else if (new Set(predicted).size === 1)
      found.push(`every image is said to be "${dataset.classNames[predicted[0]!]}"${guess}`);
    else if (preparation !== undefined && !isRight && this.#sure > 0.95 * images)
      found.push(
        `nearly every answer is as sure as can be (${percentText(this.#sure / images)} above ${sure}): its inputs may be far larger than it knows${guess}`,
      );
    if (measured === undefined || preparation === undefined) return found;
    const { accuracy, low, most, classes } = measured;
    if (low === null || low > most || classes < 2) return found;
    return [
      ...found,
      `accuracy ${percentText(accuracy!)} is not surely above what one class alone would give (${percentText(most)}): are the classes in the model's order, and its pictures made ready as it knows them${guess}?`,
    ];
  }
}

/** Accuracy beside the share of the most frequent class. */
function measuredOf({ indices, predicted, dataset }: Omit<Said, "labelled">) {
  const labels = Uint16Array.from(indices, (i) => dataset.labels[i]!);
  const counts = new Uint32Array(dataset.classNames.length);
  for (const label of labels) counts[label]!++;
  const most = counts.reduce((a, b) => Math.max(a, b)) / indices.length;
  const classes = counts.filter((count) => count > 0).length;
  return { ...accuracyOf("all", { labels, predicted }, () => true), most, classes };
}
