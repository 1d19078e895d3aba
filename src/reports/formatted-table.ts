/** A table with its cells as people read them, and the best of each column: what every form of it is made of. */

import {
  type Cell,
  type Column,
  type Section,
  type SeedsCell,
  type Table,
  tablesOf,
} from "../core/section.ts";
import { type Interval, seedHalfWidth, wilsonInterval } from "../core/statistics/index.ts";
import { fixedText } from "../core/words.ts";

export interface FormattedTable {
  columns: readonly { title: string; numeric: boolean }[];
  rows: readonly FormattedRow[];
}

interface FormattedRow {
  cells: readonly FormattedCell[];
  marked: boolean;
}

export interface FormattedCell {
  /** With `±` where there is a spread, and `–` where there is nothing. */
  text: string;
  /** Best and second best of its column. */
  rank?: 1 | 2 | undefined;
}

/** All rows, or those that are shown of a long table. */
export function formattedTable(
  { columns, rows, shown }: Table,
  which: "all" | "shown" = "all",
): FormattedTable {
  const ranks = columns.map(({ better }, column) =>
    ranksOf(
      rows.map(({ source = "ours", cells }) =>
        source === "ours" && better && isRanked(cells[column] ?? null)
          ? numberOf(cells[column] ?? null)
          : undefined,
      ),
      better ?? "higher",
    ),
  );
  const tested = columns.map((_, column) => testedRanks(rows.map(({ cells }) => cells[column] ?? null)));
  const chosen = which === "shown" ? (shown?.rows ?? [...rows.keys()]) : [...rows.keys()];
  // Of a part of the rows, or of none that has groups, a column may be empty: it would only take room.
  const filled = [...columns.keys()].filter(
    (column) => which === "all" || chosen.some((row) => rows[row]?.cells[column] !== ""),
  );
  return {
    columns: filled.map((column) => ({
      title: titleOf(columns[column]!),
      numeric: isOfNumbers(rows.map(({ cells }) => cells[column] ?? null)),
    })),
    rows: chosen.map((row) => ({
      cells: filled.map((column) => ({
        text: shownText(rows[row]?.cells[column] ?? null),
        rank: ranks[column]?.[row] ?? tested[column]?.[row],
      })),
      marked: rows[row]?.marked ?? false,
    })),
  };
}

function titleOf({ title, group }: Column): string {
  return group === undefined ? title : `${group}: ${title}`;
}

export function shownText(cell: Cell): string {
  if (cell === null) return "–";
  if (typeof cell === "string") return cell;
  if ("text" in cell) return cell.text;
  return [seedsText(cell), cell.remark].filter((part) => part !== undefined).join(", ");
}

function numberOf(cell: Cell): number | undefined {
  if (typeof cell === "string" || cell === null) return undefined;
  return "mean" in cell ? cell.mean : (cell.value ?? undefined);
}

/** Those that are not worse than the best, unless none is: then the mark would say nothing. */
function testedRanks(cells: readonly Cell[]): (1 | undefined)[] {
  const notWorse = cells.map((cell) =>
    typeof cell === "object" && cell !== null && "notWorse" in cell ? cell.notWorse : undefined,
  );
  return notWorse.map((holds) => (holds === true && notWorse.includes(false) ? 1 : undefined));
}

/** What one seed gave says nothing about which is best. */
function isRanked(cell: Cell): boolean {
  if (typeof cell !== "object" || cell === null || !("mean" in cell)) return true;
  return cell.runs !== 1 && cell.remark === undefined;
}

/** Where all cells are empty, numbers would have been there: a table of counts has nothing else beside its names. */
function isOfNumbers(cells: readonly Cell[]): boolean {
  return cells.some(isNumber) || (cells.length > 0 && cells.every((cell) => cell === null));
}

function isNumber(cell: Cell): boolean {
  return typeof cell === "object" && cell !== null;
}

/** What a number over seeds shows, for below a table. */
export const seedsNote =
  "mean ± half of Student's 95% interval over seeds (n seeds, n − 1 degrees of freedom; one seed has none, or Wilson's over images, which says nothing of other seeds)";

/** What is behind the numbers of tables, where they are of seeds; else empty. */
export function seedsNoteFor(sections: readonly Section[]): string {
  const cells = tablesOf(sections).flatMap(({ rows }) => rows.flatMap((row) => row.cells));
  const ofSeeds = cells.some(
    (cell) => typeof cell === "object" && cell !== null && "mean" in cell && cell.runs > 0,
  );
  return ofSeeds ? `Accuracies are in per cent, ${seedsNote}; published ones are as printed` : "";
}

/**
 * 42.1 ± 0.3 (5), in per cent: half of the interval over five seeds; 42.1 (41.1 to 43.1 over images) of one; as it is printed,
 * where it is none of ours.
 */
function seedsText(cell: SeedsCell): string {
  const { mean, deviation, runs } = cell;
  const interval = intervalOf(cell);
  if (interval?.over === "images") {
    const [low, high] = [interval.low, interval.high].map((end) => fixedText(100 * end, 1));
    return `${fixedText(100 * mean, 1)} (${low} to ${high} over images)`;
  }
  const half = interval === undefined ? deviation : mean - interval.low;
  const spread = half === null ? "" : ` ± ${(100 * half).toFixed(1)}`;
  return `${fixedText(100 * mean, 1)}${spread}${runs > 0 ? ` (${runs})` : ""}`;
}

/** Student's over seeds; of one seed Wilson's over the images, where their number is known. */
export function intervalOf({
  mean,
  deviation,
  runs,
  images,
}: SeedsCell): (Interval & { over: "seeds" | "images" }) | undefined {
  if (deviation !== null && runs > 1) {
    const half = seedHalfWidth(deviation, runs);
    return { low: mean - half, high: mean + half, over: "seeds" };
  }
  if (runs !== 1 || images === undefined) return undefined;
  // A mean over groups is no whole number of images.
  return { ...wilsonInterval(Math.round(mean * images), images), over: "images" };
}

/** What several share is nobody's, as it is shown, and a column of one says nothing. */
function ranksOf(means: readonly (number | undefined)[], better: "higher" | "lower"): (1 | 2 | undefined)[] {
  const shown = means.map((value) => (value === undefined ? undefined : Math.round(1000 * value)));
  const known = shown.filter((value) => value !== undefined);
  const sorted = [...new Set(known)].sort((a, b) => (better === "higher" ? b - a : a - b));
  const [first, second] = sorted;
  const isShared = (value: number | undefined) => known.filter((other) => other === value).length > 1;
  if (sorted.length < 2 || isShared(first)) return means.map(() => undefined);
  return shown.map((value) => {
    if (value === undefined) return undefined;
    if (value === first) return 1;
    return sorted.length > 2 && value === second && !isShared(second) ? 2 : undefined;
  });
}
