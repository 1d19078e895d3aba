/** Predictions of any number of images as a table: logits lie beside it until all are there, so that a kill loses one batch. */

import { Readable } from "node:stream";
import type { Dataset } from "../core/dataset.ts";
import { KeptRows } from "../disk/kept-rows.ts";
import { digestOf } from "../disk/vouched.ts";
import { checkFree, writeWhole } from "../disk/write-whole.ts";
import { encodedPredictions, type Predictions } from "../runs/predictions.ts";
import { predictionsCsv } from "../runs/predictions-csv.ts";
import type { AskedModel } from "./asked/asked-model.ts";
import { originOn, type PredictOptions, predictedParts, trainingOf } from "./predict.ts";

export interface TablePlace {
  /** CSV for people, by its ending, or Parquet with all that `cuelab eval` wants to know. */
  out: string;
  force?: boolean;
}

interface TableOf {
  model: AskedModel;
  dataset: Dataset;
  labelled: boolean;
  /** Of the data. */
  identity: string;
  indices: Uint32Array;
  batchSize: number;
}

/** In memory at a time while the table is written. */
const rowsAtOnce = 2048;

/** Goes on where an equal prediction was killed. `see` is told every part once, in order, also of those that were there already. */
export async function writePredictions(
  { model, dataset, labelled, identity, indices, batchSize }: TableOf,
  {
    out,
    force = false,
    ...options
  }: TablePlace & PredictOptions & { onRemark?: ((text: string) => void) | undefined },
  see: (part: Predictions) => void,
): Promise<void> {
  const rows = `${out}.predicting`;
  try {
    await checkFree(out, { overwrite: force });
  } catch (cause) {
    // A kill at the very end may have left them beside a table that is done.
    await KeptRows.tidy(rows);
    throw cause;
  }
  const width = dataset.classNames.length;
  const { classNames } = dataset;
  const { digest, preparation, takes } = model;
  const of = {
    digest,
    pixels: preparation?.pixels,
    picture: preparation?.picture,
    takes,
    classNames,
    identity,
    batchSize,
  };
  const key = digestOf(
    JSON.stringify([of, digestOf(new Uint8Array(indices.buffer, indices.byteOffset, indices.byteLength))]),
  );
  const kept = await KeptRows.open(rows, { key, width });
  let isDone = false;
  try {
    // Batches are the same as without a kill, and so are their bits.
    kept.keep(Math.floor(kept.count / batchSize) * batchSize);
    if (kept.count > 0)
      options.onRemark?.(
        `goes on behind ${kept.count.toLocaleString("en")} images that were predicted before`,
      );
    for await (const part of keptParts(kept, indices)) see(part);
    for await (const part of predictedParts(model, dataset, indices, {
      ...options,
      batchSize,
      first: kept.count,
    })) {
      await kept.add(part.logits);
      see(part);
    }
    if (kept.count < indices.length) return;
    const training = trainingOf(model, dataset);
    const about = { labelled, ...(training !== undefined && { training }) };
    const pieces = out.toLowerCase().endsWith(".csv")
      ? predictionsCsv(dataset, keptParts(kept, indices), { labelled })
      : encodedPredictions(dataset, keptParts(kept, indices), originOn(model, identity), about);
    await writeWhole(out, Readable.from(pieces, { objectMode: false }), { overwrite: force });
    isDone = true;
  } finally {
    await kept.close({ done: isDone });
  }
}

async function* keptParts(kept: KeptRows, indices: Uint32Array): AsyncGenerator<Predictions> {
  const all = Math.min(kept.count, indices.length);
  for (let start = 0; start < all; start += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, all - start);
    yield { indices: indices.subarray(start, start + count), logits: await kept.read(start, count) };
  }
}
