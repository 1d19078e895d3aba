/** What all stages of a run share: its data, network, evaluation, and where it reports to. */

import type { Dataset } from "../../core/dataset.ts";
import type { Weights } from "../../methods/method.ts";
import type { PixelStatistics } from "../../models/pixels.ts";
import type { RunFolder } from "../../runs/run-folder.ts";
import type { ImageBatches } from "../batch-feed.ts";
import type { Evaluator } from "../evaluator.ts";
import type { RunResources, RunSpec } from "../run-spec.ts";
import type { TrainingHooks } from "../train.ts";
import type { FeatureSource } from "./feature-source.ts";
import type { MethodData } from "./method-data.ts";
import type { RunNetwork } from "./run-network.ts";

export interface RunParts {
  spec: RunSpec;
  resources: RunResources;
  folder: RunFolder;
  hooks: TrainingHooks;
  dataset: Dataset;
  data: MethodData;
  network: RunNetwork;
  pixels: PixelStatistics | undefined;
  /** Values that the network begins with, where they are not random. */
  first: Weights | undefined;
  /** Whether the run's augmentations mix images with partners. */
  mixes: boolean;
  /** Undefined for a run on features. */
  feed: ImageBatches | undefined;
  /** Logits of the run's model. */
  evaluator: Evaluator;
  /** What the network's last layer sees. */
  features: FeatureSource;
  /** What rounding depends on: the device and its kernels. */
  kernels: string;
}
