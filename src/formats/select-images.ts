/** A dataset after a look at each of its images: of known size, and without those that are broken. */

import type { Dataset, ImageShape, SkippedImage } from "../core/dataset.ts";
import { sizedImages, subset } from "../images/change-dataset.ts";
import { processImages, refuseBroken } from "./process-images.ts";

export interface SurveyOptions {
  workers: number;
  /**
   * Leave broken images out and list them in the provenance, instead of stopping at the first. Not given where people
   * cannot choose.
   */
  skipBroken?: boolean;
  /** Whether an image with a broken side image counts as broken. */
  sides?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number) => void) | undefined;
}

/** Decodes every image once: finds the size they share, if they do, and the ones that are broken. */
export async function surveyed(
  dataset: Dataset,
  { skipBroken, ...options }: SurveyOptions,
): Promise<Dataset> {
  const broken = new Map<number, SkippedImage>();
  const sizes = new Map<string, ImageShape>();
  for await (const chunk of processImages(dataset, { ...options, encoding: "none" })) {
    if (!skipBroken) refuseBroken(chunk, dataset.images, { canSkip: skipBroken !== undefined });
    for (const { index, reason } of chunk.broken)
      broken.set(index, { image: dataset.images.describe(index), reason });
    for (let i = 0; i < chunk.count; i++) {
      if (broken.has(chunk.start + i)) continue;
      const [height, width, channels] = chunk.shapes.subarray(3 * i, 3 * i + 3) as unknown as [
        number,
        number,
        number,
      ];
      sizes.set(`${height} ${width} ${channels}`, { height, width, channels });
    }
  }
  const shape = sizes.size === 1 ? [...sizes.values()][0]! : null;
  const kept = Uint32Array.from(dataset.labels, (_, i) => i).filter((i) => !broken.has(i));
  const { images, provenance, ...chosen } = broken.size === 0 ? dataset : subset(dataset, kept);
  const skipped = [...provenance.skipped, ...broken.values()];
  return { ...chosen, images: sizedImages(images, shape), provenance: { ...provenance, skipped } };
}
