/**
 * `npm run faults -- [--case name] [--places n] [--alone 0.05] [--kills 30] [--together 5] [--lanes 2] [--results file] [--minutes n] [--write]`: a table
 * of what came of it, and every problem. Trials that a file of results has already are not done again, failed ones excepted; `--minutes`
 * ends it early, with all cases as far. With `--write` the rows go into docs/reliability.md.
 */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { faultCases } from "./cases.ts";
import { Host } from "./processes.ts";
import { Results } from "./results.ts";
import { interleaved, nameOf, runTrial, type Trial, trialsOf } from "./run-case.ts";
import { type CaseResult, renewTable, tableOf } from "./table.ts";
import { Prepared } from "./trial.ts";

const { values } = parseArgs({
  options: {
    case: { type: "string", multiple: true },
    places: { type: "string" },
    alone: { type: "string", default: "0.05" },
    kills: { type: "string", default: "30" },
    together: { type: "string", default: "5" },
    lanes: { type: "string", default: String(availableParallelism()) },
    results: { type: "string" },
    minutes: { type: "string" },
    write: { type: "boolean", default: false },
  },
});

const tell = (line: string) => void process.stderr.write(`${line}\n`);
const options = {
  places: values.places === undefined ? undefined : Number(values.places),
  alone: Number(values.alone),
  kills: Number(values.kills),
  together: Number(values.together),
};
const end = performance.now() + 60_000 * Number(values.minutes ?? Number.POSITIVE_INFINITY);
const chosen = faultCases.filter(({ name }) => values.case?.includes(name) ?? true);
const root = mkdtempSync(join(tmpdir(), "cuelab-faults-"));
const results = new Results(values.results);

interface Work {
  prepared: Prepared;
  trial: Trial;
}

async function planned(): Promise<Work[]> {
  const lists: Work[][] = [];
  for (const [index, of] of chosen.entries()) {
    const prepared = await Prepared.make(of, join(root, String(index)));
    all.push({ prepared, trials: trialsOf(prepared, options) });
    const { length } = prepared.changes;
    const left = all.at(-1)!.trials.filter((trial) => !results.isDone(of.name, length, trial));
    lists.push(left.map((trial) => ({ prepared, trial })));
    tell(`${of.name}: ${length} changes, ${left.length} trials left`);
  }
  return interleaved(lists);
}

const hosts = Array.from({ length: Number(values.lanes) }, (_, lane) => {
  const folder = join(root, `lane-${lane}`);
  mkdirSync(folder);
  return new Host(folder);
});
const all: { prepared: Prepared; trials: Trial[] }[] = [];
const waiting = await planned();
/** Cases have one folder each, which they may tell of. */
const busy = new Set<Prepared>();

async function lane(host: Host): Promise<void> {
  while (performance.now() < end) {
    const index = waiting.findIndex(({ prepared }) => !busy.has(prepared));
    if (index < 0) return;
    const { prepared, trial } = waiting.splice(index, 1)[0]!;
    busy.add(prepared);
    const outcome = await runTrial(prepared, trial, host);
    const { name } = prepared.case;
    results.add(name, trial, prepared.changes.length, outcome);
    for (const problem of outcome.problems) tell(`${name}, ${nameOf(trial)}: ${problem}`);
    busy.delete(prepared);
  }
}

await Promise.all(hosts.map(lane));
await Promise.all(hosts.map((host) => host.end()));
rmSync(root, { recursive: true });
const rows: CaseResult[] = all.map(({ prepared, trials }) => {
  const { length } = prepared.changes;
  return {
    name: prepared.case.name,
    changes: length,
    trials,
    done: [...results.of(prepared.case.name, length).values()],
  };
});
if (values.write) renewTable(rows);
process.stdout.write(`${tableOf(rows)}\n`);
process.exitCode = rows.some(({ done }) => done.some(({ problems }) => problems.length > 0)) ? 1 : 0;
