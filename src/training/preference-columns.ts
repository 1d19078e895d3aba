/** Columns of the history that say what validation predictions follow, epoch by epoch. */

import type { DataColumns } from "../core/dataset.ts";
import { type CuePreference, cuePreferenceOf } from "../metrics/cue-preference.ts";
import { preferencePrefix } from "../runs/learning-curves.ts";
import { type Predictions, predictedClasses } from "../runs/predictions.ts";

/** Groups of the same images are found once: last layers are validated thousands of times. */
const known = new WeakMap<Uint32Array, CuePreference | null>();

/** Nothing where no cue names classes. */
export function preferenceColumns(dataset: DataColumns, predictions: Predictions): Record<string, number> {
  const { indices } = predictions;
  let follow = known.get(indices);
  if (follow === undefined) {
    follow = cuePreferenceOf(dataset, indices);
    known.set(indices, follow);
  }
  if (follow === null) return {};
  const shares = Object.entries(follow(predictedClasses(predictions)));
  return Object.fromEntries(shares.map(([name, share]) => [`${preferencePrefix}${name}`, share]));
}
