/**
 * Random erasing (Cutout in Li et al. 2023): a rectangle without content. Papers erase standardised pixels, where zero is
 * the mean of the training images and not black; so is the default here.
 */

import { z } from "zod";
import type { Pixels } from "../core/dataset.ts";
import type { Random } from "../core/random.ts";
import { between, betweenLogs, bounds } from "./bounds.ts";
import { probability } from "./probability.ts";
import { defineView } from "./view.ts";

export const erase = defineView({
  name: "erase",
  description: "a rectangle without content",
  version: 1,
  settings: z.object({
    probability: probability(0.1),
    fill: z
      .enum(["mean", "black"])
      .default("mean")
      .describe("what the rectangle holds: the mean of the training images, or black"),
    scale: bounds(z.number().gt(0).max(1), [0.02, 0.33]).describe("share of the area, from and to"),
    aspect: bounds(z.number().positive(), [0.3, 3.3]).describe("height over width, from and to"),
  }),
  examples: ["probability=0.5", "fill=black"],
  mean: ({ fill }) => fill === "mean",
  make(image, at) {
    const { settings, random } = at;
    if (!random.boolean(settings.probability)) return image;
    const filling = settings.fill === "mean" ? at.mean.map(Math.round) : Array(image.channels).fill(0);
    return eraseRectangle(image, random, settings, filling);
  },
});

function eraseRectangle(
  image: Pixels,
  random: Random,
  settings: { scale: readonly number[]; aspect: readonly number[] },
  filling: readonly number[],
): Pixels {
  const { data, height, width, channels } = image;
  const area = height * width * between(random, settings.scale);
  const aspect = betweenLogs(random, settings.aspect);
  const tall = Math.min(height, Math.max(1, Math.round(Math.sqrt(area * aspect))));
  const wide = Math.min(width, Math.max(1, Math.round(Math.sqrt(area / aspect))));
  const top = random.integer(height - tall + 1);
  const left = random.integer(width - wide + 1);
  for (let y = top; y < top + tall; y++) {
    const row = (y * width + left) * channels;
    for (let at = 0; at < wide * channels; at++) data[row + at] = filling[at % channels]!;
  }
  return image;
}
