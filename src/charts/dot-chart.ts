/** Dots with intervals, one row a name and one colour a series: the chart for gaps and accuracies side by side. */

import type { ChartSpec } from "./chart.ts";
import {
  distinct,
  legendAbove,
  type Reference,
  referenceLayers,
  seriesEncoding,
  type ValueAxis,
  valueAxis,
} from "./parts.ts";
import { chartInk } from "./style.ts";

interface DotPoint {
  row: string;
  series: string;
  value: number;
  /** Ends of the interval; without them there is no bar. */
  low?: number | undefined;
  high?: number | undefined;
  /** A number from a paper: drawn hollow. */
  published?: boolean | undefined;
}

export interface DotChartOptions {
  /** What the figure shows, in a sentence for those who cannot see it. */
  description: string;
  value: ValueAxis;
  points: readonly DotPoint[];
  title?: string | undefined;
  /** Rows that the eye should find first: a band lies behind them. */
  marked?: readonly string[] | undefined;
  reference?: Reference | undefined;
  width?: number | undefined;
}

export function dotChart(options: DotChartOptions): ChartSpec {
  const { points, marked = [], reference, width = 520 } = options;
  const rows = distinct(points.map(({ row }) => row));
  const series = distinct(points.map((point) => point.series));
  const x = { ...valueAxis(options.value), field: "value" };
  const y = { field: "row", type: "nominal", sort: rows, axis: { title: null } } as const;
  const yOffset = { field: "series", sort: series, scale: { padding: 0.5 } } as const;
  const legend = legendAbove(reference?.label, width);
  const own = { data: { values: points.filter(({ published }) => published !== true) } };
  const papers = points.filter(({ published }) => published === true);
  return {
    description: options.description,
    ...(options.title === undefined ? {} : { title: options.title }),
    width,
    height: rows.length * (series.length === 1 ? 30 : 12 * series.length + 12),
    layer: [
      {
        data: { values: marked.filter((row) => rows.includes(row)).map((row) => ({ row })) },
        mark: { type: "bar", color: chartInk.band, opacity: 1, height: { band: 1 } },
        encoding: { y, x: { value: 0 }, x2: { value: width } },
      },
      ...referenceLayers("x", reference),
      {
        ...own,
        transform: [{ filter: "isValid(datum.low) && isValid(datum.high)" }],
        mark: { type: "rule", strokeWidth: 2, opacity: 0.55 },
        encoding: {
          y,
          yOffset,
          x: { ...x, field: "low" },
          x2: { field: "high" },
          ...seriesEncoding(series, { legend }),
        },
      },
      {
        ...own,
        mark: { type: "point", filled: true },
        encoding: { y, yOffset, x, ...seriesEncoding(series, { shape: true, legend }) },
      },
      ...(papers.length === 0
        ? []
        : [
            {
              data: { values: papers },
              mark: { type: "point", filled: false, strokeWidth: 2 },
              encoding: { y, yOffset, x, ...seriesEncoding(series, { shape: true, legend }) },
            } as const,
          ]),
    ],
  } as ChartSpec;
}
