/** What a run of an earlier format was trained on: its table does not tell, so the data is opened by its spec. */

import {
  aboutPredictions,
  type PredictionsAbout,
  type PredictionsOrigin,
} from "../core/predictions-about.ts";
import { readFeatures } from "../runs/feature-folder.ts";
import type { RunSpec } from "./run-spec.ts";
import { openTrainingData } from "./training-data.ts";

export async function aboutRun({ spec }: PredictionsOrigin): Promise<PredictionsAbout> {
  const data = spec.data as RunSpec["data"];
  // A last layer was trained on a folder of features, which tells everything of the data but its images.
  const dataset =
    spec.kind === "last-layer" ? (await readFeatures(data.path ?? "")).dataset : await openTrainingData(data);
  try {
    return aboutPredictions(dataset, null);
  } finally {
    await dataset.images.close?.();
  }
}
