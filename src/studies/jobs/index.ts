/** Every kind of job, in the order in which they are made: later ones may need what earlier ones left. */

import { auditJob } from "./audit.ts";
import { featuresJob } from "./features.ts";
import type { Job, MadeJob } from "./job.ts";
import type { JobKind, Measured, StudyJob } from "./kinds.ts";
import { layersJob } from "./layers.ts";
import { poolsJob } from "./pools.ts";
import { predictionsJob } from "./predictions.ts";
import { runsJob } from "./runs.ts";

/** A kind as the driver sees it: each is handed its own specs and what it has made itself. */
export type AnyJob = Job<StudyJob, MadeJob, Measured>;

const kinds: Readonly<Record<JobKind, unknown>> = {
  runs: runsJob,
  pools: poolsJob,
  features: featuresJob,
  layers: layersJob,
  predictions: predictionsJob,
  audit: auditJob,
};

export const jobKinds = Object.keys(kinds) as readonly JobKind[];

export function kindOf({ kind }: Pick<StudyJob, "kind">): AnyJob {
  return kinds[kind] as AnyJob;
}
