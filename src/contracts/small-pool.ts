/** A pool of a few classifiers, made in seconds, to try audits on. */

import { join } from "node:path";
import { type MadePool, makePool } from "../pools/make-pool.ts";
import { DataBook } from "../training/data-book.ts";

/** Made once a folder: the second time it is found. */
export async function smallPool(folder: string): Promise<MadePool> {
  const { handle, dataset } = await new DataBook().open({
    name: "colored-mnist",
    settings: { trainPerEnvironment: 100 },
    seed: 0,
  });
  return makePool(
    {
      data: handle.data,
      environment: null,
      oodSplits: null,
      groups: [],
      families: ["logistic"],
      features: ["pixels-7"],
      extractors: [],
      vary: "wide",
      trainImages: 60,
      testImages: 60,
      steps: 20,
      checkpoints: 2,
      firstStep: 10,
      seed: 0,
    },
    { out: join(folder, "pool"), dataset, classifiers: 8, holdOut: "all", force: false, workers: 1 },
  );
}
