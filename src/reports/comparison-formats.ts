/** A comparison as a table for a page, a paper or a program. */

import type { ComparedCell, Comparison } from "./comparison.ts";
import {
  csvTable,
  type FormattedTable,
  latexTable,
  markdownTable,
  percentCell,
  seedsNote,
} from "./table-formats.ts";

export const comparisonFormats = ["markdown", "csv", "json", "latex"] as const;
export type ComparisonFormat = (typeof comparisonFormats)[number];

export function formatComparison(comparison: Comparison, format: ComparisonFormat): string {
  switch (format) {
    case "markdown":
      return markdownTable(formatted(comparison));
    case "csv":
      return csv(comparison);
    case "json":
      return `${JSON.stringify(asJson(comparison), null, 2)}\n`;
    case "latex":
      return latexTable(formatted(comparison), `accuracy in per cent, ${seedsNote}`);
    default:
      return format satisfies never;
  }
}

function formatted({ fields, slices, rows }: Comparison): FormattedTable {
  return {
    columns: [
      ...fields.map((title) => ({ title, numeric: false })),
      ...slices.map((title) => ({ title, numeric: true })),
    ],
    rows: rows.map(({ values, cells }) => [
      ...values.map((text) => ({ text })),
      ...cells.map((cell) => ({ text: percentCell(cell), rank: cell?.rank })),
    ]),
  };
}

/** One line a row and slice, as programs like it. */
function csv({ fields, slices, rows }: Comparison): string {
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
  return csvTable([[...fields, "slice", "mean", "sd", "n", "df", "low", "high"], ...lines]);
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

function asJson({ fields, slices, rows }: Comparison) {
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
