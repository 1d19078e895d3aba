/** A study's table in the forms that people want: on a page, in a paper, in a program. */

import { html, type Markup } from "../../core/markup.ts";
import { seedHalfWidth } from "../../core/statistics/index.ts";
import type { StudyCell, StudyRow, StudyTable } from "../../studies/study.ts";
import { type HtmlTableRow, htmlTable } from "../html-page.ts";
import { csvTable, type FormattedCell, type FormattedTable, percentCell, ranksOf } from "../table-formats.ts";

export function formattedTable({ columns, rows }: StudyTable): FormattedTable {
  const ranks = columns.map(({ better }, column) =>
    ranksOf(
      rows.map(({ source, cells }) => (source === "ours" && better ? numberOf(cells[column]!) : undefined)),
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

/** One line a number or a reason for none; what is words in every row tells it apart. */
export function studyTableCsv({ columns, rows }: StudyTable): string {
  const isLabel = columns.map(
    (_, column) => columns[column]!.title !== "Source" && rows.every(({ cells }) => isWord(cells[column]!)),
  );
  const labels = columns.filter((_, column) => isLabel[column]).map(({ title }) => title);
  const lines = rows.flatMap(({ cells, source }) =>
    cells.flatMap((cell, column) => {
      if (cell === null || isLabel[column] || columns[column]!.title === "Source") return [];
      const words = cells.filter((_, i) => isLabel[i]).map(textOf);
      return [[...words, columns[column]!.title, ...valuesOf(cell, source).map(String)]];
    }),
  );
  return csvTable([
    [...labels, "number", "source", "mean", "sd", "seeds", "low", "high", "remark"],
    ...lines,
  ]);
}

function valuesOf(cell: Exclude<StudyCell, null>, source: StudyRow["source"]): (string | number)[] {
  if (typeof cell === "string") return [source, "", "", "", "", "", cell];
  if ("value" in cell) return [source, cell.value, "", "", "", "", ""];
  const { mean, deviation, runs } = cell;
  const half = deviation !== null && runs > 1 ? seedHalfWidth(deviation, runs) : undefined;
  const interval = half === undefined ? ["", ""] : [mean - half, mean + half];
  return [runs > 0 ? "ours" : "published", mean, deviation ?? "", runs || "", ...interval, ""];
}

const isWord = (cell: StudyCell) => typeof cell === "string";

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

function numberOf(cell: StudyCell): number | undefined {
  if (typeof cell === "string" || cell === null) return undefined;
  return "value" in cell ? cell.value : cell.mean;
}

function textOf(cell: StudyCell): string {
  if (typeof cell === "string") return cell;
  return cell !== null && "value" in cell ? cell.text : percentCell(cell ?? undefined);
}
