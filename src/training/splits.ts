/** Which images a split holds. */

import type { Dataset } from "../core/dataset.ts";

/** Images that are there and take no part: neither trained on nor measured on. No file calls a split so. */
export const unusedSplit = "(unused)";

/** Asked for at every validation: looked for once as long as the very same splits are there. */
const known = new WeakMap<Uint8Array, Map<number, Uint32Array>>();

/** Not to be changed: others are handed the same list. */
export function indicesOf({ splits }: Pick<Dataset, "splits">, split: string): Uint32Array {
  const code = splits.names.indexOf(split);
  const lists = known.get(splits.values) ?? new Map<number, Uint32Array>();
  known.set(splits.values, lists);
  let found = lists.get(code);
  if (found === undefined) {
    found = Uint32Array.from(splits.values.keys()).filter((i) => splits.values[i] === code);
    lists.set(code, found);
  }
  return found;
}

/** Splits that a network is evaluated on. */
export function evaluatedSplits({ splits }: Pick<Dataset, "splits">): string[] {
  return splits.names.filter((name) => name !== "train" && name !== unusedSplit);
}
