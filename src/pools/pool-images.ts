/** The images of a pool in memory: those of all parts, and an augmented copy of each that may be trained on. */

import type { Dataset } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import type { Environment, Fold } from "../training/environments.ts";
import type { ImageBytes } from "../training/features/kept-features.ts";
import { alone, Chain } from "../views/chain.ts";

interface PoolPart {
  environment: number;
  part: "in" | "out";
  /** Position of the first of its images. */
  start: number;
  count: number;
}

export interface PoolImages extends ImageBytes {
  /** In parts first, then out parts, then the copy of each image of the in parts, in the same order. */
  labels: Int32Array;
  parts: PoolPart[];
  /** Which image of the dataset each is, copies left out. */
  indices: Uint32Array;
  /** How far after an image of an in part its copy comes. */
  copiesFrom: number;
}

/** What Salaudeen et al. do to images, Appendix C.1; drawn once for each image. */
const augmentations = ["crop", "flip", "jitter", "grey"].map((view) => ({ view }));

export async function loadPoolImages(
  dataset: Dataset,
  environments: readonly Environment[],
  seed: number,
  { signal, onProgress }: { signal?: AbortSignal | undefined; onProgress?: (done: number) => void } = {},
): Promise<PoolImages> {
  const shape = dataset.images.shape!;
  const bytes = shape.height * shape.width * shape.channels;
  const { parts, indices } = partsOf(environments);
  const copies = parts.reduce((sum, { part, count }) => sum + (part === "in" ? count : 0), 0);
  const count = indices.length + copies;
  const data = new Uint8Array(count * bytes);
  const stream = randomStream(seed, "pool/augmentation");
  const changes = new Chain(augmentations);
  for (const [position, index] of indices.entries()) {
    signal?.throwIfAborted();
    data.set((await dataset.images.pixels(index)).data, position * bytes);
    if (position < copies) {
      const copy = data.subarray(
        (indices.length + position) * bytes,
        (indices.length + position + 1) * bytes,
      );
      copy.set(data.subarray(position * bytes, (position + 1) * bytes));
      await changes.make({ data: copy, ...shape }, alone(stream.at(index)));
    }
    onProgress?.(position + 1);
  }
  const labels = Int32Array.from({ length: count }, (_, i) =>
    i < indices.length ? dataset.labels[indices[i]!]! : dataset.labels[indices[i - indices.length]!]!,
  );
  return { shape, count, data, labels, parts, indices, copiesFrom: indices.length };
}

function partsOf(environments: readonly Environment[]): { parts: PoolPart[]; indices: Uint32Array } {
  const indices: number[] = [];
  const parts = (["in", "out"] as const).flatMap((part) =>
    environments.flatMap(({ inPart, outPart }, environment): PoolPart[] => {
      const members = part === "in" ? inPart : outPart;
      if (members.length === 0) return [];
      const start = indices.length;
      for (const index of members) indices.push(index);
      return [{ environment, part, start, count: members.length }];
    }),
  );
  return { parts, indices: Uint32Array.from(indices) };
}

/** Where a fold's training images are, and which training environment each belongs to, as a position in the fold. */
export interface TrainingRows {
  positions: Uint32Array;
  environment: Uint8Array;
}

export function trainingRows({ parts }: PoolImages, { training }: Fold): TrainingRows {
  const used = training.map(
    (environment) => parts.find((part) => part.part === "in" && part.environment === environment)!,
  );
  return {
    positions: Uint32Array.from(
      used.flatMap(({ start, count }) => Array.from({ length: count }, (_, i) => start + i)),
    ),
    environment: Uint8Array.from(used.flatMap(({ count }, i) => Array<number>(count).fill(i))),
  };
}
