/** Counts predictions row by row, in memory that grows with the combinations that occur and not with the rows. */

import { CountTable } from "./count-table.ts";
import type { CalibrationBin, Cell, PredictionCounts } from "./counts.ts";

/** Bins of the calibration error, as in Guo et al. 2017. */
const calibrationBins = 15;

/** Where in a cell's codes the split and the class stand; the attributes come after. */
const [splitAt, labelAt, attributesAt] = [0, 1, 2];
const [countTally, correctTally, baselineTally, bothTally] = [0, 1, 2, 3];

/** Training images of one combination, in the counter's codes. */
export interface TrainingCell {
  label: number;
  values: ArrayLike<number>;
  count: number;
}

/** Names of codes that were given in order of appearance. */
export interface CodeNames {
  classNames: readonly string[];
  /** Whether the classes' order means something; else they are sorted. */
  classesOrdered: boolean;
  attributes: readonly { name: string; valueNames: readonly string[] }[];
}

export class PredictionCounter {
  readonly #attributes: number;
  readonly #withBaseline: boolean;
  #table: CountTable;
  readonly #calibration = new Map<number, CalibrationBin[]>();
  readonly #key: Int32Array;

  constructor(attributes: number, { withBaseline = false } = {}) {
    this.#attributes = attributes;
    this.#withBaseline = withBaseline;
    this.#table = new CountTable(attributesAt + attributes, 4);
    this.#key = new Int32Array(attributesAt + attributes);
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
    const key = this.#key;
    key[splitAt] = split;
    key[labelAt] = label;
    for (let i = 0; i < this.#attributes; i++) key[attributesAt + i] = values[i]![row]!;
    const index = this.#table.indexOf(key);
    this.#table.increase(index, countTally);
    if (correct) this.#table.increase(index, correctTally);
    if (baselineCorrect) this.#table.increase(index, baselineTally);
    if (correct && baselineCorrect) this.#table.increase(index, bothTally);
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

  /** Forgets an attribute: its code is 0 from now on, and for all rows before. */
  drop(attribute: number): void {
    this.#table = this.#table.without(attributesAt + attribute);
  }

  /** Rows of each split, by its code. */
  splits(): Map<number, number> {
    const counts = new Map<number, number>();
    for (let index = 0; index < this.#table.size; index++) {
      const split = this.#table.codes(index)[splitAt]!;
      counts.set(split, (counts.get(split) ?? 0) + this.#table.count(index, countTally));
    }
    return counts;
  }

  /** The rows of a split as training images. */
  trainingCells(split: number): TrainingCell[] {
    return this.#cells(split).map(({ label, values, count }) => ({ label, values, count }));
  }

  /** The counts of one split beside those of training, with names in a fixed order whatever the order of rows was. */
  counts(split: number, names: CodeNames, training: readonly TrainingCell[] | null): PredictionCounts {
    const classes = sortedNames(names.classNames, names.classesOrdered);
    const attributes = names.attributes.map(({ valueNames }) => sortedNames(valueNames, false));
    const renamed = (cell: Cell): Cell => ({
      ...cell,
      label: classes.rank[cell.label]!,
      values: Int32Array.from(cell.values, (code, i) => attributes[i]!.rank[code]!),
    });
    return {
      classNames: classes.names,
      attributes: names.attributes.map(({ name }, i) => ({ name, valueNames: attributes[i]!.names })),
      cells: withTraining(this.#cells(split), training, this.#withBaseline).map(renamed),
      calibration: this.#calibration.get(split) ?? null,
    };
  }

  #cells(split: number): Cell[] {
    const cells: Cell[] = [];
    for (let index = 0; index < this.#table.size; index++) {
      const codes = this.#table.codes(index);
      if (codes[splitAt] !== split) continue;
      const count = (tally: number) => this.#table.count(index, tally);
      cells.push({
        label: codes[labelAt]!,
        values: codes.subarray(attributesAt),
        count: count(countTally),
        correct: count(correctTally),
        baselineCorrect: this.#withBaseline ? count(baselineTally) : null,
        bothCorrect: this.#withBaseline ? count(bothTally) : null,
        train: null,
      });
    }
    return cells;
  }
}

function withTraining(
  cells: readonly Cell[],
  training: readonly TrainingCell[] | null,
  withBaseline: boolean,
): Cell[] {
  if (training === null) return [...cells];
  const keyOf = ({ label, values }: Pick<Cell, "label" | "values">) =>
    `${label},${Array.from(values).join()}`;
  const merged = new Map(cells.map((cell) => [keyOf(cell), { ...cell, train: 0 }]));
  const none = withBaseline ? 0 : null;
  for (const { label, values, count } of training) {
    const key = keyOf({ label, values });
    const cell = merged.get(key);
    if (cell) cell.train += count;
    else {
      const empty = { count: 0, correct: 0, baselineCorrect: none, bothCorrect: none };
      merged.set(key, { label, values, ...empty, train: count });
    }
  }
  return [...merged.values()];
}

/** By number where all are numbers, else by the alphabet; `rank[code]` is a name's new place. */
function sortedNames(names: readonly string[], ordered: boolean): { names: string[]; rank: number[] } {
  const numeric = names.every((name) => name.trim() !== "" && Number.isFinite(Number(name)));
  const compare = numeric
    ? (a: string, b: string) => Number(a) - Number(b)
    : (a: string, b: string) => (a < b ? -1 : 1);
  const sorted = ordered ? [...names] : names.toSorted(compare);
  const place = new Map(sorted.map((name, i) => [name, i]));
  return { names: sorted, rank: names.map((name) => place.get(name)!) };
}
