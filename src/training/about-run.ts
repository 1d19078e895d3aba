/** What a run was trained on, opened by its spec: for its images, and for runs of earlier formats, whose tables do not tell. */

import type { Dataset } from "../core/dataset.ts";
import {
  aboutPredictions,
  type PredictionsAbout,
  type PredictionsOrigin,
} from "../core/predictions-about.ts";
import { readFeatures } from "../runs/feature-folder.ts";
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
export async function datasetOfRun({ spec }: PredictionsOrigin): Promise<Dataset> {
  const data = spec.data as RunSpec["data"];
  return spec.kind === "last-layer" ? (await readFeatures(data.path ?? "")).dataset : openTrainingData(data);
}
