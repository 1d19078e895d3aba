/** Predictions of many models as a table of accuracies: WILDS' files with their labels, or tables with labels of their own. */

import { basename, dirname } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { predictionColumns, scoreColumn } from "../../core/own-columns.ts";
import { splitName } from "../../core/split-names.ts";
import { isTableName } from "../../tables/open-table.ts";
import { textAt } from "../../tables/table.ts";
import { ClassBook, Codebook, cellText, someOf } from "../codebook.ts";
import { codedRows } from "../coded-rows.ts";
import { openPredictions, openPredictionTable } from "../open-predictions.ts";
import { labelledRoles } from "../roles.ts";
import type { PredictionTable } from "../table.ts";
import { noSuchSplit, openWildsTable, predictionLines, unequal, wildsFile } from "../wilds-table.ts";
import type { AccuracyTable, ReadAccuracyOptions } from "./column-table.ts";
import { GroupBook, type GroupChoice } from "./group-book.ts";
import { LabelClasses, unlabelled } from "./label-classes.ts";
import { ModelTallies } from "./model-tallies.ts";

export interface PredictionAccuracyOptions
  extends GroupChoice,
    Pick<ReadAccuracyOptions, "signal" | "onFiles"> {
  labelColumn?: string | undefined;
  splitColumn?: string | undefined;
  /** Names of environments that will be asked for; `val+test` is both splits together. */
  environments?: readonly string[] | undefined;
}

/** One model a run's folder, seed and epoch. Labels are read once, and of each file only counts are kept. */
export async function wildsPredictionAccuracies(
  path: string,
  files: readonly string[],
  labels: PredictionTable,
  options: PredictionAccuracyOptions,
): Promise<AccuracyTable> {
  const { splitColumn = "split" } = options;
  refuseSeveralDatasets(files, labels.path);
  const { label } = labelledRoles(openWildsTable(files[0]!, labels, splitColumn), {
    label: options.labelColumn,
  });
  const book = new GroupBook(withSuggested(options, labels), label, labels);
  const known = await readLabels(labels, label, splitColumn, book);
  const tallies = new ModelTallies(book);
  const strangers: number[] = [];
  for (const [done, file] of files.entries()) {
    options.signal?.throwIfAborted();
    options.onFiles?.(done, files.length);
    const { split, seed, epoch } = wildsFile(file)!;
    const rows = known.splits.get(known.bySplit ? (splitName(split) ?? split) : "");
    if (rows === undefined) throw noSuchSplit(file, labels.path, split, known.splits.keys());
    const { right, strange } = await countRight(file, rows, known, labels.path, split);
    strangers.push(strange);
    tallies.add({ run: dirname(file), seed, epoch }, split, { file, all: rows.all, right });
  }
  const table = tallies.table(path, options.environments ?? []);
  return { ...table, remarks: [...table.remarks, ...strangeRemark(strangers)] };
}

/** One table of labels is of one dataset. */
function refuseSeveralDatasets(files: readonly string[], labels: string): void {
  const first = files[0]!;
  const { dataset } = wildsFile(first)!;
  const other = files.find((file) => wildsFile(file)!.dataset !== dataset);
  if (other === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: "the predictions are of several datasets",
    where: `${first}, ${other}`,
    expected: `those of one dataset, whose labels are in ${labels}`,
    got: `${dataset} and ${wildsFile(other)!.dataset}`,
    todo: "give the files of one dataset; models of one dataset have a folder each and equal names before _split",
  });
}

/** As `eval` says it, over all files. */
function strangeRemark(strangers: readonly number[]): string[] {
  const rows = strangers.reduce((sum, count) => sum + count, 0);
  if (rows === 0) return [];
  const files = strangers.filter((count) => count > 0).length;
  return [
    `${rows.toLocaleString("en")} predictions in ${files.toLocaleString("en")} of ${strangers.length.toLocaleString("en")} files are classes that no label has, and count as wrong`,
  ];
}

interface LabelledPredictions {
  /** A code a row, as the codes of texts say. */
  classes: number[];
  cells: number[];
  /** Images of each cell. */
  all: Uint32Array;
}

interface Labels {
  bySplit: boolean;
  classes: LabelClasses;
  /** Under the name that the split has here, or "" where there are none. */
  splits: ReadonlyMap<string, LabelledPredictions>;
}

async function readLabels(
  labels: PredictionTable,
  label: string,
  splitColumn: string,
  book: GroupBook,
): Promise<Labels> {
  const bySplit = labels.columns.includes(splitColumn);
  const wanted = [label, ...book.attributes, ...(bySplit ? [splitColumn] : [])];
  const classes = new LabelClasses(label, labels.path, labels.classNames?.length);
  const splits = new Map<string, LabelledPredictions>();
  const asked = [...new Set(wanted)].map((name) => ({ name, as: "codes" as const }));
  for await (const { first, count, columns: read } of labels.batches(asked)) {
    const columns = wanted.map((name) => read[asked.findIndex((one) => one.name === name)]!);
    for (let row = 0; row < count; row++) {
      const { text, code } = classes.label(textAt(columns[0]!, row), first + row);
      const others = columns.slice(1).map((column) => cellText(textAt(column, row)));
      const split = bySplit ? others.pop()! : "";
      const name = splitName(split) ?? split;
      const rows = splits.get(name) ?? { classes: [], cells: [], all: new Uint32Array() };
      splits.set(name, rows);
      rows.classes.push(code);
      rows.cells.push(book.code(labels.classNames?.[Number(text)] ?? text, others));
    }
  }
  for (const rows of splits.values()) {
    rows.all = new Uint32Array(book.size);
    for (const cell of rows.cells) rows.all[cell]!++;
  }
  classes.close();
  return { bySplit, classes, splits };
}

/** Right predictions of each cell, and how many predictions are classes that no label has. */
async function countRight(
  file: string,
  { classes, cells, all }: LabelledPredictions,
  { classes: known, bySplit }: Labels,
  labels: string,
  split: string,
): Promise<{ right: Uint32Array; strange: number }> {
  const right = new Uint32Array(all.length);
  const codes = new Map<string, number>();
  let [row, strange] = [0, 0];
  for await (const lines of predictionLines(file)) {
    for (const line of lines) {
      let code = codes.get(line);
      if (code === undefined) {
        code = known.predicted(line, file, row + 1);
        codes.set(line, code);
      }
      if (code === classes[row]) right[cells[row]!]!++;
      else if (code === unlabelled) strange++;
      row++;
    }
    if (row > classes.length) break;
  }
  if (row !== classes.length) {
    const asked = bySplit ? split : undefined;
    throw row > classes.length
      ? unequal(file, labels, asked, `more than ${classes.length}`, classes.length)
      : unequal(file, labels, asked, row, classes.length);
  }
  if (strange === row) throw otherClasses(file, labels, [...codes.keys()], known.names);
  return { right, strange };
}

/** A row an image, with its true class and a predicted one. */
export async function isPredictionTable(file: string): Promise<boolean> {
  if (!isTableName(file)) return false;
  const { columns } = await openPredictionTable(file);
  return (
    columns.includes(predictionColumns.label) &&
    columns.some((name) => name === predictionColumns.prediction || scoreColumn.test(name))
  );
}

/** One model a table; a run's folder stands for the predictions in it. */
export async function tablePredictionAccuracies(
  path: string,
  files: readonly string[],
  options: PredictionAccuracyOptions,
): Promise<AccuracyTable> {
  const mapping = { label: options.labelColumn, split: options.splitColumn };
  let book: GroupBook | undefined;
  let tallies: ModelTallies | undefined;
  const strangers: number[] = [];
  for (const [done, file] of files.entries()) {
    options.signal?.throwIfAborted();
    options.onFiles?.(done, files.length);
    const table = await openPredictions(basename(file) === "predictions.parquet" ? dirname(file) : file);
    const roles = labelledRoles(table, mapping);
    book ??= new GroupBook(withSuggested(options, table), roles.label, {
      ...table,
      columns: [...roles.attributes, roles.label],
      path: file,
    });
    tallies ??= new ModelTallies(book);
    // Another table may lack what the first one has.
    const missing = book.attributes.find((name) => !table.columns.includes(name));
    if (missing !== undefined) new GroupBook(options, roles.label, { columns: roles.attributes, path: file });
    const books = {
      splits: new Codebook("split"),
      classes: table.classNames
        ? new ClassBook(table.classNames, { byPlace: true })
        : new ClassBook(roles.scores?.classes),
      attributes: book.attributes.map((name) => new Codebook(name)),
    };
    const counts = new Map<number, { all: number[]; right: number[] }>();
    const cells = new Map<string, number>();
    const labelled = new Set<number>();
    const predicted = new Map<number, number>();
    for await (const batch of codedRows(table, { ...roles, id: undefined }, books, { notLargest: 0 })) {
      for (let i = 0; i < batch.count; i++) {
        const key = `${batch.labels[i]},${batch.attributes.map((codes) => codes[i]).join()}`;
        let cell = cells.get(key);
        if (cell === undefined) {
          const values = books.attributes.map(({ values }, at) => values[batch.attributes[at]![i]!]!);
          cell = book.code(books.classes.names[batch.labels[i]!]!, values);
          cells.set(key, cell);
        }
        labelled.add(batch.labels[i]!);
        predicted.set(batch.predicted[i]!, (predicted.get(batch.predicted[i]!) ?? 0) + 1);
        const split = batch.splits[i]!;
        const tally = counts.get(split) ?? { all: [], right: [] };
        counts.set(split, tally);
        tally.all[cell] = (tally.all[cell] ?? 0) + 1;
        tally.right[cell] = (tally.right[cell] ?? 0) + (batch.labels[i] === batch.predicted[i] ? 1 : 0);
      }
    }
    // Classes that were declared need not occur.
    const strange = books.classes.declared ? [] : [...predicted.keys()].filter((code) => !labelled.has(code));
    const names = (codes: Iterable<number>) => Array.from(codes, (code) => books.classes.names[code]!);
    if (strange.length > 0 && strange.length === predicted.size)
      throw otherClasses(file, `column "${roles.label}"`, names(strange), names(labelled));
    strangers.push(strange.reduce((sum, code) => sum + predicted.get(code)!, 0));
    for (const [split, { all, right }] of counts) {
      const tally = { file, all: filled(all), right: filled(right) };
      tallies.add({ run: file }, books.splits.values[split]!, tally);
    }
  }
  const table = tallies!.table(path, options.environments ?? []);
  return { ...table, remarks: [...table.remarks, ...strangeRemark(strangers)] };
}

/** Without holes. */
function filled(counts: readonly number[]): Uint32Array {
  return Uint32Array.from(counts, (count) => count ?? 0);
}

/** Without names after --groups, those by which WILDS reports accuracies, where the table is one of its own. */
function withSuggested(
  choice: GroupChoice,
  { suggested, path }: Pick<PredictionTable, "suggested" | "path">,
) {
  if (choice.groups?.length !== 0) return choice;
  if (suggested?.overlapping) return { ...choice, groups: undefined, overlapping: suggested.overlapping };
  if (suggested?.groups) return { ...choice, groups: suggested.groups };
  throw new CuelabError({
    kind: "usage",
    what: "--groups needs the columns that make groups",
    where: path,
    todo: "name them by commas, such as class,place",
  });
}

function otherClasses(
  file: string,
  labels: string,
  predicted: readonly string[],
  classes: readonly string[],
): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "no prediction is one of the classes",
    where: file,
    expected: `classes as in ${labels}: ${someOf(classes)}`,
    got: someOf(predicted),
    todo: "name the column of classes with --label-column",
  });
}
