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
  weightDecay?: number;
  /** Begins with the network's own last layer. */
  fromHead?: boolean;
  /** Solved to its end instead of stepped along. */
  solve?: boolean;
}

export function lastLayerWords(columns: DataColumns, choice: LastLayerChoice): NetworkWords {
  const { optimiser = "adam", lr = 0.01, momentum, schedule = "cosine", epochs = 20 } = choice;
  const { batchSize = 256, l1 = 0, l2 = 0, standardise = true } = choice;
  const { weightDecay, fromHead = false, solve = false } = choice;
  if (solve) checkSolved(choice);
  if (l1 > 0 && optimiser !== "sgd" && !solve)
    throw new CuelabError({
      kind: "usage",
      what: "L1 needs --optimiser sgd",
      expected: "steps of one size for all weights: only then does shrinking them lead to L1's solution",
      todo: "add --optimiser sgd, and --lr 0.1 or so",
    });
  return {
    model: { name: featureModel },
    optimiser: {
      name: optimiser,
      rate: lr,
      ...(momentum !== undefined && { momentum }),
      ...(weightDecay !== undefined && { weightDecay }),
    },
    schedule: { name: schedule },
    epochs,
    batchSize: batchSize === "full" ? Math.max(1, indicesOf(columns, "train").length) : batchSize,
    lastLayer: {
      standardise,
      l1,
      l2,
      ...(fromHead && { fromHead: true as const }),
      ...(solve && { solve: true as const }),
    },
  };
}

/** An option without effect is a mistake that nobody would notice. */
function checkSolved(choice: LastLayerChoice): void {
  const idle = {
    optimiser: choice.optimiser,
    lr: choice.lr,
    momentum: choice.momentum,
    schedule: choice.schedule,
    epochs: choice.epochs,
    "weight-decay": choice.weightDecay,
  };
  const [found] = Object.entries(idle).find(([, value]) => value !== undefined) ?? [];
  if (found === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `--${found} has no effect with --solve, which takes the steps that the problem wants`,
    todo: `leave --${found} away; --l1 and --l2 penalise`,
  });
}

/** The spec of a run on a folder of features, with a method's words and a rule of selection beside the layer's. */
export async function lastLayerSpec(
  path: string,
  choice: LastLayerChoice,
  words: Pick<NetworkWords, "method" | "select" | "seed" | "threads" | "augment">,
  signal?: AbortSignal,
): Promise<RunSpec> {
  const handle = await new DataBook().describe({ path, features: true }, signal);
  return specWithData({ ...lastLayerWords(await handle.columns(), choice), ...words }, handle);
}
