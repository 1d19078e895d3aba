/** Counts predictions row by row, in memory that grows with the combinations that occur and not with the rows. */

import { inValueOrder } from "../core/value-order.ts";
import { CountTable } from "./count-table.ts";
import type { CalibrationBin, Cell, PredictionCounts } from "./counts.ts";

/** Bins of the calibration error, as in Guo et al. 2017. */
const calibrationBins = 15;

/** Where in a key the split and the class stand; the attributes come after. */
const [splitAt, labelAt, attributesAt] = [0, 1, 2];
const [countTally, correctTally, baselineTally, bothTally] = [0, 1, 2, 3];

/** Names of codes that were given in order of appearance. */
export interface CodeNames {
  classNames: readonly string[];
  /** Whether the classes' order means something; else they are put in the order of values. */
  classesOrdered: boolean;
  /** In the order of the counter's attributes; values in the order that is declared for them come first. */
  attributes: readonly { name: string; valueNames: readonly string[]; declared?: readonly string[] }[];
}

/** Rows that a counter has counted. */
export interface CountedSplit {
  counter: PredictionCounter;
  split: number;
}

export class PredictionCounter {
  readonly #withBaseline: boolean;
  readonly #margins: { attributes: readonly number[]; table: CountTable; key: Int32Array }[];
  readonly #dropped = new Set<number>();
  readonly #rows = new Map<number, number>();
  readonly #calibration = new Map<number, CalibrationBin[]>();

  /** Each margin is a list of attributes, by their numbers, that are counted together. */
  constructor(margins: readonly (readonly number[])[], { withBaseline = false } = {}) {
    this.#withBaseline = withBaseline;
    this.#margins = margins.map((attributes) => ({
      attributes,
      table: new CountTable(attributesAt + attributes.length, 4),
      key: new Int32Array(attributesAt + attributes.length),
    }));
  }

  /** `values[i][row]` is the code of attribute i. */
  add(
    split: number,
    label: number,
    values: readonly ArrayLike<number>[],
    row: number,
    correct: boolean,
    baselineCorrect: boolean,
  ): void {
    this.#rows.set(split, (this.#rows.get(split) ?? 0) + 1);
    for (const { table, attributes, key } of this.#margins) {
      const index = locate(table, attributes, key, split, label, values, row);
      table.increase(index, countTally);
      if (correct) table.increase(index, correctTally);
      if (baselineCorrect) table.increase(index, baselineTally);
      if (correct && baselineCorrect) table.increase(index, bothTally);
    }
  }

  /** Several training images of one combination. */
  addImages(split: number, label: number, values: readonly number[], images: number): void {
    this.#rows.set(split, (this.#rows.get(split) ?? 0) + images);
    const columns = values.map((value) => [value]);
    for (const { table, attributes, key } of this.#margins) {
      table.increase(locate(table, attributes, key, split, label, columns, 0), countTally, images);
    }
  }

  addConfidence(split: number, correct: boolean, confidence: number): void {
    let bins = this.#calibration.get(split);
    if (bins === undefined) {
      bins = Array.from({ length: calibrationBins }, () => ({ count: 0, correct: 0, confidence: 0 }));
      this.#calibration.set(split, bins);
    }
    // Bins are open below and closed above, as in the paper.
    const bin = bins[Math.max(0, Math.ceil(confidence * calibrationBins) - 1)]!;
    bin.count++;
    bin.confidence += confidence;
    if (correct) bin.correct++;
  }

  /** Forgets an attribute: rows are told apart without it, also those before. */
  drop(attribute: number): void {
    if (this.#dropped.has(attribute)) return;
    this.#dropped.add(attribute);
    for (const margin of this.#margins) {
      const position = margin.attributes.indexOf(attribute);
      if (position >= 0) margin.table = margin.table.without(attributesAt + position);
    }
  }

  /** Rows of each split, by its code. */
  splits(): ReadonlyMap<number, number> {
    return this.#rows;
  }

  /** The counts of one split beside those of training, with names in a fixed order whatever the order of rows was. */
  counts(split: number, names: CodeNames, training: CountedSplit | null): PredictionCounts {
    const classes = inValueOrder(names.classNames, names.classesOrdered ? names.classNames : []);
    const attributes = names.attributes.map(({ valueNames, declared }) => inValueOrder(valueNames, declared));
    const margins = this.#margins.map((margin, m) => {
      const cells = this.#cells(m, split);
      if (training !== null)
        addTraining(cells, training.counter.#cells(m, training.split), this.#withBaseline);
      const kept = [...margin.attributes.keys()].filter((i) => !this.#dropped.has(margin.attributes[i]!));
      return {
        attributes: kept.map((i) => names.attributes[margin.attributes[i]!]!.name),
        cells: Array.from(cells.values(), (cell) => ({
          ...cell,
          label: classes.rank[cell.label]!,
          values: kept.map((i) => attributes[margin.attributes[i]!]!.rank[cell.values[i]!]!),
        })),
      };
    });
    return {
      classNames: classes.names,
      valueNames: new Map(names.attributes.map(({ name }, i) => [name, attributes[i]!.names])),
      margins,
      calibration: this.#calibration.get(split) ?? null,
    };
  }

  /** The cells of a margin, by their codes as text. */
  #cells(margin: number, split: number): Map<string, Cell> {
    const { table } = this.#margins[margin]!;
    const cells = new Map<string, Cell>();
    for (let index = 0; index < table.size; index++) {
      const codes = table.codes(index);
      if (codes[splitAt] !== split) continue;
      cells.set(codes.subarray(labelAt).join(), {
        label: codes[labelAt]!,
        values: [...codes.subarray(attributesAt)],
        count: table.count(index, countTally),
        correct: table.count(index, correctTally),
        baselineCorrect: this.#withBaseline ? table.count(index, baselineTally) : null,
        bothCorrect: this.#withBaseline ? table.count(index, bothTally) : null,
        train: null,
      });
    }
    return cells;
  }
}

function locate(
  table: CountTable,
  attributes: readonly number[],
  key: Int32Array,
  split: number,
  label: number,
  values: readonly ArrayLike<number>[],
  row: number,
): number {
  key[splitAt] = split;
  key[labelAt] = label;
  for (let i = 0; i < attributes.length; i++) key[attributesAt + i] = values[attributes[i]!]![row]!;
  return table.indexOf(key);
}

function addTraining(
  cells: Map<string, Cell>,
  training: ReadonlyMap<string, Cell>,
  withBaseline: boolean,
): void {
  const none = withBaseline ? 0 : null;
  for (const cell of cells.values()) cell.train = 0;
  for (const [key, { label, values, count }] of training) {
    const known = cells.get(key);
    if (known) known.train = count;
    else {
      const empty = { count: 0, correct: 0, baselineCorrect: none, bothCorrect: none };
      cells.set(key, { label, values, ...empty, train: count });
    }
  }
}
