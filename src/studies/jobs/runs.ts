/** Makes and finds training runs, each job as a sweep of its own over one queue, so that equal runs are made once. */

import { join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { readCoreTime, timeFile } from "../../runs/core-time.ts";
import { countRuns, driveSweep, type EntryOutcome, SpecMaker } from "../../sweeps/drive-sweep.ts";
import { sweepEntries } from "../../sweeps/sweep-entries.ts";
import { DataBook } from "../../training/data-book.ts";
import type { PoolRun } from "../../training/run-pool.ts";
import { digestOf } from "../digest.ts";
import type { Job, JobShop, MadeJob, MadeThing } from "./job.ts";
import { measureCases } from "./measure-runs.ts";
import type { MeasuredRuns, RunsJob, StudyCase } from "./runs-job.ts";
import { RunsShop, runsFolder, sweepOf } from "./runs-shop.ts";

export interface MadeRuns extends MadeJob {
  job: RunsJob;
  cases: readonly CaseOutcome[];
}

export interface CaseOutcome {
  case: StudyCase;
  chosen: EntryOutcome["chosen"];
  runs: readonly { seed: number; run: PoolRun; scores: readonly (number | null)[] }[];
}

export const runsJob: Job<RunsJob, MadeRuns, MeasuredRuns> = {
  kind: "runs",
  of: "runs",
  one: "run",
  folder: runsFolder,
  id: digestOf,
  count: (job) => {
    const sweep = sweepOf(job);
    return countRuns(sweep, new SpecMaker(new DataBook()));
  },
  seeds: ({ seeds, purpose = "reporting", search }) => [
    { purpose, seeds },
    ...(search ? [{ purpose: "tuning" as const, seeds: [search.seed] }] : []),
  ],
  needs: () => [],
  check: (job, shop) => RunsShop.of(shop).check(job),
  make: (job, shop) => drive(job, shop, "make"),
  find: (job, shop) => drive(job, shop, "find"),
  measure: async ({ job, cases }, shop) => {
    const measured = await measureCases(cases, job, shop);
    return { kind: "runs", job, cases: measured };
  },
  data: ({ cases }) => ({ cases }),
};

async function drive(job: RunsJob, shop: JobShop, which: "make" | "find"): Promise<MadeRuns> {
  const runs = RunsShop.of(shop);
  const { sweep, specs } = runs.checked(job);
  const { entries } = await driveSweep(sweep, specs, runs.maker(which));
  const asked = sweepEntries(sweep);
  const cases = entries.map(async ({ chosen, runs: own }, i): Promise<CaseOutcome> => {
    const entry = asked[i]!;
    const scored = own.map(async (run, s) => {
      const seed = sweep.seeds[s]!;
      const spec = await specs.make(entry, chosen, seed);
      const rules = run.state === "done" ? (job.scoredBy ?? []) : [];
      const scores = await Promise.all(rules.map((rule) => specs.score(spec, run, rule).catch(noScore)));
      return { seed, run, scores };
    });
    return { case: job.entries[i]!.case, chosen, runs: await Promise.all(scored) };
  });
  const ids = new Set(entries.flatMap(({ trials, runs: own }) => [...trials, ...own].map(({ id }) => id)));
  const made = runs.runs().filter(({ id }) => ids.has(id));
  return { job, cases: await Promise.all(cases), things: await Promise.all(made.map(thingOf)) };
}

async function thingOf({ id, label, folder, state, error }: PoolRun): Promise<MadeThing> {
  const time = await readCoreTime(join(folder, timeFile));
  return {
    id,
    label,
    done: state === "done" ? 1 : 0,
    asked: 1,
    coreSeconds: time?.coreSeconds ?? 0,
    ...(state === "failed" && { error: error?.message ?? "unknown" }),
  };
}

/** Small validation sets may have groups that training has not, which no prior can weigh; other errors are errors. */
function noScore(cause: unknown): null {
  if (cause instanceof CuelabError && cause.kind === "input") return null;
  throw cause;
}
