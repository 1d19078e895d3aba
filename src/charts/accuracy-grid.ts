/** Small multiples of OOD against ID accuracy: a row an OOD group, a column an ID group, each with its fit and R. */

import type { Transform } from "../core/accuracy-scale.ts";
import { fixedText } from "../core/words.ts";
import { type AxisDomain, accuracyAxis, domainOf } from "./accuracy-axis.ts";
import type { ChartSpec } from "./chart.ts";
import { chartInk, seriesColours } from "./style.ts";

/** One place of the grid, on the scale of the transform. */
interface GridPanel {
  x: Float64Array;
  y: Float64Array;
  fit: {
    r: number | null;
    slope: number | null;
    intercept: number | null;
    verdict: "well-specified" | "misspecified" | "undecided";
  };
}

export interface AccuracyGridOptions {
  description: string;
  transform: Transform;
  title: string;
  subtitle: string;
  columns: readonly string[];
  rows: readonly string[];
  /** `panels[row][column]`. */
  panels: readonly (readonly GridPanel[])[];
}

const side = 116;
/** Points of all panels together: more make a file that browsers are slow with. */
const mostPoints = 12_000;

/** Colour and stroke both tell the verdict. */
const manners: Record<GridPanel["fit"]["verdict"], { color: string; strokeDash: readonly number[] }> = {
  misspecified: { color: seriesColours[1]!, strokeDash: [1, 0] },
  "well-specified": { color: seriesColours[2]!, strokeDash: [6, 3] },
  undecided: { color: chartInk.quiet, strokeDash: [1, 3] },
};

export function accuracyGrid(options: AccuracyGridOptions): ChartSpec {
  const { rows, columns, panels } = options;
  const most = Math.max(30, Math.floor(mostPoints / (rows.length * columns.length)));
  const xDomains = columns.map((_, column) => domainOf(panels.map((row) => row[column]!.x)));
  const yDomains = panels.map((row) => domainOf(row.map(({ y }) => y)));
  const concat = panels.flatMap((row, r) =>
    row.map((panel, c) => {
      const axes = {
        x: axisOf(options, xDomains[c]!, r === rows.length - 1 ? "" : undefined),
        y: axisOf(options, yDomains[r]!, c === 0 ? rows[r]! : undefined),
      };
      return {
        ...(r === 0 ? { title: heading(columns[c]!) } : {}),
        width: side,
        height: side,
        view: { stroke: chartInk.line },
        layer: layers(panel, xDomains[c]!, yDomains[r]!, axes, most),
      };
    }),
  );
  const models = Math.max(...panels.flat().map(({ x }) => x.length));
  const drawn = models > most ? `, one in ${Math.ceil(models / most)} drawn` : "";
  const legend = "solid orange: misspecified, dashed green: well-specified, dotted grey: undecided";
  return {
    description: options.description,
    title: { text: options.title, subtitle: [`${options.subtitle}${drawn}`, legend], offset: 14 },
    columns: columns.length,
    spacing: 10,
    concat,
  } as unknown as ChartSpec;
}

function heading(name: string) {
  const style = {
    fontSize: 12,
    lineHeight: 15,
    fontWeight: 400,
    color: chartInk.text,
    anchor: "middle",
    offset: 4,
  };
  return { text: lines(name), ...style };
}

/** `class=0 place=1` and `acc_y:landbird_background:land`: what makes a group, each on a line of its own. */
function lines(name: string): string[] {
  return name.split(/[ _](?=[^ _]+[=:])/);
}

/** Without a title, where another panel has the labels. */
function axisOf({ transform }: AccuracyGridOptions, domain: AxisDomain, title: string | undefined) {
  const { axis, ...rest } = accuracyAxis("", transform, domain, side);
  const bare = {
    labels: title !== undefined,
    title: title ? lines(title) : null,
    titleColor: chartInk.text,
    titleLineHeight: 15,
  };
  return { ...rest, axis: { ...axis, labelFontSize: 10, labelPadding: 3, ...bare } };
}

function layers(
  { x, y, fit }: GridPanel,
  xDomain: AxisDomain,
  yDomain: AxisDomain,
  axes: { x: object; y: object },
  most: number,
): object[] {
  const xs = { field: "x", ...axes.x };
  const ys = { field: "y", ...axes.y };
  const every = Math.max(1, Math.ceil(x.length / most));
  const points: object[] = [];
  for (let i = 0; i < x.length; i += every) points.push({ x: x[i], y: y[i] });
  const manner = manners[fit.verdict];
  const ends =
    fit.slope === null || fit.intercept === null
      ? []
      : rangeOf(x).map((at) => ({ x: at, y: fit.slope! * at + fit.intercept! }));
  const label = fit.r === null ? "no R" : `R ${fixedText(fit.r, 2).replace("-", "−")}`;
  const corner = { x: xDomain[0], y: yDomain[1], label };
  const text = { type: "text", align: "left", baseline: "top", dx: 4, dy: 4, fontSize: 11, fontWeight: 600 };
  return [
    {
      data: { values: points },
      mark: { type: "point", filled: true, size: 7, opacity: 0.4, clip: true, color: seriesColours[0] },
      encoding: { x: xs, y: ys },
    },
    {
      data: { values: ends },
      mark: { type: "line", strokeWidth: 2, clip: true, ...manner },
      encoding: { x: xs, y: ys },
    },
    // Letters are read on top of points.
    ...[{ stroke: chartInk.paper, strokeWidth: 3, color: chartInk.paper }, { color: chartInk.text }].map(
      (ink) => ({
        data: { values: [corner] },
        mark: { ...text, ...ink },
        encoding: { x: xs, y: ys, text: { field: "label" } },
      }),
    ),
  ];
}

function rangeOf(values: Float64Array): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}
