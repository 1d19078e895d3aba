/** Pictures of an audit of a model: what each intervention costs beside its control, and what marks add to classes. */

import { dotChart } from "../../charts/dot-chart.ts";
import { type Figure, pointsCell } from "../../core/section.ts";
import type { MarkedAnswer, VariantAnswer } from "./answer.ts";
import { strongest } from "./in-short.ts";
import { verdictText } from "./verdict-words.ts";

const width = 420;

export function relianceFigure(variants: readonly VariantAnswer[], labelled: boolean): Figure[] {
  const shown = strongest(variants);
  if (shown.length === 0) return [];
  const what = labelled
    ? "accuracy less the plain images'"
    : "agreement with the plain images' predictions, less 100%";
  const numbers = shown.map(
    (one) =>
      `${one.intervention} ${pointsCell(one.gap!.value).text} (control ${pointsCell(one.controlGap!.value).text}, ${verdictText(one)})`,
  );
  const caption = `${upper(what)}, in points, by the intervention and by its control, with 95% intervals over images; of several variants the one that costs most beyond its control: ${numbers.join(", ")}`;
  const bar = (one: VariantAnswer, series: string, gap: VariantAnswer["gap"]) => ({
    row: one.intervention,
    series,
    value: gap!.value,
    low: gap!.low,
    high: gap!.high,
  });
  return [
    {
      name: "reliance",
      caption,
      draw: () =>
        dotChart({
          description: caption,
          width,
          value: { title: what },
          reference: { value: 0, label: "plain" },
          marked: shown
            .filter(({ verdict }) => verdict === "reliance")
            .map(({ intervention }) => intervention),
          points: shown.flatMap((one) => [
            bar(one, "intervention", one.gap),
            bar(one, "its control", one.controlGap),
          ]),
        }),
    },
  ];
}

const mostClasses = 12;

export function marksFigure({ classes }: MarkedAnswer): Figure[] {
  const shown = classes.slice(0, mostClasses);
  const caption =
    "What marks add to the mean probability of classes beyond their controls, in points, each class by the mark that it gains most by, with 95% " +
    `intervals, not adjusted: ${shown.map((one) => `${one.class} ${pointsCell(one.lessControl.value).text}`).join(", ")}`;
  return [
    {
      name: "marks",
      caption,
      draw: () =>
        dotChart({
          description: caption,
          width,
          value: { title: "probability less the control's" },
          reference: { value: 0 },
          marked: shown.filter(({ found }) => found).map((one) => one.class),
          points: shown.map((one) => ({ row: one.class, series: "gain", ...one.lessControl })),
        }),
    },
  ];
}

function upper(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
