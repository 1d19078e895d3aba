/** What came of the cases, as a table of docs/reliability.md whose rows are renewed one by one. */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { faultCases } from "./cases.ts";
import type { Result } from "./results.ts";
import { kinds, type Trial } from "./run-case.ts";

const page = resolve(import.meta.dirname.replace(/[\\/]dist[\\/]test/, "/test"), "../../docs/reliability.md");
const [begin, end] = ["<!-- faults -->", "<!-- /faults -->"];
const titles = ["command", "changes", ...kinds, "before the end", "given again", "wrong", "day", "cores"];

const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;

export interface CaseResult {
  name: string;
  changes: number;
  /** All that are to be done. */
  trials: readonly Trial[];
  done: readonly Result[];
}

function rowOf({ name, changes, trials, done }: CaseResult): string {
  const days = done.map(({ day }) => day).sort();
  return line([
    `\`${name}\``,
    changes,
    ...kinds.map((kind) => {
      const all = trials.filter((trial) => trial.kind === kind).length;
      const some = done.filter(({ trial }) => trial.kind === kind).length;
      return some === all ? some : `${some}/${all}`;
    }),
    done.filter(({ landed }) => landed).length,
    done.filter(({ repeated }) => repeated).length,
    done.filter(({ problems }) => problems.length > 0).length,
    days.at(-1) ?? "",
    Math.max(0, ...done.map(({ cores }) => cores)),
  ]);
}

/** In the order of the cases, those of `former` that are not made anew among them, and their sums. */
export function tableOf(results: readonly CaseResult[], former = ""): string {
  const rows = faultCases.flatMap(({ name }) => {
    const result = results.find((each) => each.name === name);
    if (result !== undefined) return [rowOf(result)];
    return former.split("\n").filter((row) => row.startsWith(`| \`${name}\` |`));
  });
  const cells = rows.map((row) => row.split("|").slice(2, -3));
  const sums = cells[0]?.map((_, column) => summed(cells.map((row) => row[column]!))) ?? [];
  return [line(titles), line(titles.map(() => "---")), ...rows, line(["all", ...sums, "", ""])].join("\n");
}

/** Of numbers, or of so many of so many. */
function summed(cells: readonly string[]): string {
  const sum = (part: number) =>
    cells.reduce((total, cell) => total + Number(cell.split("/").at(part === 0 ? 0 : -1)), 0);
  return sum(0) === sum(1) ? String(sum(0)) : `${sum(0)}/${sum(1)}`;
}

/** The rows of these results in place of the former ones. */
export function renewTable(results: readonly CaseResult[]): void {
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table`);
  const table = tableOf(results, text.slice(from, to));
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`);
}
