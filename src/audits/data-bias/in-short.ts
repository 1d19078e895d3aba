/** Where objects are, and how large, in a sentence or two. */

import { mean } from "../../core/statistics/index.ts";
import { fixedText, listText, percentText } from "../../core/words.ts";
import type { DataBiasAnswer } from "./audit.ts";
import type { ClassBias } from "./measure.ts";

const mostNamed = 3;

export function dataBiasInShort({ bias: { classes }, comparison, agreement }: DataBiasAnswer): string[] {
  const [most, least] = [classes[0], classes.at(-1)];
  if (most === undefined || least === undefined) return [];
  const centre = mean(classes.map((one) => one.centre)).toFixed(2);
  const size = percentText(mean(classes.map((one) => one.size)));
  return [
    `An object is ${centre} centred (0.5 at the border, 1 in the middle) and takes up ${size} of its image, on average over classes.`,
    ...(classes.length < 2 ? [] : [extremes(classes, most, least)]),
    ...(comparison?.correlations ?? [])
      .filter(({ score }) => score === "product")
      .map(
        ({ kendall: { tau, pValue } }) =>
          `Between both scores and accuracy on backgrounds alone: Kendall's τ = ${fixedText(tau, 2)}, p = ${pValue.toPrecision(2)}.`,
      ),
    ...(agreement === undefined
      ? []
      : [
          `The other boxes cover the same area to ${percentText(agreement.iou)} (IoU, mean over classes); ${agreement.below} of ` +
            `${agreement.classes.length} classes are below ${percentText(agreement.threshold)}.`,
        ]),
  ];
}

/** Classes that look alike here are named together, and none stands out where all are. */
function extremes(classes: readonly ClassBias[], most: ClassBias, least: ClassBias): string {
  const shown = ({ centre, size }: ClassBias) => `${centre.toFixed(2)}, ${percentText(size)}`;
  if (classes.every((one) => shown(one) === shown(most))) return "All classes are alike in both.";
  const alike = (wanted: ClassBias) =>
    listText(
      classes.filter((one) => shown(one) === shown(wanted)).map(({ name }) => name),
      mostNamed,
    );
  return `Most in the middle and largest: ${alike(most)} (${shown(most)}); least: ${alike(least)} (${shown(least)}).`;
}
