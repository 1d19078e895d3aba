/** OOD against ID accuracy, one point a model: fit with its band, the diagonal, and density where points are many. */

import type { Transform } from "../core/accuracy-scale.ts";
import { type AxisDomain, accuracyAxis, domainOf } from "./accuracy-axis.ts";
import type { ChartSpec } from "./chart.ts";
import { legendAbove, seriesEncoding } from "./parts.ts";
import { chartInk, densityName, seriesColours } from "./style.ts";

/** Points of one colour, on the scale of the transform. */
export interface PointSeries {
  name: string;
  x: Float64Array;
  y: Float64Array;
  /** The fitted line with its band. */
  line?: readonly BandPoint[] | undefined;
}

/** A place of a fitted line, and between which heights the line itself is known to be there. */
export interface BandPoint {
  x: number;
  y: number;
  low: number;
  high: number;
}

export interface AccuracyChartOptions {
  description: string;
  transform: Transform;
  series: readonly PointSeries[];
  title?: string | undefined;
  subtitle?: string | readonly string[] | undefined;
  idTitle?: string | undefined;
  oodTitle?: string | undefined;
  /** Corners of the two lines of a segmented regression, on the scale. */
  segments?: readonly { x: number; y: number }[] | undefined;
  /** The line on which both accuracies are equal; drawn unless told. */
  diagonal?: boolean | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

/** More points than this hide each other. */
const mostPoints = 1500;

export function accuracyChart(options: AccuracyChartOptions): ChartSpec {
  const { series, transform, width = 420, height = 420, diagonal = true } = options;
  const xDomain = domainOf(series.map(({ x }) => x));
  const yDomain = domainOf(series.map(({ y }) => y));
  const x = { field: "x", ...accuracyAxis(options.idTitle ?? "ID accuracy", transform, xDomain, width) };
  const y = { field: "y", ...accuracyAxis(options.oodTitle ?? "OOD accuracy", transform, yDomain, height) };
  const names = series.map(({ name }) => name);
  const above = legendAbove(diagonal ? diagonalName : undefined, width);
  const colour = seriesEncoding(names, { legend: above });
  const colourAndShape = seriesEncoding(names, { shape: true, legend: above });
  const lines = series.flatMap(({ name, line = [] }) => line.map((point) => ({ ...point, series: name })));
  const dense = series.length === 1 && series[0]!.x.length > mostPoints;
  return {
    description: options.description,
    ...chartTitle(options),
    width,
    height,
    layer: [
      dense
        ? densityLayer(series[0]!, xDomain, yDomain, x, y)
        : {
            data: { values: series.flatMap(pointValues) },
            mark: { type: "point", filled: true, size: 26, opacity: 0.45, clip: true },
            encoding: { x, y, ...colourAndShape },
          },
      ...(diagonal ? diagonalLayers(xDomain, yDomain, x, y) : []),
      {
        data: { values: lines },
        mark: { type: "area", opacity: 0.25, clip: true, ...(dense ? { color: fitColour } : {}) },
        encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, ...(dense ? {} : colour) },
      },
      {
        data: { values: lines },
        mark: { type: "line", strokeWidth: 2, clip: true, ...(dense ? { color: fitColour } : {}) },
        encoding: { x, y, ...(dense ? {} : colour) },
      },
      {
        data: { values: options.segments ?? [] },
        mark: { type: "line", strokeWidth: 2, strokeDash: [7, 4], clip: true, color: segmentColour },
        encoding: { x, y },
      },
    ],
  } as unknown as ChartSpec;
}

/** Against blue density. */
const fitColour = seriesColours[1]!;
const segmentColour = seriesColours[3]!;

export function chartTitle({ title, subtitle }: Pick<AccuracyChartOptions, "title" | "subtitle">) {
  if (title === undefined) return {};
  return { title: { text: title, ...(subtitle === undefined ? {} : { subtitle }) } };
}

/** Every so many points where there are too many to draw. */
function pointValues({ name, x, y }: PointSeries): object[] {
  const every = Math.ceil(x.length / mostPoints);
  const values: object[] = [];
  for (let i = 0; i < x.length; i += every) values.push({ x: x[i], y: y[i], series: name });
  return values;
}

const cells = 84;

/** Counts of points in small squares, on a logarithmic scale of colour. */
export function densityLayer(
  { x, y }: Pick<PointSeries, "x" | "y">,
  xDomain: AxisDomain,
  yDomain: AxisDomain,
  xAxis: object,
  yAxis: object,
): object {
  const counts = new Uint32Array(cells * cells);
  const place = (value: number, [low, high]: AxisDomain) =>
    Math.max(0, Math.min(cells - 1, Math.floor(((value - low) / (high - low)) * cells)));
  for (let i = 0; i < x.length; i++) counts[place(y[i]!, yDomain) * cells + place(x[i]!, xDomain)]!++;
  const edge = ([low, high]: AxisDomain, cell: number) => low + ((high - low) * cell) / cells;
  const values: object[] = [];
  for (const [i, count] of counts.entries()) {
    if (count === 0) continue;
    const [column, row] = [i % cells, Math.floor(i / cells)];
    values.push({
      x: edge(xDomain, column),
      x2: edge(xDomain, column + 1),
      y: edge(yDomain, row),
      y2: edge(yDomain, row + 1),
      count,
    });
  }
  return {
    name: densityName,
    data: { values },
    mark: { type: "rect", stroke: null },
    encoding: {
      x: xAxis,
      x2: { field: "x2" },
      y: yAxis,
      y2: { field: "y2" },
      color: {
        field: "count",
        type: "quantitative",
        scale: { type: "log", range: ["#cfe3f2", "#0072b2", "#00263d"] },
        legend: {
          title: "models",
          titleColor: chartInk.quiet,
          titleFontWeight: 400,
          orient: "right",
          direction: "vertical",
          tickCount: 4,
          format: ",d",
        },
      },
    },
  };
}

const diagonalName = "OOD = ID";

/** Dashed, as far as both axes reach; without a common part there is none. */
function diagonalLayers(xDomain: AxisDomain, yDomain: AxisDomain, x: object, y: object): object[] {
  const [from, to] = [Math.max(xDomain[0], yDomain[0]), Math.min(xDomain[1], yDomain[1])];
  if (!(from < to)) return [];
  const text = { x: to, y: to, label: diagonalName };
  return [
    {
      data: {
        values: [
          { x: from, y: from },
          { x: to, y: to },
        ],
      },
      mark: { type: "line", strokeWidth: 1, strokeDash: [4, 4], color: chartInk.quiet },
      encoding: { x, y },
    },
    {
      data: { values: [text] },
      mark: { type: "text", align: "right", baseline: "bottom", dx: -6, dy: -4, color: chartInk.quiet },
      encoding: { x, y, text: { field: "label" } },
    },
  ];
}
