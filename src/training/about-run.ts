/** What a run was trained on, opened by its spec: for its images, and for runs of earlier formats, whose tables do not tell. */

import { dirname, join } from "node:path";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import {
  aboutPredictions,
  type PredictionsAbout,
  type PredictionsOrigin,
} from "../core/predictions-about.ts";
import { readPlain } from "../disk/plain-file.ts";
import { readFeatures } from "../runs/feature-folder.ts";
import { runFiles } from "../runs/run-folder.ts";
import { DataBook } from "./data-book.ts";
import type { RunSpec } from "./run-spec.ts";
import { openTrainingData } from "./training-data.ts";

export async function aboutRun(origin: PredictionsOrigin): Promise<PredictionsAbout> {
  const dataset = await datasetOfRun(origin);
  try {
    return aboutPredictions(dataset, null);
  } finally {
    await dataset.images.close?.();
  }
}

/** A last layer was trained on a folder of features, which tells everything of the data but its images. */
async function datasetOfRun({ spec }: PredictionsOrigin): Promise<Dataset> {
  const data = spec.data as RunSpec["data"];
  return spec.kind === "last-layer" ? (await readFeatures(data.path ?? "")).dataset : openTrainingData(data);
}

/**
 * The images that a table of predictions is about, if they are still those; `table` is the table or the run's folder. Tables
 * do not tell where images of one's own lie: the run beside them does.
 */
export async function imagesOfTable({ run, spec }: PredictionsOrigin, table: string): Promise<Dataset> {
  if (spec.predictedOn !== undefined)
    throw new CuelabError({
      kind: "input",
      what: "they are others than the run was trained on, and the table does not tell where they lie",
    });
  const data = spec.data as RunSpec["data"];
  if (data.name !== undefined) return openTrainingData({ ...data, ...(await placesOf(run, table)) });
  const { path } = await placesOf(run, table);
  if (path === undefined)
    throw new CuelabError({
      kind: "input",
      what: "only the run's own folder tells where they lie",
      where: table,
    });
  const { environments, identity, settings: _, seed: __, ...words } = data;
  const found = await new DataBook().describe({ ...words, path });
  if (found.data.identity === identity)
    return openTrainingData({ ...found.data, ...(environments && { environments }) });
  throw new CuelabError({ kind: "input", what: "they are others than when the run was made", where: path });
}

/** Where things lie is told by the spec of the run, where the table lies in its folder. */
async function placesOf(run: string, table: string): Promise<Pick<RunSpec["data"], "path" | "places">> {
  for (const folder of [table, dirname(table)]) {
    const text = await readPlain(join(folder, runFiles.spec))
      .then(String)
      .catch(() => undefined);
    if (text === undefined) continue;
    const { id, data } = JSON.parse(text) as Pick<RunSpec, "data"> & { id: string };
    if (id !== run) continue;
    return { ...(data.path && { path: data.path }), ...(data.places && { places: data.places }) };
  }
  return {};
}
