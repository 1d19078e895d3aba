/** Figures of studies: charts that are made when they are drawn, read to the blind with their numbers. */

import { type AccuracyMatrixOptions, accuracyMatrix } from "../charts/accuracy-matrix.ts";
import { type BoxChartOptions, boxChart } from "../charts/box-chart.ts";
import { type DotChartOptions, dotChart } from "../charts/dot-chart.ts";
import { type LineChartOptions, lineChart } from "../charts/line-chart.ts";
import type { ValueAxis } from "../charts/parts.ts";
import { type ViolinChartOptions, violinChart } from "../charts/violin-chart.ts";
import type { Figure } from "../core/section.ts";
import { quantile } from "../core/statistics/index.ts";
import { percentText } from "../core/words.ts";

interface NamedFigure {
  name: string;
  caption: string;
}

export function linesFigure(named: NamedFigure, options: Omit<LineChartOptions, "description">): Figure {
  const { x, y, points } = options;
  const lines = grouped(points, ({ series, published }) => `${series}${ofPaper(published)}`);
  const spoken = lines.map(([series, own]) => {
    const numbers = own.map((point) => `${spokenNumber(point.y, y)} at ${point.x}`);
    return `${series} ${numbers.join(", ")}`;
  });
  const description = withNumbers(named.caption, `${y.title} by ${x.title}`, spoken);
  return { ...named, draw: () => lineChart({ description, ...options }) };
}

export function dotsFigure(named: NamedFigure, options: Omit<DotChartOptions, "description">): Figure {
  const { value, points } = options;
  const rows = grouped(points, ({ row }) => row);
  const spoken = rows.map(([row, own]) => {
    const numbers = own.map(
      (point) => `${point.series}${ofPaper(point.published)} ${spokenNumber(point.value, value)}`,
    );
    return `${row}: ${numbers.join(", ")}`;
  });
  const description = withNumbers(named.caption, value.title, spoken);
  return { ...named, draw: () => dotChart({ description, ...options }) };
}

export function boxesFigure(named: NamedFigure, options: Omit<BoxChartOptions, "description">): Figure {
  const { value, values } = options;
  const boxes = grouped(values, ({ category, kind }) => `${category}, ${kind}`);
  const spoken = boxes.map(
    ([box, own]) =>
      `${box} ${spokenNumber(
        quantile(
          own.map((each) => each.value),
          0.5,
        ),
        value,
      )}`,
  );
  const description = withNumbers(named.caption, `median ${value.title}`, spoken);
  return { ...named, draw: () => boxChart({ description, ...options }) };
}

export function violinsFigure(named: NamedFigure, options: Omit<ViolinChartOptions, "description">): Figure {
  const { value, values } = options;
  const spoken = grouped(values, ({ category, kind }) => `${category}, ${kind}`).map(([violin, own]) => {
    const numbers = own.map((each) => each.value);
    return `${violin} from ${spokenNumber(Math.min(...numbers), value)} to ${spokenNumber(Math.max(...numbers), value)}`;
  });
  const description = withNumbers(named.caption, value.title, spoken);
  return { ...named, draw: () => violinChart({ description, ...options }) };
}

export function matricesFigure(
  named: NamedFigure,
  options: Omit<AccuracyMatrixOptions, "description">,
): Figure {
  const spoken = options.panels.map(({ title, cells }) => {
    const numbers = cells.map(({ row, column, value }) => {
      const pair = column === "" ? row : `${row} with ${column}`;
      return `${pair} ${percentText(value)}`;
    });
    return `${title}: ${numbers.join(", ")}`;
  });
  const description = withNumbers(named.caption, "Accuracies", spoken);
  return { ...named, draw: () => accuracyMatrix({ description, ...options }) };
}

function withNumbers(caption: string, what: string, spoken: readonly string[]): string {
  return spoken.length === 0 ? caption : `${caption}. ${what}: ${spoken.join("; ")}`;
}

function ofPaper(published: boolean | undefined): string {
  return published === true ? " (published)" : "";
}

function spokenNumber(value: number, { format = "%" }: ValueAxis): string {
  return format.includes("%") ? percentText(value) : value.toPrecision(3);
}

/** In order of appearance. */
function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}
