/**
 * The network of Biased MNIST (Shrestha et al. 2022): batch normalisation on raw pixels, four convolutions, global
 * average. Paddings are not published; "same" paddings are used, so that 96² pixels end as 12². `width` scales all layers,
 * for small machines; the paper's is 32.
 */

import { globalAveragePool, maxPool2d, relu } from "../engine/expressions.ts";
import { defineModel } from "./model.ts";

export const biasedMnistCnn = defineModel({
  name: "biased-mnist-cnn",
  description: "BatchNorm on raw pixels, 5×5×32, max-pool 3/2, 3×3×32, 3×3×64/2, 3×3×64/2, global average",
  paper: "Shrestha et al. 2022",
  pixels: "raw",
  defaults: { width: 32 },
  head: "head",
  features(layers, images, { width }) {
    let x = layers.batchNorm("norm", images);
    x = layers.convolution("conv1", x, { filters: width, kernel: 5, padding: 2 });
    // ReLU commutes with the maximum; after pooling it has a quarter of the elements to visit.
    x = relu(maxPool2d(x, { kernel: 3, stride: 2, padding: 1 }));
    x = relu(layers.convolution("conv2", x, { filters: width, kernel: 3, padding: 1 }));
    x = relu(layers.convolution("conv3", x, { filters: 2 * width, kernel: 3, stride: 2, padding: 1 }));
    x = relu(layers.convolution("conv4", x, { filters: 2 * width, kernel: 3, stride: 2, padding: 1 }));
    return globalAveragePool(x);
  },
});
