/** A study's table in the forms that people want: on a page, in a paper, in a program. */

import type { StudyCell, StudyTable } from "../../studies/study.ts";
import { type HtmlTableRow, htmlTable } from "../html-page.ts";
import { html, type Markup } from "../markup.ts";
import { csvTable, type FormattedCell, type FormattedTable, percentCell, ranksOf } from "../table-formats.ts";

export function formattedTable({ columns, rows }: StudyTable): FormattedTable {
  const ranks = columns.map(({ better }, column) =>
    ranksOf(
      rows.map(({ source, cells }) =>
        source === "ours" && better ? numberOf(cells[column]!)?.mean : undefined,
      ),
      better ?? "higher",
    ),
  );
  return {
    columns: columns.map(({ title }, column) => ({
      title,
      numeric: rows.some(({ cells }) => numberOf(cells[column]!) !== undefined),
    })),
    rows: rows.map(({ cells }, row) =>
      cells.map((cell, column): FormattedCell => ({ text: textOf(cell), rank: ranks[column]![row] })),
    ),
  };
}

/** One line a number; what is words in a row tells it apart. */
export function studyTableCsv({ columns, rows }: StudyTable): string {
  const isLabel = columns.map((_, column) => rows.every(({ cells }) => typeof cells[column] === "string"));
  const labels = columns.filter((_, column) => isLabel[column]).map(({ title }) => title);
  const lines = rows.flatMap(({ source, cells }) =>
    cells.flatMap((cell, column) => {
      const number = numberOf(cell);
      if (number === undefined) return [];
      const words = cells.filter((_, i) => isLabel[i]).map(textOf);
      const { mean, deviation, runs } = number;
      return [
        [...words, source, columns[column]!.title, String(mean), String(deviation ?? ""), String(runs)],
      ];
    }),
  );
  return csvTable([[...labels, "rows of", "number", "mean", "sd", "n"], ...lines]);
}

export function studyTableHtml(table: StudyTable): Markup {
  const { columns, rows } = formattedTable(table);
  const marked = ({ text, rank }: FormattedCell) =>
    rank === 1 ? html`<strong>${text}</strong>` : rank === 2 ? html`<em>${text}</em>` : text;
  return htmlTable(
    table.caption,
    columns,
    rows.map((cells): HtmlTableRow => ({ cells: cells.map(marked) })),
  );
}

function numberOf(cell: StudyCell): Exclude<StudyCell, string | null> | undefined {
  return typeof cell === "object" && cell !== null ? cell : undefined;
}

function textOf(cell: StudyCell): string {
  return typeof cell === "string" ? cell : percentCell(cell ?? undefined);
}
