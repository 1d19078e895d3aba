/**
 * The ConvNet of Table 4 in Salaudeen et al. 2025, as DomainBed has it: padding 1 everywhere. `width` scales all layers,
 * for small machines; the paper's is 64. Dropout, of what the head sees, is in its Table 2.
 */

import { globalAveragePool, relu } from "../engine/expressions.ts";
import { defineModel, rateRule } from "./model.ts";

const normalised = 8;

/** In units of the width. */
const blocks = [
  { filters: 1, stride: 1 },
  { filters: 2, stride: 2 },
  { filters: 2, stride: 1 },
  { filters: 2, stride: 1 },
];

export const mnistConvnet = defineModel({
  name: "mnist-convnet",
  description: "Four 3×3 convolutions, each with ReLU and GroupNorm(8), global average",
  paper: "Salaudeen et al. 2025",
  pixels: "unit",
  defaults: { width: 64, dropout: 0 },
  rules: {
    width: {
      expected: "a multiple of 8",
      fits: (width) => Number(width) > 0 && Number(width) % normalised === 0,
    },
    dropout: rateRule,
  },
  head: "head",
  features(layers, images, { width, dropout }) {
    let x = images;
    for (const [i, { filters, stride }] of blocks.entries()) {
      x = relu(
        layers.convolution(`conv${i}`, x, { filters: filters * width, kernel: 3, stride, padding: 1 }),
      );
      x = layers.groupNorm(`norm${i}`, x, normalised);
    }
    return layers.dropout("head", globalAveragePool(x), dropout);
  },
});
