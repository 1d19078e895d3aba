/** What a model said, as a table for people: a row an image, its file, the class, and how sure the model is. */

import type { Dataset } from "../core/dataset.ts";
import { predictionColumns, probabilityColumn } from "../core/own-columns.ts";
import { csvLine } from "../tables/csv-line.ts";
import { fileNames, type Predictions, predictedClasses } from "./predictions.ts";

/**
 * Columns source_file (or id, where images have no files), predicted, probability, label where labels are known, split, and
 * prob_… of each class by its name. `cuelab eval` reads it, too.
 */
export async function* predictionsCsv(
  dataset: Dataset,
  parts: AsyncIterable<Predictions>,
  { labelled }: { labelled: boolean },
): AsyncGenerator<string> {
  const { images, classNames, labels, splits } = dataset;
  const nameOf = fileNames(images);
  yield csvLine([
    nameOf ? predictionColumns.source : predictionColumns.id,
    "predicted",
    probabilityColumn,
    ...(labelled ? ["label"] : []),
    predictionColumns.split,
    ...classNames.map((name) => `prob_${name}`),
  ]);
  for await (const part of parts) {
    const predicted = predictedClasses(part);
    const lines = Array.from(part.indices, (index, row) => {
      const shares = softmax(part.logits.subarray(row * classNames.length, (row + 1) * classNames.length));
      const best = predicted[row]!;
      return csvLine([
        nameOf?.(index) ?? index,
        classNames[best]!,
        shares[best]!.toFixed(6),
        ...(labelled ? [classNames[labels[index]!]!] : []),
        splits.names[splits.values[index]!]!,
        ...shares.map((share) => share.toFixed(6)),
      ]);
    });
    yield lines.join("");
  }
}

function softmax(logits: Float32Array): number[] {
  const largest = Math.max(...logits);
  const powers = Array.from(logits, (logit) => Math.exp(logit - largest));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}
