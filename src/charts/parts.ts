/** What several charts share: axes of numbers, series told apart, a reference line. */

import { chartInk, seriesColours, seriesShapes } from "./style.ts";

export interface ValueAxis {
  title: string;
  /** A d3 format; `.0%` by default. */
  format?: string | undefined;
  domain?: readonly [number, number] | undefined;
}

export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}

/** By default per cent, with as many digits behind the point as marks need: none is written twice. */
export function valueAxis({ title, format = ".3~%", domain }: ValueAxis) {
  return {
    type: "quantitative",
    axis: { title, format },
    scale:
      domain === undefined ? { zero: false, nice: true } : { domain: [...domain], zero: false, nice: false },
  } as const;
}

/** Colour, and for points shape too; a single series needs no legend, nor does one that is named in place. */
export function seriesEncoding(
  series: readonly string[],
  options: { shape?: boolean; legend?: object | null } = {},
) {
  const legend = series.length === 1 ? null : options.legend === undefined ? {} : options.legend;
  const of = (values: readonly string[]) => ({
    field: "series",
    type: "nominal",
    sort: null,
    scale: { domain: [...series], range: series.map((_, i) => values[i % values.length]!) },
    legend,
  });
  const color = of(seriesColours);
  return options.shape === true ? { color, shape: of(seriesShapes) } : { color };
}

/** Names of series stand above, one below the other where the chart is narrow; the name of a line may need room below them. */
export function legendAbove(lineName: string | undefined, width: number): object {
  return {
    offset: lineName === undefined ? 10 : 24,
    direction: width < narrow ? "vertical" : "horizontal",
  };
}

const narrow = 300;

export interface Reference {
  value: number;
  label?: string | undefined;
}

/** A dashed line at a value, such as zero or chance, with its name beside it. */
export function referenceLayers(along: "x" | "y", reference: Reference | undefined) {
  if (reference === undefined) return [];
  const data = { values: [reference] };
  const place = { [along]: { field: "value", type: "quantitative" } };
  const rule = {
    data,
    mark: { type: "rule", color: chartInk.quiet, strokeWidth: 1, strokeDash: [3, 3] },
    encoding: place,
  };
  if (reference.label === undefined) return [rule];
  const at = along === "x" ? { y: 0, dy: -4, align: "center" } : { x: 4, dy: -4, align: "left" };
  const text = {
    data,
    mark: {
      type: "text",
      color: chartInk.quiet,
      baseline: "bottom",
      ...at,
      text: reference.label,
    },
    encoding: place,
  };
  return [rule, text];
}
