/** A small strided CNN for quick studies on two cores; `width` scales all layers. */

import { globalAveragePool, maxPool2d, relu } from "../engine/expressions.ts";
import { defineModel } from "./model.ts";

export const smallCnn = defineModel({
  name: "small-cnn",
  description: "3×3 convolutions of width, 2·width/2, 4·width/2 and 4·width, global average",
  paper: "Cuelab",
  pixels: "unit",
  defaults: { width: 32 },
  head: "head",
  features(layers, images, { width }) {
    const block = (name: string, x: typeof images, filters: number, stride: number) =>
      layers.convolution(name, x, { filters, kernel: 3, stride, padding: 1 });
    let x = layers.expose("conv1", relu(maxPool2d(block("conv1", images, width, 1), { kernel: 2 })));
    x = layers.expose("conv2", relu(block("conv2", x, 2 * width, 2)));
    x = layers.expose("conv3", relu(block("conv3", x, 4 * width, 2)));
    x = layers.expose("conv4", relu(block("conv4", x, 4 * width, 1)));
    return globalAveragePool(x);
  },
});
