/** Which splits are out of distribution: the one rule for results of runs, pools, tables and audits. */

import { crossTabulate, cuesOf } from "./cue-statistics.ts";
import type { Attribute, Dataset } from "./dataset.ts";

export interface SplitShift {
  name: string;
  shifted: boolean;
  /**
   * `declared` by the dataset, as shifted or not; else `unseen`: it has a value, such as an environment, that training
   * has not; `cue`: a cue goes with the class otherwise than in training; `alike`: nothing of that.
   */
  why: "declared" | "unseen" | "cue" | "alike";
}

type DescribedSplits = Pick<Dataset, "labels" | "classNames" | "attributes" | "splits"> & {
  provenance: Pick<Dataset["provenance"], "shiftedSplits" | "statisticsBy">;
};

/** From this total variation on, between a cue's values given the class, a split is said to be shifted. */
const shiftedFrom = 0.1;
/** … that chance would hardly give: standard deviations above what equal distributions of these sizes show. */
const deviations = 3;

/** Every split but training, in the dataset's order. */
export function splitShifts(dataset: DescribedSplits): SplitShift[] {
  const { splits, provenance } = dataset;
  const { shiftedSplits } = provenance;
  const unseen = unseenValues(dataset);
  return splits.names
    .filter((name) => name !== "train")
    .map((name) => {
      if (shiftedSplits !== undefined)
        return { name, shifted: shiftedSplits.includes(name), why: "declared" };
      const code = splits.names.indexOf(name);
      if (unseen !== undefined && splits.values.some((split, i) => split === code && unseen(i)))
        return { name, shifted: true, why: "unseen" };
      const shifted = cuesOf(dataset).some(([, cue]) =>
        isShifted(dataset, cue, (i) => splits.values[i] === code),
      );
      return { name, shifted, why: shifted ? "cue" : "alike" };
    });
}

/** Names of the splits that are out of distribution. */
export function shiftedSplits(dataset: DescribedSplits): string[] {
  return splitShifts(dataset).flatMap(({ name, shifted }) => (shifted ? [name] : []));
}

/**
 * Whether an image has a value of the attribute that statistics are told apart by, such as an environment, which no
 * training image has. Undefined where there is no such attribute, or no training image to compare with.
 */
export function unseenValues({
  attributes,
  splits,
  provenance: { statisticsBy },
}: DescribedSplits): ((index: number) => boolean) | undefined {
  if (statisticsBy === undefined || !Object.hasOwn(attributes, statisticsBy)) return undefined;
  const { values, valueNames } = attributes[statisticsBy]!;
  const train = splits.names.indexOf("train");
  const seen = new Uint8Array(valueNames.length);
  for (const [i, split] of splits.values.entries()) if (split === train) seen[values[i]!] = 1;
  return seen.includes(1) ? (index) => seen[values[index]!] === 0 : undefined;
}

/**
 * Whether some images of a shifted split are as in training all the same: there are cues, and each goes with the class as it does
 * there. So are those of UrbanCars' test split that break no shortcut.
 */
export function isAsInTraining(dataset: DescribedSplits, has: (index: number) => boolean): boolean {
  const cues = cuesOf(dataset);
  return cues.length > 0 && cues.every(([, cue]) => !isShifted(dataset, cue, has));
}

/** Total variation between P(value | class) in training and among some images, mean over classes that both have. */
function isShifted(dataset: DescribedSplits, cue: Attribute, has: (index: number) => boolean): boolean {
  const train = dataset.splits.names.indexOf("train");
  const here = crossTabulate(dataset, cue, { has: (i) => dataset.splits.values[i] === train });
  const there = crossTabulate(dataset, cue, { has });
  const distances = here.flatMap((row, label) => {
    const distance = variation(row, there[label]!);
    return distance === undefined ? [] : [distance];
  });
  if (distances.length === 0) return false;
  const mean = (of: (distance: Variation) => number) =>
    distances.reduce((sum, distance) => sum + of(distance), 0) / distances.length;
  const excess = mean(({ seen, expected }) => seen - expected);
  const deviation = Math.sqrt(mean(({ deviation: each }) => each ** 2) / distances.length);
  return mean(({ seen }) => seen) >= shiftedFrom && excess > deviations * deviation;
}

interface Variation {
  seen: number;
  /** Of two samples of these sizes from one distribution: mean and standard deviation. */
  expected: number;
  deviation: number;
}

/**
 * Differences of shares are about normal, so that their size is √(2/π) standard deviations in the mean and varies by
 * √(1 − 2/π) of one. Values are taken to vary together, which is exact for two and cautious for more.
 */
function variation(here: readonly number[], there: readonly number[]): Variation | undefined {
  const [n, m] = [total(here), total(there)];
  if (n === 0 || m === 0) return undefined;
  let [seen, spread] = [0, 0];
  for (const [value, count] of here.entries()) {
    const other = there[value]!;
    seen += Math.abs(count / n - other / m) / 2;
    const share = (count + other) / (n + m);
    spread += Math.sqrt(share * (1 - share) * (1 / n + 1 / m)) / 2;
  }
  return {
    seen,
    expected: spread * Math.sqrt(2 / Math.PI),
    deviation: spread * Math.sqrt(1 - 2 / Math.PI),
  };
}

function total(counts: readonly number[]): number {
  return counts.reduce((sum, n) => sum + n, 0);
}
