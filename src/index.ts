/**
 * The lab's table of contents. Verbs first; then data, networks, methods, what is measured and asked, and how answers are
 * shown; last the parts that plugins and other programs are built of. docs/library.md walks through it.
 */

// Verbs: train a network, predict, evaluate, compare many runs.
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

// Datasets: made by name, opened from any folder or table, checked, changed, written.
export * from "./core/cue-statistics.ts";
export * from "./core/dataset.ts";
export { type MajorityValue, majorityValues } from "./core/majority-values.ts";
export { type SplitShift, splitShifts } from "./core/shifted-splits.ts";
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
export {
  type DatasetPlan,
  type MadeDataset,
  type MakeDatasetOptions,
  makeDataset,
} from "./formats/make-dataset.ts";
export type { Manifest } from "./formats/manifest.ts";
export { type OpenedDataset, openDataset } from "./formats/open-dataset.ts";
export { showCheck } from "./formats/show-check.ts";
export {
  type WatermarkChoice,
  type WatermarkOptions,
  watermarked,
  writeWatermarked,
} from "./formats/watermark-dataset.ts";
export { type WriteOptions, writeDataset } from "./formats/write-dataset.ts";
export { inSplitOrder, subset, withSteps } from "./images/change-dataset.ts";
export { type Inputs, type Recipe, recipeOf } from "./images/recipe.ts";
export type { ColumnMapping } from "./layouts/column-mapping.ts";

// Pixels: inpainting and watermarks.
export { createInpaint, type Inpaint, type InpaintOptions } from "./images/inpaint/index.ts";
export { type ContentName, contents, ownContent } from "./images/watermark/contents.ts";
export { addRandomWatermark } from "./images/watermark/random-watermark.ts";
export { addWatermark, imageNetW, type Watermark, watermarkSize } from "./images/watermark/watermark.ts";

// Where networks look: maps, and numbers that test them.
export { hideRegions } from "./saliency/hidden-regions.ts";
export { saliencyMethods } from "./saliency/index.ts";
export { mapCorrelations, randomisedParts, randomisedWeights } from "./saliency/randomised-weights.ts";
export { areaOf, elsewhere, type Region, regionOfBox, shareWithin } from "./saliency/regions.ts";
export {
  type MapMaker,
  rowsOfClasses,
  type SaliencyMethod,
  type SeenNetwork,
} from "./saliency/saliency-method.ts";
export { differentiableOf, logitsBy } from "./saliency/seen-network.ts";

// Networks, methods and views: what is trained, how, on which changes of images.
export { defineMethod, methods } from "./methods/index.ts";
export { models } from "./models/index.ts";
export { defineModel, type Model } from "./models/model.ts";
export type { OnnxInput } from "./models/onnx/image-input.ts";
export {
  type FeatureMap,
  type OnnxBuildOptions,
  type OnnxExpressions,
  OnnxNetwork,
  readOnnxNetwork,
} from "./models/onnx/network.ts";
export { views } from "./views/index.ts";

// Runs: from words to a spec, in a process of their own, with files that others read.
export { readFeatures } from "./runs/feature-folder.ts";
export { decodeSafetensors, encodeSafetensors, listSafetensors } from "./runs/safetensors.ts";
export type { AskedModel, ModelSession, SessionChoice } from "./training/asked/asked-model.ts";
export { type ModelWords, openModel } from "./training/asked/open-model.ts";
export {
  inSizeOf,
  type InputPixels,
  type ModelPreparation,
  networkInput,
  type SaidPart,
} from "./training/asked/preparation.ts";
export { chooseKept } from "./training/choose-kept.ts";
export { chooseMethod, type MethodChoice, presetOf } from "./training/choose-method.ts";
export { convertWeights } from "./training/convert-weights.ts";
export { DataBook, type DataWords, describeTrainingData } from "./training/data-book.ts";
export { extractFeatures } from "./training/features/extract-features.ts";
export { type LastLayerChoice, lastLayerWords } from "./training/last-layer-words.ts";
export type { RunResults } from "./training/results.ts";
export { type PoolRun, RunPool, type RunPoolOptions } from "./training/run-pool.ts";
export { type RunOptions, type RunOutcome, runInProcess } from "./training/run-process.ts";
export { type RunResources, type RunSpec, type RunSpecInput, resolveSpec } from "./training/run-spec.ts";
export { describeWeights } from "./training/weights.ts";

// Sweeps: many runs, searched, chosen and never made twice.
export { checkSweep, driveSweep, type SweepOutcome } from "./sweeps/drive-sweep.ts";
export { RunFinder } from "./sweeps/run-finder.ts";
export { parseSweep, type Sweep } from "./sweeps/sweep-file.ts";

// Metrics: predictions → numbers.
export { aboutPredictions, type PredictionsAbout, type PredictionsOrigin } from "./core/predictions-about.ts";
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
export * from "./metrics/moles/index.ts";

// Audits: one question put to predictions, a dataset, a benchmark or features, with one answer.
export { type Answered, answerOf } from "./audits/ask.ts";
export { datasetObjects } from "./audits/data-bias/dataset-objects.ts";
export { type DataBias, type ImageObjects, measureDataBias } from "./audits/data-bias/measure.ts";
export { type EmbedOptions, type EmbedReport, embedFeatures } from "./audits/embedding/embed.ts";
export { audits } from "./audits/index.ts";
export { type AuditLineOptions, auditLine } from "./audits/line/audit-line.ts";
export { type FitOptions, fitLine, type LineFit, type Verdict } from "./audits/line/fit.ts";
export type { LineReport, SplitReport } from "./audits/line/report.ts";
export { type MoleMatrixRow, moleMatrix } from "./audits/moles/figures.ts";
export { showMoles } from "./audits/moles/show.ts";
export { type OpenedSubject, openSubject, type SubjectOptions } from "./audits/open-subject.ts";
export {
  type EvaluatePredictionsOptions,
  evaluatePredictions,
} from "./audits/predictions/evaluate-predictions.ts";
export type { EvaluationReport } from "./audits/predictions/evaluation-report.ts";

// Studies: the papers' experiments, ours beside the published numbers.
export { type ChosenStudy, chooseStudy, type StudyChoice } from "./studies/choose-study.ts";
export { type DriveOptions, findStudy, makeStudy, type StudyOutcome } from "./studies/drive-study.ts";
export * from "./studies/index.ts";
export { studyData, studyPage } from "./studies/study-sections.ts";

// Answers in every form: sections → text, pages, Markdown, LaTeX, CSV, JSON, pictures.
export { chartPng, drawChart } from "./charts/chart.ts";
export { type AnswerFiles, type AnswerFilesOptions, answerFiles } from "./reports/answer-files.ts";
export { asCsv } from "./reports/as-csv.ts";
export { type AnswerPage, asHtml } from "./reports/as-html.ts";
export { asJson } from "./reports/as-json.ts";
export { asLatex } from "./reports/as-latex.ts";
export { asMarkdown } from "./reports/as-markdown.ts";
export { asText, type TextOptions } from "./reports/as-text.ts";

// Statistics, and the theory of accuracy on the line.
export * as statistics from "./core/statistics/index.ts";
export * as lineTheory from "./theory/index.ts";

// Plugins: what they are written with, how they are brought, and what every entry must keep.
export { type AuditCheckOptions, auditChecks } from "./contracts/audits.ts";
export { type Check, type CheckResult, outcomeOf } from "./contracts/check.ts";
export { type DatasetCheckOptions, datasetChecks } from "./contracts/datasets.ts";
export { type MethodCheckOptions, methodChecks } from "./contracts/methods.ts";
export { metricChecks } from "./contracts/metrics.ts";
export { networkChecks } from "./contracts/networks.ts";
export { studyChecks } from "./contracts/studies.ts";
export { viewChecks } from "./contracts/views.ts";
export { Registry } from "./core/registry.ts";
export * from "./plugin.ts";
export { type UsedPlugin, use } from "./plugins/use.ts";

// Errors, random numbers, the version.
export { CuelabError, type ErrorKind, type ErrorParts } from "./core/errors.ts";
export { Random, RandomStream, randomStream, weightedChooser } from "./core/random.ts";
export { version } from "./core/version.ts";
