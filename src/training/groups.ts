/** Groups of the training images by class and explicit cues, and which cues may be explicit. */

import { cuesOf } from "../core/cue-statistics.ts";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { classWord, namedAttributes } from "../core/group-axes.ts";
import { byAppearance, groupsOf, type NumberedGroups } from "../core/grouping.ts";
import type { Supervision } from "../methods/method.ts";

export interface ExplicitGroups {
  /** Class × explicit cues. */
  groups: NumberedGroups;
  /** The explicit cues alone. */
  bias: NumberedGroups;
}

/**
 * Numbered as they first occur among the training images, and not in the dataset's order: a sampler draws groups by number
 * and a method adds up over them, so that other numbers would be other weights from the same seed.
 */
export function explicitGroups(
  dataset: Pick<Dataset, "labels" | "classNames" | "attributes">,
  explicit: readonly string[],
  rows: Uint32Array,
): ExplicitGroups {
  const numbered = (by: readonly string[]) => byAppearance(groupsOf(dataset, { by }, rows));
  return { bias: numbered(explicit), groups: numbered([classWord, ...explicit]) };
}

/**
 * The cues that a method is told, in the dataset's order, so that equal choices are one run; undefined for a method
 * that may be told none. A dataset's only cue needs no naming.
 */
export function chooseExplicit(
  { name, supervision }: { name: string; supervision: Supervision },
  given: readonly string[] | undefined,
  dataset: Pick<Dataset, "attributes">,
): string[] | undefined {
  const known = Object.keys(dataset.attributes);
  const cues = cuesOf(dataset).map(([cue]) => cue);
  const fail = (what: string, todo: string) =>
    new CuelabError({ kind: "usage", what, expected: listed(cues, known), todo });
  if (supervision.groups === undefined || supervision.groups.length === 0) {
    if (given === undefined) return undefined;
    throw fail(`method "${name}" uses no labels of cues`, "leave --explicit away");
  }
  if (given === undefined && cues.length === 1) return cues;
  const named = namedAttributes(dataset, given ?? [], {
    where: "--explicit",
    datasetOrder: true,
    expected: listed(cues, known),
  });
  if (named.length > 0) return named;
  throw fail(
    `method "${name}" must be told which cues it may see${given?.includes(classWord) ? " beside the class" : ""}`,
    `add --explicit, such as --explicit ${cues.slice(0, 2).join(",") || "place"}`,
  );
}

function listed(cues: readonly string[], known: readonly string[]): string {
  const others = known.filter((name) => !cues.includes(name));
  return `cues: ${cues.join(", ") || "none"}${others.length === 0 ? "" : `; other attributes: ${others.join(", ")}`}`;
}
