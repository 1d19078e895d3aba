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

/** 1 where all of it stays. More than that where a view enlarges the mark or the contrast. */
export async function survivingInk(dataset: Dataset, use: ViewUse, question: InkQuestion): Promise<number> {
  const { indices, draws, mean, seed, watermark } = question;
  const { shape, count } = dataset.images;
  const plan: BatchPlan = {
    batchSize: 2,
    views: { images: [use] },
    part: Uint32Array.from({ length: count }, (_, i) => i),
    scope: "",
    mean,
  };
  const bytes = shape!.height * shape!.width * shape!.channels;
  const viewed = async (images: ImageSet, index: number, step: number | undefined) => {
    const maker = new BatchMaker({ ...dataset, images }, { labels: dataset.labels, seed });
    maker.configure(plan);
    const batch = batchBuffers(new ArrayBuffer(2 * (16 + bytes)), plan);
    const other = dataset.labels.findIndex((label) => label !== dataset.labels[index]);
    await maker.fill({ indices: Uint32Array.of(index, other), ...(step !== undefined && { step }) }, batch);
    return batch.views.images;
  };
  let [left, all] = [0, 0];
  for (const index of indices) {
    const marked = markedAt(dataset.images, index, watermark);
    const inkAt = async (step: number | undefined) =>
      difference(await viewed(dataset.images, index, step), await viewed(marked, index, step), bytes);
    const own = await inkAt(undefined);
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
