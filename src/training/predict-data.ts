/** From a model and data in any words to a table of predictions: what `cuelab predict` and the library's `predict` both do. */

import type { Dataset } from "../core/dataset.ts";
import { isUnlabelled } from "../core/no-label.ts";
import { checkFree, writeWhole } from "../disk/write-whole.ts";
import type { Preparation } from "../layouts/preparation.ts";
import { accuracyOf, type SliceAccuracy } from "../metrics/accuracy.ts";
import { encodePredictions, type Predictions, predictedClasses } from "../runs/predictions.ts";
import { predictionsCsv } from "../runs/predictions-csv.ts";
import type { AskedModel } from "./asked/asked-model.ts";
import { type ModelWords, openModel } from "./asked/open-model.ts";
import { inSizeOf } from "./asked/preparation.ts";
import { modelOfNetwork, type NetworkChoice } from "./asked/run-model.ts";
import { DataBook, type DataWords } from "./data-book.ts";
import { asTrained, unlabelledToo } from "./named-data.ts";
import { inClassesOf, originOn, type PredictOptions, predict, trainingOf } from "./predict.ts";
import { ofOneShape } from "./training-data.ts";

export interface PredictDataOptions extends PredictOptions {
  /** In words, or open already: then whoever opened it closes it. */
  data: Omit<DataWords, "environments"> | Dataset;
  /** False takes the images as nobody has labelled them; those that nobody has are taken so anyway. */
  labelled?: boolean | undefined;
  /** Leaves out images that cannot be read; who they are is in the dataset's provenance. */
  skipBroken?: boolean | undefined;
  /** A table to write: CSV for people, by its ending, or Parquet with all that `cuelab eval` wants to know. */
  out?: string | undefined;
  force?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onModel?: ((model: AskedModel) => void) | undefined;
  /** Told what people would want to know of how their data was read. */
  onRemark?: ((text: string) => void) | undefined;
}

export interface PredictedData extends Predictions {
  /** The data with its classes as the model numbers them. */
  dataset: Dataset;
  /** Whether it has classes of its own. */
  labelled: boolean;
}

/** Of a run by its folder, an ONNX file, or a network with its weights; undefined where it was asked to stop. */
export async function predictData(
  asked: string | ModelWords | NetworkChoice,
  {
    data,
    labelled = true,
    skipBroken = false,
    out,
    force = false,
    signal,
    onModel,
    onRemark,
    ...options
  }: PredictDataOptions,
): Promise<PredictedData | undefined> {
  if (out !== undefined) await checkFree(out, { overwrite: force });
  const words = typeof asked === "string" ? { model: asked } : asked;
  const given = "weights" in words ? undefined : await openModel(words);
  const opened = await openedData(data, {
    labelled,
    trainedOn: given?.run?.spec.data ?? {},
    signal,
    onRemark,
  });
  try {
    const whole = given === undefined ? opened.dataset : inSizeOf(given, opened.dataset);
    const shaped = skipBroken ? await readable(whole, signal) : await ofOneShape(whole);
    for (const { image, reason } of shaped.provenance.skipped) onRemark?.(`left out: ${image}: ${reason}`);
    const model = given ?? (await modelOfNetwork(words as NetworkChoice, shaped));
    onModel?.(model);
    const isLabelled = labelled && !isUnlabelled(shaped);
    const dataset = isLabelled ? inClassesOf(model, shaped) : { ...shaped, ...classesAlone(model, shaped) };
    const said = await predict(model, dataset, options);
    if (said === undefined) return undefined;
    const predicted = { ...said, dataset, labelled: isLabelled };
    if (out !== undefined) {
      const bytes = await tableOf(predicted, model, { out, identity: opened.identity });
      await writeWhole(out, bytes, { overwrite: force });
    }
    return predicted;
  } finally {
    if (opened.isOurs) await opened.dataset.images.close?.();
  }
}

async function tableOf(
  { dataset, labelled, ...said }: PredictedData,
  model: AskedModel,
  { out, identity }: { out: string; identity: string },
): Promise<Uint8Array | string> {
  if (out.toLowerCase().endsWith(".csv")) return predictionsCsv(dataset, said, { labelled });
  const training = trainingOf(model, dataset);
  const about = { labelled, ...(training !== undefined && { training }) };
  return encodePredictions(dataset, said, originOn(model, identity), about);
}

/** Of each split that has images. */
export function accuracyBySplit({ dataset, ...said }: PredictedData): SliceAccuracy[] {
  const { labels, splits } = dataset;
  const table = {
    labels: Uint16Array.from(said.indices, (i) => labels[i]!),
    predicted: predictedClasses(said),
  };
  return splits.names
    .map((name, code) => accuracyOf(name, table, (row) => splits.values[said.indices[row]!] === code))
    .filter(({ count }) => count > 0);
}

async function readable(dataset: Dataset, signal: AbortSignal | undefined): Promise<Dataset> {
  const { surveyed } = await import("../formats/select-images.ts");
  return surveyed(dataset, { workers: 0, skipBroken: true, signal });
}

interface OpeningChoice {
  labelled: boolean;
  trainedOn: Preparation;
  signal: AbortSignal | undefined;
  onRemark: PredictDataOptions["onRemark"];
}

async function openedData(
  data: PredictDataOptions["data"],
  { labelled, trainedOn, signal, onRemark }: OpeningChoice,
): Promise<{ dataset: Dataset; identity: string; isOurs: boolean }> {
  if ("images" in data) return { dataset: data, identity: `in memory: ${data.name}`, isOurs: false };
  const ignoring = labelled || data.path === undefined ? data : { ...data, labels: "none" as const };
  const words = asTrained(unlabelledToo(ignoring), trainedOn);
  const book = new DataBook();
  const { handle, dataset } = await book.open(words, signal);
  for (const remark of book.remarks) onRemark?.(remark);
  return { dataset, identity: handle.data.identity, isOurs: true };
}

/** Names of classes for images that have none of their own. */
function classesAlone({ classNames }: AskedModel, dataset: Dataset): Pick<Dataset, "classNames" | "labels"> {
  return { classNames: classNames ?? dataset.classNames, labels: new Uint16Array(dataset.images.count) };
}
