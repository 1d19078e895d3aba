/** From a row's logits or probabilities to its prediction and confidence. */

import { CuelabError } from "../core/errors.ts";
import type { NumberColumn, TableBatch } from "../tables/table.ts";
import type { ClassScores } from "./roles.ts";

/** Rounded to a few digits, probabilities do not quite add up to one. */
const sumTolerance = 0.01;

export interface ScoredRows {
  /** The class with the largest score, the first among equals. */
  predicted: Int32Array;
  /** Probability of the class that was said, or else of the largest. */
  confidence: Float64Array;
  /** Rows where another class than the one said has a larger score. */
  notLargest: number;
}

export class ClassScoreReader {
  readonly #scores: ClassScores;
  /** Class of each column. */
  readonly #classes: readonly number[];
  readonly #where: (row: number) => string;
  readonly #row: Float64Array;

  constructor(scores: ClassScores, classes: readonly number[], where: (row: number) => string) {
    this.#scores = scores;
    this.#classes = classes;
    this.#where = where;
    this.#row = new Float64Array(classes.length);
  }

  read(columns: readonly NumberColumn[], batch: TableBatch, said: Int32Array | undefined): ScoredRows {
    const { count, first } = batch;
    this.#refuseOdd(columns);
    const result = { predicted: new Int32Array(count), confidence: new Float64Array(count), notLargest: 0 };
    const columnOf = new Int32Array(Math.max(...this.#classes) + 1).fill(-1);
    for (const [column, code] of this.#classes.entries()) columnOf[code] = column;
    const probabilities = this.#scores.kind === "prob";
    const numbers = columns.map((column) => column.numbers);
    const row = this.#row;
    for (let i = 0; i < count; i++) {
      let best = 0;
      let largest = numbers[0]![i]!;
      for (let k = 0; k < row.length; k++) {
        const score = numbers[k]![i]!;
        row[k] = score;
        if (score > largest) {
          largest = score;
          best = k;
        }
      }
      const chosen = said === undefined ? best : columnOf[said[i]!]!;
      if (row[chosen]! < largest) result.notLargest++;
      result.predicted[i] = this.#classes[best]!;
      result.confidence[i] = probabilities
        ? this.#probability(chosen, first + i)
        : this.#softmax(chosen, largest);
    }
    return result;
  }

  /** The first cell of these rows that is no number, row by row. */
  #refuseOdd(columns: readonly NumberColumn[]): void {
    const odd = columns
      .flatMap(({ missing, wrong }, column) => [missing, wrong].map((cell) => ({ cell, column })))
      .filter(({ cell }) => cell !== undefined)
      .toSorted((a, b) => a.cell!.row - b.cell!.row || a.column - b.column)[0];
    if (odd === undefined) return;
    const { row, text } = odd.cell!;
    throw new CuelabError({
      kind: "input",
      what: `column "${this.#scores.columns[odd.column]}" holds no finite number`,
      where: this.#where(row),
      got: text === "" ? "nothing" : `"${text}"`,
    });
  }

  #softmax(chosen: number, largest: number): number {
    let total = 0;
    for (const logit of this.#row) total += Math.exp(logit - largest);
    return Math.exp(this.#row[chosen]! - largest) / total;
  }

  #probability(chosen: number, row: number): number {
    let total = 0;
    for (const probability of this.#row) total += probability >= 0 ? probability : Number.NaN;
    if (Math.abs(total - 1) <= sumTolerance) return Math.min(1, this.#row[chosen]!);
    throw new CuelabError({
      kind: "input",
      what: "the prob_… columns hold no probabilities",
      where: this.#where(row),
      expected: "numbers from 0 to 1 that add up to 1",
      got: [...this.#row].slice(0, 10).join(", "),
      todo: "call the columns logit_… if they hold logits",
    });
  }
}
