/** Pictures of an evaluation: what is lost where cues are uncommon, and how groups differ. */

import { dotChart } from "../../charts/dot-chart.ts";
import type { Figure } from "../../core/section.ts";
import { fixedText, percentText } from "../../core/words.ts";
import type { EvaluationReport } from "./evaluation-report.ts";

/** More groups than these are no picture. */
const mostGroups = 40;

export function gapFigure({ gaps, intervals }: EvaluationReport): Figure[] {
  const cells = gaps?.cells.filter(({ gap }) => gap !== null) ?? [];
  if (cells.length === 0) return [];
  const numbers = cells.map(({ uncommon, gap }) => `${uncommon.join(" + ")} ${fixedText(100 * gap!, 1)}`);
  const caption = `Accuracy lost where cues are uncommon, in points, less I.D. accuracy: ${numbers.join(", ")}`;
  return [
    {
      name: "gaps",
      caption,
      draw: () =>
        dotChart({
          description: caption,
          value: { title: "accuracy less I.D. accuracy" },
          reference: { value: 0, label: "no gap" },
          points: cells.map(({ uncommon, gap }) => {
            const { low, high } = intervals[`gaps.${uncommon.join(" + ")}`] ?? {};
            return {
              row: uncommon.join(" + "),
              series: "gap",
              value: gap!,
              low: low ?? undefined,
              high: high ?? undefined,
            };
          }),
        }),
    },
  ];
}

export function groupFigure({ groups, worstGroup, accuracy }: EvaluationReport): Figure[] {
  const measured = groups.filter((group) => group.accuracy !== null);
  if (measured.length < 2 || measured.length > mostGroups) return [];
  const caption =
    `Accuracy of each of ${measured.length} groups; the worst, ${worstGroup.name}, has ` +
    percentText(worstGroup.accuracy!);
  return [
    {
      name: "groups",
      caption,
      draw: () =>
        dotChart({
          description: caption,
          value: { title: "accuracy" },
          marked: worstGroup.name === null ? [] : [worstGroup.name],
          ...(accuracy.samples === null
            ? {}
            : { reference: { value: accuracy.samples, label: "all images" } }),
          points: measured.map(({ name, accuracy: value, low, high }) => ({
            row: name,
            series: "accuracy",
            value: value!,
            low: low ?? undefined,
            high: high ?? undefined,
          })),
        }),
    },
  ];
}
