/** The dataset of a run: made by name, or opened from disk, and fit to be trained on. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { isUnlabelled } from "../core/no-label.ts";
import { parseAssignments } from "../core/settings.ts";
import { findDataset } from "../datasets/index.ts";
import type { Manifest } from "../formats/manifest.ts";
import type { ColumnMapping, ColumnWords } from "../layouts/column-mapping.ts";
import { type Preparation, preparationOf } from "../layouts/preparation.ts";
import type { RunSpec } from "./run-spec.ts";

/** Data by name, also a variant's, with its settings, or by path. */
export interface DataChoice extends Preparation {
  name?: string | undefined;
  path?: string | undefined;
  settings?: Readonly<Record<string, unknown>> | undefined;
  /** Settings that say where files lie. */
  places?: Readonly<Record<string, unknown>> | undefined;
  seed?: number | undefined;
  /** Of a path: that it is a folder of features. */
  features?: true | undefined;
  /** Of a path: whether images need labels. */
  labels?: ColumnMapping["labels"];
  columns?: ColumnWords | undefined;
}

export interface OpenedData {
  dataset: Dataset;
  manifest?: Manifest | undefined;
  /** Where the data says what it is and has no manifest of ours. */
  identity?: string;
  /** What people would want to know of how it was read. */
  warnings?: readonly string[];
}

/**
 * The one way in which a dataset is opened, in its own splits; whoever opens it closes its images. Every run begins with
 * this, in two threads: what it does not need it does not load.
 */
export async function openData(
  { name = "", path, settings, places, seed = 0, features, labels, columns, ...rest }: DataChoice,
  mapping?: ColumnMapping,
): Promise<OpenedData> {
  if (path !== undefined && features) {
    const { describeFeatures } = await import("../runs/feature-folder.ts");
    return describeFeatures(path);
  }
  if (path !== undefined) {
    const { openDataset } = await import("../formats/open-dataset.ts");
    const prepared = preparationOf(rest);
    return openDataset(path, {
      ...mapping,
      ...columns,
      ...(labels && { labels }),
      ...(Object.keys(prepared).length > 0 && { prepared }),
    });
  }
  const { definition, assignments } = findDataset(name);
  const named = parseAssignments(definition.settings, assignments);
  return { dataset: await definition.build({ ...named, ...settings, ...places }, seed) };
}

/** The data that a spec names, with its environments held out; `unchanged`: refused where it is other data by now. */
export async function openTrainingData(data: RunSpec["data"], { unchanged = false } = {}): Promise<Dataset> {
  const opened = await openData(data);
  if (unchanged && data.path !== undefined) {
    const { checkUnchanged } = await import("./data-identity.ts");
    await checkUnchanged(data, opened).catch(async (cause: unknown) => {
      await opened.dataset.images.close?.();
      throw cause;
    });
  }
  const dataset = await ofOneShape(opened.dataset);
  if (data.environments === undefined) return dataset;
  const { withHeldOut } = await import("./held-out-data.ts");
  return withHeldOut(dataset, data.environments);
}

/** The same dataset, with the shape of its images where they share one. */
export async function ofOneShape(dataset: Dataset): Promise<Dataset> {
  if (dataset.images.shape !== null) return dataset;
  // Only a survey tells whether people's own images share one size.
  const { surveyed } = await import("../formats/select-images.ts");
  return surveyed(dataset, { workers: 0 });
}

/** Throws unless the dataset can be trained on. */
export function checkTrainable(dataset: Dataset): void {
  checkBatches(dataset);
  checkLabelled(dataset);
  checkTrainingImages(dataset);
}

export function checkLabelled(dataset: Dataset): void {
  if (isUnlabelled(dataset))
    throw unfit(
      dataset,
      "nobody has labelled the images",
      "put them into folders named by class, or label them in a table",
    );
}

/** Throws unless a network can see the images in batches; images that nobody has labelled will do. */
export function checkBatches(dataset: Dataset): void {
  if (dataset.images.shape === null)
    throw unfit(
      dataset,
      "the images differ in size",
      "a batch needs images of one shape: give --size 224, or another number of pixels (size in a sweep's data)",
    );
  if (dataset.classNames.length < 2 && !isUnlabelled(dataset))
    throw unfit(dataset, "there is only one class", "check the label column");
}

/** Throws where a run on people's own images would measure nothing, unless they have said that they want none. */
export function checkMeasurable({ name, splits }: Dataset, { path, split }: RunSpec["data"]): void {
  const train = splits.names.indexOf("train");
  if (path === undefined || split !== undefined || splits.values.some((code) => code !== train)) return;
  throw new CuelabError({
    kind: "usage",
    what: "there is nothing to measure on: all images are training images",
    where: name,
    expected: "images in val or test",
    todo: "give --split 0.8,0.1,0.1 (split in a sweep's data); --split 1 trains on all, and measures nothing",
  });
}

export function checkTrainingImages(dataset: Dataset, todo = "give some rows the split train"): void {
  if (dataset.splits.values.includes(dataset.splits.names.indexOf("train"))) return;
  throw unfit(dataset, "there are no training images", todo);
}

function unfit({ name }: Dataset, what: string, todo: string): CuelabError {
  return new CuelabError({ kind: "input", what, where: name, todo });
}
