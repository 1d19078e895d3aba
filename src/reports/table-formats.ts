/** One table for a page, a paper or a program: Markdown, LaTeX with booktabs, CSV. */

import { seedHalfWidth } from "../core/statistics/index.ts";

export interface FormattedTable {
  columns: readonly { title: string; numeric: boolean }[];
  rows: readonly (readonly FormattedCell[])[];
}

export interface FormattedCell {
  /** With `±` where there is an interval, and `–` where there is nothing. */
  text: string;
  /** Best and second best of its column. */
  rank?: 1 | 2 | undefined;
}

/** What `percentCell` shows, for below a table. */
export const seedsNote =
  "mean ± half of Student's 95% interval over seeds (n seeds, n − 1 degrees of freedom; one seed has no interval)";

/** 42.1 ± 0.3 (5), in per cent: half of the interval over five seeds; as it is printed, where it is none of ours. */
export function percentCell(
  cell: { mean: number; deviation?: number | null | undefined; runs: number } | undefined,
): string {
  if (cell === undefined) return "–";
  const { deviation } = cell;
  const half =
    typeof deviation === "number" && cell.runs > 1 ? seedHalfWidth(deviation, cell.runs) : deviation;
  const spread = typeof half === "number" ? ` ± ${(100 * half).toFixed(1)}` : "";
  const runs = cell.runs > 0 ? ` (${cell.runs})` : "";
  return `${(100 * cell.mean).toFixed(1)}${spread}${runs}`;
}

/** Best in bold, second best in italics. */
export function markdownTable({ columns, rows }: FormattedTable): string {
  const clean = (text: string) => text.replaceAll("|", "\\|");
  const line = (cells: readonly string[]) => `| ${cells.map(clean).join(" | ")} |`;
  const marks = { 1: "**", 2: "*" } as const;
  const marked = ({ text, rank }: FormattedCell) =>
    rank === undefined ? text : `${marks[rank]}${text}${marks[rank]}`;
  return `${[
    line(columns.map(({ title }) => title)),
    line(columns.map(({ numeric }) => (numeric ? "---:" : "---"))),
    ...rows.map((cells) => line(cells.map(marked))),
  ].join("\n")}\n`;
}

/** For booktabs; best in bold, second best underlined. `note` stands below as a comment. */
export function latexTable({ columns, rows }: FormattedTable, note: string): string {
  const commands = { 1: "\\textbf", 2: "\\underline" } as const;
  const marked = ({ text, rank }: FormattedCell) =>
    rank === undefined ? escaped(text) : `${commands[rank]}{${escaped(text)}}`;
  const line = (cells: readonly string[]) => `${cells.join(" & ")} \\\\`;
  return `${[
    `\\begin{tabular}{${columns.map(({ numeric }) => (numeric ? "r" : "l")).join("")}}`,
    "\\toprule",
    line(columns.map(({ title }) => escaped(title))),
    "\\midrule",
    ...rows.map((cells) => line(cells.map(marked))),
    "\\bottomrule",
    "\\end{tabular}",
    `% ${note}; bold best, underlined second`,
  ].join("\n")}\n`;
}

export function csvTable(lines: readonly (readonly string[])[]): string {
  const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return `${lines.map((cells) => cells.map(quoted).join(",")).join("\n")}\n`;
}

/** Equal means share their rank; a column of one says nothing. */
export function ranksOf(
  means: readonly (number | undefined)[],
  better: "higher" | "lower",
): (1 | 2 | undefined)[] {
  const sorted = [...new Set(means.filter((value) => value !== undefined))].sort((a, b) =>
    better === "higher" ? b - a : a - b,
  );
  return means.map((value) => {
    if (value === undefined || sorted.length < 2) return undefined;
    if (value === sorted[0]) return 1;
    return sorted.length > 2 && value === sorted[1] ? 2 : undefined;
  });
}

const latexCommands: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "–": "--",
  "−": "$-$",
  "±": "$\\pm$",
  α: "$\\alpha$",
};

function escaped(text: string): string {
  return text.replaceAll(/[\\~^–−±α&%$#_{}]/g, (character) => latexCommands[character] ?? `\\${character}`);
}
