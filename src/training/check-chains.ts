/** Whether the views of a plan can have what they need: refused by name before anything is made. */

import type { Boxes, Dataset, ImageShape, SideImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { type Recipe, recipeOf } from "../images/recipe.ts";
import { Chain, type ViewNeed } from "../views/chain.ts";
import type { ViewUse } from "../views/view.ts";
import { type BatchPlan, mixingOf } from "./make-batch.ts";

/** Pictures and boxes that views may be handed. */
export interface Allowed {
  sides: readonly string[];
  boxes: readonly string[];
}

/** What a run's own views read, since whoever names a view there wants it to. */
export function allowedBy(uses: readonly ViewUse[]): Allowed {
  const { needs } = new Chain(uses);
  const named = (kind: ViewNeed["kind"]) =>
    needs.filter((need) => need.kind === kind).map(({ name }) => name);
  return { sides: named("side"), boxes: named("box") };
}

export type ViewedData = Pick<Dataset, "name" | "images" | "sideImages" | "boxes" | "labels">;

export function checkChains(
  { views, part, mean }: Pick<BatchPlan, "views" | "part" | "mean">,
  dataset: ViewedData,
  allowed: Allowed,
): void {
  const chains = Object.values(views).map((uses) => new Chain(uses));
  mixingOf(chains);
  for (const chain of chains) {
    for (const need of chain.needs) checkNeed(need, dataset, allowed);
    const chooser = chain.partners.get("other-class");
    if (chooser !== undefined) checkClasses(chooser, part, dataset);
    if (chain.wantsMean !== undefined && mean === undefined)
      throw new CuelabError({
        kind: "failure",
        what: `view "${chain.wantsMean}" wants the mean of the training images, which it is not given`,
      });
  }
}

function checkNeed(need: ViewNeed, dataset: ViewedData, { sides, boxes }: Allowed): void {
  const { view, kind, name } = need;
  const words = { side: "side image", box: "box" }[kind];
  const there: Readonly<Record<string, SideImages | Boxes>> =
    (kind === "side" ? dataset.sideImages : dataset.boxes) ?? {};
  const names = Object.keys(there);
  const found = there[name];
  if (found === undefined)
    throw new CuelabError({
      kind: "input",
      what: `view "${view}" needs the ${words} "${name}", which the dataset does not have`,
      where: dataset.name,
      expected: names.length === 0 ? `a dataset with ${words}s` : `one of: ${names.join(", ")}`,
      ...didYouMean(name, names, "name another in the view's settings, or use a dataset that has it"),
    });
  const handed = kind === "side" ? sides : boxes;
  if (!handed.includes(name))
    throw new CuelabError({
      kind: "failure",
      what: `view "${view}" needs the ${words} "${name}", which is not handed over`,
      where: dataset.name,
      expected: handed.length === 0 ? "no pictures or boxes at all" : `one of: ${handed.join(", ")}`,
      todo: "name it in the method's supervision",
    });
  if ("shape" in found) checkSize(view, name, found.shape, dataset.images.shape!);
  const [own, images] = [recipeOf(found), recipeOf(dataset.images)];
  if (own === undefined || images === undefined || !comeTogether(own, images))
    throw new CuelabError({
      kind: "failure",
      what: `the ${words} "${name}" does not come from where the images come from, so no other thread can have it`,
      where: dataset.name,
      todo: "write the dataset first, and train on what was written",
    });
}

function checkSize(view: string, name: string, side: ImageShape, image: ImageShape): void {
  if (side.height === image.height && side.width === image.width) return;
  throw new CuelabError({
    kind: "input",
    what: `view "${view}" needs the side image "${name}" in the size of the images`,
    expected: `${image.height} × ${image.width}`,
    got: `${side.height} × ${side.width}`,
  });
}

function checkClasses(view: string, part: Uint32Array, { name, labels }: ViewedData): void {
  const first = labels[part[0]!];
  if (part.some((index) => labels[index] !== first)) return;
  throw new CuelabError({
    kind: "input",
    what: `view "${view}" needs partners of another class, and there is one class only`,
    where: name,
    todo: "leave the view away",
  });
}

/** Whether both are parts of one dataset, but for changes that are of images alone. */
function comeTogether(a: Recipe, b: Recipe): boolean {
  if (a === b) return true;
  if (a.kind === "sized" || a.kind === "changed") return comeTogether(a.of, b);
  if (b.kind === "sized" || b.kind === "changed") return comeTogether(a, b.of);
  return a.kind === "some" && b.kind === "some" && a.indices === b.indices && comeTogether(a.of, b.of);
}
