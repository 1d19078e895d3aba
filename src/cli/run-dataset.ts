/** What finished runs were trained on, found by what their specs say, and whether they are seeds of one model. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { openDataset } from "../formats/open-dataset.ts";
import { withHeldOut } from "../protocol/held-out-data.ts";
import type { RunSpec } from "../protocol/run-spec.ts";
import { makeTrainingData } from "../protocol/training-data.ts";
import { readFeatures } from "../store/feature-folder.ts";
import { runFiles } from "../store/run-folder.ts";

type RunData = RunSpec["data"];

/** Undefined where a path is no run, where the runs differ in data, or where the data is gone. */
export async function datasetOfRuns(
  paths: readonly string[],
): Promise<{ dataset: Dataset | undefined; remarks: string[] }> {
  const specs = await Promise.all(paths.map(specOf));
  const found = specs.map((spec) => spec?.data);
  const [first] = found;
  if (first === undefined || found.includes(undefined)) return { dataset: undefined, remarks: [] };
  const without = (why: string) => ({
    dataset: undefined,
    remarks: [`${why}: give --data or --train-counts for what needs training counts`],
  });
  if (found.some((data) => sameness(data!) !== sameness(first))) {
    return without("the runs were trained on different data");
  }
  try {
    const dataset = await opened(first, specs[0]!.kind === "last-layer");
    return { dataset, remarks: [] };
  } catch (cause) {
    if (!(cause instanceof CuelabError)) throw cause;
    return without(`the run's data cannot be opened (${cause.parts.what}, ${first.path ?? first.name})`);
  }
}

/** A last layer was trained on a folder of features, which tells everything of the data but its images. */
async function opened(data: RunData, onFeatures: boolean): Promise<Dataset> {
  if (onFeatures) return (await readFeatures(data.path ?? "")).dataset;
  const dataset =
    data.path === undefined ? await makeTrainingData(data) : (await openDataset(data.path)).dataset;
  return data.environments === undefined ? dataset : withHeldOut(dataset, data.environments);
}

/** Runs that differ in more than seeds are averaged as asked, but it is told. */
export async function differenceRemarks(paths: readonly string[]): Promise<string[]> {
  const specs = (await Promise.all(paths.map(specOf))).filter((spec) => spec !== undefined);
  const parts = new Set(specs.flatMap((spec) => Object.keys(spec)));
  const differing = [...parts].filter((part) => new Set(specs.map((spec) => told(spec, part))).size > 1);
  if (differing.length === 0) return [];
  return [
    `the runs differ in more than the seed (${differing.join(", ")}): means and standard errors are over different models`,
  ];
}

/** A part of a spec as text; what follows from the seed, or tells only where things lie, is the same for all. */
function told(spec: StoredSpec, part: string): string | undefined {
  if (part === "id" || part === "seed") return undefined;
  if (part === "data") return sameness({ ...spec.data, seed: 0 });
  const value = spec[part];
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return JSON.stringify(isObject ? { ...value, path: undefined } : value);
}

type StoredSpec = { data: RunData } & Readonly<Record<string, unknown>>;

async function specOf(path: string): Promise<StoredSpec | undefined> {
  try {
    return JSON.parse(await readFile(join(path, runFiles.spec), "utf8")) as StoredSpec;
  } catch {
    // A table is no folder; whatever else is wrong with it is told when it is read.
    return undefined;
  }
}

function sameness({ identity, settings, seed, environments }: RunData): string {
  return JSON.stringify([identity, settings, seed, environments]);
}
