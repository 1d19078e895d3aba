/** A comparison as a table for a page, a paper or a program. */

import type { Table } from "../core/section.ts";
import { markOf, notWorseThanBest } from "../core/statistics/index.ts";
import { type CsvOptions, csvLines } from "./as-csv.ts";
import { asJson } from "./as-json.ts";
import { asLatex } from "./as-latex.ts";
import { markdownTable } from "./as-markdown.ts";
import { type ComparedCell, noValue, type RunComparison, seedsCellOf, seedValuesOf } from "./comparison.ts";
import { seedsNote } from "./formatted-table.ts";

export const comparisonFormats = ["markdown", "csv", "json", "latex"] as const;
export type ComparisonFormat = (typeof comparisonFormats)[number];

/** Of one dataset as a table, of several as one a dataset; for programs, the dataset is then told with each row. */
export function formatComparison(
  comparisons: readonly RunComparison[],
  format: ComparisonFormat,
  { excel }: CsvOptions = {},
): string {
  switch (format) {
    case "markdown":
      return comparisons
        .map((each) => markdownTable(comparisonTable(each, comparisons.length > 1)))
        .join("\n");
    case "csv":
      return csv(comparisons, { excel });
    case "json":
      return asJson(comparisons.flatMap((each) => dataOf(each, comparisons.length > 1)));
    case "latex":
      return comparisons.map((each) => asLatex(comparisonTable(each, comparisons.length > 1))).join("\n");
    default:
      return format satisfies never;
  }
}

/** `named` where there are tables of other datasets beside it. */
export function comparisonTable(
  { dataset, fields, shown, slices, rows }: RunComparison,
  named = false,
): Table {
  const judged = slices.map(
    (slice) =>
      notWorseThanBest(
        rows.map((row) => seedValuesOf(row, slice)),
        "higher",
      ).rows,
  );
  return {
    name: named ? `comparison-${dataset}` : "comparison",
    caption: `${named ? `${dataset}: ` : ""}accuracy in per cent, ${seedsNote}`,
    columns: [...(shown.length === 0 ? ["data"] : shown.map((column) => fields[column]!)), ...slices].map(
      (title) => ({ title }),
    ),
    rows: rows.map(({ values, cells }, row) => ({
      cells: [
        ...(shown.length === 0 ? [dataset] : shown.map((column) => values[column]!)),
        ...cells.map((cell, slice) => seedsCellOf(cell, markOf(judged[slice]![row]!))),
      ],
    })),
  };
}

/** One line a row and slice, as programs like it. */
function csv(comparisons: readonly RunComparison[], options: CsvOptions): string {
  const fields = [...new Set(comparisons.flatMap((each) => each.fields))];
  const several = comparisons.length > 1;
  const lines = comparisons.flatMap(({ dataset, fields: own, slices, rows }) =>
    rows.flatMap(({ values, cells }) =>
      cells.flatMap((cell, i) => {
        if (cell === undefined) return [];
        const { mean, deviation, runs, low, high } = cell;
        const numbers = [mean, deviation, runs, runs - 1, low, high].map((number) => String(number ?? ""));
        return [[...(several ? [dataset] : []), ...fields.map(valueIn(own, values)), slices[i]!, ...numbers]];
      }),
    ),
  );
  const head = [...(several ? ["dataset"] : []), ...fields, "slice", "mean", "sd", "n", "df", "low", "high"];
  return csvLines([head, ...lines], options);
}

/** Empty where a row has no such field: a dash would make a column of numbers one of words. */
function valueIn(fields: readonly string[], values: readonly string[]) {
  return (field: string): string => {
    const value = values[fields.indexOf(field)] ?? "";
    return value === noValue ? "" : value;
  };
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

function dataOf({ dataset, fields, slices, rows }: RunComparison, named: boolean) {
  return rows.map(({ values, cells, runs, selection }) => ({
    ...(named && { dataset }),
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
