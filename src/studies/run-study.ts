/** Makes the runs of a study, each part as a sweep of its own over one pool, so that equal runs are made once. */

import { CuelabError } from "../core/errors.ts";
import { runId } from "../runs/run-folder.ts";
import {
  checkSweep,
  countRuns,
  driveSweep,
  type EntryOutcome,
  type RunMaker,
  SpecMaker,
} from "../sweeps/drive-sweep.ts";
import { resolveSweep, type Sweep } from "../sweeps/sweep-file.ts";
import { DataBook } from "../training/data-book.ts";
import type { PoolRun } from "../training/run-pool.ts";
import type { StudyCase, StudyPart } from "./study.ts";

export interface PartOutcome {
  part: StudyPart;
  cases: readonly CaseOutcome[];
}

export interface CaseOutcome {
  case: StudyCase;
  chosen: EntryOutcome["chosen"];
  runs: readonly { seed: number; run: PoolRun; scores: readonly (number | null)[] }[];
}

interface CheckedPart {
  part: StudyPart;
  sweep: Sweep;
  specs: SpecMaker;
}

/** Throws where a part asks for what cannot be, before anything runs. */
export async function checkStudy(parts: readonly StudyPart[]): Promise<CheckedStudy> {
  const checked: CheckedPart[] = [];
  // Parts share their data.
  const book = new DataBook();
  const ids = new Set<string>();
  let searched = 0;
  for (const part of parts) {
    const sweep = sweepOf(part);
    const specs = await checkSweep(sweep, book);
    checked.push({ part, sweep, specs });
    // What a search will choose is not known yet.
    if (sweep.search) searched += countRuns(sweep, specs);
    else
      for (const entry of sweep.runs)
        for (const seed of sweep.seeds) ids.add(runId(await specs.make(entry, {}, seed)));
  }
  if (parts.every(({ search, scoredBy }) => search === undefined && scoredBy === undefined)) book.release();
  return new CheckedStudy(checked, ids.size + searched);
}

function sweepOf({ name, entries, seeds, search }: StudyPart): Sweep {
  const runs = entries.map((entry) => ({ label: labelOf(entry.case), ...entry.run }));
  return resolveSweep({ name, base: {}, runs, seeds, search });
}

/** Runs of a part at most, its search included; known without looking at any data. */
export function countPartRuns(part: StudyPart): number {
  const sweep = sweepOf(part);
  return countRuns(sweep, new SpecMaker(sweep, new DataBook()));
}

export class CheckedStudy {
  readonly #parts: readonly CheckedPart[];
  /** How many runs there are; with a search, at most. */
  readonly total: number;

  constructor(parts: readonly CheckedPart[], total: number) {
    this.#parts = parts;
    this.total = total;
  }

  async run(maker: RunMaker): Promise<PartOutcome[]> {
    return Promise.all(this.#parts.map((part) => runPart(part, maker)));
  }
}

async function runPart({ part, sweep, specs }: CheckedPart, maker: RunMaker): Promise<PartOutcome> {
  const { entries } = await driveSweep(sweep, specs, maker);
  const cases = entries.map(async ({ chosen, runs }, i): Promise<CaseOutcome> => {
    const entry = sweep.runs[i]!;
    const scored = runs.map(async (run, s) => {
      const seed = sweep.seeds[s]!;
      const spec = await specs.make(entry, chosen, seed);
      const rules = run.state === "done" ? (part.scoredBy ?? []) : [];
      const scores = await Promise.all(rules.map((rule) => specs.score(spec, run, rule).catch(noScore)));
      return { seed, run, scores };
    });
    return { case: part.entries[i]!.case, chosen, runs: await Promise.all(scored) };
  });
  return { part, cases: await Promise.all(cases) };
}

/** Small validation sets may have groups that training has not, which no prior can weigh; other errors are errors. */
function noScore(cause: unknown): null {
  if (cause instanceof CuelabError && cause.kind === "input") return null;
  throw cause;
}

/** In progress lines and in the list of failures. */
export function labelOf({ method, explicit, at = {} }: StudyCase): string {
  const told = explicit.length > 0 ? ` told ${explicit.join(" + ")}` : "";
  const values = Object.entries(at).map(([name, value]) => `, ${name} ${value}`);
  return `${method}${told}${values.join("")}`;
}
