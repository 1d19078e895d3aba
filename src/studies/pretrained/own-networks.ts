/** Networks of ours that stand in where nobody has brought any: trained on drawn photographs, in which nothing is made hard. */

import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";

export interface TrainedNetwork {
  label: string;
  /** Filters of the first layer; twice as many after each halving. */
  width: number;
  /** Beside what all are trained with. */
  augment?: readonly unknown[];
}

export interface OwnTraining {
  /** Settings of the drawn photographs. */
  data: Readonly<Record<string, unknown>>;
  /** What all networks are trained with. */
  augment: readonly unknown[];
  steps: number;
  batchSize: number;
  seeds: readonly number[];
}

/** The part in which they are trained. */
export const ownNetworks = "networks";

export function ownNetworksJob(networks: readonly TrainedNetwork[], training: OwnTraining): RunsJob {
  return {
    kind: "runs",
    name: ownNetworks,
    title: "networks of ours, trained on drawn photographs",
    entries: networks.map((network) => entryOf(network, training)),
    seeds: training.seeds,
    cues: [],
  };
}

function entryOf(
  { label, width, augment = [] }: TrainedNetwork,
  { data, augment: always, steps, batchSize }: OwnTraining,
): StudyEntry {
  return {
    case: { method: label, explicit: [], groupings: [[]] },
    run: {
      data: { name: "hard-spurious", settings: { ...data, content: "photographs" }, seed: "each" },
      model: { name: "resnet18", options: { stem: "imagenet", width, blocks: "1,1,1,1" } },
      method: { name: "erm" },
      optimiser: { name: "adam", rate: 1e-3 },
      schedule: { name: "cosine" },
      batchSize,
      steps,
      augment: [...always, ...augment],
    },
  };
}
