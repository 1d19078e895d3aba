/**
 * The convolutional encoder of Locatello et al. 2019 (their published program: kernels of 4×4, 4×4, 2×2, 2×2) for 64 pixels, with
 * a stage more for 128 and one fewer for 32: so many that four to seven rows or columns are left.
 */

import { relu, reshape } from "../engine/expressions.ts";
import { halvedSides } from "./halvings.ts";
import { defineModel } from "./model.ts";

export const vaeEncoder = defineModel({
  name: "vae-encoder",
  description: "Strided convolutions until few places are left, then one dense layer; for autoencoders",
  paper: "Locatello et al. 2019",
  pixels: "unit",
  defaults: { width: 32, dense: 256 },
  head: "head",
  features(layers, images, { width, dense }) {
    const [batch, , height, columns] = images.shape as [number, number, number, number];
    let x = images;
    for (const [stage, filters] of encoderFilters(halvedSides(height, columns).length - 1, width).entries()) {
      const geometry = stage < 2 ? { kernel: 4, padding: 1 } : { kernel: 2, padding: 0 };
      const name = `conv${stage + 1}`;
      x = layers.expose(name, relu(layers.convolution(name, x, { filters, stride: 2, ...geometry })));
    }
    return relu(layers.linear("dense", reshape(x, [batch, -1]), dense));
  },
});

/** Of each halving: the first two as wide as asked for, all others twice that. */
export function encoderFilters(stages: number, width: number): number[] {
  return Array.from({ length: stages }, (_, stage) => (stage < 2 ? width : 2 * width));
}
