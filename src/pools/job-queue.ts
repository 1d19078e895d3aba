/** Hands out jobs so that those with the same features go to the same worker, which then makes them once. */

import type { PoolJob } from "./pool-workshop.ts";

export class JobQueue {
  readonly #jobs: PoolJob[];
  /** The features that each worker has. */
  readonly #last = new Map<number, string>();

  constructor(jobs: readonly PoolJob[]) {
    this.#jobs = [...jobs];
  }

  /** One with the features that the worker has; else with those that none has; else any. */
  next(worker: number): PoolJob | undefined {
    const mine = this.#last.get(worker);
    const taken = new Set(this.#last.values());
    const same = this.#jobs.findIndex(({ features }) => features === mine);
    const fresh = this.#jobs.findIndex(({ features }) => !taken.has(features));
    const [job] = this.#jobs.splice(same >= 0 ? same : Math.max(fresh, 0), 1);
    if (job !== undefined) this.#last.set(worker, job.features);
    return job;
  }
}
