/** What the images behind accuracies say about a fit: whether ID and OOD share some, and whether there are enough. */

import { CuelabError } from "../../core/errors.ts";
import { firstNames } from "../../core/group-words.ts";
import type { MeasuredEnvironment } from "../../predictions/accuracies/column-table.ts";
import type { LineLayout } from "./layout.ts";

/** Of fewer images an accuracy has steps of more than 3%, and a model's luck decides where it lies. */
const fewest = 30;

/** Remarks about the accuracies that are fitted; throws where a fit would be one of images on themselves. */
export function imageRemarks(
  layout: LineLayout,
  environments: readonly MeasuredEnvironment[] | undefined,
): string[] {
  if (environments === undefined || layout.kind !== "wide") return [];
  const sets = environments.flatMap(({ name, images, groups }) => {
    const splits = splitsOf(name, environments);
    return [{ column: name, images, splits }, ...groups.map((group) => ({ ...group, splits }))];
  });
  const known = new Map(sets.map((set) => [set.column, set]));
  const splitsBehind = (column: string) => known.get(column)?.splits ?? [];
  for (const { id, ood } of layout.pairs) {
    for (const one of id) {
      const shared = splitsBehind(one).filter((split) => splitsBehind(ood).includes(split));
      if (shared.length > 0) throw sameImages(one, ood, shared);
    }
  }
  const used = new Set(layout.pairs.flatMap(({ id, ood }) => [...id, ood]));
  return fewImages(sets.filter(({ column }) => used.has(column)));
}

/** A remark where accuracies are of few images; columns without any are not fitted. */
export function fewImages(sets: readonly { column: string; images: number }[]): string[] {
  const few = sets.filter(({ images }) => images > 0 && images < fewest);
  if (few.length === 0) return [];
  const names = few.map(({ column, images }) => `${column} (${images})`);
  return [
    `accuracies of fewer than ${fewest} images move in coarse steps, so read their fits with care: ${firstNames(names)}`,
  ];
}

/** Of `val+test` both. */
function splitsOf(name: string, environments: readonly MeasuredEnvironment[]): string[] {
  const parts = name.split("+");
  return parts.every((part) => environments.some((other) => other.name === part)) ? parts : [name];
}

function sameImages(id: string, ood: string, shared: readonly string[]): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "--ood needs other images than --id",
    expected: "splits that are ID or OOD, not both",
    got: `${id} as ID and ${ood} as OOD, which both hold ${shared.join(", ")}`,
  });
}
