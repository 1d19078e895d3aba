/** Rows of a prediction table as codes of split, class, prediction and attributes, checked cell by cell. */

import { CuelabError } from "../../core/errors.ts";
import { splitName } from "../shards.ts";
import { ClassScoreReader } from "./class-scores.ts";
import { type ClassBook, type Codebook, cellText, someOf } from "./codebook.ts";
import type { ClassScores, ColumnRoles } from "./roles.ts";
import type { PredictionTable, TableBatch } from "./table.ts";

/** Codes of consecutive rows. */
export interface CodedBatch {
  /** Number of the first row, from 1. */
  first: number;
  count: number;
  ids: ArrayLike<unknown> | undefined;
  splits: Int32Array;
  labels: Int32Array;
  predicted: Int32Array;
  /** Probability of the predicted class; undefined without class scores. */
  confidence: Float64Array | undefined;
  /** One an attribute that was asked for. */
  attributes: readonly Int32Array[];
}

export interface Books {
  splits: Codebook;
  classes: ClassBook;
  attributes: readonly Codebook[];
}

/** What was noticed while reading. */
export interface ReadingNotes {
  /** Rows whose prediction is not the class with the largest score. */
  notLargest: number;
}

/** The split of tables that do not tell any. */
export const allRows = "all rows";

export async function* codedRows(
  table: PredictionTable,
  roles: ColumnRoles,
  books: Books,
  notes: ReadingNotes,
): AsyncGenerator<CodedBatch> {
  const { id, split, label, prediction, scores } = roles;
  const wanted = [label, prediction, id, split].filter((name) => name !== undefined);
  for (const book of books.attributes) wanted.push(book.name);
  for (const name of scores?.columns ?? []) wanted.push(name);
  const names = [...new Set(wanted)];
  const where = (row: number) => `${table.path}, row ${row}`;
  const reader = scores && new ClassScoreReader(scores, classesOf(scores, books.classes, table.path), where);
  for await (const batch of table.batches(names)) {
    const column = (name: string | undefined) =>
      name === undefined ? undefined : batch.columns[names.indexOf(name)]!;
    const classCodes = (name: string) => {
      const cells = column(name)!;
      return codes(batch.count, (i) => books.classes.code(cells[i], name, where, batch.first + i));
    };
    const labels = classCodes(label);
    const said = prediction === undefined ? undefined : classCodes(prediction);
    const scored = reader?.read(
      scores!.columns.map((name) => column(name)!),
      batch,
      said,
    );
    notes.notLargest += scored?.notLargest ?? 0;
    yield {
      first: batch.first,
      count: batch.count,
      ids: column(id),
      splits: splitCodes(column(split), batch, books.splits, where),
      labels,
      predicted: said ?? scored!.predicted,
      confidence: scored?.confidence,
      attributes: books.attributes.map((book) => {
        const cells = column(book.name)!;
        return codes(batch.count, (i) => book.code(cells[i], batch.first + i));
      }),
    };
  }
}

/** The class of each column of scores; there must be one for every class. */
function classesOf(
  { kind, columns, classes: suffixes }: ClassScores,
  classes: ClassBook,
  path: string,
): number[] {
  const found = suffixes.map((suffix) => classes.ofColumn(suffix));
  const stranger = found.indexOf(undefined);
  if (stranger < 0 && new Set(found).size === classes.names.length) return found as number[];
  throw new CuelabError({
    kind: "input",
    what:
      stranger < 0 ? "some classes have no column of scores" : `column "${columns[stranger]}" is of no class`,
    where: path,
    expected: `a column ${kind}_… for each of: ${someOf(classes.names)}`,
    got: someOf(columns),
  });
}

function codes(count: number, codeAt: (row: number) => number): Int32Array {
  const result = new Int32Array(count);
  for (let row = 0; row < count; row++) result[row] = codeAt(row);
  return result;
}

function splitCodes(
  cells: ArrayLike<unknown> | undefined,
  { first, count }: TableBatch,
  book: Codebook,
  where: (row: number) => string,
): Int32Array {
  if (cells === undefined) return new Int32Array(count).fill(book.codeOf(allRows, 0));
  const known = new Map<unknown, number>();
  return codes(count, (i) => {
    const cell = cells[i];
    let code = known.get(cell);
    if (code === undefined) {
      const text = cellText(cell);
      const name = text === "" ? undefined : splitName(text);
      if (name === undefined) throw badSplit(where(first + i), text);
      code = book.codeOf(name, first + i);
      known.set(cell, code);
    }
    return code;
  });
}

function badSplit(where: string, text: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a row has no split",
    where,
    expected: "a name of letters, digits, _ and -, or a number: 0 train, 1 val, 2 test",
    got: text === "" ? "nothing" : JSON.stringify(text),
    todo: "name the column of splits with --split-column",
  });
}
