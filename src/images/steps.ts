/** Changes of whole images on their way from one dataset to another, said as plain data so that workers can make them. */

import type { ImageShape, Pixels } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { randomStream } from "../core/random.ts";
import { type Fit, fitted, fittedShape, inColour } from "./fit.ts";
import { type PictureSteps, picturePrepared, preparedShape } from "./model-picture.ts";
import { centreCrop, resizeShorter, shorterResized } from "./resize.ts";
import { addRandomWatermark } from "./watermark/random-watermark.ts";
import { addWatermark, type Watermark } from "./watermark/watermark.ts";

export type ImageStep =
  /** What networks for ImageNet are evaluated on: RGB, the shorter side resized, the middle cut out. */
  | { kind: "preprocess"; resize?: number | undefined; crop?: number | undefined }
  /** Every image a square of so many pixels, in colour. */
  | { kind: "fit"; size: number; fit: Fit }
  /** What somebody's network is shown, in the way that it was trained for. */
  | { kind: "model-picture"; how: PictureSteps }
  /** `on` says for each image whether it gets one; shared memory, so that workers need no copies. */
  | { kind: "watermark"; watermark: Watermark; on: Uint8Array }
  | { kind: "random-watermark"; alpha: number; seed: number; on: Uint8Array };

/** The image at `index` of its dataset after all steps; the one that is given stays as it is. */
export function applySteps(image: Pixels, steps: readonly ImageStep[], index: number): Pixels {
  return steps.reduce((changed, step) => applyStep(changed, step, index), image);
}

function applyStep(image: Pixels, step: ImageStep, index: number): Pixels {
  switch (step.kind) {
    case "preprocess":
      return preprocess(image, step);
    case "fit":
      return fitted(image, step.size, step.fit);
    case "model-picture":
      return picturePrepared(image, step.how);
    case "watermark":
      return step.on[index] === 0 ? image : addWatermark(image, step.watermark);
    case "random-watermark": {
      if (step.on[index] === 0) return image;
      const changed = { ...image, data: Uint8Array.from(image.data) };
      addRandomWatermark(
        changed.data,
        image,
        randomStream(step.seed, "watermark/random").at(index),
        step.alpha,
      );
      return changed;
    }
    default:
      return step satisfies never;
  }
}

/** Whether pixels move: masks, backgrounds and boxes then belong to another image. */
const moving: Record<ImageStep["kind"], boolean> = {
  preprocess: true,
  fit: true,
  "model-picture": true,
  watermark: false,
  "random-watermark": false,
};

export function movesPixels({ kind }: ImageStep): boolean {
  return moving[kind];
}

/** The shape that all images have afterwards, as far as the steps decide it. */
export function shapeAfter(shape: ImageShape | null, steps: readonly ImageStep[]): ImageShape | null {
  return steps.reduce((before, step) => {
    switch (step.kind) {
      case "preprocess":
        if (step.crop !== undefined) return { height: step.crop, width: step.crop, channels: 3 };
        // Resizing alone keeps the sides' proportion, which only images of one size share.
        return before === null ? null : { ...shorterResized(before, step.resize!), channels: 3 };
      case "fit":
        return fittedShape(step.size, before);
      case "model-picture":
        return preparedShape(step.how, before);
      case "watermark":
      case "random-watermark":
        return before;
      default:
        return step satisfies never;
    }
  }, shape);
}

function preprocess(image: Pixels, { resize, crop }: Extract<ImageStep, { kind: "preprocess" }>): Pixels {
  const colour = inColour(image);
  const resized = resize === undefined ? colour : resizeShorter(colour, resize);
  if (crop === undefined) return resized;
  if (Math.min(resized.height, resized.width) < crop) {
    throw new CuelabError({
      kind: "input",
      what: "an image is smaller than what is to be cut out of it",
      expected: `at least ${crop} × ${crop} pixels`,
      got: `${resized.width} × ${resized.height}`,
      todo: "pass --resize with the length of the shorter side",
    });
  }
  return centreCrop(resized, crop, crop);
}
