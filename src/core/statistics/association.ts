/** Cramér's V of two columns of categories, with all that tells it from chance: its correction, interval and test. */

import type { Random } from "../random.ts";
import { type ConfidenceOption, checkConfidence, type Interval, inputError } from "./checks.ts";
import { fewestClusters } from "./cluster-bootstrap.ts";
import { biasTerms, type Counts, chiSquare, cramersV } from "./contingency.ts";
import { effectiveSize } from "./effective-size.ts";
import { lowerGamma } from "./gamma.ts";
import { noncentralityOf } from "./noncentral-chi-square.ts";
import { permutationTest } from "./permutation.ts";

export interface AssociationOptions extends ConfidenceOption {
  random: Random;
  /** 999 unless told; 0 tests by χ², which is as good where every cell has many rows. */
  permutations?: number;
  /** A code a row: rows of a cluster, such as images of one burst, are no independent ones. */
  clusters?: ArrayLike<number> | undefined;
}

export interface Association {
  /** Less what independent categories show by chance (Bergsma 2013), of as many rows as are independent. */
  v: number;
  /** As it is usually computed. */
  uncorrected: number;
  /** What the uncorrected V would be about without any association: √E(V²). */
  expectedByChance: number;
  /** Of V, by the noncentral χ² (Steiger 2004). Undefined where there are fewer than five clusters. */
  interval: Interval | undefined;
  /** Of no association. */
  pValue: number;
  /** Whole clusters' labels or values are shuffled; where they share neither, χ² over the effective rows tells. */
  pValueBy: "permutation" | "χ²";
  n: number;
  /** As many independent rows would tell as much; n without clusters. */
  effective: number;
}

/** How one column of codes (0, 1, …) goes with another. */
export function associationOf(
  labels: ArrayLike<number>,
  values: ArrayLike<number>,
  { random, permutations = 999, clusters, confidence = 0.95 }: AssociationOptions,
): Association {
  checkConfidence(confidence);
  const size = { rows: categories("labels", labels), columns: categories("values", values) };
  if (labels.length !== values.length)
    throw inputError("labels and values differ in length", `${labels.length} values`, String(values.length));
  const table = tabulate(labels, values, size);
  const uncorrected = cramersV(table);
  const { phiSquared, total: n, rows, columns } = chiSquare(table);
  const effective = clusters === undefined ? n : effectiveSize(labels, values, clusters);
  const { chance, levels } = biasTerms(rows, columns, effective);
  const freedom = (rows - 1) * (columns - 1);
  const toV = (squared: number) => Math.sqrt(Math.min(1, Math.max(0, squared) / levels));
  const end = (p: number) => toV(noncentralityOf(phiSquared * effective, freedom, p) / effective);
  const tail = (1 - confidence) / 2;
  const known = clusters === undefined || new Set(Array.from(clusters)).size >= fewestClusters;
  const shuffled = permutations === 0 ? undefined : shuffledColumn(labels, values, clusters);
  const statistic = (codes: Float64Array) => [
    chiSquare(shuffled === "values" ? tabulate(labels, codes, size) : tabulate(codes, values, size))
      .phiSquared,
  ];
  const given = shuffled === "values" ? values : labels;
  return {
    v: toV(phiSquared - chance),
    uncorrected,
    expectedByChance: Math.sqrt(Math.min(1, chance / (Math.min(rows, columns) - 1))),
    interval: known ? { low: end(tail), high: end(1 - tail) } : undefined,
    pValue:
      shuffled === undefined
        ? 1 - lowerGamma(freedom / 2, (phiSquared * effective) / 2)
        : permutationTest(given, statistic, { random, permutations, clusters }).adjusted[0]!,
    pValueBy: shuffled === undefined ? "χ²" : "permutation",
    n,
    effective,
  };
}

/** Clusters can be shuffled whole where all their rows have one label, or one value. */
function shuffledColumn(
  labels: ArrayLike<number>,
  values: ArrayLike<number>,
  clusters: ArrayLike<number> | undefined,
): "labels" | "values" | undefined {
  if (clusters === undefined || isConstantIn(clusters, labels)) return "labels";
  return isConstantIn(clusters, values) ? "values" : undefined;
}

function isConstantIn(clusters: ArrayLike<number>, codes: ArrayLike<number>): boolean {
  const first = new Map<number, number>();
  for (let i = 0; i < codes.length; i++) {
    const known = first.get(clusters[i]!);
    if (known === undefined) first.set(clusters[i]!, codes[i]!);
    else if (known !== codes[i]) return false;
  }
  return true;
}

function tabulate(
  labels: ArrayLike<number>,
  values: ArrayLike<number>,
  { rows, columns }: { rows: number; columns: number },
): Counts {
  const table = Array.from({ length: rows }, () => new Float64Array(columns));
  for (let i = 0; i < labels.length; i++) table[labels[i]!]![values[i]!]!++;
  return table;
}

function categories(name: string, codes: ArrayLike<number>): number {
  let most = -1;
  for (let i = 0; i < codes.length; i++) {
    if (!(Number.isSafeInteger(codes[i]) && codes[i]! >= 0))
      throw inputError(`${name}[${i}] is no code of a category`, "whole numbers from 0", String(codes[i]));
    most = Math.max(most, codes[i]!);
  }
  return most + 1;
}
