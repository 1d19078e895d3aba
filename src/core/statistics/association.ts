/** Cramér's V of two columns of categories, with all that tells it from chance: its correction, interval and test. */

import type { Random } from "../random.ts";
import { type ConfidenceOption, checkConfidence, type Interval, inputError } from "./checks.ts";
import { clusterResamples, clusterSums } from "./cluster-bootstrap.ts";
import { biasTerms, type Counts, chiSquare, cramersV } from "./contingency.ts";
import { noncentralityOf } from "./noncentral-chi-square.ts";
import { permutationTest } from "./permutation.ts";
import { quantile } from "./summary.ts";

export interface AssociationOptions extends ConfidenceOption {
  random: Random;
  /** 999 unless told. */
  permutations?: number;
  /** Of clusters; 2,000 unless told. */
  resamples?: number;
  /** A code a row: rows of a cluster, such as images of one burst, are no independent ones. */
  clusters?: ArrayLike<number> | undefined;
}

export interface Association {
  /** Less what independent categories show by chance (Bergsma 2013). */
  v: number;
  /** As it is usually computed. */
  uncorrected: number;
  /** What the uncorrected V would be about without any association: √E(V²). */
  expectedByChance: number;
  /** Of the corrected V. Undefined where there are fewer than five clusters. */
  interval: Interval | undefined;
  /** `noncentral χ²` where rows are independent, else a basic bootstrap over clusters. */
  intervalBy: "noncentral χ²" | "clusters";
  /** Of no association: by shuffled labels, within clusters' bounds. */
  pValue: number;
  n: number;
}

/**
 * How one column of codes (0, 1, …) goes with another. With clusters the labels must be the same in all rows of each; if they are
 * not, rows are shuffled within clusters, and what clusters share is no evidence.
 */
export function associationOf(
  labels: ArrayLike<number>,
  values: ArrayLike<number>,
  { random, permutations = 999, resamples = 2000, clusters, confidence = 0.95 }: AssociationOptions,
): Association {
  checkConfidence(confidence);
  const size = { rows: categories("labels", labels), columns: categories("values", values) };
  if (labels.length !== values.length)
    throw inputError("labels and values differ in length", `${labels.length} values`, String(values.length));
  const table = tabulate(labels, values, size);
  const v = cramersV(table, { biasCorrection: true });
  const test = permutationTest(
    labels,
    (shuffled) => [chiSquare(tabulate(shuffled, values, size)).phiSquared],
    {
      random,
      permutations,
      ...(clusters !== undefined && (isConstantIn(clusters, labels) ? { clusters } : { strata: clusters })),
    },
  );
  const { phiSquared, total, rows, columns } = chiSquare(table);
  const { chance, levels } = biasTerms(rows, columns, total);
  const toV = (squared: number) => Math.sqrt(Math.min(1, Math.max(0, squared) / levels));
  const tail = (1 - confidence) / 2;
  const byRows = (): Interval => {
    const freedom = (rows - 1) * (columns - 1);
    const [low, high] = [tail, 1 - tail].map((p) => noncentralityOf(phiSquared * total, freedom, p) / total);
    return { low: toV(low!), high: toV(high!) };
  };
  const byClusters = (codes: ArrayLike<number>): Interval | undefined => {
    const cells = Array.from({ length: size.rows * size.columns }, (_, cell) =>
      Float64Array.from(labels, (label, i) => (label * size.columns + values[i]! === cell ? 1 : 0)),
    );
    const statistic = (totals: Float64Array) => squaredOf(totals, size);
    const found = clusterResamples(clusterSums(codes, cells), statistic, { random, resamples });
    // Draws are as far above the sample, by chance, as the sample is above the truth: hence the mirrored quantiles.
    return (
      found && {
        low: toV(2 * phiSquared - quantile(found, 1 - tail)),
        high: toV(2 * phiSquared - quantile(found, tail)),
      }
    );
  };
  return {
    v,
    uncorrected: cramersV(table),
    expectedByChance: Math.sqrt(Math.min(1, chance / (Math.min(rows, columns) - 1))),
    interval: clusters === undefined ? byRows() : byClusters(clusters),
    intervalBy: clusters === undefined ? "noncentral χ²" : "clusters",
    pValue: test.adjusted[0]!,
    n: total,
  };
}

interface Size {
  rows: number;
  columns: number;
}

function tabulate(labels: ArrayLike<number>, values: ArrayLike<number>, { rows, columns }: Size): Counts {
  const table = Array.from({ length: rows }, () => new Float64Array(columns));
  for (let i = 0; i < labels.length; i++) table[labels[i]!]![values[i]!]!++;
  return table;
}

/** φ² of a drawn table; NaN where only one row or column was drawn. */
function squaredOf(totals: Float64Array, { rows, columns }: Size): number {
  const table = Array.from({ length: rows }, (_, i) => totals.subarray(i * columns, (i + 1) * columns));
  const drawn = chiSquare(table);
  return drawn.rows > 1 && drawn.columns > 1 ? drawn.phiSquared : Number.NaN;
}

function isConstantIn(clusters: ArrayLike<number>, labels: ArrayLike<number>): boolean {
  const first = new Map<number, number>();
  for (let i = 0; i < labels.length; i++) {
    const known = first.get(clusters[i]!);
    if (known === undefined) first.set(clusters[i]!, labels[i]!);
    else if (known !== labels[i]) return false;
  }
  return true;
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
