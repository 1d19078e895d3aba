/** Four disjoint parts of the images: a head is fitted on one, tuned on another, chosen on the third, and told of on the last. */

import type { Dataset } from "../../core/dataset.ts";
import { groupsOf, spelled } from "../../core/grouping.ts";
import { randomStream } from "../../core/random.ts";
import { partsByGroup } from "../parts-by-group.ts";

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

interface RepairParts {
  /** Attributes that make groups with the class. */
  groups: readonly string[];
  /** Images of one code stay together: copies of one picture, or what people say belongs together. */
  clusters: ArrayLike<number>;
  shares?: readonly number[] | undefined;
  seed: number;
}

export function parted(
  dataset: Dataset,
  { groups, clusters, shares = usualShares, seed }: RepairParts,
): Dataset {
  const made = groupsOf(dataset, { by: ["class", ...groups] });
  const parts = partsByGroup({
    groups: made.codes,
    clusters,
    shares,
    least: 1,
    random: randomStream(seed, "repair/parts").at(0),
    groupOf: (image) => spelled(made.group(made.codes[image]!), "words"),
    todo: "bring more images of it, or name fewer --groups",
  });
  const values = new Uint8Array(dataset.images.count);
  for (const [part, places] of parts.entries()) for (const image of places) values[image] = part;
  const { shiftedSplits: _, ...provenance } = dataset.provenance;
  return { ...dataset, splits: { names: [...partSplits], values }, provenance };
}
