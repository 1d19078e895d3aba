/** What is known of training: how many images each combination of class and attributes had. */

import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import type { PredictionsAbout } from "../../core/predictions-about.ts";
import { splitName } from "../../core/split-names.ts";
import { type CountedSplit, PredictionCounter } from "../../metrics/counter.ts";
import { type Codebook, cellText } from "../../predictions/codebook.ts";
import type { Books } from "../../predictions/coded-rows.ts";
import { openLabels } from "../../predictions/open-predictions.ts";
import { type PredictionMapping, requiredColumn } from "../../predictions/roles.ts";
import { type ColumnRequest, textAt } from "../../tables/table.ts";

const countColumns = ["count", "n", "images", "train"];
const labelColumns = ["y_true", "y", "label", "labels", "target", "class"];

/** How to count training images beside the predictions. */
export interface TrainingQuestion {
  books: Books;
  margins: readonly (readonly number[])[];
  /** Attributes that training must know. */
  needed: ReadonlySet<string>;
}

/**
 * From a table of class, attributes and count; or of single images, which then count one each. Where it has a column
 * of splits, only training counts.
 */
export async function trainingFromTable(
  path: string,
  { books, margins, needed }: TrainingQuestion,
  mapping: PredictionMapping,
): Promise<CountedSplit> {
  const table = await openLabels(path);
  const label =
    [mapping.label, ...labelColumns].find((name) => name !== undefined && table.columns.includes(name)) ??
    requiredColumn(table, mapping.label ?? "y_true", "name the classes with --label-column");
  const split = [mapping.split, "split"].find((name) => name !== undefined && table.columns.includes(name));
  const count = countColumns.find((name) => table.columns.includes(name) && !needed.has(name));
  const columns = books.attributes.map(({ name }) =>
    needed.has(name) ? requiredColumn(table, name) : undefined,
  );
  const names = [...new Set([label, split, count, ...columns])].filter((name) => name !== undefined);
  const counter = new PredictionCounter(margins);
  const wanted = names.map((name): ColumnRequest => ({ name, as: name === count ? "texts" : "codes" }));
  for await (const batch of table.batches(wanted)) {
    const column = (name: string | undefined) => {
      const found = name === undefined ? undefined : batch.columns[names.indexOf(name)]!;
      return found && ((row: number) => textAt(found, row));
    };
    const [labels, splits, numbers] = [column(label)!, column(split), column(count)];
    const attributes = columns.map(column);
    for (let i = 0; i < batch.count; i++) {
      if (splits !== undefined && splitName(cellText(splits(i))) !== "train") continue;
      const row = batch.first + i;
      const codes = books.attributes.map((book, a) => trainedCode(book, attributes[a]?.(i), row));
      const where = `${path}, row ${row}`;
      const images = numbers === undefined ? 1 : wholeCount(numbers(i), count!, where);
      counter.addImages(0, books.classes.trained(labels(i), where), codes, images);
    }
  }
  return trained(counter, path);
}

/** From what the predictions say of training, or the dataset that is given; null where there were no training images. */
export function trainingFromAbout(
  about: PredictionsAbout,
  { books, margins, needed }: TrainingQuestion,
): CountedSplit | null {
  const { training, classNames } = about;
  if (training === null) return null;
  const classes = classNames.map((name) => books.classes.trained(name, about.data));
  const columns = books.attributes.map((book) => {
    if (!needed.has(book.name)) return undefined;
    const at = training.attributes.indexOf(book.name);
    if (at < 0) throw noAttribute(about, book.name);
    const { valueNames } = lookUp(about.attributes, book.name);
    return { values: training.values[at]!, codes: valueNames.map((name) => trainedCode(book, name, 0)) };
  });
  const counter = new PredictionCounter(margins);
  for (const [i, label] of training.labels.entries()) {
    const codes = columns.map((column) => (column === undefined ? 0 : column.codes[column.values[i]!]!));
    counter.addImages(0, classes[label]!, codes, training.images[i]!);
  }
  return { counter, split: 0 };
}

/** What was not asked for, or has too many values, tells nothing: code 0. */
function trainedCode(book: Codebook, cell: unknown, row: number): number {
  if (cell === undefined || book.overflowed) return 0;
  return book.trained(cell, row);
}

function trained(counter: PredictionCounter, where: string): CountedSplit {
  if ((counter.splits().get(0) ?? 0) > 0) return { counter, split: 0 };
  throw new CuelabError({
    kind: "input",
    what: "there are no training images",
    where,
    expected: "rows with a count above 0, or with the split train",
  });
}

function wholeCount(cell: unknown, column: string, where: string): number {
  const value = Number(cellText(cell));
  if (cellText(cell) !== "" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new CuelabError({
    kind: "input",
    what: `column "${column}" holds no count`,
    where,
    expected: "a whole number of images",
    got: JSON.stringify(cellText(cell)),
  });
}

/** Not known of the data at all, or left out of the table because it tells nearly every image apart. */
function noAttribute({ data, attributes }: PredictionsAbout, name: string): CuelabError {
  const leftOut = attributes.has(name);
  return new CuelabError({
    kind: "input",
    what: leftOut
      ? `the table does not tell how many training images each value of "${name}" had: there are too many`
      : `the dataset has no attribute "${name}"`,
    where: data,
    ...(leftOut ? {} : { got: `attributes ${[...attributes.keys()].join(", ")}` }),
    todo: "choose others with --cues or --groups, or give the counts with --train-counts",
  });
}
