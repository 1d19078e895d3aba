/** Networks that say one class whatever they are shown, and what naming one class alone reaches. */

import { percentText } from "./words.ts";

/** Above this share of one class, a network tells hardly anything apart. */
const hardly = 0.99;

/** The class that is most frequent, and how often always naming it is right. */
export function guessOf(labelled: readonly number[]): { code: number; accuracy: number } {
  const total = sumOf(labelled);
  // Holes are classes that do not occur.
  const code = labelled.reduce((best, count, each) => (count > (labelled[best] ?? 0) ? each : best), 0);
  return { code, accuracy: (labelled[code] ?? 0) / total };
}

/** A remark where all predictions, or nearly all, are one class though there are others; counts are by class. */
export function oneClassRemark(
  labelled: readonly number[],
  predicted: readonly number[],
  classNames: readonly string[],
): string | undefined {
  const { code, accuracy: share } = guessOf(predicted);
  if (share < hardly || labelled.filter((count) => count > 0).length < 2) return undefined;
  const [said, frequent] = [`"${classNames[code]}"`, guessOf(labelled)];
  const how =
    share === 1 ? `every prediction is ${said}` : `${percentText(share)} of the predictions are ${said}`;
  const guess = `always saying "${classNames[frequent.code]}" would be right for ${percentText(frequent.accuracy)}`;
  return `${how}: the network tells ${share === 1 ? "nothing" : "hardly anything"} apart; ${guess}`;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
