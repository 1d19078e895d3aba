/** What is looked at before anything is made: names, what needs what, and that no seed serves two purposes. */

import { CuelabError } from "../core/errors.ts";
import { jobKinds, kindOf } from "./jobs/index.ts";
import type { StudyJob } from "./jobs/kinds.ts";
import { type RegisteredPlan, type SeedPurpose, seedPurposes } from "./study.ts";

/** Throws where the parts of a study do not fit together or to its plan. */
export function checkJobs(jobs: readonly StudyJob[], { seeds }: Pick<RegisteredPlan, "seeds">): void {
  for (const [i, job] of jobs.entries()) {
    if (jobs.findIndex(({ name }) => name === job.name) < i)
      throw wrong(`two parts are called "${job.name}"`);
    for (const need of kindOf(job).needs(job)) {
      const other = jobs.find(({ name }) => name === need);
      if (other === undefined) throw wrong(`the part "${job.name}" needs "${need}", which is no part`);
      if (jobKinds.indexOf(other.kind) >= jobKinds.indexOf(job.kind))
        throw wrong(
          `the part "${job.name}" needs "${need}", which is made no earlier`,
          jobKinds.join(", then "),
        );
    }
  }
  checkSeeds(jobs, seeds);
}

/**
 * Calibration, tuning and reporting have seeds of their own: numbers that were looked at to choose something are no
 * evidence for what was chosen. Seeds that the plan does not name are refused, too.
 */
function checkSeeds(jobs: readonly StudyJob[], planned: RegisteredPlan["seeds"]): void {
  const purposes = new Map<number, SeedPurpose>();
  for (const purpose of seedPurposes) {
    for (const seed of new Set(planned[purpose])) {
      const other = purposes.get(seed);
      if (other !== undefined) throw readTwice(seed, other, purpose, "the registered plan");
      purposes.set(seed, purpose);
    }
  }
  for (const job of jobs) {
    for (const { purpose, seeds } of kindOf(job).seeds(job)) {
      for (const seed of seeds) {
        const registered = purposes.get(seed);
        if (registered === purpose) continue;
        if (registered !== undefined) throw readTwice(seed, registered, purpose, `the part "${job.name}"`);
        throw new CuelabError({
          kind: "usage",
          what: `the part "${job.name}" uses the seed ${seed} for ${purpose}, which the plan does not name`,
          expected: `one of: ${planned[purpose].join(", ") || "none"}`,
        });
      }
    }
  }
}

function readTwice(seed: number, one: SeedPurpose, other: SeedPurpose, where: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `runs of seed ${seed} are read for ${one} and for ${other}`,
    where,
    expected: "seeds of their own for calibration, tuning and reporting",
  });
}

function wrong(what: string, expected?: string): CuelabError {
  return new CuelabError({ kind: "usage", what, ...(expected !== undefined && { expected }) });
}
