/** Whether a network that a method builds on has learnt anything at all. */

import { percentText } from "../core/words.ts";

/** A remark where the network tells no more images right than naming the largest class would, give or take chance. */
export function chanceNotes(
  predicted: Int32Array,
  labels: Int32Array,
  classes: number,
  who: string,
): string[] {
  const sizes = Array.from({ length: classes }, () => 0);
  for (const label of labels) sizes[label]!++;
  const chance = Math.max(...sizes) / labels.length;
  const accuracy = predicted.reduce((right, k, i) => right + Number(k === labels[i]), 0) / labels.length;
  // Three standard errors: one network in a thousand seems to know something by luck.
  if (accuracy > chance + 3 * Math.sqrt((chance * (1 - chance)) / labels.length)) return [];
  return [
    `${who} tells ${percentText(accuracy)} of these images right, and naming the largest class alone ${percentText(chance)}: it is at chance, and what follows from it means little`,
  ];
}
