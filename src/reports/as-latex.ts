/** A table for a paper: LaTeX with booktabs; best of a column in bold, second best underlined. */

import type { Table } from "../core/section.ts";
import { oneLine } from "../core/shown-text.ts";
import { type FormattedCell, formattedTable } from "./formatted-table.ts";

const commands = { 1: "\\textbf", 2: "\\underline" } as const;

export function asLatex(table: Table): string {
  const { columns, rows } = formattedTable(table);
  const marked = ({ text, rank }: FormattedCell) =>
    rank === undefined ? escaped(text) : `${commands[rank]}{${escaped(text)}}`;
  const line = (cells: readonly string[]) => `${cells.join(" & ")} \\\\`;
  const note = [
    table.caption,
    ...(table.columns.some(({ better }) => better) ? ["bold best, underlined second"] : []),
  ].filter((part) => part !== "");
  return `${[
    `\\begin{tabular}{${columns.map(({ numeric }) => (numeric ? "r" : "l")).join("")}}`,
    "\\toprule",
    ...groupLines(table.columns),
    line(table.columns.map(({ title }) => escaped(title))),
    "\\midrule",
    ...rows.map(({ cells }) => line(cells.map(marked))),
    "\\bottomrule",
    "\\end{tabular}",
    ...(note.length === 0 ? [] : [`% ${oneLine(inOneLine(note.join("; ")), "?")}`]),
  ].join("\n")}\n`;
}

const replacements: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  // At the start of a row, brackets and stars would belong to the command before it.
  "[": "{[}",
  "]": "{]}",
  "*": "{*}",
  // Signs that TeX would put together with the one before them.
  "`": "{`}",
  "-": "{-}",
  "–": "--",
  "−": "$-$",
  "±": "$\\pm$",
  "×": "$\\times$",
  "≥": "$\\geq$",
  "≤": "$\\leq$",
  "★": "$\\star$",
  α: "$\\alpha$",
  β: "$\\beta$",
  τ: "$\\tau$",
  ρ: "$\\rho$",
};

function escaped(text: string): string {
  return oneLine(inOneLine(text), "?").replaceAll(
    /[\\~^<>|–−±×≥≤★αβτρ&%$#_{}[\]*`]|(?<=-)-/g,
    (character) => replacements[character] ?? `\\${character}`,
  );
}

function inOneLine(text: string): string {
  return text.replaceAll(/[\r\n\u2028\u2029]+/g, " ");
}

/** Titles that columns share, each over a line of its own; none where no column has one. */
function groupLines(columns: Table["columns"]): string[] {
  if (columns.every(({ group }) => group === undefined)) return [];
  const spans: { group: string | undefined; first: number; count: number }[] = [];
  for (const [i, { group }] of columns.entries()) {
    const last = spans.at(-1);
    if (last !== undefined && last.group === group) last.count++;
    else spans.push({ group, first: i + 1, count: 1 });
  }
  const titles = spans.map(({ group, count }) =>
    group === undefined ? "&".repeat(count - 1) : `\\multicolumn{${count}}{c}{${escaped(group)}}`,
  );
  const rules = spans.flatMap(({ group, first, count }) =>
    group === undefined ? [] : [`\\cmidrule(lr){${first}-${first + count - 1}}`],
  );
  return [`${titles.join(" & ")} \\\\`, rules.join(" ")];
}
