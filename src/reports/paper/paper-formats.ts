/** A paper's table in every form: for LaTeX, for a page, for programs, and its figures. */

import { join } from "node:path";
import { drawChart } from "../../charts/chart.ts";
import { chartPdf } from "../../charts/chart-pdf.ts";
import { dotChart } from "../../charts/dot-chart.ts";
import { CuelabError } from "../../core/errors.ts";
import { escapeMarkdown } from "../../core/markdown-text.ts";
import { didYouMean } from "../../core/nearest.ts";
import type { Figure } from "../../core/section.ts";
import { percentText } from "../../core/words.ts";
import { learningCurves } from "../../runs/learning-curves.ts";
import { type CsvOptions, csvLines } from "../as-csv.ts";
import { asJson } from "../as-json.ts";
import { asLatex } from "../as-latex.ts";
import { markdownTable } from "../as-markdown.ts";
import type { ComparisonFormat } from "../comparison-formats.ts";
import { type PaperCell, type PaperData, type PaperInterval, paperTable, spreadOf } from "./paper-table.ts";

export function formatPaper(data: PaperData, format: ComparisonFormat, { excel }: CsvOptions = {}): string {
  switch (format) {
    case "markdown":
      return `${markdownTable(paperTable(data)).trimEnd()}\n\n${escapeMarkdown(paperTable(data).caption)}\n`;
    case "latex":
      return asLatex(paperTable(data));
    case "csv":
      return paperCsv(data, { excel });
    case "json":
      return asJson(data);
    default:
      return format satisfies never;
  }
}

/** One line a row, dataset and metric; what there is not is empty. */
function paperCsv({ metrics, rows }: PaperData, options: CsvOptions): string {
  const head = [
    "label",
    "dataset",
    "sweep",
    "metric",
    "mean",
    "sd",
    "se",
    "low",
    "high",
    "n",
    "not_worse",
    "p",
    "p_holm",
  ];
  const costs = ["trials", "steps", "core_seconds", "labels_training", "labels_selection"];
  const lines = rows.flatMap((row) =>
    metrics.map(({ name }) => {
      const cell = row.cells[name];
      const { mean, sd, se, low, high, n, notWorse, pValue, adjusted } = cell ?? ({} as Partial<PaperCell>);
      const numbers = [
        mean,
        sd,
        se,
        low,
        high,
        n,
        notWorse === undefined ? "" : Number(notWorse),
        pValue,
        adjusted,
      ];
      const { label, dataset, sweep, trials, steps, coreSeconds, trainingLabels, selectionLabels } = row;
      const spent = [trials, steps, coreSeconds, trainingLabels, selectionLabels];
      return [label, dataset, sweep, name, ...[...numbers, ...spent].map((value) => String(value ?? ""))];
    }),
  );
  return csvLines([[...head, ...costs], ...lines], options);
}

export interface FigureChoice {
  title?: string | undefined;
  /** By the name of a metric: how its axis is labelled. */
  labels?: ReadonlyMap<string, string> | undefined;
  /** Of the part between the axes, in pixels; a paper's column is about 240. */
  width?: number | undefined;
}

/** A figure a metric: a dot a label, its interval, datasets beside each other. */
function paperFigures(data: PaperData, { title, labels, width }: FigureChoice = {}): Figure[] {
  return data.metrics.map((metric) => {
    const points = data.rows.flatMap(({ label, dataset, cells }) => {
      const cell = cells[metric.name];
      return cell ? [{ row: label, series: dataset, value: cell.mean, ...ends(cell, data.interval) }] : [];
    });
    const said = points.map(({ row, series, value }) => `${row} on ${series} ${percentText(value)}`);
    const caption = `${metric.title}: ${said.join(", ")}`;
    return {
      name: metric.name.replaceAll(/[^\w-]+/g, "-"),
      caption,
      draw: () =>
        dotChart({
          description: caption,
          title,
          width,
          value: { title: labels?.get(metric.name) ?? metric.title },
          points,
        }),
    };
  });
}

function ends(cell: PaperCell, interval: PaperInterval): { low?: number; high?: number } {
  const spread = spreadOf(cell, interval);
  return spread === undefined ? {} : { low: cell.mean - spread, high: cell.mean + spread };
}

/** Figures by the names of their files: each as SVG, and as PDF for LaTeX. */
export async function paperFigureFiles(
  data: PaperData,
  folder: string,
  choice: FigureChoice,
): Promise<Map<string, string | Buffer>> {
  const unknown = [...(choice.labels?.keys() ?? [])].find((name) =>
    data.metrics.every((one) => one.name !== name),
  );
  if (unknown !== undefined) {
    const names = data.metrics.map(({ name }) => name);
    throw new CuelabError({
      kind: "usage",
      what: `no figure is about "${unknown}"`,
      where: "--labels",
      expected: `some of: ${names.join(", ")}`,
      ...didYouMean(unknown, names),
    });
  }
  const several = new Set(data.rows.map(({ dataset }) => dataset)).size > 1;
  const groups = data.rows.map(({ label, dataset, runs }) => ({
    label: several ? `${label}, ${dataset}` : label,
    folders: runs.map((id) => join(folder, id)),
  }));
  const { title, width } = choice;
  const files = new Map<string, string | Buffer>();
  for (const { name, draw } of [...paperFigures(data, choice), ...learningCurves(groups, { title, width })]) {
    files.set(`${name}.svg`, await drawChart(draw()));
    files.set(`${name}.pdf`, await chartPdf(draw()));
  }
  return files;
}
