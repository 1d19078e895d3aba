/**
 * How values are spread in each category: boxes with whiskers of 1.5 interquartile ranges, and dots beyond. Where there
 * are too few for quartiles, every value is a dot.
 */

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

export interface BoxChartOptions {
  description: string;
  value: ValueAxis;
  values: readonly { category: string; kind: string; value: number }[];
  title?: string | undefined;
  reference?: Reference | undefined;
  width?: number | undefined;
}

/** Fewer have no quartiles worth drawing. */
const fewestForBox = 4;

export function boxChart(options: BoxChartOptions): ChartSpec {
  const { width = 520 } = options;
  const categories = distinct(options.values.map(({ category }) => category));
  const kinds = distinct(options.values.map(({ kind }) => kind));
  const ofOneKind = categories.every(
    (name) =>
      distinct(options.values.flatMap(({ category, kind }) => (category === name ? [kind] : []))).length ===
      1,
  );
  const values = options.values.map(({ category, kind, value }) => ({ category, series: kind, value }));
  const alike = (one: (typeof values)[0]) =>
    values.filter(({ category, series }) => category === one.category && series === one.series).length;
  const encoding = {
    y: { field: "category", type: "nominal", sort: categories, axis: { title: null } },
    // Where every category has one kind, offsets would leave empty places.
    ...(ofOneKind ? {} : { yOffset: { field: "series", sort: kinds } }),
    x: { ...valueAxis(options.value), field: "value" },
    ...seriesEncoding(kinds, { legend: legendAbove(options.reference?.label, width) }),
  };
  return {
    description: options.description,
    ...(options.title === undefined ? {} : { title: options.title }),
    width,
    height: categories.length * (ofOneKind ? 28 : 20 * kinds.length + 10),
    layer: [
      ...referenceLayers("x", options.reference),
      {
        data: { values: values.filter((each) => alike(each) >= fewestForBox) },
        mark: {
          type: "boxplot",
          size: 14,
          median: { color: "white", strokeWidth: 2 },
          rule: { strokeWidth: 2, color: chartInk.quiet },
          outliers: { size: 22 },
        },
        encoding,
      },
      {
        data: { values: values.filter((each) => alike(each) < fewestForBox) },
        mark: { type: "point", filled: true, size: 60 },
        encoding,
      },
    ],
  } as unknown as ChartSpec;
}
