/** What came of the cases, as Markdown, and its place in docs/reliability.md. */

import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { faults } from "./fault.ts";
import type { CaseResult } from "./run-case.ts";

const page = resolve(import.meta.dirname.replace(/[\\/]dist[\\/]test/, "/test"), "../../docs/reliability.md");
const [begin, end] = ["<!-- faults -->", "<!-- /faults -->"];

export function tableOf(results: readonly CaseResult[]): string {
  const titles = ["command", "changes", ...faults, "kill -9 (before the end)", "together", "wrong"];
  const rows = results.map(({ name, changes, trials, landed, problems }) => [
    `\`${name}\``,
    changes,
    ...faults.map((fault) => trials[fault]),
    `${trials["kill -9"]} (${landed})`,
    trials.together,
    problems.length,
  ]);
  const sum = (of: (result: CaseResult) => number) => results.reduce((total, each) => total + of(each), 0);
  const all = [
    "all",
    sum(({ changes }) => changes),
    ...faults.map((fault) => sum(({ trials }) => trials[fault])),
    `${sum(({ trials }) => trials["kill -9"])} (${sum(({ landed }) => landed)})`,
    sum(({ trials }) => trials.together),
    sum(({ problems }) => problems.length),
  ];
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...[...rows, all].map(line)].join("\n");
}

/** In place of the former one, with the command, the day and the machine. */
export function writeTable(table: string, words: readonly string[]): void {
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for the table`);
  const command = ["npm run faults", ...(words.length > 0 ? ["--", ...words] : [])].join(" ");
  const made = `\`${command}\`, ${new Date().toISOString().slice(0, 10)}, ${availableParallelism()} cores, Node ${process.versions.node}:`;
  writeFileSync(page, `${text.slice(0, from)}${begin}\n\n${made}\n\n${table}\n\n${text.slice(to)}`);
}
