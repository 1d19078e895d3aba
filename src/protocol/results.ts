/** What a finished run reports: accuracy in and out of distribution, by split and by environment. */

import { type Slice, slicesOf } from "../core/cue-statistics.ts";
import type { Attribute, Dataset } from "../core/dataset.ts";
import { splitShifts, unseenValues } from "../core/shifted-splits.ts";
import { accuracyOf, type PredictedClasses, type SliceAccuracy } from "../metrics/accuracy.ts";

export interface RunResults {
  id: string;
  /** The epoch whose weights were kept. */
  epoch: number;
  /** How that epoch was chosen, and which labels it took. */
  selection: { rule: string; labels: string };
  accuracy: SliceResult[];
  /** Epochs that further rules have chosen, where the run was asked for any. */
  also?: KeptResults[];
}

/** The same of one chosen epoch, and the files that hold it. */
export interface KeptResults extends Omit<RunResults, "id" | "also"> {
  files: { predictions: string; model: string; weights: string };
}

export interface SliceResult extends SliceAccuracy {
  /** Of a shifted split OOD; where it is shifted by values that training has not, only slices that have them. */
  distribution: "ID" | "OOD";
}

/**
 * Each evaluated split, and within it each value of the attribute that the dataset's statistics are told apart by.
 * Where a label combines several factors, also how often each factor alone was right.
 */
export function accuracyTable(dataset: Dataset, indices: Uint32Array, predicted: Uint16Array): SliceResult[] {
  const table = { labels: Uint16Array.from(indices, (i) => dataset.labels[i]!), predicted };
  const slices = slicesOf(dataset, dataset.provenance.statisticsBy);
  const splits = slices.slice(0, dataset.splits.names.length);
  const values = slices.slice(splits.length);
  const shifts = new Map(splitShifts(dataset).map((shift) => [shift.name, shift]));
  const unseen = unseenValues(dataset);
  const factors = combinedFactors(dataset).map(([name, { values, classValues }]) => ({
    name,
    table: {
      labels: Uint16Array.from(indices, (i) => values[i]!),
      predicted: predicted.map((label) => classValues![label]!),
    },
  }));
  return splits
    .flatMap((split) => {
      const { shifted = false, why } = shifts.get(split.name) ?? {};
      const result = (name: string, has: Slice["has"], said: PredictedClasses = table): SliceResult => ({
        ...accuracyOf(name, said, (row) => has(indices[row]!)),
        distribution:
          shifted && (why !== "unseen" || indices.some((i) => has(i) && unseen?.(i))) ? "OOD" : "ID",
      });
      return [
        result(split.name, split.has),
        ...factors.map((factor) => result(`${split.name}, ${factor.name} alone`, split.has, factor.table)),
        ...values.map((value) => result(`${split.name}, ${value.name}`, (i) => split.has(i) && value.has(i))),
      ];
    })
    .filter(({ count }) => count > 0);
}

/** Slices of all that is not trained on: each split and, within it, each value that statistics are told apart by. */
export function evaluatedSlices(dataset: Dataset): Slice[] {
  const slices = slicesOf(dataset, dataset.provenance.statisticsBy);
  const values = slices.slice(dataset.splits.names.length);
  return slices.slice(0, dataset.splits.names.length).flatMap((split) => [
    split,
    ...values.map((value) => ({
      name: `${split.name}, ${value.name}`,
      has: (i: number) => split.has(i) && value.has(i),
    })),
  ]);
}

/** What the label is about, where several labels share a value: then the label combines factors. */
function combinedFactors({ attributes }: Dataset): [string, Attribute][] {
  return Object.entries(attributes).filter(
    ([, { role, classValues }]) =>
      role === "core" && classValues !== undefined && new Set(classValues).size < classValues.length,
  );
}
