/** A comparison as a table for a page, a paper or a program. */

import type { Comparison } from "./comparison.ts";
import { csvTable, type FormattedTable, latexTable, markdownTable, percentCell } from "./table-formats.ts";

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
      return latexTable(
        formatted(comparison),
        "accuracy in per cent, mean ± standard deviation over seeds (runs)",
      );
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
        : [[...values, slices[i]!, String(cell.mean), String(cell.deviation ?? ""), String(cell.runs)]],
    ),
  );
  return csvTable([[...fields, "slice", "mean", "sd", "n"], ...lines]);
}

function asJson({ fields, slices, rows }: Comparison) {
  return rows.map(({ values, cells, runs, selection }) => ({
    ...Object.fromEntries(fields.map((field, i) => [field, values[i]!])),
    selection,
    runs: runs.map(({ id }) => id),
    accuracy: Object.fromEntries(
      slices.map((slice, i) => {
        const cell = cells[i];
        return [slice, cell ? { mean: cell.mean, sd: cell.deviation ?? null, n: cell.runs } : null];
      }),
    ),
  }));
}
