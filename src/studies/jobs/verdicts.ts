/** From a model's logits to what it says: the class, and the probability of each. */

import { CuelabError } from "../../core/errors.ts";

/**
 * For each number that a model gives: the class that it counts for, of which several may be one; null for something else than all of
 * these, which may win and is wrong; undefined where it is left out as if the model did not know it.
 */
export type CountsFor = readonly (number | null | undefined)[];

export interface ImageVerdict {
  /** Undefined where it says something else than all classes. */
  predicted: number | undefined;
  probabilities: Float64Array;
}

export function verdicts(
  logits: Float32Array,
  images: number,
  countsFor: CountsFor,
  classes: number,
): ImageVerdict[] {
  const width = countsFor.length;
  if (logits.length !== images * width)
    throw new CuelabError({
      kind: "input",
      what: "the model tells another number of classes apart than is known of",
      expected: `${width} numbers an image`,
      got: `${logits.length / images}`,
    });
  const left = [...countsFor.keys()].filter((i) => countsFor[i] !== undefined);
  return Array.from({ length: images }, (_, image) => {
    const row = logits.subarray(image * width, (image + 1) * width);
    let best = left[0]!;
    for (const i of left) if (row[i]! > row[best]!) best = i;
    const highest = row[best]!;
    if (!Number.isFinite(highest))
      throw new CuelabError({ kind: "input", what: "the model gives numbers that are none" });
    const probabilities = new Float64Array(classes);
    let total = 0;
    for (const i of left) {
      const weight = Math.exp(row[i]! - highest);
      total += weight;
      const counted = countsFor[i];
      if (typeof counted === "number") probabilities[counted]! += weight;
    }
    for (let c = 0; c < classes; c++) probabilities[c]! /= total;
    return { predicted: countsFor[best] ?? undefined, probabilities };
  });
}
