/** What came of the cases, as a table of docs/reliability.md whose rows are renewed one by one. */

import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { faultCases } from "./cases.ts";
import { faults } from "./fault.ts";
import type { CaseResult } from "./run-case.ts";

const page = resolve(import.meta.dirname.replace(/[\\/]dist[\\/]test/, "/test"), "../../docs/reliability.md");
const [begin, end] = ["<!-- faults -->", "<!-- /faults -->"];
const titles = [
  "command",
  "changes",
  ...faults,
  "kill -9",
  "before the end",
  "together",
  "wrong",
  "day",
  "cores",
];

const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;

function rowOf({ name, changes, trials, landed, problems }: CaseResult): string {
  return line([
    `\`${name}\``,
    changes,
    ...faults.map((fault) => trials[fault]),
    trials["kill -9"],
    landed,
    trials.together,
    problems.length,
    new Date().toISOString().slice(0, 10),
    availableParallelism(),
  ]);
}

/** In the order of the cases, those of `former` that are not made anew among them, and their sums. */
export function tableOf(results: readonly CaseResult[], former = ""): string {
  const rows = faultCases.flatMap(({ name }) => {
    const result = results.find((each) => each?.name === name);
    if (result !== undefined) return [rowOf(result)];
    return former.split("\n").filter((row) => row.startsWith(`| \`${name}\` |`));
  });
  const numbers = rows.map((row) => row.split("|").slice(2, -3).map(Number));
  const sums = numbers[0]?.map((_, column) => numbers.reduce((sum, row) => sum + row[column]!, 0)) ?? [];
  return [line(titles), line(titles.map(() => "---")), ...rows, line(["all", ...sums, "", ""])].join("\n");
}

/** The rows of these results in place of the former ones. */
export function renewTable(results: readonly CaseResult[]): void {
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table`);
  const table = tableOf(results, text.slice(from, to));
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`);
}
