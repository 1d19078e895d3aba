/** The dataset of a run: made by name, or opened from disk, and fit to be trained on. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { datasets } from "../datasets/index.ts";
import type { RunSpec } from "./run-spec.ts";

/** Opens the data that a spec names, with its environments held out. Called in every process that needs it. */
export async function openTrainingData(data: RunSpec["data"]): Promise<Dataset> {
  const dataset = await openWholeData(data);
  if (data.environments === undefined) return dataset;
  const { withHeldOut } = await import("./held-out-data.ts");
  return withHeldOut(dataset, data.environments);
}

/**
 * The same images in the splits that the dataset itself has. Every run begins with this, in two threads: what it does not
 * need it does not load.
 */
export async function openWholeData(data: RunSpec["data"]): Promise<Dataset> {
  if (data.path === undefined) return makeTrainingData(data);
  const { openDataset, surveyed } = await formats();
  const { dataset } = await openDataset(data.path);
  // Only a survey tells whether people's own images share one size.
  return dataset.images.shape === null ? surveyed(dataset, { workers: 0 }) : dataset;
}

async function formats() {
  const [{ openDataset }, { surveyed }] = await Promise.all([
    import("../formats/open-dataset.ts"),
    import("../formats/select-images.ts"),
  ]);
  return { openDataset, surveyed };
}

/** Makes the dataset that a spec has by name. */
function makeTrainingData({ name, settings, places, seed }: RunSpec["data"]): Promise<Dataset> {
  return datasets.get(name ?? "").build({ ...settings, ...places }, seed);
}

/** Throws unless the dataset can be trained on. */
export function checkTrainable(dataset: Dataset): void {
  checkBatches(dataset);
  checkTrainingImages(dataset);
}

/** Throws unless a network can see the images in batches. */
export function checkBatches(dataset: Dataset): void {
  if (dataset.images.shape === null)
    throw unfit(
      dataset,
      "the images differ in size",
      "resize them to one size; a batch needs images of one shape",
    );
  if (dataset.classNames.length < 2)
    throw unfit(dataset, "there is only one class", "check the label column");
}

export function checkTrainingImages(dataset: Dataset, todo = "give some rows the split train"): void {
  if (dataset.splits.values.includes(dataset.splits.names.indexOf("train"))) return;
  throw unfit(dataset, "there are no training images", todo);
}

function unfit({ name }: Dataset, what: string, todo: string): CuelabError {
  return new CuelabError({ kind: "input", what, where: name, todo });
}
