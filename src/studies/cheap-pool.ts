/** Pools by which a dataset is judged: what all have in common, so that no dataset gets classifiers that were chosen for it. */

import type { AccuracyOver } from "../pools/judged-table.ts";
import type { StudyPool } from "./jobs/pools-job.ts";

/** Of all pools: the images, and what is drawn for classifiers. */
export const poolSeed = 0;

export interface PoolSize {
  /** Cheap ones, eight of which are drawn and trained together. */
  classifiers: number;
  networks: StudyPool["networks"];
  steps: number;
  checkpoints: number;
  firstStep: number;
  /** Images of each environment, or of the training split, at most. */
  trainImages: number;
  testImages: number;
}

/** The shifted splits are out of distribution unless an environment is held out. */
export function cheapPool(
  size: PoolSize,
  own: Pick<StudyPool, "name" | "dataset" | "data" | "splits"> & {
    holdOut?: string;
    oodSplits?: string[];
    groups?: string[];
    over?: AccuracyOver;
  },
): StudyPool {
  const { trainImages, testImages, steps, checkpoints, firstStep, classifiers, networks } = size;
  const { holdOut = "all", oodSplits = null, groups = [], ...rest } = own;
  return {
    ...rest,
    holdOut,
    classifiers,
    networks,
    spec: {
      environment: null,
      oodSplits,
      groups,
      families: ["logistic", "mlp"],
      features: ["pixels", "grey", "filters"],
      extractors: [],
      vary: "training",
      trainImages,
      testImages,
      steps,
      checkpoints,
      firstStep,
      seed: poolSeed,
    },
  };
}
