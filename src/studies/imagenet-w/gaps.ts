/**
 * Gaps, signed as the paper prints them: changed less original, so that reliance on a shortcut is negative; of the class that the
 * watermark goes with its accuracy with the mark less that without, so that reliance is positive.
 */

import type { MarkedImages, NetworkAnswer, PushedByMark } from "../jobs/predictions-job.ts";
import { type Estimate, less, pairedChange, shareEstimate } from "../pretrained/networks.ts";

/** Of ImageNet: its number among a thousand classes. */
const carton = 478;
const imagenetClasses = 1000;

/** Which class the mark goes with: the one that is named, of ImageNet cartons; undefined where the model has no such class. */
export function markedNumber(
  { classes }: Pick<NetworkAnswer, "classes">,
  name: string | undefined,
): number | undefined {
  const found = classes.findIndex((each) => each.name === name);
  if (name !== undefined) return found < 0 ? undefined : found;
  return classes.length === imagenetClasses ? carton : undefined;
}

export function markOf({ marks }: Pick<NetworkAnswer, "marks">, mark: string): MarkedImages | undefined {
  return marks.find((each) => each.mark === mark);
}

/** IN-W gap. */
export function watermarkGap(answer: NetworkAnswer, mark = "chinese"): Estimate | undefined {
  const marked = markOf(answer, mark);
  return marked && pairedChange({ ...marked, images: answer.images });
}

/** Carton gap; undefined where there is no image of the class. */
export function classGap(answer: NetworkAnswer, number: number, mark = "chinese"): Estimate | undefined {
  const [own, marked] = [answer.classes[number], markOf(answer, mark)?.classes[number]];
  if (own === undefined || marked === undefined || own.images === 0) return undefined;
  return pairedChange({ ...marked, images: own.images });
}

/** ΔP: how much more probable the class becomes by the mark, over all images. */
export function probabilityChange(
  answer: NetworkAnswer,
  number: number,
  mark = "chinese",
): Estimate | undefined {
  const marked = markOf(answer, mark)?.classes[number];
  return marked && { value: marked.change, error: marked.deviation / Math.sqrt(answer.images) };
}

export interface PushedClass extends PushedByMark {
  number: number;
  name: string;
  /** Without the mark. */
  probability: number;
}

/** All classes, those first to which the mark pushes most. */
export function pushedClasses(answer: NetworkAnswer, mark = "chinese"): PushedClass[] {
  const classes = markOf(answer, mark)?.classes ?? [];
  return classes
    .map((each, number) => {
      const { name, probability } = answer.classes[number]!;
      return { ...each, number, name, probability };
    })
    .sort((a, b) => b.change - a.change || a.number - b.number);
}

/** Between two sets of images, such as ImageNet-R less the same classes of ImageNet. */
export function setGap(changed: NetworkAnswer, original: NetworkAnswer): Estimate {
  return less(shareEstimate(changed), shareEstimate(original));
}
