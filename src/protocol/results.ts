/** What a finished run reports: accuracy in and out of distribution, by split and by environment. */

import { slicesOf } from "../core/cue-statistics.ts";
import type { Dataset } from "../core/dataset.ts";
import { accuracyOf, type SliceAccuracy } from "../metrics/accuracy.ts";

export interface RunResults {
  id: string;
  /** The epoch whose weights were kept. */
  epoch: number;
  accuracy: SliceAccuracy[];
}

/** Each evaluated split, and within it each value of the attribute that the dataset's statistics are told apart by. */
export function accuracyTable(
  dataset: Dataset,
  indices: Uint32Array,
  predicted: Uint16Array,
): SliceAccuracy[] {
  const table = { labels: Uint16Array.from(indices, (i) => dataset.labels[i]!), predicted };
  const slices = slicesOf(dataset, dataset.provenance.statisticsBy);
  const splits = slices.slice(0, dataset.splits.names.length);
  const values = slices.slice(splits.length);
  return splits
    .flatMap((split) => [
      accuracyOf(split.name, table, (row) => split.has(indices[row]!)),
      ...values.map((value) =>
        accuracyOf(
          `${split.name}, ${value.name}`,
          table,
          (row) => split.has(indices[row]!) && value.has(indices[row]!),
        ),
      ),
    ])
    .filter(({ count }) => count > 0);
}
