/** A drawn table of class by cue value: what training shows and how often, and what the test split asks for. */

import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import { crossTabulate } from "../../core/cue-statistics.ts";
import type { Attribute, Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { sheetColumns } from "./contact-sheet.ts";
import { createSheet, drawImage, drawText, ink } from "./drawing.ts";

const layout = { margin: 28, title: 92, rowHeader: 190, columnTitle: 30, tile: 96, pad: 10, caption: 36 };

/** Beyond this a contact sheet tells more. */
const mostSide = 12;

/** Training cells are shaded by their share; a ring marks cells of the test split. */
export async function occurrenceMatrix(dataset: Dataset, chosen: string | undefined): Promise<Buffer> {
  const { name: cue, attribute } = sheetColumns(dataset, chosen);
  if (cue === undefined) {
    throw new CuelabError({
      kind: "usage",
      what: "the dataset has no cue to draw a matrix by",
      where: dataset.name,
      todo: `name an attribute with --cue: ${Object.keys(dataset.attributes).join(", ")}`,
    });
  }
  const [rows, columns] = [dataset.classNames.length, attribute.valueNames.length];
  if (Math.max(rows, columns) > mostSide) {
    throw new CuelabError({
      kind: "usage",
      what: `the matrix of class by ${cue} is too large to draw`,
      expected: `at most ${mostSide} classes and values`,
      got: `${rows} classes, ${columns} values`,
      todo: "leave --matrix away for a contact sheet",
    });
  }
  const counts = (split: string) => {
    const code = dataset.splits.names.indexOf(split);
    return crossTabulate(dataset, attribute, { has: (i) => dataset.splits.values[i] === code });
  };
  const [training, testing] = [counts("train"), counts("test")];
  const cell = { width: layout.tile + 2 * layout.pad, height: layout.tile + layout.caption + layout.pad };
  const width = Math.max(520, 2 * layout.margin + layout.rowHeader + columns * cell.width);
  const height = 2 * layout.margin + layout.title + layout.columnTitle + rows * cell.height;
  const context = await createSheet(width, height);
  drawText(context, dataset.provenance.title, layout.margin, layout.margin + 18, {
    size: 20,
    weight: 600,
    width: width - 2 * layout.margin,
  });
  drawText(
    context,
    `class by ${cue}; share of the class and images in training`,
    layout.margin,
    layout.margin + 40,
    {
      size: 12,
      color: ink.quiet,
    },
  );
  drawLegend(context, layout.margin, layout.margin + 62);

  const top = layout.margin + layout.title + layout.columnTitle;
  const left = layout.margin + layout.rowHeader;
  const style = { size: 13, weight: 600 };
  for (const [column, value] of attribute.valueNames.entries()) {
    drawText(context, value, left + column * cell.width + layout.pad, top - 10, {
      ...style,
      width: layout.tile,
    });
  }
  for (const [row, label] of dataset.classNames.entries()) {
    const y = top + row * cell.height;
    drawText(context, label, layout.margin, y + layout.tile / 2, { ...style, width: layout.rowHeader - 14 });
    const total = training[row]!.reduce((sum, n) => sum + n, 0);
    for (let column = 0; column < columns; column++) {
      const seen = training[row]![column]!;
      await drawCell(context, dataset, attribute, {
        row,
        column,
        x: left + column * cell.width,
        y,
        seen,
        share: total === 0 ? 0 : seen / total,
        tested: testing[row]![column]!,
      });
    }
  }
  return (context.canvas as Canvas).encode("png");
}

interface MatrixCell {
  row: number;
  column: number;
  x: number;
  y: number;
  seen: number;
  /** Of the class, in training. */
  share: number;
  tested: number;
}

async function drawCell(
  context: SKRSContext2D,
  dataset: Dataset,
  attribute: Attribute,
  { row, column, x, y, seen, share, tested }: MatrixCell,
): Promise<void> {
  const { tile, pad, caption } = layout;
  context.fillStyle = ink.barBack;
  context.fillRect(x + 2, y, tile + 2 * pad - 4, tile + caption + pad - 4);
  context.globalAlpha = 0.12 + 0.5 * share;
  context.fillStyle = ink.bar;
  if (seen > 0) context.fillRect(x + 2, y, tile + 2 * pad - 4, tile + caption + pad - 4);
  context.globalAlpha = 1;
  const example = exampleOf(dataset, attribute, row, column);
  if (example !== undefined) drawImage(context, await dataset.images.pixels(example), x + pad, y + pad, tile);
  const baseline = y + tile + pad + 20;
  const percent = `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;
  drawText(context, seen === 0 ? "unseen" : percent, x + pad, baseline, { size: 13, weight: 600 });
  if (seen > 0)
    drawText(context, seen.toLocaleString("en"), x + pad + 42, baseline, { size: 11, color: ink.quiet });
  if (tested > 0) drawRing(context, x + tile + pad - 7, baseline - 5);
}

/** From training where there is one, else from any split. */
function exampleOf(
  { labels, splits }: Dataset,
  { values }: Attribute,
  label: number,
  value: number,
): number | undefined {
  const matches = (i: number) => labels[i] === label && values[i] === value;
  let found: number | undefined;
  for (let i = 0; i < labels.length; i++) {
    if (!matches(i)) continue;
    if (splits.names[splits.values[i]!] === "train") return i;
    found ??= i;
  }
  return found;
}

function drawRing(context: SKRSContext2D, x: number, y: number): void {
  context.strokeStyle = "#c2410c";
  context.lineWidth = 2.5;
  context.beginPath();
  context.arc(x, y, 6, 0, 2 * Math.PI);
  context.stroke();
}

function drawLegend(context: SKRSContext2D, x: number, y: number): void {
  context.globalAlpha = 0.6;
  context.fillStyle = ink.bar;
  context.fillRect(x, y - 10, 14, 12);
  context.globalAlpha = 1;
  drawText(context, "in training, darker where more frequent", x + 22, y, { size: 12 });
  drawRing(context, x + 282, y - 4);
  drawText(context, "in the test split", x + 296, y, { size: 12 });
}
