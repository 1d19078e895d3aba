/** Lines over a number, each named at its end; what a paper printed is dashed. */

import type { ChartSpec } from "./chart.ts";
import {
  distinct,
  type Reference,
  referenceLayers,
  seriesEncoding,
  type ValueAxis,
  valueAxis,
} from "./parts.ts";

interface LinePoint {
  x: number;
  y: number;
  series: string;
  low?: number | undefined;
  high?: number | undefined;
  /** From a paper: dashed, in its series' colour. */
  published?: boolean | undefined;
}

export interface LineChartOptions {
  description: string;
  x: {
    title: string;
    log?: boolean | undefined;
    format?: string | undefined;
    values?: readonly number[] | undefined;
  };
  y: ValueAxis;
  points: readonly LinePoint[];
  title?: string | undefined;
  reference?: Reference | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

/** More than this on a line, and marks hide it. */
const mostMarks = 30;

export function lineChart(options: LineChartOptions): ChartSpec {
  const { points, width = 520, height = 300 } = options;
  const series = distinct(points.map((point) => point.series));
  const lines = distinct(points.map((point) => lineName(point)));
  const values = points.map((point) => ({ ...point, line: lineName(point) }));
  const domain = options.y.domain ?? padded(points);
  const x = {
    field: "x",
    type: "quantitative",
    scale: options.x.log === true ? { type: "log" } : { zero: false, nice: false, padding: 10 },
    axis: {
      title: options.x.title,
      grid: false,
      ...(options.x.format === undefined ? {} : { format: options.x.format }),
      ...(options.x.values === undefined ? {} : { values: [...options.x.values] }),
    },
  } as const;
  const y = { ...valueAxis({ ...options.y, domain }), field: "y" };
  const colour = seriesEncoding(series, { legend: null });
  const colourAndShape = seriesEncoding(series, { shape: true, legend: null });
  const ends = lineEnds(
    lines.map((line) => values.filter((point) => point.line === line)),
    domain,
    height,
  );
  const place = { field: "top", type: "quantitative", scale: null, axis: null };
  const dense = values.length / lines.length > mostMarks;
  return {
    description: options.description,
    ...(options.title === undefined ? {} : { title: options.title }),
    width,
    height,
    data: { values },
    layer: [
      ...referenceLayers("y", options.reference),
      {
        transform: [{ filter: "isValid(datum.low) && isValid(datum.high)" }],
        // Bars for a few points; where they would be a hedge, a band.
        mark: dense ? { type: "area", opacity: 0.15 } : { type: "rule", strokeWidth: 2, opacity: 0.4 },
        encoding: {
          x,
          y: { ...y, field: "low" },
          y2: { field: "high" },
          ...colour,
          detail: { field: "line" },
        },
      },
      ...[false, true].map((published) => ({
        transform: [{ filter: published ? "datum.published === true" : "datum.published !== true" }],
        mark: { type: "line", strokeWidth: 2, ...(published ? { strokeDash: [5, 4] } : {}) },
        encoding: { x, y, ...colour, detail: { field: "line" } },
      })),
      ...(dense
        ? []
        : [false, true].map((published) => ({
            transform: [{ filter: published ? "datum.published === true" : "datum.published !== true" }],
            mark: { type: "point", filled: !published, strokeWidth: 2, size: 45 },
            encoding: { x, y, ...colourAndShape },
          }))),
      ...[false, true].map((published) => ({
        data: { values: ends.filter((end) => end.published === published) },
        mark: { type: "point", filled: !published, strokeWidth: 2, size: 45, x: width + 12 },
        encoding: { y: place, ...colourAndShape },
      })),
      {
        data: { values: ends },
        mark: { type: "text", x: width + 22, align: "left", baseline: "middle", fontSize: 13 },
        encoding: { y: place, text: { field: "line" } },
      },
    ],
  } as unknown as ChartSpec;
}

function lineName({ series, published }: LinePoint): string {
  return published === true ? `${series} (published)` : series;
}

/** From the lowest to the highest that is drawn, with a twentieth of room on either side. */
function padded(points: readonly LinePoint[]): [number, number] {
  const all = points.flatMap(({ y, low = y, high = y }) => [y, low, high]);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = least === most ? Math.abs(least) / 10 || 1 : (most - least) / 20;
  return [least - room, most + room];
}

/** Where each line's name goes: beside its last point, pushed apart where names would overlap. */
function lineEnds(
  lines: readonly (readonly (LinePoint & { line: string })[])[],
  [least, most]: readonly [number, number],
  height: number,
) {
  const gap = 17;
  const ends = lines
    .map((line) => line.reduce((last, point) => (point.x > last.x ? point : last)))
    .map(({ line, series, y, published = false }) => {
      return { line, series, published, top: height * (1 - (y - least) / (most - least)) };
    })
    .sort((a, b) => a.top - b.top);
  for (const [i, end] of ends.entries()) end.top = Math.max(end.top, (ends[i - 1]?.top ?? -gap) + gap);
  for (const [i, end] of [...ends.entries()].reverse())
    end.top = Math.min(end.top, (ends[i + 1]?.top ?? height + gap) - gap);
  return ends;
}
