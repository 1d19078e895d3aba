/** A comparison as a table for a page, a paper or a program. */

import type { ComparedCell, Comparison } from "./comparison.ts";

export const comparisonFormats = ["markdown", "csv", "json", "latex"] as const;
export type ComparisonFormat = (typeof comparisonFormats)[number];

export function formatComparison(comparison: Comparison, format: ComparisonFormat): string {
  switch (format) {
    case "markdown":
      return markdown(comparison);
    case "csv":
      return csv(comparison);
    case "json":
      return `${JSON.stringify(asJson(comparison), null, 2)}\n`;
    case "latex":
      return latex(comparison);
    default:
      return format satisfies never;
  }
}

/** 42.1 ± 0.3 (5), in per cent. */
export function cellText(cell: ComparedCell | undefined, plusMinus = "±"): string {
  if (cell === undefined) return "–";
  const spread = cell.deviation === undefined ? "" : ` ${plusMinus} ${(100 * cell.deviation).toFixed(1)}`;
  return `${(100 * cell.mean).toFixed(1)}${spread} (${cell.runs})`;
}

function markdown({ fields, slices, rows }: Comparison): string {
  const clean = (text: string) => text.replaceAll("|", "\\|");
  const line = (cells: readonly string[]) => `| ${cells.map(clean).join(" | ")} |`;
  const marked = (cell: ComparedCell | undefined) =>
    cell?.rank === 1 ? `**${cellText(cell)}**` : cell?.rank === 2 ? `*${cellText(cell)}*` : cellText(cell);
  return `${[
    line([...fields, ...slices]),
    line([...fields.map(() => "---"), ...slices.map(() => "---:")]),
    ...rows.map(({ values, cells }) => line([...values, ...cells.map(marked)])),
  ].join("\n")}\n`;
}

/** One line a row and slice, as programs like it. */
function csv({ fields, slices, rows }: Comparison): string {
  const quoted = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = rows.flatMap(({ values, cells }) =>
    cells.flatMap((cell, i) =>
      cell === undefined
        ? []
        : [[...values, slices[i]!, String(cell.mean), String(cell.deviation ?? ""), String(cell.runs)]],
    ),
  );
  return `${[[...fields, "slice", "mean", "sd", "n"], ...lines].map((cells) => cells.map(quoted).join(",")).join("\n")}\n`;
}

function asJson({ fields, slices, rows }: Comparison) {
  return rows.map(({ values, cells, runs, selection }) => ({
    ...Object.fromEntries(fields.map((field, i) => [field, values[i]!])),
    selection,
    runs: runs.map(({ id }) => id),
    accuracy: Object.fromEntries(
      slices.map((slice, i) => {
        const cell = cells[i];
        return [slice, cell ? { mean: cell.mean, sd: cell.deviation ?? null, n: cell.runs } : null];
      }),
    ),
  }));
}

/** For booktabs; best in bold, second best underlined. */
function latex({ fields, slices, rows }: Comparison): string {
  const number = (cell: ComparedCell | undefined) => {
    const text = cellText(cell, "$\\pm$");
    if (cell?.rank === 1) return `\\textbf{${text}}`;
    return cell?.rank === 2 ? `\\underline{${text}}` : text.replace("–", "--");
  };
  const line = (cells: readonly string[]) => `${cells.join(" & ")} \\\\`;
  return `${[
    `\\begin{tabular}{${"l".repeat(fields.length)}${"r".repeat(slices.length)}}`,
    "\\toprule",
    line([...fields, ...slices].map(escaped)),
    "\\midrule",
    ...rows.map(({ values, cells }) => line([...values.map(escaped), ...cells.map(number)])),
    "\\bottomrule",
    "\\end{tabular}",
    "% accuracy in per cent, mean ± standard deviation over seeds (runs); bold best, underlined second",
  ].join("\n")}\n`;
}

const latexCommands: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "–": "--",
};

function escaped(text: string): string {
  return text.replaceAll(/[\\~^–&%$#_{}]/g, (character) => latexCommands[character] ?? `\\${character}`);
}
