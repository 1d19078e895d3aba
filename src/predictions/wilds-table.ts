/** WILDS' prediction files: one prediction a line without a header; classes and attributes come from another table. */

import { basename } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { splitName } from "../core/split-names.ts";
import { streamPlain } from "../disk/plain-file.ts";
import { MemoryColumn } from "../tables/memory-column.ts";
import { type ColumnRequest, type ReadOptions, type TableBatch, textAt } from "../tables/table.ts";
import { cellText } from "./codebook.ts";
import type { PredictionTable } from "./table.ts";

/** `{dataset}_split:{split}_seed:{n}_epoch:{e}_pred.csv`; systems without colons in file names write another sign. */
const wildsName = /^(.+)_split[:_-](.+?)_seed[:_-](.+?)_epoch[:_-](.+?)_pred\.csv$/;

export function wildsSplit(path: string): string | undefined {
  return wildsFile(path)?.split;
}

/** What the name of a prediction file tells; undefined for other files. */
export function wildsFile(
  path: string,
): { dataset: string; split: string; seed: string; epoch: string } | undefined {
  const found = wildsName.exec(basename(path));
  if (found === null) return undefined;
  const [, dataset, split, seed, epoch] = found as unknown as [string, string, string, string, string];
  return { dataset, split, seed, epoch };
}

/** Line n is about row n of the labels, among those of the split that the file's name tells. */
export function openWildsTable(path: string, labels: PredictionTable, splitColumn: string): PredictionTable {
  const split = labels.columns.includes(splitColumn) ? wildsSplit(path) : undefined;
  return {
    path,
    columns: [...labels.columns.filter((name) => name !== predictionColumn), predictionColumn],
    ...(labels.classNames ? { classNames: labels.classNames } : {}),
    suggested: { ...labels.suggested, ...(split === undefined ? {} : { split: splitName(split) ?? split }) },
    remarks: [],
    batches: (wanted, options) => joined(path, labels, wanted, split, splitColumn, options),
  };
}

const predictionColumn = "y_pred";

async function* joined(
  path: string,
  labels: PredictionTable,
  wanted: readonly ColumnRequest[],
  split: string | undefined,
  splitColumn: string,
  options: ReadOptions | undefined,
): AsyncGenerator<TableBatch> {
  const lines = readLines(path);
  const made = wanted.map((request) => new MemoryColumn(request));
  // As texts: rows of other splits do not count as first rows of a value.
  const asked = [
    ...new Set([
      ...wanted.map(({ name }) => name).filter((name) => name !== predictionColumn),
      ...(split === undefined ? [] : [splitColumn]),
    ]),
  ];
  const found = new Set<string>();
  let [first, used] = [1, 0];
  try {
    const texts = asked.map((name) => ({ name, as: "texts" as const }));
    for await (const batch of labels.batches(texts, { ...options, equalOnce: false })) {
      const column = (name: string) => batch.columns[asked.indexOf(name)]!;
      const rows: number[] = [];
      for (let row = 0; row < batch.count; row++) {
        const text = split === undefined ? "" : cellText(textAt(column(splitColumn), row));
        if (split !== undefined) found.add(text);
        if (split === undefined || sameSplit(text, split)) rows.push(row);
      }
      if (rows.length === 0) continue;
      const predictions: string[] = [];
      for (let i = 0; i < rows.length; i++) {
        const { value, done } = await lines.next();
        if (done) throw unequal(path, labels.path, split, used + i, `more than ${used + i}`);
        predictions.push(value);
      }
      used += rows.length;
      const start = first;
      const columns = wanted.map(({ name }, i) => {
        const cells = name === predictionColumn ? predictions : rows.map((row) => textAt(column(name), row));
        return made[i]!.of(cells, start);
      });
      yield { first, count: rows.length, columns };
      first += rows.length;
    }
    if (used === 0 && split !== undefined) throw noSuchSplit(path, labels.path, split, found);
    if (!(await lines.next()).done) {
      throw unequal(path, labels.path, split, `more than ${used}`, used);
    }
  } finally {
    await lines.return(undefined);
  }
}

function sameSplit(cell: string, split: string): boolean {
  return cell === split || (splitName(cell) ?? cell) === (splitName(split) ?? split);
}

async function* readLines(path: string): AsyncGenerator<string, undefined> {
  for await (const lines of predictionLines(path)) yield* lines;
  return undefined;
}

/**
 * The file's predictions, some at a time: there may be a thousand files of a hundred thousand. Not by `tables`: a file
 * without a header has no columns there, and a line with a comma must not pass for two cells.
 */
export async function* predictionLines(path: string): AsyncGenerator<string[]> {
  const input = await streamPlain(path, "utf8");
  let [rest, row] = ["", 0];
  const whole = (lines: readonly string[]) => {
    const kept = lines.map((line) => line.trim()).filter((line) => line !== "");
    const wrong = kept.findIndex((line) => line.includes(","));
    if (wrong >= 0) throw severalColumns(path, row + wrong + 1, kept[wrong]!);
    row += kept.length;
    return kept;
  };
  try {
    for await (const chunk of input as AsyncIterable<string>) {
      const lines = (rest + chunk).split(/[\r\n]+/);
      rest = lines.pop()!;
      yield whole(lines);
    }
    yield whole([rest]);
  } catch (cause) {
    if (cause instanceof CuelabError) throw cause;
    throw new CuelabError({
      kind: "input",
      what: "the predictions cannot be read",
      where: path,
      got: (cause as Error).message,
      cause,
    });
  } finally {
    input.destroy();
  }
}

function severalColumns(path: string, row: number, line: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a line holds several values",
    where: `${path}, row ${row}`,
    expected: "with --labels: one prediction a line, without a header",
    got: JSON.stringify(line.length > 80 ? `${line.slice(0, 80)}…` : line),
    todo: "leave --labels away if the table has labels of its own",
  });
}

export function unequal(
  path: string,
  labels: string,
  split: string | undefined,
  predictions: number | string,
  rows: number | string,
): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "predictions and labels differ in number",
    where: path,
    expected: `one prediction for each row of ${labels}${split === undefined ? "" : ` with split ${split}`}`,
    got: `${predictions} predictions and ${rows} rows`,
    todo:
      split === undefined
        ? "give labels of just these images, or a split column and a file name with _split:…_"
        : "check that the labels are those of the evaluated images",
  });
}

export function noSuchSplit(
  path: string,
  labels: string,
  split: string,
  found: Iterable<string>,
): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `the labels have no rows of split "${split}"`,
    where: labels,
    expected: `the split that the file's name tells: ${basename(path)}`,
    got: `splits ${[...found].join(", ")}`,
    todo: "name the column of splits with --split-column",
  });
}
