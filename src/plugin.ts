/** What a plugin is, and what one is written with. Small: every process and thread that needs a plugin loads it. */

import type { AnyAudit } from "./audits/audit.ts";
import type { DatasetDefinition } from "./datasets/definition.ts";
import type { Method } from "./methods/method.ts";
import type { Metric } from "./metrics/metric.ts";
import type { Model } from "./models/model.ts";
import type { Study } from "./studies/study.ts";
import type { View } from "./views/view.ts";

export interface Plugin {
  name?: string;
  /** Versions of cuelab that it was written for, such as `^0.1.0`. */
  cuelab?: string;
  methods?: readonly Method[];
  datasets?: readonly DatasetDefinition[];
  models?: readonly Model[];
  metrics?: readonly Metric[];
  views?: readonly View[];
  audits?: readonly AnyAudit[];
  studies?: readonly Study[];
}

/** The default export of a plugin's file. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin;
}

export {
  type Audit,
  type AuditedModel,
  type AuditHooks,
  type AuditSubjects,
  defineAudit,
} from "./audits/audit.ts";
export type { Attribute, Dataset, ImageSet, ImageShape, Pixels, Provenance } from "./core/dataset.ts";
export { CuelabError, type ErrorParts } from "./core/errors.ts";
export { Random, RandomStream, randomStream } from "./core/random.ts";
export {
  type Cell,
  type Chart,
  type Column,
  countCell,
  decimalCell,
  type Figure,
  type Finding,
  type FindingVerdict,
  percentCell,
  pointsCell,
  type Row,
  type Section,
  type Table,
} from "./core/section.ts";
export { type DatasetDefinition, defineDataset } from "./datasets/definition.ts";
export * from "./engine/training/initialisers.ts";
export { meanLoss } from "./methods/mean-loss.ts";
export {
  type Batch,
  defineMethod,
  type Known,
  type Made,
  type Method,
  type NetworkExpressions,
  type Own,
  type PredictContext,
  type Supervision,
  type Weights,
} from "./methods/method.ts";
export { type From, once, type Pass, type Stage, type StageContext, type Step } from "./methods/stage.ts";
export type { Evaluation } from "./metrics/evaluation.ts";
export { defineMetric, type Metric, type Score } from "./metrics/metric.ts";
export { defineModel, type Model } from "./models/model.ts";
export type { AuditJob, MeasuredAudit } from "./studies/jobs/audit-job.ts";
export type { FeaturesJob, MeasuredFeatures } from "./studies/jobs/features-job.ts";
export { type Measured, measuredAs, type StudyJob } from "./studies/jobs/kinds.ts";
export type { MeasuredPools, PoolsJob } from "./studies/jobs/pools-job.ts";
export type { MeasuredCase, MeasuredRun, MeasuredRuns, RunsJob } from "./studies/jobs/runs-job.ts";
export { type JudgedDifference, judged, judgedFamily, judgedRule, untold } from "./studies/judge.ts";
export {
  defineStudy,
  type PresetCard,
  type PresetName,
  type RegisteredPlan,
  type ReportContext,
  type Study,
  type StudyReport,
} from "./studies/study.ts";
export {
  defineView,
  type ImageView,
  type MixedBatch,
  type MixingView,
  type ResolvedUse,
  type View,
  type ViewContext,
  type Viewed,
  type ViewPartner,
  type ViewUse,
} from "./views/view.ts";
