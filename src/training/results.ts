/** What a finished run reports: accuracy in and out of distribution, by split and by environment. */

import { type Slice, slicesOf } from "../core/cue-statistics.ts";
import type { Attribute, Dataset } from "../core/dataset.ts";
import { isAsInTraining, shiftedSplits, splitShifts, unseenValues } from "../core/shifted-splits.ts";
import { accuracyOf, type PredictedClasses, type SliceAccuracy } from "../metrics/accuracy.ts";
import { classMeanOf } from "../metrics/class-mean.ts";
import type { JudgedInference } from "../runs/judged-inference.ts";
import { inDistributionRow } from "./in-distribution-row.ts";

export interface RunResults {
  id: string;
  /** The epoch whose weights were kept. */
  epoch: number;
  /** How that epoch was chosen, and which labels it took. */
  selection: { rule: string; labels: string };
  accuracy: SliceResult[];
  /** How well the method's inferred groups fit the cues, where it infers any. */
  inferred?: JudgedInference[];
  /** Numbers of the method's own, where it has any. */
  numbers?: OwnNumber[];
  /** Epochs that further rules have chosen, where the run was asked for any. */
  also?: KeptResults[];
}

/** What a stage of the method says of itself. */
export interface OwnNumber {
  stage: string;
  name: string;
  value: number;
}

/** The same of one chosen epoch, and the files that hold it. */
export interface KeptResults extends Omit<RunResults, "id" | "also" | "inferred" | "numbers"> {
  files: { predictions: string; model: string; weights: string };
}

/** Which images a slice holds and what had to be right, by what tells slices apart and not by the slice's name. */
export interface SliceKey {
  split: string;
  /** Those of it that have this value of the attribute that statistics are told apart by; undefined for all. */
  value?: string;
  /** What alone had to be right, where a label combines several; undefined for the label. */
  factor?: string;
}

export interface SliceResult extends SliceAccuracy {
  /**
   * Of a shifted split OOD; where it is shifted by values that training has not, only slices that have them; and not slices in
   * which every cue goes with the class as in training.
   */
  distribution: "ID" | "OOD";
  /** Of a whole split that is shifted: mean of its classes' accuracies, which are not equally frequent there. */
  classMean?: number | null;
}

/**
 * Each evaluated split, and within it each value of the attribute that the dataset's statistics are told apart by.
 * Where a label combines several factors, also how often each factor alone was right. A shifted split has one row more: what to
 * expect where cues are as common as in training.
 */
export function accuracyTable(dataset: Dataset, indices: Uint32Array, predicted: Uint16Array): SliceResult[] {
  const shifted = shiftedSplits(dataset);
  return keyedAccuracies(dataset, indices, predicted).flatMap(({ key, ...result }) => {
    const isWhole = key.value === undefined && key.factor === undefined;
    if (!isWhole || !shifted.includes(key.split)) return [result];
    return [result, inDistributionRow(dataset, key.split, indices, predicted) ?? []].flat();
  });
}

/** The same with what each row is about. */
export function keyedAccuracies(
  dataset: Dataset,
  indices: Uint32Array,
  predicted: Uint16Array,
): (SliceResult & { key: SliceKey })[] {
  const table = { labels: Uint16Array.from(indices, (i) => dataset.labels[i]!), predicted };
  const shifts = new Map(splitShifts(dataset).map((shift) => [shift.name, shift]));
  const unseen = unseenValues(dataset);
  const factors = combinedFactors(dataset).map(([name, { values, classValues }]) => ({
    name,
    table: {
      labels: Uint16Array.from(indices, (i) => values[i]!),
      predicted: predicted.map((label) => classValues![label]!),
    },
  }));
  const result = ({ key, name, has }: EvaluatedSlice, said: PredictedClasses = table) => {
    const { shifted = false, why } = shifts.get(key.split) ?? {};
    const hasUnseen = shifted && indices.some((i) => has(i) && unseen?.(i));
    const isOod =
      hasUnseen ||
      (shifted && why !== "unseen" && (key.value === undefined || !isAsInTraining(dataset, has)));
    const distribution: SliceResult["distribution"] = isOod ? "OOD" : "ID";
    const inSlice = (row: number) => has(indices[row]!);
    const isWhole = key.value === undefined && key.factor === undefined;
    return {
      key,
      ...accuracyOf(name, said, inSlice),
      distribution,
      ...(shifted && isWhole && { classMean: classMeanOf(said, inSlice) }),
    };
  };
  return evaluatedSlices(dataset)
    .flatMap((slice) => {
      const { key, name, has } = slice;
      if (key.value !== undefined) return [result(slice)];
      const alone = factors.map((factor) =>
        result(
          { key: { ...key, factor: factor.name }, name: `${name}, ${factor.name} alone`, has },
          factor.table,
        ),
      );
      return [result(slice), ...alone];
    })
    .filter(({ count }) => count > 0);
}

export interface EvaluatedSlice extends Slice {
  key: SliceKey;
}

/** Each split and, within it, each value that statistics are told apart by. */
export function evaluatedSlices(dataset: Dataset): EvaluatedSlice[] {
  const by = dataset.provenance.statisticsBy;
  const slices = slicesOf(dataset, by);
  const splits = slices.slice(0, dataset.splits.names.length);
  const values = slices.slice(splits.length);
  return splits.flatMap((split) => [
    { ...split, key: { split: split.name } },
    ...values.map((value, code) => ({
      key: { split: split.name, value: dataset.attributes[by!]!.valueNames[code]! },
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
