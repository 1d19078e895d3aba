/** How much one category tells of another, from a table of counts. */

import { checkResult, checkValues, inputError } from "./checks.ts";
import { sum } from "./sums.ts";

/** Counts as rows of columns; how often each pair of categories occurred. Weights serve as well. */
export type Counts = ArrayLike<ArrayLike<number>>;

interface CramersVOptions {
  /** Takes off what independent categories would show by chance (Bergsma 2013). */
  biasCorrection?: boolean;
}

/**
 * Cramér's V, 0 for independent categories to 1 where one decides the other. Categories that never occur are not
 * counted as rows or columns; at least two of each must occur. SciPy's `contingency.association(method="cramer")`.
 */
export function cramersV(counts: Counts, { biasCorrection = false }: CramersVOptions = {}): number {
  const { phiSquared, rows, columns, total } = chiSquare(counts);
  if (rows < 2 || columns < 2) {
    const expected = "at least two rows and two columns that are not empty";
    throw inputError("no association in a single row or column", expected, `${rows} × ${columns}`);
  }
  // Rounding alone can carry the quotient past 1.
  if (!biasCorrection) return Math.sqrt(Math.min(1, phiSquared / (Math.min(rows, columns) - 1)));
  const { chance, levels } = biasTerms(rows, columns, total);
  return Math.sqrt(Math.min(1, Math.max(0, phiSquared - chance) / levels));
}

/** φ² = χ² / n, of as many rows and columns as occur. */
export function chiSquare(counts: Counts): {
  phiSquared: number;
  rows: number;
  columns: number;
  total: number;
} {
  const { cells, rowTotals, columnTotals, total } = readCounts(counts);
  const phiSquared =
    sum(cells.map(({ count, expected }) => (count - expected) * ((count - expected) / expected))) / total;
  return { phiSquared, rows: rowTotals.length, columns: columnTotals.length, total };
}

/** Bergsma 2013: what φ² is by chance, and what the rest is divided by in place of the fewer categories less one. */
export function biasTerms(rows: number, columns: number, total: number): { chance: number; levels: number } {
  const chance = ((rows - 1) * (columns - 1)) / (total - 1);
  const freeRows = rows - 1 - (rows - 1) ** 2 / (total - 1);
  const freeColumns = columns - 1 - (columns - 1) ** 2 / (total - 1);
  if (!(total > 1 && freeRows > 0 && freeColumns > 0)) {
    const expected = `more than ${Math.max(rows, columns)} observations for ${rows} × ${columns} categories`;
    throw inputError("too few observations for the bias correction", expected, String(total));
  }
  return { chance, levels: Math.min(freeRows, freeColumns) };
}

/** The mutual information of rows and columns, in nats. scikit-learn's `mutual_info_score`. */
export function mutualInformation(counts: Counts): number {
  const { cells, total } = readCounts(counts);
  const parts = cells.map(({ count, expected }) => (count === 0 ? 0 : count * Math.log(count / expected)));
  // It is never negative; of independent categories rounding can make it so.
  return Math.max(0, sum(parts) / total);
}

/**
 * The mutual information over the arithmetic mean of both entropies, from 0 to 1; at least one of rows and columns
 * must have two categories that occur. scikit-learn's `normalized_mutual_info_score`.
 */
export function normalisedMutualInformation(counts: Counts): number {
  const { rowTotals, columnTotals, total } = readCounts(counts);
  const entropies = (entropy(rowTotals, total) + entropy(columnTotals, total)) / 2;
  if (entropies === 0) {
    const expected = "two categories that occur, in rows or columns";
    throw inputError("no information in a single cell", expected, "one row and one column");
  }
  return Math.min(1, mutualInformation(counts) / entropies);
}

function entropy(totals: number[], total: number): number {
  return -sum(totals.map((count) => (count / total) * Math.log(count / total)));
}

interface ContingencyCell {
  count: number;
  /** The count if rows and columns were independent. */
  expected: number;
}

interface ContingencyTable {
  /** The cells of rows and columns that occur. */
  cells: ContingencyCell[];
  rowTotals: number[];
  columnTotals: number[];
  total: number;
}

/** Checks the counts and leaves out the rows and columns that are empty. */
function readCounts(counts: Counts): ContingencyTable {
  const rows = Array.from(counts, (row) => Array.from(row));
  const width = rows[0]?.length ?? 0;
  rows.forEach((row, i) => {
    if (row.length !== width) {
      throw inputError(`row ${i} differs in length from row 0`, `${width} columns`, String(row.length));
    }
    checkValues(`counts[${i}]`, row, 0);
    const negative = row.findIndex((count) => count < 0);
    if (negative < 0) return;
    throw inputError(`counts[${i}][${negative}] is negative`, "counts of 0 or more", String(row[negative]));
  });
  const total = checkResult("total count", sum(rows.flat()));
  if (total === 0) {
    throw inputError("the table is empty", "at least one count above 0", `${rows.length} × ${width} zeros`);
  }
  const columns = Array.from({ length: width }, (_, j) => rows.map((row) => row[j]!));
  const rowTotals = rows.map(sum);
  const columnTotals = columns.map(sum);
  const cells = rows.flatMap((row, i) =>
    row
      .map((count, j) => ({ count, expected: rowTotals[i]! * (columnTotals[j]! / total) }))
      .filter((_, j) => rowTotals[i]! > 0 && columnTotals[j]! > 0),
  );
  const occurs = (count: number): boolean => count > 0;
  return { cells, rowTotals: rowTotals.filter(occurs), columnTotals: columnTotals.filter(occurs), total };
}
