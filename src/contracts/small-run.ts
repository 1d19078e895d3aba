/** Whole runs of a method on a few images, in this process and without a thread: stages, stores, checkpoints, files. */

import { join } from "node:path";
import type { Dataset } from "../core/dataset.ts";
import { copyFolder } from "../disk/copy-folder.ts";
import type { Method } from "../methods/index.ts";
import { RunFolder, stagesFolder } from "../runs/run-folder.ts";
import { batchBuffers, type ImageBatches } from "../training/batch-feed.ts";
import { BatchMaker, type BatchPlan, type BatchRequest, ownChain } from "../training/make-batch.ts";
import type { RunResults } from "../training/results.ts";
import { type RunSpecInput, resolveSpec } from "../training/run-spec.ts";
import { type TrainingHooks, trainOnImages } from "../training/train.ts";

export interface SmallRunOptions {
  out: string;
  dataset: Dataset;
  /** In no registry, where it is none of ours. */
  method?: Method;
  hooks?: Partial<TrainingHooks>;
  /** Shared by several runs. */
  stages?: string;
  /** 0 saves every step. */
  checkpointSeconds?: number;
  /** Features above it are not kept in memory. */
  featureBytes?: number;
}

const silent: TrainingHooks = {
  onProgress: () => {},
  onEvaluation: () => {},
  onEpoch: () => {},
  onPhase: () => {},
  shouldStop: () => false,
};

/** Undefined where it was asked to stop. */
export async function smallRun(
  given: RunSpecInput,
  { out, dataset, method, hooks = {}, stages, checkpointSeconds = 60, featureBytes }: SmallRunOptions,
): Promise<RunResults | undefined> {
  const spec = resolveSpec(given);
  const folder = await RunFolder.open(out, spec, { force: false });
  const resources = { checkpointSeconds, ...(stages !== undefined && { stages }), featureBytes };
  try {
    return await trainOnImages({
      spec,
      resources,
      folder,
      hooks: { ...silent, ...hooks },
      dataset,
      feed: feedOf(dataset, spec),
      ...(method && { method }),
    });
  } finally {
    folder.close();
  }
}

function feedOf(dataset: Dataset, { seed }: ReturnType<typeof resolveSpec>): ImageBatches {
  const maker = new BatchMaker(dataset, { labels: dataset.labels, seed });
  const { height, width, channels } = dataset.images.shape!;
  let plan: BatchPlan | undefined;
  return {
    configure(given) {
      plan = given;
      maker.configure(given);
    },
    async *batches(requests: Iterable<BatchRequest>) {
      for (const request of requests) {
        // Images as they are need no plan, and may be of any number.
        const plain = { batchSize: request.indices.length, views: { [ownChain]: [] } };
        const layout = request.step === undefined ? plain : plan!;
        const views = Object.keys(layout.views).length;
        const bytes = layout.batchSize * (8 + views * (8 + height * width * channels));
        const batch = batchBuffers(new ArrayBuffer(bytes), layout);
        await maker.fill(request, batch);
        yield batch;
      }
    },
  };
}

/** What a kill at this moment would leave of a run. */
export function leftBy(out: string, copy: string): void {
  copyFolder(out, copy);
}

export const stagesOf = (out: string) => join(out, stagesFolder);
