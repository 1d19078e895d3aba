/** The classes of a table of labels, and which predictions can be meant by a model that knows them. */

import { CuelabError } from "../../core/errors.ts";
import { cellText, classText, someOf } from "../codebook.ts";

/** Predictions that are no class of any label stand for this. */
export const unlabelled = -1;

export class LabelClasses {
  readonly #codes = new Map<string, number>();
  readonly #column: string;
  readonly #where: (row: number) => string;
  /** Where classes are numbers: the range of those that a model may predict. */
  #range: { least: number; greatest: number } | undefined;

  /** `declared` is how many classes there are, where that is known. */
  constructor(column: string, path: string, declared: number | undefined) {
    this.#column = column;
    this.#where = (row) => `${path}, row ${row}`;
    this.#range = declared === undefined ? undefined : { least: 0, greatest: declared - 1 };
  }

  get names(): readonly string[] {
    return [...this.#codes.keys()];
  }

  /** The text and the code of a label; rows count from 1. */
  label(cell: unknown, row: number): { text: string; code: number } {
    const text = classText(cell, this.#column, this.#where, row);
    const code = this.#codes.get(text) ?? this.#codes.size;
    this.#codes.set(text, code);
    return { text, code };
  }

  /** After the last label. Of numbered classes some may lack images: models still predict them. */
  close(): void {
    const numbers = this.names.map((text) => (/^-?\d+$/.test(text) ? Number(text) : Number.NaN));
    if (this.#range !== undefined || numbers.length === 0 || numbers.some(Number.isNaN)) return;
    const least = numbers.reduce((a, b) => Math.min(a, b), 0);
    this.#range = { least, greatest: numbers.reduce((a, b) => Math.max(a, b), 0) };
  }

  /** The code of a prediction, or `unlabelled`; throws where no model can have meant it. */
  predicted(line: string, file: string, row: number): number {
    const code = this.#codes.get(cellText(line));
    if (code !== undefined) return code;
    const text = classText(line, "prediction", (at) => `${file}, row ${at}`, row);
    if (this.#range === undefined) return unlabelled;
    const { least, greatest } = this.#range;
    if (/^-?\d+$/.test(text) && Number(text) >= least && Number(text) <= greatest) return unlabelled;
    throw new CuelabError({
      kind: "input",
      what: "a prediction is no class",
      where: `${file}, row ${row}`,
      expected: `a whole number from ${least} to ${greatest}, as column "${this.#column}" of the labels has them: ${someOf(this.names)}`,
      got: JSON.stringify(text),
      todo: "name the column of classes with --label-column, or give labels of all splits",
    });
  }
}
