/**
 * `npm run fuzz -- --seconds 600 [--format name] [--mutants 5000] [--seed n] [--results file] [--docs]`: a table of what came of it, and
 * each failure once. What a file of results holds already is not run again, formats that failed excepted; `--docs` writes the table into docs/reliability.md.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { fuzzedFormats } from "./formats/index.ts";
import { writeFuzzSection } from "./reliability-page.ts";
import { type FuzzResult, runFormat } from "./run-format.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string" },
    format: { type: "string", multiple: true },
    mutants: { type: "string", default: "5000" },
    seed: { type: "string", default: "1" },
    results: { type: "string" },
    docs: { type: "boolean", default: false },
  },
});

const header =
  "| format | mutants | refused | read as the seed | read as another program reads it | checked in form | unexpected | hangs | silently wrong | peak memory | seconds |";

// The referee reads what ours accepts, where it is installed.
process.env.FUZZ_REFEREE ??= "1";

const known = new Map<string, FuzzResult>();
if (values.results !== undefined && existsSync(values.results))
  for (const { failures, ...kept } of JSON.parse(readFileSync(values.results, "utf8")) as StoredResult[])
    known.set(kept.format, { ...kept, failures: new Map(failures) });

type StoredResult = Omit<FuzzResult, "failures"> & { failures: [string, { index: number; times: number }][] };

const names = values.format ?? fuzzedFormats.map(({ name }) => name);
const eachMs = values.seconds === undefined ? undefined : (1000 * Number(values.seconds)) / names.length;
for (const name of names) {
  const stored = known.get(name);
  const begun = stored?.failures.size === 0 ? stored : undefined;
  if (begun !== undefined && begun.mutants >= Number(values.mutants)) continue;
  const result = await runFormat(name, {
    seed: Number(values.seed),
    mutants: Number(values.mutants),
    withinMs: eachMs,
    begun,
    keep: (some) => {
      known.set(name, some);
      store();
    },
  });
  const { failures, seconds, mutants } = result;
  process.stderr.write(`${name}: ${mutants} mutants in ${seconds.toFixed(0)} s\n`);
  for (const [failure, { index, times }] of failures)
    process.stderr.write(`  mutant ${index} (${times} times): ${failure}\n`);
}

function store(): void {
  if (values.results === undefined) return;
  const all = [...known.values()].map((one) => ({ ...one, failures: [...one.failures] }));
  writeFileSync(values.results, JSON.stringify(all));
}

const results = fuzzedFormats.flatMap(({ name }) => known.get(name) ?? []);
const table = [
  header,
  "|---|---|---|---|---|---|---|---|---|---|---|",
  ...results.map(rowOf),
  rowOf(sum()),
].join("\n");
process.stdout.write(`${table}\n`);
if (values.docs) writeFuzzSection(table, Number(values.seed));
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
