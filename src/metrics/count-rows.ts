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
  const values = used.map((name) => rows.attributes[name]!.values);
  for (let row = 0; row < rows.labels.length; row++) {
    const label = rows.labels[row]!;
    const correct = rows.predicted[row] === label;
    counter.add(0, label, values, row, correct, rows.baseline?.[row] === label);
    if (rows.confidence) counter.addConfidence(0, correct, rows.confidence[row]!);
  }
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
  const trainedValues = used.map((name) => training.attributes[name]!.values);
  for (let row = 0; row < training.labels.length; row++) {
    trained.add(0, training.labels[row]!, trainedValues, row, false, false);
  }
  return counter.counts(0, names, { counter: trained, split: 0 });
}
