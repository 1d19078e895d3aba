/**
 * Which components do harm: taking one away must raise the mean accuracy over classes by more than if every image that changes
 * might as well have changed the other way. The largest of all components counts, so that looking at many finds nothing by itself.
 */

import { randomStream } from "../../core/random.ts";
import { signFlipTest } from "../../core/statistics/index.ts";

export interface CandidateComponent {
  class: number;
  k: number;
  /** To the logit of its class, an image. */
  adds: Float64Array;
}

export interface JudgedCandidate {
  class: number;
  k: number;
  /** Of the mean accuracy over classes, when it is taken away. */
  gain: number;
  /** Against the largest change of all by chance; either way. */
  pValue: number;
}

const flips = 1999;

export function judgeCandidates(
  logits: Float32Array,
  labels: ArrayLike<number>,
  classes: number,
  candidates: readonly CandidateComponent[],
  seed: number,
): JudgedCandidate[] {
  const sizes = new Float64Array(classes);
  for (let i = 0; i < labels.length; i++) sizes[labels[i]!]!++;
  const present = sizes.filter((size) => size > 0).length;
  const changes = Array.from({ length: labels.length }, (_, i) => {
    const row = logits.subarray(i * classes, (i + 1) * classes);
    const label = labels[i]!;
    const weight = 1 / sizes[label]! / present;
    return candidates.map(({ class: of, adds }) => {
      const before = row.indexOf(Math.max(...row)) === label;
      const after = largestWith(row, of, row[of]! - adds[i]!) === label;
      return weight * (Number(after) - Number(before));
    });
  });
  const random = randomStream(seed, "components/choose").at(0);
  const { adjusted } = signFlipTest(changes, { random, flips });
  return candidates.map((one, c) => ({
    class: one.class,
    k: one.k,
    gain: changes.reduce((total, change) => total + change[c]!, 0),
    pValue: adjusted[c]!,
  }));
}

/** The largest of a row, in which one has another value; the first of equals. */
function largestWith(row: Float32Array, other: number, value: number): number {
  let at = 0;
  const valueAt = (c: number) => (c === other ? value : row[c]!);
  for (let c = 1; c < row.length; c++) if (valueAt(c) > valueAt(at)) at = c;
  return at;
}
