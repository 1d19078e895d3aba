/** The last of a run: what the kept weights say of every image, and the files that tell. */

import { version } from "../core/version.ts";
import type { PixelStatistics } from "../models/pixels.ts";
import { encodePredictions, predictedClasses } from "../store/predictions.ts";
import { originOf, type RunFolder, runFiles } from "../store/run-folder.ts";
import { checkFinite } from "./divergence.ts";
import { type Evaluation, type EvaluationParts, evaluateSplits } from "./evaluate.ts";
import { exportModel } from "./export-model.ts";
import { type Measurement, measurementsCsv } from "./measurements.ts";
import { accuracyTable, type RunResults } from "./results.ts";
import { epochSelection, type RunSpec } from "./run-spec.ts";
import { describeSelection, lastEpoch } from "./selection.ts";
import { evaluatedSplits } from "./splits.ts";
import type { EpochRecord, TrainingHooks } from "./train.ts";
import { encodeWeights } from "./weights.ts";

export interface Kept {
  weights: ReadonlyMap<string, Float32Array>;
  history: EpochRecord[];
  epoch: number;
  measured: readonly Measurement[];
  /** What the kept weights say, where that was measured at last. */
  evaluated?: Evaluation | undefined;
}

interface FinishedParts extends Kept, EvaluationParts {
  stepsPerEpoch: number;
  pixels: PixelStatistics | undefined;
}

/** Undefined where it was asked to stop. */
export async function finishRun(
  spec: RunSpec,
  folder: RunFolder,
  hooks: TrainingHooks,
  parts: FinishedParts,
): Promise<RunResults | undefined> {
  const { dataset, weights, history, epoch, pixels } = parts;
  let { evaluated } = parts;
  if (evaluated === undefined) {
    const names = evaluatedSplits(dataset);
    hooks.onPhase(`evaluating ${names.join(" and ")}`);
    evaluated = await evaluateSplits(names, weights, parts, hooks);
  }
  // The checkpoint of the last epoch's end is there to go on from.
  if (evaluated === undefined) return undefined;
  const { predictions } = evaluated;
  const wrong = predictions.logits.find((logit) => !Number.isFinite(logit));
  if (wrong !== undefined) checkFinite(wrong, `weights of epoch ${epoch}, final evaluation`);
  const results: RunResults = {
    id: folder.id,
    epoch,
    selection: selectionOf(spec),
    accuracy: accuracyTable(dataset, predictions.indices, predictedClasses(predictions)),
  };
  const rows = history.map((row) =>
    [row.epoch, row.trainLoss, row.valLoss ?? "", row.valAccuracy ?? ""].join(","),
  );
  await folder.write(runFiles.history, `epoch,train_loss,val_loss,val_accuracy\n${rows.join("\n")}\n`);
  if (spec.measureSteps !== undefined) {
    await folder.write(runFiles.checkpoints, measurementsCsv(parts.measured, parts.stepsPerEpoch));
  }
  if (spec.keep === undefined) {
    await folder.write(runFiles.predictions, await encodePredictions(dataset, predictions, originOf(spec)));
    await folder.write(runFiles.model, exportModel(spec, dataset, weights, pixels));
    await folder.write(runFiles.weights, encodeWeights(spec, dataset, weights, pixels));
  }
  await folder.write(runFiles.results, `${JSON.stringify(results, null, 2)}\n`);
  await folder.finish(version);
  return results;
}

function selectionOf(spec: RunSpec): RunResults["selection"] {
  const selection = epochSelection(spec);
  return selection ? describeSelection(selection) : lastEpoch;
}
