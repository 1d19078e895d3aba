/** Which interventions can be made on these images, and of the others why not. */

import type { Dataset, ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import type { BesideImages, ThingSource } from "./asked-images.ts";
import { interventions } from "./interventions/index.ts";
import type { ImageNeed, Intervention, InterventionSettings, Variant } from "./interventions/intervention.ts";

export interface PlannedVariant {
  intervention: Intervention;
  variant: Variant;
  /** Of all variants, such as `watermark: korean, top`. */
  title: string;
}

export interface InterventionPlan {
  variants: readonly PlannedVariant[];
  notDone: readonly { intervention: string; why: string }[];
}

/** Room for a line of text. */
const leastRoom = 25;

export function planInterventions(
  dataset: Dataset,
  beside: BesideImages,
  wanted: readonly string[] | undefined,
  thing: ThingSource | undefined,
  settings: InterventionSettings,
): InterventionPlan {
  const chosen = wanted === undefined ? interventions.entries : wanted.map((name) => interventions.get(name));
  const missing = missingOf(dataset.images.shape!, beside, thing);
  const planned: PlannedVariant[] = [];
  const notDone: { intervention: string; why: string }[] = [];
  for (const intervention of new Set(chosen)) {
    const why = intervention.needs.map((need) => missing[need]).find((reason) => reason !== undefined);
    if (why !== undefined) notDone.push({ intervention: intervention.name, why });
    else
      for (const variant of intervention.variants(settings))
        planned.push({ intervention, variant, title: `${intervention.name}: ${variant.name}` });
  }
  if (planned.length > 0) return { variants: planned, notDone };
  throw new CuelabError({
    kind: "usage",
    what: "none of the interventions can be made on these images",
    where: dataset.name,
    got: notDone.map(({ intervention, why }) => `${intervention}: ${why}`).join("; "),
  });
}

function missingOf(
  { height, width, channels }: ImageShape,
  { sideImages }: BesideImages,
  thing: ThingSource | undefined,
): Record<ImageNeed, string | undefined> {
  return {
    thing: thing === undefined ? "no masks and no boxes of the main thing are given" : undefined,
    mask: thing === undefined || !("mask" in thing) ? "no masks of the main thing are given" : undefined,
    stylised: sideImages?.stylised === undefined ? "no stylised copies are given" : undefined,
    colour: channels === 3 ? undefined : "the images have no three colours",
    room: Math.min(height, width) >= leastRoom ? undefined : `images are smaller than ${leastRoom} pixels`,
  };
}

/** What is named, else what there is: masks before boxes, the first of each, or one that is called object or mask. */
export function chooseSource(
  { sideImages = {}, boxes = {}, shape, sizeOf }: BesideImages,
  mask: string | undefined,
  box: string | undefined,
): ThingSource | undefined {
  if (mask !== undefined && box !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: "the main thing is told by a mask or by a box, not by both",
    });
  const known = (names: readonly string[], wanted: string, what: string) => {
    if (names.includes(wanted)) return wanted;
    throw new CuelabError({
      kind: "usage",
      what: `there is no ${what} "${wanted}"`,
      expected: names.length === 0 ? "a dataset that has some" : `one of: ${names.join(", ")}`,
    });
  };
  if (mask !== undefined) return { mask: known(Object.keys(sideImages), mask, "mask") };
  if (box !== undefined) return { box: known(Object.keys(boxes), box, "box") };
  const named = usualMasks.find((name) => sideImages[name]?.shape.channels === 1);
  if (named !== undefined) return { mask: named };
  const boxNames = Object.keys(boxes);
  const found = boxNames.includes("object") ? "object" : boxNames[0];
  if (shape === null && sizeOf === undefined) return undefined;
  return found === undefined ? undefined : { box: found };
}

const usualMasks = ["mask", "object_mask", "object"];
