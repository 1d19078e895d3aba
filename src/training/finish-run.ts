/** The last of a run: what the kept weights say of every image, and the files that tell. */

import type { Dataset } from "../core/dataset.ts";
import { oneClassRemark } from "../core/one-class.ts";
import { version } from "../core/version.ts";
import type { Weights } from "../methods/method.ts";
import { encodePredictions, predictedClasses } from "../runs/predictions.ts";
import { pictureFile, predictionsOrigin, runFiles } from "../runs/run-folder.ts";
import { checkFinite } from "./divergence.ts";
import { evaluateSplits } from "./evaluate.ts";
import { historyCsv } from "./history.ts";
import { judgeInferences } from "./judge-inference.ts";
import { measurementsCsv } from "./measurements.ts";
import { accuracyTable, type KeptResults, type RunResults } from "./results.ts";
import { epochSelection, runSelections } from "./run-spec.ts";
import { describeSelection, lastEpoch } from "./selection.ts";
import { evaluatedSplits } from "./splits.ts";
import type { RunParts } from "./stages/run-parts.ts";
import type { RunEnd } from "./stages/run-stages.ts";
import { reportsTable } from "./stages/stage-reports.ts";
import type { KeptEpoch } from "./stages/stage-run.ts";

/** What becomes of weights: a model and a file of weights, for images or for features. */
export interface ModelFiles {
  model: (weights: Weights) => Uint8Array;
  weights: (weights: Weights) => Uint8Array;
  /** Pictures of what the method has learnt, by name; of images alone. */
  pictures?: (weights: Weights) => Promise<ReadonlyMap<string, Uint8Array>>;
}

/** Undefined where it was asked to stop. */
export async function finishRun(
  run: RunParts,
  end: RunEnd,
  files: ModelFiles,
): Promise<RunResults | undefined> {
  const { spec, folder, dataset } = run;
  const results: KeptResults[] = [];
  for (const [rule, kept] of end.kept.entries()) {
    // Rules that have chosen the same epoch have the same files.
    const same = end.kept.findIndex(({ weights }) => weights === kept.weights);
    const found = same < rule ? { ...results[same]! } : await keep(run, kept, rule, files);
    // The checkpoint of the last epoch's end is there to go on from.
    if (found === undefined) return undefined;
    results.push({ ...found, selection: selectionOf(run, end, rule) });
  }
  const [{ files: _, ...main }, ...also] = results as [KeptResults, ...KeptResults[]];
  const inferred = judgeInferences(dataset, end.inferred);
  const all: RunResults = {
    id: folder.id,
    ...main,
    ...(inferred.length > 0 && { inferred }),
    ...(end.numbers.length > 0 && { numbers: end.numbers }),
    ...(also.length > 0 && { also }),
  };
  await folder.write(runFiles.history, historyCsv(end.history));
  if (spec.measureSteps !== undefined)
    await folder.write(runFiles.checkpoints, measurementsCsv(end.measured));
  if (end.reports.length > 0 && spec.keep === undefined)
    await folder.write(runFiles.reports, await reportsTable(dataset, end.reports, predictionsOrigin(spec)));
  await folder.write(runFiles.results, `${JSON.stringify(all, null, 2)}\n`);
  await run.hooks.onFinishing?.();
  await folder.finish(version);
  return all;
}

/** Predictions, model and weights of one chosen epoch. */
async function keep(
  run: RunParts,
  kept: KeptEpoch,
  rule: number,
  files: ModelFiles,
): Promise<Omit<KeptResults, "selection"> | undefined> {
  const { spec, folder, dataset, evaluator, hooks } = run;
  let { evaluated } = kept;
  if (evaluated === undefined) {
    const names = evaluatedSplits(dataset);
    const which = rule === 0 ? "" : `, epoch ${kept.epoch}`;
    hooks.onPhase(`evaluating ${names.join(" and ")}${which}`);
    evaluated = await evaluateSplits(names, kept.weights, dataset, evaluator, hooks);
  }
  if (evaluated === undefined) return undefined;
  const { predictions } = evaluated;
  const wrong = predictions.logits.find((logit) => !Number.isFinite(logit));
  if (wrong !== undefined) checkFinite(wrong, `weights of epoch ${kept.epoch}, final evaluation`);
  if (rule === 0) for (const remark of oneClassRemarks(dataset, predictions)) hooks.onPhase(remark);
  const names = keptFiles(rule);
  if (spec.keep === undefined) {
    await folder.write(
      names.predictions,
      await encodePredictions(dataset, predictions, predictionsOrigin(spec)),
    );
    await folder.write(names.model, files.model(kept.weights));
    await folder.write(names.weights, files.weights(kept.weights));
    if (rule === 0 && files.pictures !== undefined)
      for (const [name, content] of await files.pictures(kept.weights))
        await folder.write(pictureFile(name), content);
  }
  return { epoch: kept.epoch, accuracy: accuracyOf(dataset, predictions), files: names };
}

/** Of each split in which the network says one class for nearly everything. */
function oneClassRemarks(dataset: Dataset, predictions: Parameters<typeof predictedClasses>[0]): string[] {
  const predicted = predictedClasses(predictions);
  const counts = dataset.splits.names.map(() => ({
    labelled: dataset.classNames.map(() => 0),
    said: dataset.classNames.map(() => 0),
  }));
  for (const [row, index] of predictions.indices.entries()) {
    const { labelled, said } = counts[dataset.splits.values[index]!]!;
    labelled[dataset.labels[index]!]!++;
    said[predicted[row]!]!++;
  }
  return counts.flatMap(({ labelled, said }, split) => {
    const remark = oneClassRemark(labelled, said, dataset.classNames);
    return remark === undefined ? [] : [`${dataset.splits.names[split]}: ${remark}`];
  });
}

/** The first rule's have the names that every run's have. */
function keptFiles(rule: number): KeptResults["files"] {
  const { predictions, model, weights } = runFiles;
  const named = (name: string) => (rule === 0 ? name : name.replace(".", `-${rule + 1}.`));
  return { predictions: named(predictions), model: named(model), weights: named(weights) };
}

function accuracyOf(dataset: Dataset, predictions: Parameters<typeof predictedClasses>[0]) {
  return accuracyTable(dataset, predictions.indices, predictedClasses(predictions));
}

function selectionOf({ spec }: RunParts, { chosenBy }: RunEnd, rule: number): RunResults["selection"] {
  if (chosenBy !== undefined)
    return {
      rule: `least "${chosenBy.number}" of stage "${chosenBy.stage}" on validation images`,
      labels: "none",
    };
  if (epochSelection(spec) === undefined) return lastEpoch;
  return describeSelection(runSelections(spec)[rule]!);
}
