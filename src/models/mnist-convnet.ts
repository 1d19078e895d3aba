/** The ConvNet of Table 4 in Salaudeen et al. 2025, as DomainBed has it: padding 1 everywhere. */

import { globalAveragePool, relu } from "../engine/expressions.ts";
import { defineModel } from "./model.ts";

const blocks = [
  { filters: 64, stride: 1 },
  { filters: 128, stride: 2 },
  { filters: 128, stride: 1 },
  { filters: 128, stride: 1 },
];

export const mnistConvnet = defineModel({
  name: "mnist-convnet",
  description: "Four 3×3 convolutions, each with ReLU and GroupNorm(8), global average",
  paper: "Salaudeen et al. 2025",
  pixels: "unit",
  defaults: {},
  head: "head",
  features(layers, images) {
    let x = images;
    for (const [i, { filters, stride }] of blocks.entries()) {
      x = relu(layers.convolution(`conv${i}`, x, { filters, kernel: 3, stride, padding: 1 }));
      x = layers.groupNorm(`norm${i}`, x, 8);
    }
    return globalAveragePool(x);
  },
});
