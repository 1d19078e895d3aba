/** Every kind of job as data: what a study may ask for, and what it gets back. */

import type { AuditJob, MeasuredAudit } from "./audit-job.ts";
import type { FeaturesJob, MeasuredFeatures } from "./features-job.ts";
import type { LayersJob, MeasuredLayers } from "./layers-job.ts";
import type { MeasuredPools, PoolsJob } from "./pools-job.ts";
import type { MeasuredPredictions, PredictionsJob } from "./predictions-job.ts";
import type { MeasuredRuns, RunsJob } from "./runs-job.ts";

export type StudyJob = RunsJob | PoolsJob | FeaturesJob | LayersJob | PredictionsJob | AuditJob;
export type JobKind = StudyJob["kind"];

/** What was measured of a job; those of which nothing is there are left out. */
export type Measured =
  | MeasuredRuns
  | MeasuredPools
  | MeasuredFeatures
  | MeasuredLayers
  | MeasuredPredictions
  | MeasuredAudit;

/** The job's measurements, where there are any of that kind. */
export function measuredAs<Kind extends JobKind>(
  measured: readonly Measured[],
  kind: Kind,
): Extract<Measured, { kind: Kind }>[] {
  return measured.filter((each): each is Extract<Measured, { kind: Kind }> => each.kind === kind);
}
