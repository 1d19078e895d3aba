/** What the runs of a study share: what is known of their data, one queue, and what was measured. */

import { join } from "node:path";
import { runId } from "../../runs/run-folder.ts";
import { checkSweep, countRuns, type RunMaker, type SpecMaker } from "../../sweeps/drive-sweep.ts";
import { RunFinder } from "../../sweeps/run-finder.ts";
import { sweepEntries } from "../../sweeps/sweep-entries.ts";
import { resolveSweep, type Sweep } from "../../sweeps/sweep-file.ts";
import { DataBook } from "../../training/data-book.ts";
import { type PoolRun, RunPool } from "../../training/run-pool.ts";
import type { JobShop } from "./job.ts";
import type { measureRun } from "./measure-runs.ts";
import { labelOf, type RunsJob } from "./runs-job.ts";

/** Of the study's folder. */
export const runsFolder = "runs";

export class RunsShop {
  readonly #book = new DataBook();
  readonly #ids = new Set<string>();
  readonly #begunWith = new Set<string>();
  readonly #checked = new Map<RunsJob, { sweep: Sweep; specs: SpecMaker }>();
  readonly #shop: JobShop;
  #searched = 0;
  #scores = false;
  #maker: { maker: RunMaker; runs: () => readonly PoolRun[] } | undefined;
  /** By run and grouping: jobs share runs, and each is read once. */
  readonly measured = new Map<string, Awaited<ReturnType<typeof measureRun>>>();

  constructor(shop: JobShop) {
    this.#shop = shop;
  }

  static of(shop: JobShop): RunsShop {
    return shop.shared("runs", () => new RunsShop(shop));
  }

  async check(job: RunsJob): Promise<void> {
    const sweep = sweepOf(job);
    const specs = await checkSweep(sweep, this.#book);
    this.#checked.set(job, { sweep, specs });
    if (job.search !== undefined || job.scoredBy !== undefined) this.#scores = true;
    // What a search will choose is not known yet.
    if (sweep.search) this.#searched += countRuns(sweep, specs);
    else
      for (const [i, entry] of sweepEntries(sweep).entries())
        for (const seed of sweep.seeds) {
          const id = runId(await specs.make(entry, {}, seed));
          this.#ids.add(id);
          if (job.entries[i]!.isBegunWith) this.#begunWith.add(id);
        }
  }

  checked(job: RunsJob): { sweep: Sweep; specs: SpecMaker } {
    return this.#checked.get(job)!;
  }

  /** Runs of all jobs; with a search, at most. */
  get total(): number {
    return this.#ids.size + this.#searched;
  }

  /** One queue for all jobs, which begins when everything was checked. */
  maker(which: "make" | "find"): RunMaker {
    this.#maker ??= which === "make" ? this.#queue() : this.#finder();
    // Nothing will be scored, so the columns that it would be scored by are not needed.
    if (!this.#scores) this.#book.release();
    return this.#maker.maker;
  }

  runs(): readonly PoolRun[] {
    return this.#maker?.runs() ?? [];
  }

  #queue() {
    const { folder, workers, signal, checkpointSeconds, onRuns } = this.#shop;
    const pool = new RunPool({
      folder: join(folder, runsFolder),
      workers,
      signal,
      checkpointSeconds,
      begunWith: this.#begunWith,
      onChange: () => onRuns?.(pool.runs, this.total),
    });
    return { maker: pool, runs: () => pool.runs };
  }

  #finder() {
    const finder = new RunFinder(join(this.#shop.folder, runsFolder));
    return { maker: finder, runs: () => [...finder.runs.values()] };
  }
}

export function sweepOf({ name, entries, seeds, search }: RunsJob): Sweep {
  const runs = entries.map((entry) => ({ label: labelOf(entry.case), ...entry.run }));
  return resolveSweep({ name, base: {}, runs, seeds, search });
}
