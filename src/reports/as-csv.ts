/**
 * A table for a program. A table of plain cells is as it is shown, with numbers in full; one of numbers over seeds has a
 * line a number, with its spread beside it.
 */

import type { Cell, Row, Table } from "../core/section.ts";
import { intervalOf, shownText } from "./formatted-table.ts";

export interface CsvOptions {
  /** For people who open it in a spreadsheet: what it would compute is text there. */
  excel?: boolean | undefined;
}

export function asCsv(table: Table, options: CsvOptions = {}): string {
  const overSeeds = table.rows.some(({ cells }) => cells.some(isOverSeeds));
  if (overSeeds) return longCsv(table, options);
  const titles = table.columns.map(({ title }) => title);
  const rows = table.rows.map(({ cells }) => titles.map((_, i) => plain(cells[i] ?? null)));
  return csvLines([titles, ...rows], options);
}

/** A text with a comma, quote or line break is quoted; lines end in a newline alone. */
export function csvLines(lines: readonly (readonly string[])[], { excel = false }: CsvOptions = {}): string {
  const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const written = (text: string) => quoted(excel ? noFormula(text) : text);
  return `${lines.map((cells) => cells.map(written).join(",")).join("\n")}\n`;
}

/** A spreadsheet computes what begins with one of these; an apostrophe before it makes it text. Numbers stay numbers. */
function noFormula(text: string): string {
  return /^[=+@\t\r\n-]/.test(text) && !Number.isFinite(Number(text)) ? `'${text}` : text;
}

function plain(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  return "mean" in cell ? String(cell.mean) : String(cell.value ?? "");
}

function isOverSeeds(cell: Cell): boolean {
  return typeof cell === "object" && cell !== null && "mean" in cell;
}

const sourceColumn = "Source";

/** One line a number or a reason for none; what is words in every row tells it apart. */
function longCsv({ columns, rows }: Table, options: CsvOptions): string {
  const isLabel = columns.map(
    ({ title }, column) =>
      title !== sourceColumn && rows.every(({ cells }) => typeof cells[column] === "string"),
  );
  const labels = columns.filter((_, column) => isLabel[column]).map(({ title }) => title);
  const lines = rows.flatMap(({ cells, source = "ours" }) =>
    columns.flatMap(({ title }, column) => {
      const cell = cells[column] ?? null;
      if (cell === null || isLabel[column] || title === sourceColumn) return [];
      const words = cells.filter((_, i) => isLabel[i]).map(shownText);
      return [[...words, title, ...valuesOf(cell, source).map(String)]];
    }),
  );
  const head = [...labels, "number", "source", "mean", "sd", "seeds", "low", "high", "remark"];
  return csvLines([head, ...lines], options);
}

function valuesOf(cell: Exclude<Cell, null>, source: NonNullable<Row["source"]>): (string | number)[] {
  if (typeof cell === "string") return [source, "", "", "", "", "", cell];
  if ("text" in cell) return [source, cell.value ?? "", "", "", "", "", ""];
  const { mean, deviation, runs } = cell;
  const found = intervalOf(cell);
  const interval = found === undefined ? ["", ""] : [found.low, found.high];
  const remarks = [cell.remark, found?.over === "images" ? "interval over images" : undefined];
  const remark = remarks.filter((words) => words !== undefined).join(", ");
  return [runs > 0 ? "ours" : "published", mean, deviation ?? "", runs || "", ...interval, remark];
}
