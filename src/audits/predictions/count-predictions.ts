/** One pass over a prediction table, and in step with it over its baseline's, that leaves nothing but counts. */

import { CuelabError } from "../../core/errors.ts";
import { noValue } from "../../core/words.ts";
import { PredictionCounter } from "../../metrics/counter.ts";
import { cellText } from "../../predictions/codebook.ts";
import {
  type Books,
  codedRows,
  type LabelledBatch,
  type ReadingNotes,
} from "../../predictions/coded-rows.ts";
import type { LabelledRoles } from "../../predictions/roles.ts";
import type { PredictionTable } from "../../predictions/table.ts";
import { textAt } from "../../tables/table.ts";

export interface OpenedTable {
  table: PredictionTable;
  roles: LabelledRoles;
}

export interface CountedTable {
  counter: PredictionCounter;
  notes: ReadingNotes;
  /** How often each class was the true one, and the predicted one, by code. */
  labelled: number[];
  predicted: number[];
  /** The same within each split, by its code. */
  bySplit: { labelled: number[]; predicted: number[] }[];
  /** Rows in which each attribute has no value. */
  empty: number[];
}

export interface CountOptions {
  /** Attributes that are counted together, by their numbers among the books. */
  margins: readonly (readonly number[])[];
  baseline?: OpenedTable | undefined;
  signal?: AbortSignal | undefined;
  onRows?: ((rows: number) => void) | undefined;
}

export async function countPredictions(
  { table, roles }: OpenedTable,
  books: Books,
  { margins, baseline, signal, onRows }: CountOptions,
): Promise<CountedTable> {
  const counter = new PredictionCounter(margins, { withBaseline: baseline !== undefined });
  const counted: CountedTable = {
    counter,
    notes: { notLargest: 0 },
    labelled: [],
    predicted: [],
    bySplit: [],
    empty: books.attributes.map(() => 0),
  };
  const overflowed = new Set<number>();
  const theirs = baseline && new Baseline(baseline, books, table.path);
  // Ids are compared with the baseline's, and are for nothing else.
  const used = baseline ? roles : { ...roles, id: undefined };
  const options = { signal, equalOnce: baseline === undefined };
  try {
    for await (const batch of codedRows(table, used, books, counted.notes, options)) {
      signal?.throwIfAborted();
      const baselineRight = await theirs?.inStepWith(batch);
      for (const [i, book] of books.attributes.entries()) {
        if (!book.overflowed || overflowed.has(i)) continue;
        overflowed.add(i);
        counter.drop(i);
      }
      for (const i of overflowed) batch.attributes[i]!.fill(0);
      countBatch(batch, counted, books.classes.names.length, baselineRight);
      for (const [i, book] of books.attributes.entries())
        counted.empty[i]! += rowsWith(batch, i, book.find(noValue));
      onRows?.(batch.equal?.read ?? batch.first + batch.count - 1);
    }
    await theirs?.end();
  } finally {
    await theirs?.close();
  }
  if (counted.labelled.length === 0) {
    throw new CuelabError({ kind: "input", what: "the table has no rows", where: table.path });
  }
  return counted;
}

function countBatch(
  { count, splits, labels, predicted, confidence, attributes, equal }: LabelledBatch,
  counted: CountedTable,
  classes: number,
  baselineCorrect: Uint8Array | undefined,
): void {
  const correct = new Uint8Array(count);
  // One row a split that occurs, one column a class.
  const kinds = splits.reduce((most, split) => Math.max(most, split + 1), 0);
  const [labelled, said] = [new Float64Array(kinds * classes), new Float64Array(kinds * classes)];
  const times = equal?.times;
  for (let row = 0; row < count; row++) {
    const label = labels[row]!;
    const prediction = predicted[row]!;
    const rows = times === undefined ? 1 : times[row]!;
    const first = splits[row]! * classes;
    labelled[first + label]! += rows;
    said[first + prediction]! += rows;
    correct[row] = label === prediction ? 1 : 0;
  }
  counted.counter.addRows({ splits, labels, attributes, correct, baselineCorrect, confidence, times });
  for (let split = 0; split < kinds; split++) {
    counted.bySplit[split] ??= { labelled: [], predicted: [] };
    const own = (counts: Float64Array) => counts.subarray(split * classes, (split + 1) * classes);
    for (const into of [counted, counted.bySplit[split]!]) {
      addTo(into.labelled, own(labelled));
      addTo(into.predicted, own(said));
    }
  }
}

/** How many rows have this code of an attribute. */
function rowsWith(
  { attributes, equal, count }: LabelledBatch,
  attribute: number,
  code: number | undefined,
): number {
  if (code === undefined) return 0;
  const [codes, times] = [attributes[attribute]!, equal?.times];
  let rows = 0;
  for (let row = 0; row < count; row++) if (codes[row] === code) rows += times?.[row] ?? 1;
  return rows;
}

/** Classes that do not occur leave holes. */
function addTo(counts: number[], more: Float64Array): void {
  for (const [code, count] of more.entries()) if (count > 0) counts[code] = (counts[code] ?? 0) + count;
}

/** The baseline's rows, which must be about the same images in the same order. */
class Baseline {
  readonly #path: string;
  readonly #ours: string;
  readonly #classes: Books["classes"];
  readonly #rows: AsyncGenerator<LabelledBatch>;
  #batch: LabelledBatch | undefined;
  #at = 0;

  constructor({ table, roles }: OpenedTable, { splits, classes }: Books, ours: string) {
    this.#path = table.path;
    this.#ours = ours;
    this.#classes = classes;
    this.#rows = codedRows(table, roles, { splits, classes, attributes: [] }, { notLargest: 0 });
  }

  /** For each of our rows, whether the baseline is right there. */
  async inStepWith(ours: LabelledBatch): Promise<Uint8Array> {
    const right = new Uint8Array(ours.count);
    for (let row = 0; row < ours.count; row++) {
      if (this.#batch === undefined || this.#at === this.#batch.count) {
        const { value, done } = await this.#rows.next();
        if (done) throw this.#ends("the baseline ends", ours.first + row);
        [this.#batch, this.#at] = [value as LabelledBatch, 0];
      }
      const batch: LabelledBatch = this.#batch;
      const at = this.#at++;
      this.#compare(ours, row, batch, at);
      if (batch.predicted[at] === batch.labels[at]) right[row] = 1;
    }
    return right;
  }

  async end(): Promise<void> {
    const left = this.#batch !== undefined && this.#at < this.#batch.count;
    if (left || !(await this.#rows.next()).done) throw this.#ends("the baseline goes on", undefined);
  }

  async close(): Promise<void> {
    await this.#rows.return(undefined);
  }

  #compare(ours: LabelledBatch, row: number, theirs: LabelledBatch, at: number): void {
    const differs = (what: string, our: string, their: string) =>
      new CuelabError({
        kind: "input",
        what: `the baseline is not about the same images: the ${what} differs`,
        where: `${this.#path}, row ${theirs.first + at}`,
        expected: `${our}, as in ${this.#ours}, row ${ours.first + row}`,
        got: their,
        todo: "give both tables the same rows in the same order, such as sorted by id",
      });
    if (ours.ids && theirs.ids) {
      const [our, their] = [textAt(ours.ids, row), textAt(theirs.ids, at)];
      if (our !== their && cellText(our) !== cellText(their)) {
        throw differs("id", cellText(our), cellText(their));
      }
    }
    if (ours.labels[row] !== theirs.labels[at]) {
      const [our, their] = [ours.labels[row]!, theirs.labels[at]!].map((code) => this.#classes.names[code]!);
      throw differs("class", our!, their!);
    }
  }

  #ends(how: string, row: number | undefined): CuelabError {
    return new CuelabError({
      kind: "input",
      what: "the baseline has another number of rows",
      where: this.#path,
      expected: `as many rows as ${this.#ours}`,
      got: row === undefined ? how : `${how} before row ${row}`,
    });
  }
}
