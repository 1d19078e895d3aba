/** Sections for a terminal: headings, facts, tables in aligned columns, findings and remarks. Figures are files. */

import { type Gallery, type Section, type Table, verdictWords } from "../core/section.ts";
import { oneLine, shownLines } from "../core/shown-text.ts";
import { formattedTable } from "./formatted-table.ts";
import { textTable } from "./text-table.ts";

export interface TextOptions {
  /** How a heading stands out; by default not at all. */
  bold?: (text: string) => string;
  /** Tables with more columns are left to files and pages. */
  mostColumns?: number;
}

export function asText(sections: readonly Section[], options: TextOptions = {}): string {
  return sections
    .map((section) => sectionText(section, options))
    .filter((text) => text !== "")
    .join("\n\n");
}

function sectionText(section: Section, { bold = (text) => text, mostColumns }: TextOptions): string {
  const { heading, text = "", facts = [], findings = [], tables = [] } = section;
  const { galleries = [], remarks = [], commands = [] } = section;
  const shown = tables.filter(({ columns }) => mostColumns === undefined || columns.length <= mostColumns);
  if (tables.length > 0 && shown.length === 0) return "";
  // A terminal has no figures: nothing would follow such a heading.
  const onlyFigures = [facts, findings, tables, galleries, remarks].every((parts) => parts.length === 0);
  if (onlyFigures && text === "" && (section.figures ?? []).length > 0) return "";
  const head = [
    ...(heading === "" ? [] : [bold(oneLine(heading))]),
    ...(facts.length === 0 ? [] : [factLines(facts)]),
  ].join("\n");
  const found = findings.map(
    (finding) =>
      `  ${verdictWords(finding).toUpperCase()}: ${oneLine(finding.claim)}\n    ${oneLine(finding.evidence)}`,
  );
  const notes = remarks.map((remark) => `remark: ${oneLine(remark)}`).join("\n");
  const paragraphs = shownLines(text);
  const [first = "", ...others] = [
    paragraphs,
    ...shown.map(tableText),
    found.join("\n"),
    ...galleries.map(galleryText),
    notes,
    commands.map(([does, command]) => `${oneLine(does)}:\n  ${oneLine(command)}`).join("\n"),
  ].filter((part) => part !== "");
  // What comes first stands right under its heading.
  const start = [head, first].filter((part) => part !== "").join("\n");
  return [start, ...others].filter((part) => part !== "").join("\n\n");
}

function factLines(facts: NonNullable<Section["facts"]>): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts
    .map(([name, value]) => `${oneLine(name).padEnd(width)}  ${oneLine(value) || "none"}`)
    .join("\n");
}

const marks = { 1: " ★", 2: " ☆" } as const;

function tableText(table: Table): string {
  const { columns, rows } = formattedTable(table, "shown");
  const text = textTable(
    columns.map(({ title }) => oneLine(title)),
    rows.map(({ cells }) => cells.map(({ text, rank }) => `${text}${rank === undefined ? "" : marks[rank]}`)),
  );
  return [text, oneLine(table.shown?.why ?? ""), oneLine(table.caption)]
    .filter((line) => line !== "")
    .join("\n");
}

/** Where pictures cannot be shown, their names can. */
function galleryText({ caption, pictures }: Gallery): string {
  return [`${oneLine(caption)}:`, ...pictures.map(({ label }) => `  ${oneLine(label)}`)].join("\n");
}
