/** A comparison as a table for a page, a paper or a program. */

import type { Table } from "../core/section.ts";
import { csvLines } from "./as-csv.ts";
import { asJson } from "./as-json.ts";
import { asLatex } from "./as-latex.ts";
import { markdownTable } from "./as-markdown.ts";
import { type ComparedCell, type RunComparison, seedsCellOf } from "./comparison.ts";
import { seedsNote } from "./formatted-table.ts";

export const comparisonFormats = ["markdown", "csv", "json", "latex"] as const;
export type ComparisonFormat = (typeof comparisonFormats)[number];

export function formatComparison(comparison: RunComparison, format: ComparisonFormat): string {
  switch (format) {
    case "markdown":
      return markdownTable(comparisonTable(comparison));
    case "csv":
      return csv(comparison);
    case "json":
      return asJson(dataOf(comparison));
    case "latex":
      return asLatex(comparisonTable(comparison));
    default:
      return format satisfies never;
  }
}

export function comparisonTable({ fields, slices, rows }: RunComparison): Table {
  return {
    name: "comparison",
    caption: `accuracy in per cent, ${seedsNote}`,
    columns: [
      ...fields.map((title) => ({ title })),
      ...slices.map((title) => ({ title, better: "higher" as const })),
    ],
    rows: rows.map(({ values, cells }) => ({
      cells: [...values, ...cells.map(seedsCellOf)],
    })),
  };
}

/** One line a row and slice, as programs like it. */
function csv({ fields, slices, rows }: RunComparison): string {
  const lines = rows.flatMap(({ values, cells }) =>
    cells.flatMap((cell, i) =>
      cell === undefined
        ? []
        : [
            [
              ...values,
              slices[i]!,
              ...[cell.mean, cell.deviation, cell.runs, cell.runs - 1, cell.low, cell.high].map((number) =>
                String(number ?? ""),
              ),
            ],
          ],
    ),
  );
  return csvLines([[...fields, "slice", "mean", "sd", "n", "df", "low", "high"], ...lines]);
}

/** The interval is Student's, of 95%, over seeds. */
function numbersOf({ mean, deviation, runs, low, high }: ComparedCell) {
  return {
    mean,
    sd: deviation ?? null,
    n: runs,
    degreesOfFreedom: runs - 1,
    low: low ?? null,
    high: high ?? null,
  };
}

function dataOf({ fields, slices, rows }: RunComparison) {
  return rows.map(({ values, cells, runs, selection }) => ({
    ...Object.fromEntries(fields.map((field, i) => [field, values[i]!])),
    selection,
    runs: runs.map(({ id }) => id),
    accuracy: Object.fromEntries(
      slices.map((slice, i) => {
        const cell = cells[i];
        return [slice, cell ? numbersOf(cell) : null];
      }),
    ),
  }));
}
