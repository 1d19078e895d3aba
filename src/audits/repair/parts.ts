/** Four disjoint parts of the images: a head is fitted on one, tuned on another, chosen on the third, and told of on the last. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { groupsOf, spelled } from "../../core/grouping.ts";
import { randomStream } from "../../core/random.ts";

/** In the words of datasets, as training knows them, and in those of people. */
export const partSplits = ["train", "val", "choose", "test"] as const;
export type RepairSplit = (typeof partSplits)[number];
export const partWords: Readonly<Record<RepairSplit, string>> = {
  train: "fit",
  val: "tune",
  choose: "choose",
  test: "report",
};

/** As the four are named. */
const usualShares = [0.4, 0.2, 0.2, 0.2] as const;

/** A group needs as many clusters for one in each part. */
const leastUnits = partSplits.length;

export interface PartsAsked {
  /** Attributes that make groups with the class. */
  groups: readonly string[];
  /** Images of one code stay together: copies of one picture, or what people say belongs together. */
  clusters: ArrayLike<number>;
  shares?: readonly number[] | undefined;
  seed: number;
}

/** Within each group as near to the shares as clusters allow; a cluster belongs to the group that most of its images are of. */
export function parted(
  dataset: Dataset,
  { groups, clusters, shares = usualShares, seed }: PartsAsked,
): Dataset {
  const made = groupsOf(dataset, { by: ["class", ...groups] });
  const random = randomStream(seed, "repair/parts").at(0);
  const units = new Map<number, number[]>();
  for (let image = 0; image < dataset.images.count; image++)
    units.set(clusters[image]!, [...(units.get(clusters[image]!) ?? []), image]);
  const byGroup = new Map<number, number[][]>();
  for (const images of units.values()) {
    const code = commonest(images.map((image) => made.codes[image]!));
    byGroup.set(code, [...(byGroup.get(code) ?? []), images]);
  }
  const values = new Uint8Array(dataset.images.count);
  for (const code of [...byGroup.keys()].sort((a, b) => a - b)) {
    const own = byGroup.get(code)!;
    if (own.length < leastUnits) throw tooFew(spelled(made.group(code), "words"), own.length);
    const images = own.reduce((sum, unit) => sum + unit.length, 0);
    const left = shares.map((share) => share * images);
    for (const [place, at] of random.permutation(own.length).entries()) {
      const unit = own[at]!;
      // Every part gets one unit; then each goes where most is still wanted.
      const part = place < leastUnits ? place : left.indexOf(Math.max(...left));
      left[part] = left[part]! - unit.length;
      for (const image of unit) values[image] = part;
    }
  }
  const { shiftedSplits: _, ...provenance } = dataset.provenance;
  return { ...dataset, splits: { names: [...partSplits], values }, provenance };
}

/** The lowest of equals. */
function commonest(codes: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].toSorted(([a, x], [b, y]) => y - x || a - b)[0]![0];
}

function tooFew(group: string, units: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `a group is too small for four parts: ${group}`,
    expected: `${leastUnits} images or more that do not belong together, one for each of ${Object.values(partWords).join(", ")}`,
    got: String(units),
    todo: "bring more images of it, or name fewer --groups",
  });
}
