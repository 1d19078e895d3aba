/** `npm run fuzz -- --seconds 600 [--format name] [--mutants 5000] [--seed n]`: a table of what came of it, and each failure once. */

import { parseArgs } from "node:util";
import { fuzzedFormats } from "./formats/index.ts";
import { type FuzzResult, runFormat } from "./run-format.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string" },
    format: { type: "string", multiple: true },
    mutants: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
  },
});

const header =
  "| format | mutants | refused | read as the seed | read as another program reads it | checked in form | unexpected | hangs | silently wrong | peak memory | seconds |";

const names = values.format ?? fuzzedFormats.map(({ name }) => name);
const eachMs = values.seconds === undefined ? undefined : (1000 * Number(values.seconds)) / names.length;
const results: FuzzResult[] = [];
for (const name of names) {
  const result = await runFormat(name, {
    seed: Number(values.seed),
    mutants: Number(values.mutants),
    withinMs: eachMs,
  });
  results.push(result);
  const { failures, seconds, mutants } = result;
  process.stderr.write(`${name}: ${mutants} mutants in ${seconds.toFixed(0)} s\n`);
  for (const [failure, { index, times }] of failures)
    process.stderr.write(`  mutant ${index} (${times} times): ${failure}\n`);
}

process.stdout.write(
  `${[header, "|---|---|---|---|---|---|---|---|---|---|---|", ...results.map(rowOf), rowOf(sum())].join("\n")}\n`,
);
process.exitCode = results.some(({ failures }) => failures.size > 0) ? 1 : 0;

function rowOf({ format, mutants, counts, memory, seconds }: FuzzResult): string {
  const { refused, unharmed, equal, form, unexpected, hung, wrong } = counts;
  const cells = [format, mutants, refused, unharmed, equal, form, unexpected, hung, wrong];
  return `| ${[...cells, `${Math.round(memory / 2 ** 20)} MB`, seconds.toFixed(0)].join(" | ")} |`;
}

function sum(): FuzzResult {
  const counts = { ...results[0]!.counts };
  for (const outcome of Object.keys(counts) as (keyof typeof counts)[])
    counts[outcome] = results.reduce((total, result) => total + result.counts[outcome], 0);
  return {
    format: "all",
    mutants: results.reduce((total, { mutants }) => total + mutants, 0),
    counts,
    failures: new Map(),
    memory: Math.max(...results.map(({ memory }) => memory)),
    seconds: results.reduce((total, { seconds }) => total + seconds, 0),
  };
}
