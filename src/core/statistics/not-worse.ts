/** Which of several methods are not worse than the best, by what each gave with the same seeds. */

import { holm } from "./multiple.ts";
import { pairedDifference } from "./paired.ts";
import { mean } from "./summary.ts";

export interface SeedValue {
  seed: number;
  value: number;
}

export interface NotWorse {
  /** The row with the best mean among those with two seeds or more; undefined where no two rows have that many. */
  best: number | undefined;
  rows: { notWorse: boolean; pValue: number | undefined; adjusted: number | undefined; pairs: number }[];
}

/** Below it a difference from the best counts. */
const level = 0.05;

/**
 * Each row against the one with the best mean: paired Student's t over seeds that both have, two-sided, adjusted by Holm for
 * all rows. One seed says nothing, so that neither it nor a row with fewer than two seeds in common is marked. That a row is
 * not worse by this test is no proof that it is as good: with few seeds little can be told.
 */
export function notWorseThanBest(
  rows: readonly (readonly SeedValue[])[],
  better: "higher" | "lower",
): NotWorse {
  const means = rows.map((row) => (row.length < 2 ? undefined : mean(row.map(({ value }) => value))));
  const best = bestOf(means, better);
  const untested = { notWorse: false, pValue: undefined, adjusted: undefined, pairs: 0 };
  if (best === undefined) return { best, rows: rows.map(() => untested) };
  const keyed = (row: readonly SeedValue[]) => row.map(({ seed, value }) => ({ key: seed, value }));
  const winner = keyed(rows[best]!);
  const seeds = new Set(winner.map(({ key }) => key));
  const tests = rows.map((row, i) => {
    if (i === best || !row.some(({ seed }) => seeds.has(seed))) return undefined;
    const { pValue, n } = pairedDifference(keyed(row), winner);
    return pValue === undefined ? undefined : { row: i, pValue, pairs: n };
  });
  const known = tests.filter((test) => test !== undefined);
  const adjusted = holm(known.map(({ pValue }) => pValue));
  return {
    best,
    rows: rows.map((_, i) => {
      if (i === best) return { ...untested, notWorse: true, pairs: rows[best]!.length };
      const at = known.findIndex(({ row }) => row === i);
      if (at < 0) return untested;
      const { pValue, pairs } = known[at]!;
      return { notWorse: adjusted[at]! >= level, pValue, adjusted: adjusted[at]!, pairs };
    }),
  };
}

/** What a table marks: of a row that could not be compared, nothing is said. */
export function markOf({
  notWorse,
  adjusted,
}: {
  notWorse: boolean;
  adjusted?: number | null | undefined;
}): boolean | undefined {
  return notWorse || typeof adjusted === "number" ? notWorse : undefined;
}

/** The first among equals; undefined for fewer than two rows to compare. */
function bestOf(means: readonly (number | undefined)[], better: "higher" | "lower"): number | undefined {
  const sign = better === "higher" ? 1 : -1;
  const known = means.flatMap((value, row) => (value === undefined ? [] : [{ row, value: sign * value }]));
  if (known.length < 2) return undefined;
  return known.reduce((a, b) => (b.value > a.value ? b : a)).row;
}
