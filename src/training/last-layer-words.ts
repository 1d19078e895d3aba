/** A run on features in the words of a spec, with the defaults that suit a last layer. */

import type { DataColumns } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { DataBook } from "./data-book.ts";
import type { RunSpec } from "./run-spec.ts";
import { type NetworkWords, specWithData } from "./spec-words.ts";
import { indicesOf } from "./splits.ts";
import { featureModel } from "./train-features.ts";

export interface LastLayerChoice {
  optimiser?: "adam" | "sgd";
  lr?: number;
  momentum?: number;
  schedule?: "constant" | "cosine";
  epochs?: number;
  /** Rows a step, or all of them. */
  batchSize?: number | "full";
  /** l1·Σ|w| + l2/2·Σw², beside the mean loss. */
  l1?: number;
  l2?: number;
  standardise?: boolean;
}

export function lastLayerWords(columns: DataColumns, choice: LastLayerChoice): NetworkWords {
  const { optimiser = "adam", lr = 0.01, momentum, schedule = "cosine", epochs = 20 } = choice;
  const { batchSize = 256, l1 = 0, l2 = 0, standardise = true } = choice;
  if (l1 > 0 && optimiser !== "sgd")
    throw new CuelabError({
      kind: "usage",
      what: "L1 needs --optimiser sgd",
      expected: "steps of one size for all weights: only then does shrinking them lead to L1's solution",
      todo: "add --optimiser sgd, and --lr 0.1 or so",
    });
  return {
    model: { name: featureModel },
    optimiser: { name: optimiser, rate: lr, ...(momentum !== undefined && { momentum }) },
    schedule: { name: schedule },
    epochs,
    batchSize: batchSize === "full" ? Math.max(1, indicesOf(columns, "train").length) : batchSize,
    lastLayer: { standardise, l1, l2 },
  };
}

/** The spec of a run on a folder of features, with a method's words and a rule of selection beside the layer's. */
export async function lastLayerSpec(
  path: string,
  choice: LastLayerChoice,
  words: Pick<NetworkWords, "method" | "select" | "seed" | "threads">,
  signal?: AbortSignal,
): Promise<RunSpec> {
  const handle = await new DataBook().describe({ path, features: true }, signal);
  return specWithData({ ...lastLayerWords(await handle.columns(), choice), ...words }, handle);
}
