/**
 * How much of a watermark a view leaves: what the mark changes in the viewed image, over what it changes in the image
 * itself (Li et al. 2023, Figs. 1b and 9 to 11 show it by pictures).
 */

import type { Dataset, ImageSet } from "../core/dataset.ts";
import { addWatermark, type Watermark } from "../images/watermark/watermark.ts";
import type { ViewUse } from "../views/view.ts";
import { batchBuffers } from "./batch-feed.ts";
import { BatchMaker, type BatchPlan } from "./make-batch.ts";

export interface InkQuestion {
  watermark: Watermark;
  /** Images that are marked, one at a time; what a view takes from others is without a mark. */
  indices: readonly number[];
  /** How often chance is asked for each of them. */
  draws: number;
  /** Bytes of each channel that erased places are filled with. */
  mean: readonly number[];
  seed: number;
}

/** Beside the marked image, so that what mixes a batch mostly takes another one. */
const batchSize = 8;

/** 1 where all of it stays. More than that where a view enlarges the mark or the contrast. */
export async function survivingInk(dataset: Dataset, use: ViewUse, question: InkQuestion): Promise<number> {
  const { indices, draws, mean, seed, watermark } = question;
  const { shape, count } = dataset.images;
  const plan: BatchPlan = {
    batchSize,
    views: { images: [use] },
    part: Uint32Array.from({ length: count }, (_, i) => i),
    scope: "",
    mean,
  };
  const bytes = shape!.height * shape!.width * shape!.channels;
  const viewing = (images: ImageSet, index: number) => {
    const maker = new BatchMaker({ ...dataset, images }, { labels: dataset.labels, seed });
    maker.configure(plan);
    const batch = batchBuffers(new ArrayBuffer(batchSize * (16 + bytes)), plan);
    const own = Uint32Array.from({ length: batchSize }, (_, i) => (index + i) % count);
    return async (step?: number) => {
      await maker.fill({ indices: own, ...(step !== undefined && { step }) }, batch);
      return batch.views.images;
    };
  };
  let [left, all] = [0, 0];
  for (const index of indices) {
    const plain = viewing(dataset.images, index);
    const marked = viewing(markedAt(dataset.images, index, watermark), index);
    const inkAt = async (step?: number) => difference(await plain(step), await marked(step), bytes);
    const own = await inkAt();
    for (let draw = 0; draw < draws; draw++) {
      left += await inkAt(draw);
      all += own;
    }
  }
  return left / all;
}

function markedAt(images: ImageSet, marked: number, watermark: Watermark): ImageSet {
  return {
    ...images,
    pixels: async (index) => {
      const image = await images.pixels(index);
      return index === marked ? addWatermark(image, watermark) : image;
    },
  };
}

/** Of the first image. */
function difference(a: Uint8Array, b: Uint8Array, bytes: number): number {
  let sum = 0;
  for (let at = 0; at < bytes; at++) sum += Math.abs(a[at]! - b[at]!);
  return sum;
}
