/** Counts predictions, in memory that grows with the combinations that occur and not with the rows. */

import { inValueOrder } from "../core/value-order.ts";
import { CountTable } from "./count-table.ts";
import type { CalibrationBin, CountedCell, PredictionCounts } from "./counts.ts";

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

/** Predictions of consecutive rows, as codes. */
export interface CountedRows {
  splits: Int32Array;
  labels: Int32Array;
  /** One an attribute. */
  attributes: readonly Int32Array[];
  /** 1 where the prediction is the class. */
  correct: Uint8Array;
  /** The same of the baseline, where there is one. */
  baselineCorrect?: Uint8Array | undefined;
  /** Probability of the predicted class. */
  confidence?: Float64Array | undefined;
  /** Where a row stands for several that are equal: how many; one each without it. Not with confidences. */
  times?: Uint32Array | undefined;
}

/** Rows that a counter has counted. */
export interface CountedSplit {
  counter: PredictionCounter;
  split: number;
}

interface CountedMargin {
  attributes: readonly number[];
  /** Which margin holds its counts: itself, or one that has all its attributes and more. */
  within: number;
  table: CountTable;
  key: Int32Array;
}

export class PredictionCounter {
  readonly #withBaseline: boolean;
  readonly #margins: CountedMargin[];
  readonly #dropped = new Set<number>();
  readonly #rows = new Map<number, number>();
  readonly #calibration = new Map<number, CalibrationBin[]>();

  /** Each margin is a list of attributes, by their numbers, that are counted together. */
  constructor(margins: readonly (readonly number[])[], { withBaseline = false } = {}) {
    this.#withBaseline = withBaseline;
    const within = (part: readonly number[], whole: readonly number[]) =>
      part.length < whole.length && part.every((attribute) => whole.includes(attribute));
    const largest = margins.filter((margin) => !margins.some((other) => within(margin, other)));
    this.#margins = margins.map((attributes) => ({
      attributes,
      within: margins.indexOf(largest.find((whole) => within(attributes, whole)) ?? attributes),
      table: new CountTable(attributesAt + attributes.length, 4),
      key: new Int32Array(attributesAt + attributes.length),
    }));
  }

  addRows(rows: CountedRows): void {
    const { splits, labels, attributes } = rows;
    for (const [split, count] of tallied(splits, rows.times)) {
      this.#rows.set(split, (this.#rows.get(split) ?? 0) + count);
    }
    for (const margin of this.#margins.filter((each, m) => each.within === m)) {
      const codes = [splits, labels, ...margin.attributes.map((attribute) => attributes[attribute]!)];
      margin.table.addRows(codes, rows);
    }
    if (rows.confidence !== undefined) this.#addConfidence(rows, rows.confidence);
  }

  /** Several training images of one combination. */
  addImages(split: number, label: number, values: readonly number[], images: number): void {
    this.#rows.set(split, (this.#rows.get(split) ?? 0) + images);
    const columns = values.map((value) => [value]);
    for (const { table, attributes, key } of this.#margins.filter((each, m) => each.within === m)) {
      table.increase(locate(table, attributes, key, split, label, columns, 0), countTally, images);
    }
  }

  /** In the order of rows, so that sums do not depend on how many come at once. */
  #addConfidence({ splits, correct }: CountedRows, confidence: Float64Array): void {
    const bySplit: CalibrationBin[][] = [];
    for (let row = 0; row < splits.length; row++) {
      const split = splits[row]!;
      bySplit[split] ??= this.#bins(split);
      const bins = bySplit[split]!;
      // Bins are open below and closed above, as in the paper.
      const bin = bins[Math.max(0, Math.ceil(confidence[row]! * calibrationBins) - 1)]!;
      bin.count++;
      bin.confidence += confidence[row]!;
      bin.correct += correct[row]!;
    }
  }

  #bins(split: number): CalibrationBin[] {
    const known = this.#calibration.get(split);
    if (known !== undefined) return known;
    const bins = Array.from({ length: calibrationBins }, () => ({ count: 0, correct: 0, confidence: 0 }));
    this.#calibration.set(split, bins);
    return bins;
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
      const kept = [...margin.attributes.keys()].filter((i) => !this.#dropped.has(margin.attributes[i]!));
      const ranks = kept.map((i) => attributes[margin.attributes[i]!]!.rank);
      const cells = this.#cells(m, { split, training }, (table, index) => ({
        label: classes.rank[table.code(index, labelAt)]!,
        values: ranks.map((rank, i) => rank[table.code(index, attributesAt + kept[i]!)]!),
      }));
      return {
        attributes: kept.map((i) => names.attributes[margin.attributes[i]!]!.name),
        cells,
      };
    });
    return {
      classNames: classes.names,
      valueNames: new Map(names.attributes.map(({ name }, i) => [name, attributes[i]!.names])),
      margins,
      calibration: this.#calibration.get(split) ?? null,
    };
  }

  /** Counted as rows came in, or summed up from the margin that it is part of. */
  #table(margin: number): CountTable {
    const { attributes, within, table } = this.#margins[margin]!;
    if (within === margin) return table;
    const whole = this.#margins[within]!;
    const places = attributes.map((attribute) => attributesAt + whole.attributes.indexOf(attribute));
    return whole.table.projected([splitAt, labelAt, ...places]);
  }

  /** The cells of a margin in a split; after them those that only training has. */
  #cells(
    margin: number,
    { split, training }: { split: number; training: CountedSplit | null },
    named: (table: CountTable, index: number) => Pick<CountedCell, "label" | "values">,
  ): CountedCell[] {
    const table = this.#table(margin);
    const known = new CountTable(table.width - 1, 0, Number.POSITIVE_INFINITY);
    const cells: CountedCell[] = [];
    for (let index = 0; index < table.size; index++) {
      if (table.code(index, splitAt) !== split) continue;
      known.indexFrom(table, index, labelAt);
      const { label, values } = named(table, index);
      cells.push({
        label,
        values,
        count: table.count(index, countTally),
        correct: table.count(index, correctTally),
        baselineCorrect: this.#withBaseline ? table.count(index, baselineTally) : null,
        bothCorrect: this.#withBaseline ? table.count(index, bothTally) : null,
        train: training && 0,
      });
    }
    if (training === null) return cells;
    const trained = training.counter === this ? table : training.counter.#table(margin);
    const none = this.#withBaseline ? 0 : null;
    for (let index = 0; index < trained.size; index++) {
      if (trained.code(index, splitAt) !== training.split) continue;
      const at = known.indexFrom(trained, index, labelAt);
      cells[at] ??= {
        ...named(trained, index),
        count: 0,
        correct: 0,
        baselineCorrect: none,
        bothCorrect: none,
        train: 0,
      };
      cells[at].train = trained.count(index, countTally);
    }
    return cells;
  }
}

/** How often each code occurs, in order of appearance. */
function tallied(codes: Int32Array, times: Uint32Array | undefined): [number, number][] {
  let largest = 0;
  for (let row = 0; row < codes.length; row++) largest = Math.max(largest, codes[row]!);
  const counts = new Float64Array(largest + 1);
  const order: number[] = [];
  for (let row = 0; row < codes.length; row++) {
    const code = codes[row]!;
    if (counts[code] === 0) order.push(code);
    counts[code]! += times === undefined ? 1 : times[row]!;
  }
  return order.map((code) => [code, counts[code]!]);
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
