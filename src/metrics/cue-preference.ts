/** How often predictions follow the object, and how often each cue: what a network leans on while it learns. */

import type { Dataset } from "../core/dataset.ts";
import { classWord } from "../core/group-axes.ts";
import { groupsOf } from "../core/grouping.ts";
import { mostAlignedCues } from "./alignment.ts";

type LabelledColumns = Pick<Dataset, "labels" | "classNames" | "attributes">;

/** Weights of images, equal for all groups, and the class that each image's cue, or label, names. */
interface Follower {
  /** `class`, or a cue. */
  name: string;
  named: Int32Array;
  weights: Float64Array;
}

export type CuePreference = (predicted: ArrayLike<number>) => Record<string, number>;

/**
 * Of some images, a function from their predictions to the share that equals the true class, and the class that each cue's value names:
 * Li et al. 2023, Fig. 6. Groups of class and cues count the same, as in balanced data; of more cues than can be crossed, each by
 * itself. Null where no cue's values name classes one to one.
 */
export function cuePreferenceOf(dataset: LabelledColumns, indices: Uint32Array): CuePreference | null {
  const cues = Object.entries(dataset.attributes).filter(
    ([, { role, classValues }]) =>
      role === "cue" && classValues !== undefined && new Set(classValues).size === classValues.length,
  );
  if (cues.length === 0 || indices.length === 0) return null;
  const names = cues.map(([name]) => name);
  const crossed = names.length <= mostAlignedCues;
  const weightsOf = (by: readonly string[]) => equalWeights(dataset, by, indices);
  const together = weightsOf(crossed ? names : []);
  const followers: Follower[] = [
    { name: classWord, named: Int32Array.from(indices, (i) => dataset.labels[i]!), weights: together },
    ...cues.map(([name, { values, classValues }]) => ({
      name,
      // A value that goes with no class names none: nothing equals −1.
      named: Int32Array.from(indices, (i) => classValues!.indexOf(values[i]!)),
      weights: crossed ? together : weightsOf([name]),
    })),
  ];
  return (predicted) => Object.fromEntries(followers.map((each) => [each.name, followed(each, predicted)]));
}

function followed({ named, weights }: Follower, predicted: ArrayLike<number>): number {
  let sum = 0;
  for (let row = 0; row < named.length; row++) if (predicted[row] === named[row]) sum += weights[row]!;
  return sum;
}

/** Every group of class and these attributes has one weight in all, and all weights add up to one. */
function equalWeights(dataset: LabelledColumns, by: readonly string[], indices: Uint32Array): Float64Array {
  const { codes, sizes } = groupsOf(dataset, { by: [classWord, ...by] }, indices);
  return Float64Array.from(codes, (code) => 1 / (sizes.length * sizes[code]!));
}
