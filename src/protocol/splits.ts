/** Which images a split holds. */

import type { Dataset } from "../core/dataset.ts";

/** Images that are there and take no part: neither trained on nor measured on. No file calls a split so. */
export const unusedSplit = "(unused)";

export function indicesOf({ splits }: Pick<Dataset, "splits">, split: string): Uint32Array {
  const code = splits.names.indexOf(split);
  return Uint32Array.from(splits.values.keys()).filter((i) => splits.values[i] === code);
}

/** Splits that a network is evaluated on. */
export function evaluatedSplits({ splits }: Pick<Dataset, "splits">): string[] {
  return splits.names.filter((name) => name !== "train" && name !== unusedSplit);
}
