/** Counts on a grid of places, dark where there are many, on a logarithmic scale; empty cells stay white. */

import type { ChartSpec } from "./chart.ts";
import { chartInk, densityName } from "./style.ts";

export interface HeatMapOptions {
  description: string;
  title?: string | undefined;
  /** Rows from the top, columns from the left. */
  counts: readonly (readonly number[])[];
  /** What the counts are of. */
  legend: string;
  x: string;
  y: string;
  side?: number | undefined;
}

export function heatMap({ description, title, counts, legend, x, y, side = 300 }: HeatMapOptions): ChartSpec {
  const rows = counts.length;
  const columns = counts[0]?.length ?? 0;
  const values = counts.flatMap((row, i) =>
    row.flatMap((count, j) =>
      count === 0
        ? []
        : [{ count, left: j / columns, right: (j + 1) / columns, top: i / rows, bottom: (i + 1) / rows }],
    ),
  );
  const axis = (name: string) => ({
    title: name,
    values: [0, 0.25, 0.5, 0.75, 1],
    format: ".2~f",
    grid: false,
  });
  const most = values.reduce((high, { count }) => Math.max(high, count), 1);
  return {
    description,
    ...(title === undefined ? {} : { title }),
    width: side,
    height: side,
    data: { values },
    layer: [
      {
        name: densityName,
        mark: { type: "rect", strokeWidth: 0 },
        encoding: {
          x: { field: "left", type: "quantitative", scale: { domain: [0, 1], nice: false }, axis: axis(x) },
          x2: { field: "right" },
          // The image's first row is at the top.
          y: {
            field: "top",
            type: "quantitative",
            scale: { domain: [0, 1], nice: false, reverse: true },
            axis: axis(y),
          },
          y2: { field: "bottom" },
          color: {
            field: "count",
            type: "quantitative",
            // From the lightest that can be seen on white.
            scale: { type: "log", domain: [1, Math.max(2, most)], range: ["#dbe7f3", "#0072b2", "#06283d"] },
            legend: {
              title: legend,
              orient: "right",
              direction: "vertical",
              gradientLength: side - 60,
              titleColor: chartInk.quiet,
              titleFontWeight: 400,
              values: powersOfTen(most),
              format: "~s",
            },
          },
        },
      },
      {
        data: { values: [{ left: 0, right: 1, top: 0, bottom: 1 }] },
        mark: { type: "rect", filled: false, stroke: chartInk.quiet, strokeWidth: 1 },
        encoding: {
          x: { field: "left", type: "quantitative" },
          x2: { field: "right" },
          y: { field: "top", type: "quantitative" },
          y2: { field: "bottom" },
        },
      },
    ],
  } as unknown as ChartSpec;
}

function powersOfTen(most: number): number[] {
  return Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, power) => 10 ** power);
}
