/** Counts of predictions that are in memory, such as those of a run that has just been evaluated. */

import type { Attribute } from "../core/dataset.ts";
import { type CodeNames, PredictionCounter } from "./counter.ts";
import type { PredictionCounts } from "./counts.ts";

/** Labelled images, by the attributes that are asked for. */
interface LabelledRows {
  labels: ArrayLike<number>;
  attributes: Readonly<Record<string, Pick<Attribute, "values" | "valueNames">>>;
}

export interface PredictedRows extends LabelledRows {
  classNames: readonly string[];
  predicted: ArrayLike<number>;
  /** What the baseline predicts for the same images. */
  baseline?: ArrayLike<number>;
  /** Probability of the predicted class. */
  confidence?: ArrayLike<number>;
  /** Training images, with the same classes and attributes. */
  training?: LabelledRows;
}

/** Counted by each of the margins, which are lists of attributes: see `marginsFor`. */
export function countRows(rows: PredictedRows, margins: readonly (readonly string[])[]): PredictionCounts {
  const used = [...new Set(margins.flat())];
  const numbers = margins.map((names) => names.map((name) => used.indexOf(name)));
  const counter = new PredictionCounter(numbers, { withBaseline: rows.baseline !== undefined });
  const right = (predicted: ArrayLike<number>) =>
    Uint8Array.from(rows.labels, (label, row) => (predicted[row] === label ? 1 : 0));
  counter.addRows({
    ...codesOf(rows, used),
    correct: right(rows.predicted),
    baselineCorrect: rows.baseline && right(rows.baseline),
    confidence: rows.confidence && Float64Array.from(rows.confidence),
  });
  const names: CodeNames = {
    classNames: rows.classNames,
    classesOrdered: true,
    attributes: used.map((name) => {
      const { valueNames } = rows.attributes[name]!;
      return { name, valueNames, declared: valueNames };
    }),
  };
  const { training } = rows;
  if (training === undefined) return counter.counts(0, names, null);
  const trained = new PredictionCounter(numbers);
  trained.addRows({ ...codesOf(training, used), correct: new Uint8Array(training.labels.length) });
  return counter.counts(0, names, { counter: trained, split: 0 });
}

/** All of one split. */
function codesOf({ labels, attributes }: LabelledRows, used: readonly string[]) {
  return {
    splits: new Int32Array(labels.length),
    labels: Int32Array.from(labels),
    attributes: used.map((name) => Int32Array.from(attributes[name]!.values)),
  };
}
