/** Everything that decides what a pool holds, and the id that follows from it. */

import { createHash } from "node:crypto";
import type { PluginReference } from "../plugins/plugin-code.ts";
import type { Extractor } from "../training/features/extractors.ts";
import type { RunSpec } from "../training/run-spec.ts";
import type { BatchedFamily } from "./batched-classifiers.ts";
import { chunkSize, type Variety } from "./draw-classifiers.ts";

/** How many chunks there are, and for which folds, is no part of it and may change later. */
export interface PoolSpec {
  data: RunSpec["data"];
  /** The attribute that tells environments apart, where it is not found by its name. */
  environment: string | null;
  /** Splits that are out of distribution, where they are not those that are shifted. */
  oodSplits: string[] | null;
  /** Attributes that make groups together with the class, whose accuracies are told apart; none, no groups. */
  groups: string[];
  families: BatchedFamily[];
  /** Names of kinds of features, or how they begin. */
  features: string[];
  /** Trained networks whose features are kinds too. */
  extractors: Extractor[];
  vary: Variety;
  /** Images of each part at most. */
  trainImages: number;
  testImages: number;
  steps: number;
  checkpoints: number;
  firstStep: number;
  seed: number;
  /** Code from elsewhere that it needs; left out where there is none. */
  plugins?: PluginReference[];
}

/** 2: chunks of eight that differ more, and a column of draws. 3: an epoch is one thing in all rows. */
export const formatVersion = 3;

export function poolId(given: PoolSpec): string {
  const { data, extractors, plugins, ...spec } = recorded(given);
  const { path: _, places: __, ...what } = data;
  const networks = extractors?.map(({ name, digest }) => ({ name, digest }));
  const all = {
    formatVersion,
    chunkSize,
    data: what,
    ...spec,
    ...(networks && { extractors: networks }),
    ...(plugins && { plugins: plugins.map(({ digest }) => digest) }),
  };
  return createHash("sha256").update(JSON.stringify(all)).digest("hex").slice(0, 16);
}

/** Without what is not used, so that pools keep their ids when more can be asked for. */
export function recorded({ groups, oodSplits, extractors, ...spec }: PoolSpec): RecordedSpec {
  return {
    ...spec,
    ...(groups.length > 0 && { groups }),
    ...(oodSplits !== null && { oodSplits }),
    ...(extractors.length > 0 && { extractors }),
  };
}

type Unrecorded = "groups" | "oodSplits" | "extractors";
export type RecordedSpec = Omit<PoolSpec, Unrecorded> & Partial<Pick<PoolSpec, Unrecorded>>;
