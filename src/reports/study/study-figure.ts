/** A study's figure as a chart. */

import { lineFigures } from "../../audits/line/line-figures.ts";
import { boxChart } from "../../charts/box-chart.ts";
import { type ChartSpec, drawChart } from "../../charts/chart.ts";
import { dotChart } from "../../charts/dot-chart.ts";
import { lineChart } from "../../charts/line-chart.ts";
import type { StudyFigure } from "../../studies/study.ts";
import type { DrawnSplit } from "./measure-pools.ts";

export interface DrawnFigure {
  name: string;
  caption: string;
  svg: string;
  /** Small enough for two in a row. */
  beside: boolean;
}

/** Figures of splits are drawn from the points of these, by their names. */
export type SplitPoints = ReadonlyMap<string, DrawnSplit>;

export async function drawFigure(figure: StudyFigure, splits: SplitPoints): Promise<DrawnFigure> {
  const { name, caption, kind } = figure;
  const svg = await drawChart(chartOf(figure, splits));
  return { name, caption, svg, beside: kind === "split" };
}

function chartOf(figure: StudyFigure, splits: SplitPoints): ChartSpec {
  const description = figure.caption;
  switch (figure.kind) {
    case "lines":
      return lineChart({ ...figure, description, y: { title: figure.y } });
    case "boxes":
      return boxChart({ ...figure, description, value: { title: figure.value } });
    case "dots":
      return dotChart({ ...figure, description, value: { title: figure.value, format: figure.format } });
    case "split": {
      const { split, scale, title } = splits.get(figure.split)!;
      return lineFigures(split, scale, title).line!;
    }
    default:
      return figure satisfies never;
  }
}
