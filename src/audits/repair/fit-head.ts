/** Fits one candidate on the features that are kept, in this process, and says how it does on the parts that it was not fitted to. */

import { join } from "node:path";
import { mean } from "../../core/statistics/index.ts";
import type { FoundHead } from "../../models/onnx/head.ts";
import { type Predictions, predictedClasses, readPredictions } from "../../runs/predictions.ts";
import { RunFolder, runFiles } from "../../runs/run-folder.ts";
import { lastLayerSpec } from "../../training/last-layer-words.ts";
import { train } from "../../training/train.ts";
import type { HeadCandidate } from "./candidates.ts";
import { headOfRun, type NewHead } from "./new-head.ts";

export interface HeadFitOptions {
  /** Of features. */
  features: string;
  /** For runs of candidates. */
  work: string;
  /** What the network's last layer is called there, and its size. */
  layer: { name: string; shape: Pick<FoundHead, "classes" | "inputs"> };
  explicit: readonly string[];
  takesGroups: boolean;
  seed: number;
  threads: number;
  signal?: AbortSignal | undefined;
  onNote: (text: string) => void;
}

export interface FittedHead {
  head: NewHead;
  /** Of images that it was not fitted to. */
  said: Predictions;
  /** By image. */
  predicted: ReadonlyMap<number, number>;
  /** What the method told people. */
  notes: readonly string[];
}

export async function fitHead(
  { method, settings, layer: choice, augment }: HeadCandidate,
  number: number,
  { features, work, layer, explicit, takesGroups, seed, threads, signal, onNote }: HeadFitOptions,
): Promise<FittedHead> {
  const spec = await lastLayerSpec(
    features,
    choice,
    {
      method: { name: method, settings: { ...settings }, ...(takesGroups && { explicit: [...explicit] }) },
      seed,
      threads,
      ...(augment && { augment }),
    },
    signal,
  );
  const out = join(work, `candidate-${number}`);
  const folder = await RunFolder.open(out, spec, { force: false });
  const notes: string[] = [];
  try {
    await train(spec, { checkpointSeconds: 1e6 }, folder, {
      onProgress: () => {},
      onEvaluation: () => {},
      onEpoch: () => {},
      onPhase: (phase) => {
        notes.push(phase);
        onNote(phase);
      },
      shouldStop: () => signal?.aborted ?? false,
    });
  } finally {
    folder.close();
  }
  signal?.throwIfAborted();
  const said = await readPredictions(join(out, runFiles.predictions), layer.shape.classes, () => true);
  const classes = predictedClasses(said);
  return {
    head: await headOfRun(out, layer),
    said,
    predicted: new Map(Array.from(said.indices, (image, row) => [image, classes[row]!])),
    notes,
  };
}

export interface PartScore {
  /** Lowest accuracy of a group that has images. */
  worst: number;
  /** Which. */
  group: number;
  /** Mean over groups. */
  mean: number;
}

/** On one part: `groups` numbers the group of each image. */
export function scoreOn(
  images: readonly number[],
  groups: ArrayLike<number>,
  labels: ArrayLike<number>,
  predicted: (image: number) => number,
): PartScore {
  const counts = new Map<number, { images: number; right: number }>();
  for (const image of images) {
    const own = counts.get(groups[image]!) ?? { images: 0, right: 0 };
    own.images++;
    own.right += Number(predicted(image) === labels[image]);
    counts.set(groups[image]!, own);
  }
  const shares = [...counts].map(([group, { images: n, right }]) => ({ group, share: right / n }));
  const lowest = shares.toSorted((a, b) => a.share - b.share || a.group - b.group)[0]!;
  return { worst: lowest.share, group: lowest.group, mean: mean(shares.map(({ share }) => share)) };
}

/** Worst group first, then the mean over groups. */
export function isBetter(one: PartScore, other: PartScore): boolean {
  return one.worst > other.worst || (one.worst === other.worst && one.mean > other.mean);
}
