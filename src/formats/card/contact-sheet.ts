/** A labelled picture of a dataset: examples of every class and cue value, with the share each has in its class. */

import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import { crossTabulate, cuesOf, type Slice, slicesOf } from "../../core/cue-statistics.ts";
import type { Attribute, Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { percentText } from "../../core/words.ts";
import { createSheet, drawImage, drawLine, drawText, fits, ink } from "./drawing.ts";
import { sizeText } from "./size-text.ts";

export const contactSheetName = "contact-sheet.png";

export interface ContactSheetOptions {
  /** The attribute that makes the columns; by default all cues together where they are few, else the first. */
  cue?: string | undefined;
  /** The attribute that makes the blocks; by default the one that the dataset's statistics are told apart by. */
  by?: string | undefined;
  /** Example images a cell. */
  examples?: number | undefined;
}

const layout = {
  margin: 28,
  rowHeader: 150,
  gap: 3,
  cellGap: 18,
  titleHeight: 64,
  blockTitle: 34,
  columnTitle: 24,
  caption: 26,
};
/** Enough to see, few enough to fit a screen; what is left out is said. */
const most = { rows: 12, columns: 10, blocks: 6, width: 6000 };

export async function contactSheet(dataset: Dataset, options: ContactSheetOptions = {}): Promise<Buffer> {
  const together = options.cue === undefined && options.by === undefined ? cuesTogether(dataset) : undefined;
  const { name: cueName, attribute } = together ?? sheetColumns(dataset, options.cue);
  const allBlocks = together ? filledBlocks(dataset, splitSlices(dataset)) : blocksOf(dataset, options.by);
  const blocks = allBlocks.slice(0, most.blocks);
  const tile = tileSize(dataset);
  const rowsShown = mostFrequent(dataset.labels, dataset.classNames.length, most.rows);
  const columnsShown = mostFrequent(attribute.values, attribute.valueNames.length, most.columns);
  const [rows, columns] = [rowsShown.length, columnsShown.length];
  const fitting = Math.max(1, Math.floor(most.width / columns / tile));
  const examples = Math.min(
    options.examples ?? Math.max(2, Math.min(8, Math.floor(760 / columns / tile))),
    fitting,
  );
  const cellWidth = examples * (tile + layout.gap) - layout.gap;
  const blockHeight =
    layout.blockTitle + layout.columnTitle + rows * (tile + layout.caption + layout.cellGap);
  const width = Math.max(560, 2 * layout.margin + layout.rowHeader + columns * (cellWidth + layout.cellGap));
  const height = 2 * layout.margin + layout.titleHeight + blocks.length * blockHeight;

  const context = await createSheet(width, height);
  drawTitle(context, dataset, cueName, hiddenNote(dataset, attribute, allBlocks.length));
  const headingStyle = { size: 12, color: ink.quiet, width: cellWidth };
  const values = columnsShown.map((value) => attribute.valueNames[value]!);
  const named = values.map((value) => (cueName === undefined ? "" : `${cueName}: ${value}`));
  // The title names the cue too: in narrow columns its value says more than the beginning of its name.
  const headings = named.every((heading) => fits(context, heading, headingStyle)) ? named : values;
  let top = layout.margin + layout.titleHeight;
  for (const block of blocks) {
    drawText(context, block.name, layout.margin, top + 20, { size: 15, weight: 600 });
    drawLine(context, layout.margin, top + layout.blockTitle - 6, width - 2 * layout.margin);
    const table = crossTabulate(dataset, attribute, block);
    for (const column of columnsShown.keys()) {
      const left = layout.margin + layout.rowHeader + column * (cellWidth + layout.cellGap);
      drawText(context, headings[column]!, left, top + layout.blockTitle + 12, headingStyle);
    }
    for (const [row, label] of rowsShown.entries()) {
      const cellTop =
        top + layout.blockTitle + layout.columnTitle + row * (tile + layout.caption + layout.cellGap);
      drawText(context, `label: ${dataset.classNames[label]}`, layout.margin, cellTop + tile / 2 + 5, {
        size: 13,
        weight: 600,
        width: layout.rowHeader - 14,
      });
      const inClass = table[label]!.reduce((sum, n) => sum + n, 0);
      for (const [column, value] of columnsShown.entries()) {
        const left = layout.margin + layout.rowHeader + column * (cellWidth + layout.cellGap);
        const count = table[label]![value]!;
        const picked = pickExamples(dataset, attribute, block, label, value, examples, count);
        for (const [i, index] of picked.entries()) {
          drawImage(
            context,
            await dataset.images.pixels(index),
            left + i * (tile + layout.gap),
            cellTop,
            tile,
          );
        }
        drawShare(context, left, cellTop + tile + 6, cellWidth, count, inClass);
      }
    }
    top += blockHeight;
  }
  return (context.canvas as Canvas).encode("png");
}

/** More columns than this are told apart no more. */
const mostTogether = 8;

/** Several cues of few values as one, so that a sheet shows every group. */
function cuesTogether(dataset: Dataset): { name: string; attribute: Attribute } | undefined {
  const cues = cuesOf(dataset);
  const product = cues.reduce((size, [, { valueNames }]) => size * valueNames.length, 1);
  if (cues.length < 2 || product > mostTogether) return undefined;
  const values = new Uint16Array(dataset.labels.length);
  let valueNames = [""];
  for (const [, cue] of cues) {
    for (let i = 0; i < values.length; i++) values[i] = values[i]! * cue.valueNames.length + cue.values[i]!;
    valueNames = valueNames.flatMap((before) =>
      cue.valueNames.map((name) => (before === "" ? name : `${before}, ${name}`)),
    );
  }
  return { name: cues.map(([name]) => name).join(", "), attribute: { values, valueNames, role: "cue" } };
}

/** The attribute of that name, or the first cue; without any, one value for all images. */
export function sheetColumns(
  dataset: Dataset,
  cue: string | undefined,
): { name?: string; attribute: Attribute } {
  if (cue !== undefined) {
    return { name: cue, attribute: requireAttribute(dataset, cue) };
  }
  const [first] = cuesOf(dataset);
  if (first) return { name: first[0], attribute: first[1] };
  return {
    attribute: { values: new Uint16Array(dataset.labels.length), valueNames: ["all"], role: "other" },
  };
}

function requireAttribute({ attributes }: Dataset, name: string): Attribute {
  if (Object.hasOwn(attributes, name)) return attributes[name]!;
  throw new CuelabError({
    kind: "usage",
    what: `the dataset has no attribute "${name}"`,
    expected: `one of: ${Object.keys(attributes).join(", ")}`,
  });
}

/** The codes that occur most, in their own order. */
function mostFrequent(codes: Uint16Array, count: number, limit: number): number[] {
  const times = new Uint32Array(count);
  for (const code of codes) times[code]!++;
  const byFrequency = [...times.keys()].sort((a, b) => times[b]! - times[a]! || a - b);
  return byFrequency.slice(0, limit).sort((a, b) => a - b);
}

function blocksOf(dataset: Dataset, by = dataset.provenance.statisticsBy): Slice[] {
  if (by === undefined) return filledBlocks(dataset, splitSlices(dataset));
  requireAttribute(dataset, by);
  return filledBlocks(dataset, slicesOf(dataset, by).slice(dataset.splits.names.length));
}

function splitSlices(dataset: Dataset): Slice[] {
  return slicesOf(dataset).slice(0, dataset.splits.names.length);
}

function filledBlocks({ labels }: Dataset, slices: readonly Slice[]): Slice[] {
  return slices.filter(({ has }) => labels.some((_, i) => has(i)));
}

/** Small images are shown at a whole multiple of their size, with hard pixels. */
function tileSize({ images }: Dataset): number {
  const side = images.shape === null ? 96 : Math.max(images.shape.height, images.shape.width);
  return side >= 96 ? 96 : side * Math.max(1, Math.floor(64 / side));
}

/** Evenly spaced over the cell's images, so that the sheet does not depend on what happens to come first. */
function pickExamples(
  dataset: Dataset,
  attribute: Attribute,
  block: Slice,
  label: number,
  value: number,
  examples: number,
  available: number,
): number[] {
  const wanted = Math.min(examples, available);
  const picked: number[] = [];
  let seen = 0;
  for (let i = 0; i < dataset.labels.length && picked.length < wanted; i++) {
    if (dataset.labels[i] !== label || attribute.values[i] !== value || !block.has(i)) continue;
    if (seen === Math.floor((picked.length * available) / wanted)) picked.push(i);
    seen++;
  }
  return picked;
}

function hiddenNote({ classNames }: Dataset, { valueNames }: Attribute, blocks: number): string {
  const hidden = [
    classNames.length > most.rows ? `${classNames.length - most.rows} more classes` : "",
    valueNames.length > most.columns ? `${valueNames.length - most.columns} more values` : "",
    blocks > most.blocks ? `${blocks - most.blocks} more blocks` : "",
  ].filter((part) => part !== "");
  return hidden.length === 0 ? "" : ` (not shown: ${hidden.join(", ")})`;
}

function drawTitle(
  context: SKRSContext2D,
  { provenance, images, classNames }: Dataset,
  cue: string | undefined,
  note: string,
): void {
  // People's own folders are not looked through for a picture of some images.
  const size = images.shape === null ? "" : ` of ${sizeText(images.shape)}`;
  const subtitle = `${images.count.toLocaleString("en")} images${size}, ${classNames.length} classes`;
  drawText(context, provenance.title, layout.margin, layout.margin + 18, { size: 22, weight: 600 });
  const by = cue === undefined ? "" : `; each bar: share of the class with that ${cue}`;
  drawText(context, subtitle + by + note, layout.margin, layout.margin + 40, { size: 12, color: ink.quiet });
}

function drawShare(
  context: SKRSContext2D,
  x: number,
  y: number,
  width: number,
  count: number,
  of: number,
): void {
  context.fillStyle = ink.barBack;
  context.fillRect(x, y, width, 5);
  context.fillStyle = ink.bar;
  context.fillRect(x, y, of === 0 ? 0 : (width * count) / of, 5);
  const share = count === 0 ? "empty" : `${percentText(count / of)}  ·  ${count.toLocaleString("en")}`;
  drawText(context, share, x, y + 19, { size: 11, color: ink.quiet, width });
}
