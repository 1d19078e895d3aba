/** A delimited text row by row, for tables that are read whole, and once. */

import { openCsv } from "./open-csv.ts";

export interface CsvRow {
  /** Counted from 1, as editors do. */
  line: number;
  cells: string[];
}

/** Rows after the header; `columns` is called once with the header. Read in place: the parser's memory is bounded. */
export async function* csvRows(path: string, columns: (names: string[]) => void): AsyncGenerator<CsvRow> {
  const table = await openCsv(path);
  columns([...table.columns]);
  const wanted = table.columns.map((name, place) => ({ name, place, as: "texts" as const }));
  for await (const batch of table.batches(wanted, { workers: 0, lines: true })) {
    const texts = batch.columns.map((column) => (column.as === "texts" ? column.texts : []));
    for (let row = 0; row < batch.count; row++) {
      yield { line: batch.lines![row]!, cells: texts.map((column) => column[row]!) };
    }
  }
}

/** The names in the header. */
export async function csvColumns(path: string): Promise<readonly string[]> {
  return (await openCsv(path)).columns;
}
