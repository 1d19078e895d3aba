/** Sections as Markdown: for a repository's pages. Best of a column in bold, second best in italics. */

import { codeSpan, escapeMarkdown } from "../core/markdown-text.ts";
import { pictureName, type Section, type Table, verdictWords } from "../core/section.ts";
import { type FormattedCell, formattedTable } from "./formatted-table.ts";

/** Figures are pictures in `figures/`. */
export function asMarkdown(sections: readonly Section[]): string {
  return `${sections.flatMap(sectionBlocks).join("\n\n")}\n`;
}

function sectionBlocks(section: Section): string[] {
  const { heading, text = "", facts = [], findings = [] } = section;
  const { tables = [], figures = [], galleries = [], remarks = [], commands = [] } = section;
  const list = (lines: readonly string[]) => (lines.length === 0 ? [] : [lines.join("\n")]);
  return [
    ...(heading === "" ? [] : [`## ${escapeMarkdown(heading)}`]),
    ...(text === "" ? [] : [text.split("\n\n").map(escapeMarkdown).join("\n\n")]),
    ...list(facts.map(([name, value]) => `- ${escapeMarkdown(name)}: ${escapeMarkdown(value)}`)),
    ...list(
      findings.map(
        (finding) =>
          `- **${escapeMarkdown(finding.claim)}: ${verdictWords(finding)}.** ${escapeMarkdown(finding.evidence)}.`,
      ),
    ),
    ...tables.map(({ caption, ...table }) =>
      [
        ...(caption === "" ? [] : [`${escapeMarkdown(caption)}:`]),
        markdownTable({ caption, ...table }).trimEnd(),
      ].join("\n\n"),
    ),
    ...figures.map(
      ({ name, caption }) =>
        `![${escapeMarkdown(caption)}](figures/${encodeURIComponent(name)}.png)\n\n${escapeMarkdown(caption)}.`,
    ),
    ...galleries.flatMap(({ name, caption, pictures }) => [
      `${escapeMarkdown(caption)}:`,
      ...pictures.map(
        ({ label, alt }, i) =>
          `![${escapeMarkdown(alt)}](figures/${encodeURIComponent(pictureName(name, i))}.png)\n${escapeMarkdown(label)}`,
      ),
    ]),
    ...list(remarks.map((remark) => `- ${escapeMarkdown(remark)}`)),
    ...commands.map(([does, command]) => `${escapeMarkdown(does)}: ${codeSpan(command)}`),
  ];
}

const marks = { 1: "**", 2: "*" } as const;

export function markdownTable(table: Table): string {
  const { columns, rows } = formattedTable(table);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const marked = ({ text, rank }: FormattedCell) =>
    rank === undefined ? escapeMarkdown(text) : `${marks[rank]}${escapeMarkdown(text)}${marks[rank]}`;
  return `${[
    line(columns.map(({ title }) => escapeMarkdown(title))),
    line(columns.map(({ numeric }) => (numeric ? "---:" : "---"))),
    ...rows.map(({ cells }) => line(cells.map(marked))),
  ].join("\n")}\n`;
}
