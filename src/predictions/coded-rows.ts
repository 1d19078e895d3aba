/** Rows of a prediction table as codes of split, class, prediction and attributes, checked once for each text. */

import { CuelabError } from "../core/errors.ts";
import { splitName } from "../core/split-names.ts";
import type {
  BatchColumn,
  CodedColumn,
  ColumnRequest,
  NumberColumn,
  ReadOptions,
  TableBatch,
} from "../tables/table.ts";
import { ClassScoreReader } from "./class-scores.ts";
import { type ClassBook, type Codebook, cellText, someOf } from "./codebook.ts";
import type { ClassScores, ColumnRoles, LabelledRoles } from "./roles.ts";
import type { PredictionTable } from "./table.ts";

/** Codes of consecutive rows; they are good until the next ones are asked for. */
export interface CodedBatch {
  /** Number of the first row, from 1. */
  first: number;
  count: number;
  ids: BatchColumn | undefined;
  splits: Int32Array;
  /** Undefined where the table tells no true classes. */
  labels: Int32Array | undefined;
  predicted: Int32Array;
  /** Probability of the predicted class; undefined without class scores. */
  confidence: Float64Array | undefined;
  /** One an attribute that was asked for. */
  attributes: readonly Int32Array[];
  /** Where equal rows came once: how many there are of each, and how many of the table were read by now. */
  equal: TableBatch["equal"];
}

export type LabelledBatch = CodedBatch & { labels: Int32Array };

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

/** Values may be spelled in several ways, such as 1 and 1.0: so many spellings are told apart at least. */
const leastTexts = 10_000;

/** The split of tables that do not tell any. */
export const allRows = "all rows";

/** Equal rows may come once where rows are counted, and not compared one by one. */
type CodedRowsOptions = Pick<ReadOptions, "signal" | "equalOnce">;

export function codedRows(
  table: PredictionTable,
  roles: LabelledRoles,
  books: Books,
  notes: ReadingNotes,
  options?: CodedRowsOptions,
): AsyncGenerator<LabelledBatch>;
export function codedRows(
  table: PredictionTable,
  roles: ColumnRoles,
  books: Books,
  notes: ReadingNotes,
  options?: CodedRowsOptions,
): AsyncGenerator<CodedBatch>;
export async function* codedRows(
  table: PredictionTable,
  roles: ColumnRoles,
  books: Books,
  notes: ReadingNotes,
  options?: CodedRowsOptions,
): AsyncGenerator<CodedBatch> {
  const { id, split, label, prediction, scores } = roles;
  const wanted = requestsOf(table, roles, books);
  const names = wanted.map(({ name }) => name);
  const where = (row: number) => `${table.path}, row ${row}`;
  const reader = scores && new ClassScoreReader(scores, classesOf(scores, books.classes, table.path), where);
  const classCodes = (name: string) => new Recoded((text, row) => books.classes.code(text, name, where, row));
  const labelCodes = label === undefined ? undefined : classCodes(label);
  const predictionCodes = prediction === undefined ? undefined : classCodes(prediction);
  const splitCodes = new Recoded((text, row) => splitCode(text, row, books.splits, where));
  const attributeCodes = books.attributes.map((book) => new Recoded((text, row) => book.code(text, row)));
  for await (const batch of table.batches(wanted, options)) {
    const column = (name: string) => batch.columns[names.indexOf(name)]!;
    const coded = (name: string) => column(name) as CodedColumn;
    const labels = labelCodes?.of(coded(label!));
    const said = predictionCodes?.of(coded(prediction!));
    const scored = reader?.read(
      scores!.columns.map((name) => column(name) as NumberColumn),
      batch,
      said,
    );
    notes.notLargest += scored?.notLargest ?? 0;
    yield {
      first: batch.first,
      count: batch.count,
      ids: id === undefined ? undefined : column(id),
      splits:
        split === undefined
          ? new Int32Array(batch.count).fill(books.splits.codeOf(allRows, 0))
          : splitCodes.of(coded(split)),
      labels,
      predicted: said ?? scored!.predicted,
      confidence: scored?.confidence,
      equal: batch.equal,
      attributes: books.attributes.map((book, i) => {
        const cells = coded(book.name);
        if (cells.overflowed) book.overflowed = true;
        const codes = attributeCodes[i]!.of(cells);
        return book.overflowed ? codes.fill(0) : codes;
      }),
    };
  }
}

/** Each column once, as what it is used for. */
function requestsOf(table: PredictionTable, roles: ColumnRoles, books: Books): ColumnRequest[] {
  const { id, split, label, prediction, scores } = roles;
  const wanted = new Map<string, ColumnRequest>();
  for (const name of [label, prediction, split]) {
    if (name !== undefined) wanted.set(name, { name, as: "codes" });
  }
  for (const { name, most } of books.attributes) {
    if (!wanted.has(name)) wanted.set(name, { name, as: "codes", most: Math.max(most, leastTexts) });
  }
  if (id !== undefined && !wanted.has(id)) wanted.set(id, { name: id, as: "texts" });
  for (const name of scores?.columns ?? []) {
    if (wanted.has(name)) {
      throw new CuelabError({
        kind: "usage",
        what: `column "${name}" holds the scores of a class, and cannot be something else as well`,
        where: table.path,
      });
    }
    wanted.set(name, { name, as: "numbers" });
  }
  return [...wanted.values()];
}

/** The codes of a column of texts as codes of a book, which is asked once for each text. */
class Recoded {
  readonly #code: (text: string, row: number) => number;
  #map = new Int32Array(256);
  #known = 0;
  /** Used again for the next batch: new memory for each would keep the garbage collector busy. */
  #result = new Int32Array(0);

  constructor(code: (text: string, row: number) => number) {
    this.#code = code;
  }

  of({ codes, texts, firstRows }: CodedColumn): Int32Array {
    if (texts.length > this.#map.length) {
      const larger = new Int32Array(2 * texts.length);
      larger.set(this.#map);
      this.#map = larger;
    }
    const map = this.#map;
    for (; this.#known < texts.length; this.#known++) {
      map[this.#known] = this.#code(texts[this.#known]!, firstRows[this.#known]!);
    }
    if (codes.length > this.#result.length) this.#result = new Int32Array(codes.length);
    const result = this.#result.subarray(0, codes.length);
    for (let row = 0; row < codes.length; row++) result[row] = map[codes[row]!]!;
    return result;
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

function splitCode(cell: string, row: number, book: Codebook, where: (row: number) => string): number {
  const text = cellText(cell);
  const name = text === "" ? undefined : splitName(text);
  if (name === undefined) throw badSplit(where(row), text);
  return book.codeOf(name, row);
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
