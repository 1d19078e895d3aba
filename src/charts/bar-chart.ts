/** Bars from zero, grouped by category, one colour a series, each with its number. */

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

export interface BarChartOptions {
  description: string;
  value: ValueAxis;
  bars: readonly {
    category: string;
    series: string;
    value: number;
    low?: number | undefined;
    high?: number | undefined;
  }[];
  title?: string | undefined;
  reference?: Reference | undefined;
  width?: number | undefined;
}

export function barChart(options: BarChartOptions): ChartSpec {
  const { bars, width = 520 } = options;
  const series = distinct(bars.map((bar) => bar.series));
  const categories = distinct(bars.map(({ category }) => category));
  const { axis, scale, type } = valueAxis(options.value);
  const x = { field: "value", type, axis, scale: { ...scale, zero: true } };
  const y = { field: "category", type: "nominal", sort: categories, axis: { title: null } };
  const yOffset = { field: "series", sort: series, scale: { paddingInner: 0.15 } };
  // The number stands beyond the interval's end, or within the zero line's reach for negative bars.
  const ends = bars.map((bar) => ({
    ...bar,
    end: bar.value < 0 ? (bar.low ?? bar.value) : (bar.high ?? bar.value),
  }));
  const label = (sign: "positive" | "negative") => ({
    transform: [{ filter: sign === "positive" ? "datum.value >= 0" : "datum.value < 0" }],
    mark: {
      type: "text",
      baseline: "middle",
      ...(sign === "positive" ? { align: "left", dx: 5 } : { align: "right", dx: -5 }),
    },
    encoding: {
      y,
      yOffset,
      x: { ...x, field: "end" },
      text: { field: "value", type: "quantitative", format: options.value.format ?? ".0%" },
    },
  });
  return {
    description: options.description,
    ...(options.title === undefined ? {} : { title: options.title }),
    width,
    height: categories.length * (20 * series.length + 12),
    data: { values: ends },
    layer: [
      {
        mark: { type: "bar", cornerRadiusEnd: 2 },
        encoding: {
          y,
          yOffset,
          x,
          ...seriesEncoding(series, { legend: legendAbove(options.reference?.label, width) }),
        },
      },
      {
        transform: [{ filter: "isValid(datum.low) && isValid(datum.high)" }],
        mark: { type: "rule", strokeWidth: 2, color: chartInk.quiet },
        encoding: { y, yOffset, x: { ...x, field: "low" }, x2: { field: "high" } },
      },
      label("positive"),
      label("negative"),
      ...referenceLayers("x", options.reference),
    ],
  } as unknown as ChartSpec;
}
