/** Sections as Markdown: for a repository's pages. Best of a column in bold, second best in italics. */

import { pictureName, type Section, type Table, verdictWords } from "../core/section.ts";
import { type FormattedCell, formattedTable } from "./formatted-table.ts";

/** Figures are pictures in `figures/`. */
export function asMarkdown(sections: readonly Section[]): string {
  return `${sections.flatMap(sectionBlocks).join("\n\n")}\n`;
}

function sectionBlocks(section: Section): string[] {
  const { heading, text = "", facts = [], findings = [] } = section;
  const { tables = [], figures = [], galleries = [], remarks = [] } = section;
  const list = (lines: readonly string[]) => (lines.length === 0 ? [] : [lines.join("\n")]);
  return [
    ...(heading === "" ? [] : [`## ${escaped(heading)}`]),
    ...(text === "" ? [] : [text.split("\n\n").map(escaped).join("\n\n")]),
    ...list(facts.map(([name, value]) => `- ${escaped(name)}: ${escaped(value)}`)),
    ...list(
      findings.map(
        (finding) =>
          `- **${escaped(finding.claim)}: ${verdictWords(finding)}.** ${escaped(finding.evidence)}.`,
      ),
    ),
    ...tables.map(({ caption, ...table }) =>
      [
        ...(caption === "" ? [] : [`${escaped(caption)}:`]),
        markdownTable({ caption, ...table }).trimEnd(),
      ].join("\n\n"),
    ),
    ...figures.map(
      ({ name, caption }) =>
        `![${escaped(caption)}](figures/${encodeURIComponent(name)}.png)\n\n${escaped(caption)}.`,
    ),
    ...galleries.flatMap(({ name, caption, pictures }) => [
      `${escaped(caption)}:`,
      ...pictures.map(
        ({ label, alt }, i) =>
          `![${escaped(alt)}](figures/${encodeURIComponent(pictureName(name, i))}.png)\n${escaped(label)}`,
      ),
    ]),
    ...list(remarks.map((remark) => `- ${escaped(remark)}`)),
  ];
}

const marks = { 1: "**", 2: "*" } as const;

export function markdownTable(table: Table): string {
  const { columns, rows } = formattedTable(table);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const marked = ({ text, rank }: FormattedCell) =>
    rank === undefined ? escaped(text) : `${marks[rank]}${escaped(text)}${marks[rank]}`;
  return `${[
    line(columns.map(({ title }) => escaped(title))),
    line(columns.map(({ numeric }) => (numeric ? "---:" : "---"))),
    ...rows.map(({ cells }) => line(cells.map(marked))),
  ].join("\n")}\n`;
}

/** What would end a cell, begin a tag, a link or code, or mark text. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\\|<>*`[\]]/g, "\\$&")
    .replaceAll(/(?<=^|\s)_|_(?=\s|$)/g, "\\_")
    .replaceAll(/[\r\n\u2028\u2029]+/g, " ");
}
