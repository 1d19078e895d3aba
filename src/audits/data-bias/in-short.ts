/** Where objects are, and how large, in a sentence or two. */

import { mean } from "../../core/statistics/index.ts";
import { percentText } from "../../core/words.ts";
import type { DataBiasAnswer } from "./audit.ts";

export function dataBiasInShort({ bias: { classes }, comparison }: DataBiasAnswer): string[] {
  const [most, least] = [classes[0], classes.at(-1)];
  if (most === undefined || least === undefined) return [];
  const centre = mean(classes.map((one) => one.centre)).toFixed(2);
  const size = percentText(mean(classes.map((one) => one.size)));
  return [
    `An object is ${centre} centred (0.5 at the border, 1 in the middle) and takes up ${size} of its image, on average over classes.`,
    ...(classes.length < 2
      ? []
      : [
          `Most in the middle and largest: ${most.name} (${most.centre.toFixed(2)}, ${percentText(most.size)}); ` +
            `least: ${least.name} (${least.centre.toFixed(2)}, ${percentText(least.size)}).`,
        ]),
    ...(comparison?.correlations ?? [])
      .filter(({ score }) => score === "product")
      .map(
        ({ kendall: { tau, pValue } }) =>
          `Between both scores and accuracy on backgrounds alone: Kendall's τ = ${tau.toFixed(2)}, p = ${pValue.toPrecision(2)}.`,
      ),
  ];
}
