/** Rows that belong together when they are shuffled: units within which nothing moves, strata between which nothing does. */

import { checkValues, inputError, usageError } from "./checks.ts";

/** Units of one stratum: a value each, and the rows that it is of. */
export interface Block {
  values: Float64Array;
  rows: readonly Uint32Array[];
}

/** Rows are units of their own unless clusters are given, in which all labels must be equal. */
export function blocksOf(
  labels: ArrayLike<number>,
  strata: ArrayLike<number> | undefined,
  clusters: ArrayLike<number> | undefined,
): Block[] {
  const units = unitsOf(labels.length, clusters);
  const strataOfRows = strata ?? new Uint8Array(labels.length);
  checkColumn("strata", strataOfRows, labels.length);
  const byStratum = new Map<number, Uint32Array[]>();
  for (const rows of units) {
    const first = rows[0]!;
    for (const row of rows) {
      const differs =
        labels[row] !== labels[first]
          ? "labels"
          : strataOfRows[row] !== strataOfRows[first]
            ? "strata"
            : undefined;
      if (differs === undefined) continue;
      throw inputError(
        `a cluster has two ${differs}`,
        `one of the ${differs} for all rows of a cluster`,
        `rows ${first} and ${row} of cluster ${clusters![row]}`,
        differs === "labels"
          ? "give the clusters as strata: labels then change places within them"
          : undefined,
      );
    }
    const stratum = strataOfRows[first]!;
    const known = byStratum.get(stratum);
    if (known) known.push(rows);
    else byStratum.set(stratum, [rows]);
  }
  return [...byStratum.values()].map((rows) => ({
    rows,
    values: Float64Array.from(rows, (unit) => labels[unit[0]!]!),
  }));
}

/** The columns' sums over each unit. */
export function unitSums(
  rows: ArrayLike<ArrayLike<number>>,
  clusters: ArrayLike<number> | undefined,
): Float64Array[] {
  const width = rows[0]?.length ?? 0;
  if (rows.length === 0 || width === 0)
    throw inputError("nothing to test", "at least one row with one column", `${rows.length} × ${width}`);
  for (let i = 0; i < rows.length; i++) {
    if (rows[i]!.length !== width)
      throw inputError(`row ${i} differs in length from row 0`, `${width} columns`, String(rows[i]!.length));
    checkValues(`rows[${i}]`, rows[i]!, 1);
  }
  return unitsOf(rows.length, clusters).map((unit) => {
    const sums = new Float64Array(width);
    for (const row of unit) for (let j = 0; j < width; j++) sums[j]! += rows[row]![j]!;
    return sums;
  });
}

/** Row numbers of each cluster, in order of first appearance. */
function unitsOf(count: number, clusters: ArrayLike<number> | undefined): Uint32Array[] {
  if (clusters === undefined) return Array.from({ length: count }, (_, i) => Uint32Array.of(i));
  checkColumn("clusters", clusters, count);
  const rows = new Map<number, number[]>();
  for (let i = 0; i < count; i++) {
    const known = rows.get(clusters[i]!);
    if (known) known.push(i);
    else rows.set(clusters[i]!, [i]);
  }
  return [...rows.values()].map((unit) => Uint32Array.from(unit));
}

export function checkCount(name: string, count: number): void {
  if (Number.isSafeInteger(count) && count >= 1) return;
  throw usageError(`no such number of ${name}`, "a whole number of at least 1", String(count));
}

function checkColumn(name: string, codes: ArrayLike<number>, count: number): void {
  if (codes.length !== count)
    throw inputError(`${name} and rows differ in number`, `${count} codes, one a row`, String(codes.length));
  checkValues(name, codes, 0);
}
