/** The dataset of a run: made by name, or opened from disk, and fit to be trained on. */

import { createHash } from "node:crypto";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { datasets } from "../datasets/index.ts";
import type { HeldOut, HeldOutChoice } from "./held-out-data.ts";
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
export function makeTrainingData({ name, settings, places, seed }: RunSpec["data"]): Promise<Dataset> {
  return datasets.get(name ?? "").build({ ...settings, ...places }, seed);
}

export interface DataChoice {
  name?: string;
  path?: string;
  settings: object;
  seed: number;
}

/** What the data is, for the run's id: equal identities mean equal images, labels, splits and attributes. */
export async function describeTrainingData(data: DataChoice, signal?: AbortSignal): Promise<RunSpec["data"]> {
  const common = { settings: data.settings as Record<string, unknown>, seed: data.seed };
  if (data.path !== undefined) {
    const { openDataset } = await formats();
    const { dataset, manifest } = await openDataset(data.path);
    try {
      return {
        path: data.path,
        ...common,
        identity: manifest?.hash ?? (await foreignIdentity(dataset, signal)),
      };
    } finally {
      await dataset.images.close?.();
    }
  }
  const definition = datasets.get(data.name ?? "");
  const { provenance } = await definition.build(common.settings, data.seed);
  const { generator, sources } = provenance;
  const digests = sources.flatMap(({ sha256 }) => Object.values(sha256));
  const identity = `${generator.name}@${generator.version} ${createHash("sha256").update(digests.join()).digest("hex")}`;
  return {
    name: data.name!,
    ...common,
    ...placesApart(provenance.settings, definition.places ?? []),
    identity,
  };
}

/** Which environments of the data are trained on, by name; unknown names are refused. */
export async function describeHeldOut(data: RunSpec["data"], choice: HeldOutChoice): Promise<HeldOut> {
  const [dataset, { namedHeldOut }] = await Promise.all([openWholeData(data), import("./held-out-data.ts")]);
  try {
    return namedHeldOut(dataset, choice);
  } finally {
    await dataset.images.close?.();
  }
}

function placesApart(
  settings: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Pick<RunSpec["data"], "settings" | "places"> {
  const part = (isPlace: boolean) =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name) === isPlace));
  return { settings: part(false), ...(names.length > 0 && { places: part(true) }) };
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

/** For people's own data: the table with all its columns, and each image's bytes as they are stored. */
async function foreignIdentity(
  { images, classNames, labels, splits, attributes }: Dataset,
  signal: AbortSignal | undefined,
): Promise<string> {
  const columns = Object.entries(attributes).map(([name, { valueNames, values }]) => [
    name,
    valueNames,
    [...values],
  ]);
  const table = [classNames, [...labels], splits.names, [...splits.values], columns];
  const hash = createHash("sha256").update(JSON.stringify(table));
  for (let i = 0; i < images.count; i++) {
    signal?.throwIfAborted();
    const bytes = images.encoded ? (await images.encoded(i)).bytes : (await images.pixels(i)).data;
    // With its length, so that bytes cannot move from one image to the next unnoticed.
    hash.update(`${bytes.length} `).update(bytes);
  }
  return `own sha256:${hash.digest("hex")}`;
}
