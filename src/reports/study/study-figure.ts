/** A study's figure as a chart. */

import type { StudyFigure } from "../../studies/study.ts";
import { type ChartSpec, drawChart } from "../chart.ts";
import { boxChart } from "../charts/box-chart.ts";
import { dotChart } from "../charts/dot-chart.ts";
import { lineChart } from "../charts/line-chart.ts";

export interface DrawnFigure {
  name: string;
  caption: string;
  svg: string;
}

export async function drawFigure(figure: StudyFigure): Promise<DrawnFigure> {
  return { name: figure.name, caption: figure.caption, svg: await drawChart(chartOf(figure)) };
}

function chartOf(figure: StudyFigure): ChartSpec {
  const description = figure.caption;
  switch (figure.kind) {
    case "lines":
      return lineChart({ ...figure, description, y: { title: figure.y } });
    case "boxes":
      return boxChart({ ...figure, description, value: { title: figure.value } });
    case "dots":
      return dotChart({ ...figure, description, value: { title: figure.value } });
    default:
      return figure satisfies never;
  }
}
