/** From a model and data in any words to predictions, and to a table of them: what `cuelab predict` and the library's `predict` both do. */

import type { Dataset } from "../core/dataset.ts";
import { isUnlabelled } from "../core/no-label.ts";
import type { Preparation } from "../layouts/preparation.ts";
import { accuracyOf, type SliceAccuracy } from "../metrics/accuracy.ts";
import { type Predictions, predictedClasses } from "../runs/predictions.ts";
import { type AskedModel, howItIsAsked, withDataClasses } from "./asked/asked-model.ts";
import { readClassMap } from "./asked/class-file.ts";
import { type ModelWords, openModel } from "./asked/open-model.ts";
import { OutputWatch } from "./asked/output-watch.ts";
import { inSizeOf } from "./asked/preparation.ts";
import { modelOfNetwork, type NetworkChoice } from "./asked/run-model.ts";
import { DataBook, type DataWords } from "./data-book.ts";
import { asTrained, unlabelledToo } from "./named-data.ts";
import { chosenImages, inClassesOf, type PredictOptions, predictedParts, withLabelMap } from "./predict.ts";
import { type TablePlace, writePredictions } from "./predict-table.ts";
import { ofOneShape } from "./training-data.ts";

export interface PredictDataOptions extends PredictOptions, Partial<TablePlace> {
  /** In words, or open already: then whoever opened it closes it. */
  data: Omit<DataWords, "environments"> | Dataset;
  /** False takes the images as nobody has labelled them; those that nobody has are taken so anyway. */
  labelled?: boolean | undefined;
  /** A file that tells which class of the model each of the data's is. */
  labelMap?: string | undefined;
  /** Leaves out images that cannot be read; who they are is in the dataset's provenance. */
  skipBroken?: boolean | undefined;
  /** Whether logits stay in memory; so they do where no table is written. */
  keepsLogits?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onModel?: ((model: AskedModel) => void) | undefined;
  /** Of a model of images and texts: how many of its prompts were embedded. */
  onTexts?: ((done: number, total: number) => void) | undefined;
  /** Told what people would want to know of how model and data were read, and of what looks wrong. */
  onRemark?: ((text: string) => void) | undefined;
}

export interface PredictedData extends Predictions {
  /** Empty where nobody wanted to keep them. */
  logits: Float32Array;
  /** The class with the largest logit. */
  predicted: Uint16Array;
  /** The data with its classes as the model numbers them. */
  dataset: Dataset;
  /** Whether it has classes of its own. */
  labelled: boolean;
}

/** Of a run by its folder, an ONNX file, or a network with its weights; undefined where it was asked to stop. */
export async function predictData(
  asked: string | ModelWords | NetworkChoice,
  given: PredictDataOptions,
): Promise<PredictedData | undefined> {
  const { out, force = false, keepsLogits = out === undefined, onRemark, splits, batchSize = 64 } = given;
  const opened = await openAsked(asked, given);
  const { model, dataset, identity, labelled } = opened;
  try {
    const indices = chosenImages(dataset, splits);
    const predicted = new Uint16Array(indices.length);
    const classes = dataset.classNames.length;
    const logits = new Float32Array(keepsLogits ? indices.length * classes : 0);
    const watch = new OutputWatch();
    let done = 0;
    const see = (part: Predictions) => {
      predicted.set(predictedClasses(part), done);
      if (keepsLogits) logits.set(part.logits, done * classes);
      watch.add(part);
      done += part.indices.length;
    };
    if (out === undefined) for await (const part of predictedParts(model, dataset, indices, given)) see(part);
    else {
      const table = { model, dataset, labelled, identity, indices, batchSize };
      await writePredictions(table, { ...given, out, force }, see);
    }
    if (done < indices.length) return undefined;
    const said = { indices, logits, predicted, dataset, labelled };
    for (const remark of watch.remarks(said, model)) onRemark?.(remark);
    return said;
  } finally {
    if (opened.isOurs) await dataset.images.close?.();
  }
}

async function openAsked(
  asked: string | ModelWords | NetworkChoice,
  {
    data,
    labelled = true,
    skipBroken = false,
    labelMap,
    threads,
    signal,
    onModel,
    onRemark,
    onTexts,
  }: PredictDataOptions,
) {
  const words = typeof asked === "string" ? { model: asked } : asked;
  const hooks = { threads, onTexts };
  const given = "weights" in words ? undefined : await openModel(words, hooks);
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
    const isLabelled = labelled && !isUnlabelled(shaped);
    const mapped =
      labelMap === undefined ? shaped : withLabelMap(shaped, await readClassMap(labelMap), labelMap);
    const found = given ?? (await modelOfNetwork(words as NetworkChoice, shaped));
    const model = await withDataClasses(found, mapped, isLabelled);
    onModel?.(model);
    for (const remark of howItIsAsked(model)) onRemark?.(remark);
    const dataset = isLabelled ? inClassesOf(model, mapped) : { ...shaped, ...classesAlone(model, shaped) };
    if (isLabelled && model.classNames === undefined)
      onRemark?.(
        "nobody says what the model's classes are called: they are taken to be the data's, in their order",
      );
    return { ...opened, model, dataset, labelled: isLabelled };
  } catch (cause) {
    if (opened.isOurs) await opened.dataset.images.close?.();
    throw cause;
  }
}

/** Of each split that has images. */
export function accuracyBySplit({ dataset, indices, predicted }: PredictedData): SliceAccuracy[] {
  const { labels, splits } = dataset;
  const table = { labels: Uint16Array.from(indices, (i) => labels[i]!), predicted };
  return splits.names
    .map((name, code) => accuracyOf(name, table, (row) => splits.values[indices[row]!] === code))
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
function classesAlone(
  { classNames, classes }: AskedModel,
  dataset: Dataset,
): Pick<Dataset, "classNames" | "labels"> {
  const numbered =
    classes === undefined ? undefined : Array.from({ length: classes }, (_, code) => `class ${code}`);
  return {
    classNames: classNames ?? numbered ?? dataset.classNames,
    labels: new Uint16Array(dataset.images.count),
  };
}
