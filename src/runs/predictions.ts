/** What a model said, as a Parquet table that every metric, audit and plot reads. */

import type { Dataset, ImageSet } from "../core/dataset.ts";
import { predictionColumns } from "../core/own-columns.ts";
import {
  aboutPredictions,
  type PredictionsAbout,
  type PredictionsOrigin,
  storedAbout,
} from "../core/predictions-about.ts";
import { openParquet } from "../tables/open-parquet.ts";
import type { NumberColumn } from "../tables/table.ts";

export interface Predictions {
  /** Indices into the dataset, in order. */
  indices: Uint32Array;
  /** [images, classes], row by row. */
  logits: Float32Array;
}

/** The class with the largest logit, the first among equals. */
export function predictedClasses({ indices, logits }: Predictions): Uint16Array {
  const classes = logits.length / indices.length;
  return Uint16Array.from(indices, (_, row) => {
    let best = 0;
    for (let k = 1; k < classes; k++)
      if (logits[row * classes + k]! > logits[row * classes + best]!) best = k;
    return best;
  });
}

export interface EncodingOptions {
  /** Without it there is no column of true classes. */
  labelled?: boolean;
  /** What the model was trained on, where that is not the dataset's own training split. */
  training?: PredictionsAbout["training"];
}

/**
 * Columns id, source_file where images have files of their own, split, y_true, y_pred, logit_0 …, and one an attribute with its value's name; in the metadata, what the
 * table is about.
 */
export async function encodePredictions(
  dataset: Dataset,
  predictions: Predictions,
  origin: PredictionsOrigin | null,
  options: EncodingOptions = {},
): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: columnsOf(dataset, predictions, options),
      kvMetadata: metadataOf(dataset, origin, options),
    }),
  );
}

/** The same of predictions that come in parts and need not be in memory together: the file's bytes in pieces. */
export async function* encodedPredictions(
  dataset: Dataset,
  parts: AsyncIterable<Predictions>,
  origin: PredictionsOrigin | null,
  options: EncodingOptions = {},
): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import("hyparquet-writer");
  const none = { indices: new Uint32Array(0), logits: new Float32Array(0) };
  const schema = schemaFromColumnData({ columnData: columnsOf(dataset, none, options) });
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    schema,
    kvMetadata: metadataOf(dataset, origin, options),
  });
  const taken = () => {
    const piece = bytes.getBytes().slice();
    bytes.index = 0;
    return piece;
  };
  for await (const part of parts) {
    const columnData = columnsOf(dataset, part, options).map(({ name, data }) => ({ name, data }));
    await writer.write({ columnData, rowGroupSize: part.indices.length });
    yield taken();
  }
  await writer.finish();
  yield taken();
}

function metadataOf(dataset: Dataset, origin: PredictionsOrigin | null, { training }: EncodingOptions) {
  const own = aboutPredictions(dataset, origin);
  const about = storedAbout(training === undefined ? own : { ...own, training });
  return [{ key: "cuelab", value: JSON.stringify({ classNames: dataset.classNames, about }) }];
}

function columnsOf(dataset: Dataset, predictions: Predictions, { labelled = true }: EncodingOptions) {
  const { indices, logits } = predictions;
  const classes = dataset.classNames.length;
  const { names, values } = dataset.splits;
  const numbers = { type: "INT32" as const, nullable: false };
  const texts = { type: "STRING" as const, nullable: false };
  const { id, split, label, prediction } = predictionColumns;
  const labels = {
    name: label,
    data: Int32Array.from(indices, (i) => dataset.labels[i]!),
    ...numbers,
  };
  return [
    { name: id, data: Int32Array.from(indices), ...numbers },
    ...sourceColumn(dataset.images, indices),
    { name: split, data: Array.from(indices, (i) => names[values[i]!]!), ...texts },
    ...(labelled ? [labels] : []),
    { name: prediction, data: Int32Array.from(predictedClasses(predictions)), ...numbers },
    ...dataset.classNames.map((_, k) => ({
      name: `logit_${k}`,
      data: Float32Array.from(indices, (_, row) => logits[row * classes + k]!),
      type: "FLOAT" as const,
      nullable: false,
    })),
    ...Object.entries(dataset.attributes).map(([name, attribute]) => ({
      name,
      data: Array.from(indices, (i) => attribute.valueNames[attribute.values[i]!]!),
      ...texts,
    })),
  ];
}

/** What people call each image: its original file, or the one it has here; undefined where there are none. */
export function fileNames(images: ImageSet): ((index: number) => string) | undefined {
  if (images.source) return (index) => images.source!(index);
  return images.file && ((index) => images.file!(index));
}

function sourceColumn(images: ImageSet, indices: Uint32Array) {
  const nameOf = fileNames(images);
  if (nameOf === undefined) return [];
  const data = Array.from(indices, (index) => nameOf(index));
  return [{ name: predictionColumns.source, data, type: "STRING" as const, nullable: false }];
}

/** What `encodePredictions` wrote, of the images that `wanted` tells. */
export async function readPredictions(
  path: string,
  classes: number,
  wanted: (index: number) => boolean,
): Promise<Predictions> {
  const names = [predictionColumns.id, ...Array.from({ length: classes }, (_, k) => `logit_${k}`)];
  const indices: number[] = [];
  const logits: number[] = [];
  const asked = names.map((name) => ({ name, as: "numbers" as const }));
  for await (const { count, columns } of (await openParquet(path)).batches(asked)) {
    const [ids, ...scores] = (columns as NumberColumn[]).map(({ numbers }) => numbers);
    for (let row = 0; row < count; row++) {
      if (!wanted(ids![row]!)) continue;
      indices.push(ids![row]!);
      for (const score of scores) logits.push(score[row]!);
    }
  }
  return { indices: Uint32Array.from(indices), logits: Float32Array.from(logits) };
}
