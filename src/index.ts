/**
 * The library: make datasets, open and check any, put watermarks on them, measure how cues go with labels, train networks,
 * evaluate predictions, repeat the papers' studies.
 */

export { datasetObjects } from "./audits/data-bias/dataset-objects.ts";
export { type DataBias, type ImageObjects, measureDataBias } from "./audits/data-bias/measure.ts";
export { type EmbedOptions, type EmbedReport, embedFeatures } from "./audits/embedding/embed.ts";
export { type AuditLineOptions, auditLine } from "./audits/line/audit-line.ts";
export { type FitOptions, fitLine, type LineFit, type Verdict } from "./audits/line/fit.ts";
export type { LineReport, SplitReport } from "./audits/line/report.ts";
export * as lineTheory from "./audits/line-theory/index.ts";
export {
  type EvaluatePredictionsOptions,
  evaluatePredictions,
} from "./audits/predictions/evaluate-predictions.ts";
export type { EvaluationReport } from "./audits/predictions/report.ts";
export { type Check, type CheckResult, outcomeOf } from "./contracts/check.ts";
export { type DatasetCheckOptions, datasetChecks } from "./contracts/datasets.ts";
export { type MethodCheckOptions, methodChecks } from "./contracts/methods.ts";
export { metricChecks } from "./contracts/metrics.ts";
export { networkChecks } from "./contracts/networks.ts";
export { studyChecks } from "./contracts/studies.ts";
export { viewChecks } from "./contracts/views.ts";
export { inSplitOrder, subset, withSteps } from "./core/change-dataset.ts";
export * from "./core/cue-statistics.ts";
export * from "./core/dataset.ts";
export { CuelabError, type ErrorKind, type ErrorParts } from "./core/errors.ts";
export { createInpaint, type Inpaint, type InpaintOptions } from "./core/images/inpaint/index.ts";
export { type MajorityValue, majorityValues } from "./core/majority-values.ts";
export { aboutPredictions, type PredictionsAbout, type PredictionsOrigin } from "./core/predictions-about.ts";
export { Random, RandomStream, randomStream, weightedChooser } from "./core/random.ts";
export { type Inputs, type Recipe, recipeOf } from "./core/recipe.ts";
export { Registry } from "./core/registry.ts";
export { type SplitShift, splitShifts } from "./core/shifted-splits.ts";
export * as statistics from "./core/statistics/index.ts";
export { version } from "./core/version.ts";
export { type ContentName, contents, ownContent } from "./core/watermark/contents.ts";
export { addRandomWatermark } from "./core/watermark/random-watermark.ts";
export { addWatermark, imageNetW, type Watermark, watermarkSize } from "./core/watermark/watermark.ts";
export { defineDataset } from "./datasets/definition.ts";
export {
  biasedMnist,
  celeba,
  coloredMnist,
  type DatasetDefinition,
  datasets,
  diagvib,
  diagvibStudy,
  hardSpurious,
  urbanCars,
} from "./datasets/index.ts";
export { type ContactSheetOptions, contactSheet } from "./formats/card/contact-sheet.ts";
export { type CheckOptions, type CheckReport, checkDataset } from "./formats/check-dataset.ts";
export { type ConvertOptions, convertDataset } from "./formats/convert-dataset.ts";
export { followRecipe } from "./formats/follow-recipe.ts";
export type { Format } from "./formats/format.ts";
export { formats } from "./formats/index.ts";
export type { Manifest } from "./formats/manifest.ts";
export { type ColumnMapping, type OpenedDataset, openDataset } from "./formats/open-dataset.ts";
export {
  type WatermarkChoice,
  type WatermarkOptions,
  watermarked,
  writeWatermarked,
} from "./formats/watermark-dataset.ts";
export { type WriteOptions, writeDataset } from "./formats/write-dataset.ts";
export {
  chosen,
  type DataGiven,
  evaluate,
  type Predicted,
  type PredictGiven,
  predict,
  readRuns,
  type SweepGiven,
  sweep,
  type TrainedRun,
  type TrainOptions,
  train,
} from "./lab.ts";
export { defineMethod, methods } from "./methods/index.ts";
export { countRows, type PredictedRows } from "./metrics/count-rows.ts";
export {
  defineMetric,
  type Evaluation,
  evaluationOf,
  type Metric,
  marginsFor,
  metrics,
  type PredictionCounts,
  type Question,
  type Score,
} from "./metrics/index.ts";
export { models } from "./models/index.ts";
export { defineModel, type Model } from "./models/model.ts";
export * from "./plugin.ts";
export { type UsedPlugin, use } from "./plugins/use.ts";
export { chooseKept } from "./protocol/choose-kept.ts";
export { chooseMethod, type MethodChoice, presetOf } from "./protocol/choose-method.ts";
export { convertWeights } from "./protocol/convert-weights.ts";
export { DataBook, type DataWords, describeTrainingData } from "./protocol/data-book.ts";
export { extractFeatures } from "./protocol/extract-features.ts";
export { type LastLayerChoice, lastLayerWords } from "./protocol/last-layer-words.ts";
export type { RunResults } from "./protocol/results.ts";
export { type RunOptions, type RunOutcome, runInProcess } from "./protocol/run-process.ts";
export { type RunResources, type RunSpec, type RunSpecInput, resolveSpec } from "./protocol/run-spec.ts";
export { checkSweep, driveSweep, type SweepOutcome } from "./protocol/sweep/drive-sweep.ts";
export { RunFinder } from "./protocol/sweep/run-finder.ts";
export { type PoolRun, RunPool, type RunPoolOptions } from "./protocol/sweep/run-pool.ts";
export { parseSweep, type Sweep } from "./protocol/sweep/sweep-file.ts";
export { describeWeights } from "./protocol/weights.ts";
export { answerFiles } from "./reports/answer-files.ts";
export { readFeatures } from "./store/feature-folder.ts";
export { decodeSafetensors, encodeSafetensors, listSafetensors } from "./store/safetensors.ts";
export { type ChosenStudy, chooseStudy, type StudyChoice } from "./studies/choose-study.ts";
export { type DriveOptions, findStudy, makeStudy, type StudyOutcome } from "./studies/drive-study.ts";
export * from "./studies/index.ts";
export { studyData, studyPage } from "./studies/study-sections.ts";
export { views } from "./views/index.ts";
