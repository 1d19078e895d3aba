/** Last layers as a job: of networks that stay as they are, fitted anew by many methods over features that are extracted once. */

import type { ViewUse } from "../../views/view.ts";
import type { JobHead } from "./job.ts";

export interface LayersJob extends JobHead {
  kind: "layers";
  /**
   * Of every finished run of an earlier job, over the images that it was trained on; or of ONNX files of anybody's, over a dataset
   * with the splits train and val.
   */
  of: { job: string } | { models: readonly string[]; path: string };
  /** Chains of views to learn from, and how often each changes each training image. */
  views: readonly (readonly ViewUse[])[];
  copies: number;
  entries: readonly LayerEntry[];
  /** Of these the one that tells most validation images. */
  rates: readonly number[];
  epochs: number;
  batchSize: number;
  weightDecay: number;
}

export interface LayerEntry {
  label: string;
  method: string;
  settings?: Readonly<Record<string, unknown>>;
  /** Views of which every training image is one, drawn anew at each step. */
  augment?: readonly ViewUse[];
}

export interface MeasuredLayers {
  kind: "layers";
  job: LayersJob;
  layers: readonly FittedLayer[];
}

/** One method's layer over one network's features, with the rate that was chosen. */
export interface FittedLayer {
  id: string;
  label: string;
  /** Of the run; of networks that are brought each counts as one, by its place among them. */
  seed: number;
  rate: number;
  /** By epoch, the accuracy on validation images. */
  validation: readonly number[];
  /** Of all rates, in their order; null where it ended in numbers that are none. */
  tried: readonly (number | null)[];
}
