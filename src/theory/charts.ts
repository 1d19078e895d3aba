/** Figures of the simulator: accuracy against the alignment of the cue, ID against OOD accuracy, and theorem 3's shares. */

import type { ChartSpec } from "../charts/chart.ts";
import { lineChart } from "../charts/line-chart.ts";
import { legendAbove, referenceLayers, seriesEncoding, valueAxis } from "../charts/parts.ts";
import { chartInk, seriesColours } from "../charts/style.ts";
import { paperScale, toScale } from "../core/accuracy-scale.ts";
import { percentText } from "../core/words.ts";
import type { EpsilonRow, Share, ShareReport } from "./share.ts";
import type { ShiftReport, SimulationReport } from "./simulate.ts";

const generalName = "domain-general features alone";
const specificName = "all features";

/** Figure 2: accuracy of both classifiers on every test domain, sampled (dots) and by formula (strokes). */
export function alignmentChart(report: SimulationReport, title: string): ChartSpec {
  const width = 560;
  const points = report.shifts.flatMap(({ theoremOne: { reversal }, general, specific }) => [
    { x: reversal, series: generalName, value: general.sampled, exact: general.exact },
    { x: reversal, series: specificName, value: specific.sampled, exact: specific.exact },
  ]);
  const x = {
    field: "x",
    type: "quantitative",
    axis: { title: "w·Mμ: below 0 the spurious features point the wrong way", format: "~r" },
    scale: { zero: false, nice: true },
  };
  const y = valueAxis({ title: "accuracy on the test domain", domain: [0, 1] });
  const series = [generalName, specificName];
  const colours = seriesEncoding(series, { shape: true, legend: legendAbove(undefined, width) });
  return {
    description: `${title}. ${inWords(report)}`,
    title,
    width,
    height: 300,
    data: { values: points },
    layer: [
      ...referenceLayers("x", { value: 0 }),
      {
        mark: { type: "point", filled: true, size: 45, opacity: 0.55 },
        encoding: { x, y: { ...y, field: "value" }, ...colours },
      },
      {
        mark: { type: "tick", thickness: 1.5, size: 11, orient: "horizontal" },
        encoding: { x, y: { ...y, field: "exact" }, color: colours.color },
      },
    ],
  } as unknown as ChartSpec;
}

function inWords({ shifts }: SimulationReport): string {
  const reversed = shifts.filter(({ theoremOne }) => theoremOne.reversal < 0);
  const others = shifts.filter(({ theoremOne }) => theoremOne.reversal >= 0);
  const well = (some: readonly ShiftReport[]) => some.filter(({ wellSpecified }) => wellSpecified).length;
  return (
    `Of ${reversed.length} test domains with the cue reversed the domain-general classifier is better on ` +
    `${well(reversed)}, of ${others.length} others on ${well(others)}.`
  );
}

export interface LinePanel {
  title: string;
  shift: ShiftReport;
}

/** Figure 3: ID against OOD accuracy of the family on the probit scale, one panel a shift. */
export function familyChart(panels: readonly LinePanel[]): ChartSpec {
  const probit = (share: number) => toScale(share, paperScale);
  const ticks = [0.01, 0.1, 0.5, 0.9, 0.99];
  const labels = ticks.map((share) => `abs(datum.value - ${probit(share)}) < 1e-6 ? '${100 * share}%'`);
  const axis = (title: string) => ({
    title,
    values: ticks.map(probit),
    labelExpr: `${labels.join(" : ")} : ''`,
    labelOverlap: false,
  });
  const domain = [probit(0.01) - 0.1, probit(0.99) + 0.1];
  const place = (field: string, title: string) => ({
    field,
    type: "quantitative",
    axis: axis(title),
    scale: { domain, nice: false, zero: false },
  });
  return {
    description: panels
      .map(({ title, shift }) => `${title}: R ${(shift.line.r ?? Number.NaN).toFixed(2)}.`)
      .join(" "),
    hconcat: panels.map(({ title, shift: { points, line } }, i) => ({
      title: { text: title, subtitle: `R = ${line.r === null ? "–" : line.r.toFixed(2)}, ${line.verdict}` },
      width: 210,
      height: 210,
      layer: [
        {
          data: { values: [{ x: domain[0], y: domain[0], x2: domain[1], y2: domain[1] }] },
          mark: { type: "rule", color: chartInk.quiet, strokeWidth: 1, strokeDash: [3, 3] },
          encoding: {
            x: place("x", "in-distribution accuracy"),
            y: place("y", i === 0 ? "out-of-distribution accuracy" : ""),
            x2: { field: "x2" },
            y2: { field: "y2" },
          },
        },
        {
          data: { values: points.id.map((id, k) => ({ x: probit(id), y: probit(points.ood[k]!) })) },
          mark: { type: "point", filled: true, size: 35, opacity: 0.7, color: seriesColours[0] },
          encoding: { x: place("x", "in-distribution accuracy"), y: place("y", "") },
        },
        ...fitted(line, points.id.map(probit), place),
      ],
    })),
  } as unknown as ChartSpec;
}

/** The regression line, as far as there are points. */
function fitted(
  { slope, intercept }: ShiftReport["line"],
  id: readonly number[],
  place: (field: string, title: string) => object,
) {
  if (slope === null || intercept === null) return [];
  const ends = [Math.min(...id), Math.max(...id)].map((x) => ({ x, y: intercept + slope * x }));
  return [
    {
      data: { values: ends },
      mark: { type: "line", strokeWidth: 2, clip: true, color: chartInk.text },
      encoding: { x: place("x", "in-distribution accuracy"), y: place("y", "") },
    },
  ];
}

/** Theorem 3: shares of shifts against ε, with Wilson's intervals. */
export function shareChart(rows: readonly EpsilonRow[], title: string): ChartSpec {
  const positive = rows.filter(({ epsilon }) => epsilon > 0);
  const points = (series: string, of: (row: EpsilonRow) => Share) =>
    positive.flatMap((row) => {
      const { share, interval } = of(row);
      if (share === null || interval === null) return [];
      return [{ x: row.epsilon, y: share, low: interval.low, high: interval.high, series }];
    });
  const all = [
    ...points("within ε of the line", ({ onLine }) => onLine),
    ...points("… and well-specified", ({ wellSpecified }) => wellSpecified),
    ...points("well-specified among those", ({ amongOnLine }) => amongOnLine),
  ];
  return lineChart({
    description: `${title}. ${positive
      .map(
        ({ epsilon, onLine, wellSpecified }) =>
          `ε ${epsilon}: ${percent(onLine)} on the line, ${percent(wellSpecified)} also well-specified.`,
      )
      .join(" ")}`,
    title,
    x: {
      title: "ε, on the probit scale",
      log: true,
      format: "~r",
      values: positive.map(({ epsilon }) => epsilon),
    },
    y: { title: "share of shifts", domain: [0, 1] },
    points: all,
    width: 440,
  });
}

/** How often a shift is well-specified, by the correlation that a family of classifiers shows on it. */
export function correlationChart({ byCorrelation }: ShareReport, threshold: number): ChartSpec {
  const values = byCorrelation.flatMap(({ from, to, shifts, wellSpecified: { share, interval } }) =>
    share === null || interval === null ? [] : [{ from, to, shifts, share, ...interval }],
  );
  const x = {
    field: "from",
    type: "quantitative",
    axis: {
      title: "R of ID and OOD accuracy over the classifiers",
      values: [-1, -0.5, 0, 0.5, 1],
      format: "~r",
      labelOverlap: false,
    },
    scale: { domain: [-1, 1], nice: false, zero: false },
  };
  const y = valueAxis({ title: "well-specified shifts", domain: [0, 1] });
  const middle = { ...x, field: "middle" };
  return {
    description: values
      .map(({ from, to, share, shifts }) => `R ${from} to ${to}: ${(100 * share).toFixed(0)}% of ${shifts}.`)
      .join(" "),
    width: 440,
    height: 260,
    data: { values: values.map((value) => ({ ...value, middle: (value.from + value.to) / 2 })) },
    layer: [
      {
        mark: { type: "bar", color: seriesColours[0], stroke: chartInk.paper, strokeWidth: 1 },
        encoding: { x, x2: { field: "to" }, y: { ...y, field: "share" }, y2: { datum: 0 } },
      },
      {
        mark: { type: "rule", strokeWidth: 2, color: chartInk.quiet },
        encoding: { x: middle, y: { ...y, field: "low" }, y2: { field: "high" } },
      },
      ...referenceLayers("x", { value: threshold, label: `threshold ${threshold}` }),
    ],
  } as unknown as ChartSpec;
}

function percent({ share }: Share): string {
  return share === null ? "none" : percentText(share);
}
