/** Figures of studies: charts that are made when they are drawn, read to the blind by their captions. */

import { type BoxChartOptions, boxChart } from "../charts/box-chart.ts";
import { type DotChartOptions, dotChart } from "../charts/dot-chart.ts";
import { type LineChartOptions, lineChart } from "../charts/line-chart.ts";
import type { Figure } from "../core/section.ts";

interface NamedFigure {
  name: string;
  caption: string;
}

export function linesFigure(named: NamedFigure, options: Omit<LineChartOptions, "description">): Figure {
  return { ...named, draw: () => lineChart({ description: named.caption, ...options }) };
}

export function dotsFigure(named: NamedFigure, options: Omit<DotChartOptions, "description">): Figure {
  return { ...named, draw: () => dotChart({ description: named.caption, ...options }) };
}

export function boxesFigure(named: NamedFigure, options: Omit<BoxChartOptions, "description">): Figure {
  return { ...named, draw: () => boxChart({ description: named.caption, ...options }) };
}
