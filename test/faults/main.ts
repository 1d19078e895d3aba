/**
 * `npm run faults -- [--case name] [--places n] [--kills 30] [--together 5] [--lanes 2] [--write]`: a table of what came of it, and every
 * problem; with `--write` its rows go into docs/reliability.md, each when it is done.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { faultCases } from "./cases.ts";
import { type CaseResult, runCase } from "./run-case.ts";
import { renewTable, tableOf } from "./table.ts";

const { values } = parseArgs({
  options: {
    case: { type: "string", multiple: true },
    places: { type: "string" },
    kills: { type: "string", default: "30" },
    together: { type: "string", default: "5" },
    lanes: { type: "string", default: String(availableParallelism()) },
    write: { type: "boolean", default: false },
  },
});

const tell = (line: string) => void process.stderr.write(`${line}\n`);
const options = {
  places: values.places === undefined ? undefined : Number(values.places),
  kills: Number(values.kills),
  together: Number(values.together),
  tell,
};
const chosen = faultCases.filter(({ name }) => values.case?.includes(name) ?? true);
const root = mkdtempSync(join(tmpdir(), "cuelab-faults-"));
const results: CaseResult[] = [];
// The last ones take longest, so they begin first.
const waiting = [...chosen];

async function lane(): Promise<void> {
  for (let of = waiting.pop(); of !== undefined; of = waiting.pop()) {
    const index = chosen.indexOf(of);
    const result = await runCase(of, join(root, String(index)), options);
    results[index] = result;
    if (values.write) renewTable(results);
    tell(`${of.name}: ${result.problems.length} problems in ${result.seconds.toFixed(0)} s`);
  }
}

await Promise.all(Array.from({ length: Number(values.lanes) }, lane));
rmSync(root, { recursive: true });
process.stdout.write(`${tableOf(results)}\n`);
process.exitCode = results.some(({ problems }) => problems.length > 0) ? 1 : 0;
