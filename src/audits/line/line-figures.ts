/** The figures of an audited split: points with the fit, what the fit leaves, and how R settles. */

import { accuracyChart } from "../../charts/accuracy-chart.ts";
import type { ChartSpec } from "../../charts/chart.ts";
import { lineChart } from "../../charts/line-chart.ts";
import { residualChart } from "../../charts/residual-chart.ts";
import { type Scale, toScale } from "../../core/accuracy-scale.ts";
import { fixedText, percentText } from "../../core/words.ts";
import type { AuditedSplit } from "./audit-line.ts";
import { lineBand } from "./band.ts";
import type { LineWarning } from "./warnings.ts";

/** By a short name each; without a title they have the name of the OOD accuracy. */
export function lineFigures(split: AuditedSplit, scale: Scale, given?: string): Record<string, ChartSpec> {
  const { x, y, report } = split;
  const { id, ood, slope, intercept, r, n, name, warnings, convergence } = report;
  const models = `${n.toLocaleString("en")} models`;
  const numbers =
    r === null
      ? models
      : `R ${signed(r)} (${signed(report.rLow!)} to ${signed(report.rHigh!)}), slope ${signed(slope!)}, ${models}: ${report.verdict}`;
  const where = Object.entries(report.group).map(([key, value]) => `${key} ${value}`);
  const title = given ?? [ood, ...where].join(", ");
  const notOneLine = warnings.map(({ kind }) => kind);
  const corners = segmentCorners(x, warnings, scale);
  return {
    line: accuracyChart({
      description: `${name} on a ${scale.transform} scale: ${numbers}`,
      transform: scale.transform,
      segments: corners,
      series: [{ name: ood, x, y, line: lineBand(x, y, report) }],
      title,
      subtitle: notOneLine.length === 0 ? numbers : [numbers, `beware: ${notOneLine.join(", ")}`],
      idTitle: idTitle(id),
      oodTitle: `OOD accuracy: ${ood}`,
    }),
    ...(slope === null || intercept === null
      ? {}
      : {
          residuals: residualChart({
            description: `What the fit of ${name} leaves${r === null ? "" : `: ${percentText(1 - r * r)} of the variance`}`,
            transform: scale.transform,
            points: { x, y },
            slope,
            intercept,
            title,
            subtitle: "distance from the line",
            idTitle: idTitle(id),
            breakAt: corners?.[1].x,
          }),
        }),
    ...(convergence === undefined || convergence.curve.length < 2
      ? {}
      : {
          convergence: lineChart({
            description: `R of ${name} by the number of models`,
            x: { title: "models", format: ",d" },
            y: { title: "Pearson R", format: ".2f" },
            title:
              convergence.enough === null
                ? `${title}: R has not settled`
                : `${title}: ${convergence.enough.toLocaleString("en")} models are enough`,
            points: convergence.curve
              .filter((point) => Number.isFinite(point.r))
              .map(({ count, r, rLow, rHigh }) => ({ x: count, y: r, low: rLow, high: rHigh, series: "R" })),
          }),
        }),
  };
}

/** From the least ID accuracy over the break to the largest, where the line breaks. */
function segmentCorners(
  x: Float64Array,
  warnings: readonly LineWarning[],
  scale: Scale,
): [SegmentCorner, SegmentCorner, SegmentCorner] | undefined {
  const evidence = warnings.find(({ kind }) => kind === "regimes")?.evidence;
  if (evidence === undefined) return undefined;
  const numberOf = (name: string) => evidence[name] as number;
  const [at, height] = [numberOf("breakAt"), numberOf("oodAtBreak")].map((share) =>
    toScale(share, scale),
  ) as [number, number];
  const [least, most] = x.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [
    at,
    at,
  ] as [number, number]);
  return [
    { x: least, y: height - numberOf("slopeBelow") * (at - least) },
    { x: at, y: height },
    { x: most, y: height + numberOf("slopeAbove") * (most - at) },
  ];
}

interface SegmentCorner {
  x: number;
  y: number;
}

export function idTitle(id: readonly string[]): string {
  return `ID accuracy: ${id.length === 1 ? id[0]! : `mean of ${id.length}`}`;
}

export function signed(value: number): string {
  return fixedText(value, 2).replace("-", "−");
}
