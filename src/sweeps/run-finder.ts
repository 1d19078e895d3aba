/** Looks for runs that are finished already and makes none: what a sweep has found so far. */

import { RunFolder, runFiles, runId } from "../runs/run-folder.ts";
import type { RunResults } from "../training/results.ts";
import { type PoolRun, type RunName, waitingRun } from "../training/run-pool.ts";
import type { RunSpec } from "../training/run-spec.ts";
import type { RunMaker } from "./drive-sweep.ts";

export class RunFinder implements RunMaker {
  readonly #folder: string;
  /** Every run that was asked for, by its id. */
  readonly runs = new Map<string, PoolRun>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async run(spec: RunSpec, name: RunName): Promise<PoolRun> {
    const id = runId(spec);
    const run = this.runs.get(id) ?? waitingRun(this.#folder, id, name);
    this.runs.set(id, run);
    const results = await RunFolder.readFinished(run.folder, spec, runFiles.results);
    if (results === undefined) return run;
    return Object.assign(run, {
      state: "done",
      found: true,
      progress: 1,
      results: JSON.parse(results) as RunResults,
    });
  }

  async stop(): Promise<void> {}
}
