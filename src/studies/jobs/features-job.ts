/** Features as a job: what the last layer of finished runs, or of a network by name, sees of every image. */

import type { JobHead } from "./job.ts";

export interface FeaturesJob extends JobHead {
  kind: "features";
  /** Of every finished run of a job of runs, over the images that it was trained on; or of a network over a dataset. */
  of: { job: string } | { network: NetworkFeatures };
}

/** In the words of `cuelab features extract`. */
export interface NetworkFeatures {
  model: string;
  /** `key=value` of the network, and of the dataset. */
  modelSet?: readonly string[];
  data: string;
  set?: readonly string[];
  dataSeed?: number;
  /** A file of weights; without one they are random, by this seed. */
  weights?: string;
  seed?: number;
}

export interface MeasuredFeatures {
  kind: "features";
  job: FeaturesJob;
  features: readonly FoundFeatures[];
}

export interface FoundFeatures {
  id: string;
  /** Whose they are. */
  label: string;
  /** The run's id, where they are of a run. */
  run?: string;
  images: number;
  width: number;
}
