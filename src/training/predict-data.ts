/** From a model and data in any words to a table of predictions: what `cuelab predict` and the library's `predict` both do. */

import type { Dataset } from "../core/dataset.ts";
import { checkFree, writeWhole } from "../disk/write-whole.ts";
import { accuracyOf, type SliceAccuracy } from "../metrics/accuracy.ts";
import { encodePredictions, type Predictions, predictedClasses } from "../runs/predictions.ts";
import { DataBook, type DataWords } from "./data-book.ts";
import {
  type AskedModel,
  inClassesOf,
  modelOfNetwork,
  modelOfRun,
  type NetworkChoice,
  originOn,
  type PredictOptions,
  predict,
  trainingOf,
} from "./predict.ts";
import { ofOneShape } from "./training-data.ts";

export interface PredictDataOptions extends PredictOptions {
  /** In words, or open already: then whoever opened it closes it. */
  data: Omit<DataWords, "environments"> | Dataset;
  /** Without, the images are taken as nobody has labelled them. */
  labelled?: boolean | undefined;
  /** A Parquet table to write. */
  out?: string | undefined;
  force?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onModel?: ((model: AskedModel) => void) | undefined;
}

export interface PredictedData extends Predictions {
  /** The data with its classes as the model numbers them. */
  dataset: Dataset;
}

/** Of a finished run by its folder, or of a network with its weights; undefined where it was asked to stop. */
export async function predictData(
  asked: string | NetworkChoice,
  { data, labelled = true, out, force = false, signal, onModel, ...options }: PredictDataOptions,
): Promise<PredictedData | undefined> {
  if (out !== undefined) await checkFree(out, { overwrite: force });
  const opened = await openedData(data, signal);
  try {
    const shaped = await ofOneShape(opened.dataset);
    const model = typeof asked === "string" ? await modelOfRun(asked) : await modelOfNetwork(asked, shaped);
    onModel?.(model);
    const dataset = labelled ? inClassesOf(model, shaped) : { ...shaped, ...classesAlone(model, shaped) };
    const said = await predict(model, dataset, options);
    if (said === undefined) return undefined;
    if (out !== undefined) {
      const training = trainingOf(model, dataset);
      const about = { labelled, ...(training !== undefined && { training }) };
      const bytes = await encodePredictions(dataset, said, originOn(model, opened.identity), about);
      await writeWhole(out, bytes, { overwrite: force });
    }
    return { ...said, dataset };
  } finally {
    if (opened.isOurs) await opened.dataset.images.close?.();
  }
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

async function openedData(
  data: PredictDataOptions["data"],
  signal: AbortSignal | undefined,
): Promise<{ dataset: Dataset; identity: string; isOurs: boolean }> {
  if ("images" in data) return { dataset: data, identity: `in memory: ${data.name}`, isOurs: false };
  const { handle, dataset } = await new DataBook().open(data, signal);
  return { dataset, identity: handle.data.identity, isOurs: true };
}

/** Names of classes for images that have none of their own. */
function classesAlone({ classNames }: AskedModel, dataset: Dataset): Pick<Dataset, "classNames" | "labels"> {
  return { classNames: classNames ?? dataset.classNames, labels: new Uint16Array(dataset.images.count) };
}
