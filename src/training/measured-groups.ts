/** The groups whose accuracies are measured, in pools and in the course of training: each has a column of its own. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { classWord, namedAttributes } from "../core/group-axes.ts";
import { mostGroups } from "../core/group-words.ts";
import { type DisjointGroups, type Group, groupsOf } from "../core/grouping.ts";

/** A group by the codes of its class and attributes: whichever groups occur beside it, these are the same. */
export function codesOf({ parts }: Pick<Group, "parts">): number[] {
  return parts.map(({ code }) => code);
}

/** The groups that the class makes with these attributes among some images. */
export function measuredGroups(
  dataset: Pick<Dataset, "name" | "labels" | "classNames" | "attributes">,
  names: readonly string[],
  indices: Uint32Array,
): DisjointGroups {
  const attributes = namedAttributes(dataset, names, { where: dataset.name });
  const groups = groupsOf(dataset, { by: [classWord, ...attributes] }, indices);
  if (groups.sizes.length <= mostGroups) return groups;
  throw new CuelabError({
    kind: "usage",
    what: `${groups.sizes.length.toLocaleString("en")} groups have images, each to have a column of its own`,
    where: dataset.name,
    expected: `at most ${mostGroups}`,
    got: [
      `class (${dataset.classNames.length})`,
      ...attributes.map((name) => `${name} (${dataset.attributes[name]!.valueNames.length})`),
    ].join(" × "),
    todo: "name fewer attributes after --groups",
  });
}
