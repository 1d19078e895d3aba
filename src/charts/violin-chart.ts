/**
 * How values are spread in each category, kinds side by side: a smooth outline over every value. Where all are equal there is
 * nothing to smooth, and the dots say so.
 */

import type { ChartSpec } from "./chart.ts";
import { distinct, legendAbove, type ValueAxis, valueAxis } from "./parts.ts";
import { seriesColours, seriesShapes } from "./style.ts";

export interface ViolinChartOptions {
  description: string;
  value: ValueAxis;
  values: readonly { category: string; kind: string; value: number; marked?: boolean | undefined }[];
  title?: string | undefined;
  width?: number | undefined;
}

/** Pixels of a violin and its neighbour's distance. */
const band = 34;

/** Points along a violin's outline. */
const outlinePoints = 60;

export function violinChart({
  description,
  value,
  values,
  title,
  width = 520,
}: ViolinChartOptions): ChartSpec {
  const categories = distinct(values.map(({ category }) => category));
  const kinds = distinct(values.map(({ kind }) => kind));
  const places = categories.flatMap((category) => kinds.map((kind) => ({ category, kind })));
  const drawn = places.filter((place) => values.some((each) => isAt(each, place)));
  const middle = ({ category, kind }: { category: string; kind: string }) =>
    drawn.findIndex((place) => isAt(place, { category, kind })) + 0.5;
  const outlines = drawn.flatMap((place) => {
    const own = values.filter((each) => isAt(each, place)).map((each) => each.value);
    return outlineOf(own).map(({ at, share }) => ({
      series: place.kind,
      place: `${place.category} ${place.kind}`,
      value: at,
      low: middle(place) - 0.45 * share,
      high: middle(place) + 0.45 * share,
    }));
  });
  const dots = values.map((each) => ({
    series: each.kind,
    category: each.category,
    value: each.value,
    middle: middle(each),
    marked: each.marked === true,
  }));
  const colour = {
    field: "series",
    type: "nominal",
    sort: null,
    scale: { domain: kinds, range: kinds.map((_, i) => seriesColours[i % seriesColours.length]!) },
    legend: kinds.length === 1 ? null : legendAbove(undefined, width),
  };
  const shape = {
    ...colour,
    scale: { domain: kinds, range: kinds.map((_, i) => seriesShapes[i % seriesShapes.length]!) },
  };
  const names = Object.fromEntries(
    categories.map((category) => {
      const own = drawn.filter((place) => place.category === category).map(middle);
      return [((own[0]! + own.at(-1)!) / 2).toFixed(2), category];
    }),
  );
  const y = {
    type: "quantitative",
    scale: { domain: [0, drawn.length], reverse: true, nice: false },
    axis: {
      title: null,
      grid: false,
      values: Object.keys(names).map(Number),
      labelExpr: `${JSON.stringify(names)}[format(datum.value, '.2f')]`,
    },
  };
  const x = { ...valueAxis(value), field: "value" };
  return {
    description,
    ...(title === undefined ? {} : { title }),
    width,
    height: drawn.length * band,
    layer: [
      {
        data: { values: outlines },
        mark: { type: "area", opacity: 0.35 },
        encoding: {
          y: { ...y, field: "low" },
          y2: { field: "high" },
          x,
          color: colour,
          detail: { field: "place" },
        },
      },
      // What is marked is filled.
      ...[false, true].map((filled) => ({
        data: { values: dots.filter(({ marked }) => marked === filled) },
        mark: { type: "point", size: 34, strokeWidth: 1.5, filled },
        encoding: { y: { ...y, field: "middle" }, x, color: colour, shape },
      })),
    ],
  } as unknown as ChartSpec;
}

interface ViolinPlace {
  category: string;
  kind: string;
}

function isAt(each: ViolinPlace, place: ViolinPlace): boolean {
  return each.category === place.category && each.kind === place.kind;
}

/** Gaussian kernels by Silverman's rule, the widest place 1; nothing where all values are equal. */
export function outlineOf(values: readonly number[]): { at: number; share: number }[] {
  const n = values.length;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (low === high) return [];
  const middle = values.reduce((sum, value) => sum + value, 0) / n;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (n - 1));
  const bandwidth = 1.06 * deviation * n ** -0.2;
  // To the extremes and no further: no violin says that there was a value where there was none.
  const points = Array.from(
    { length: outlinePoints + 1 },
    (_, i) => low + ((high - low) * i) / outlinePoints,
  );
  const densities = points.map((at) =>
    values.reduce((sum, value) => sum + Math.exp(-0.5 * ((at - value) / bandwidth) ** 2), 0),
  );
  const most = Math.max(...densities);
  return points.map((at, i) => ({ at, share: densities[i]! / most }));
}
