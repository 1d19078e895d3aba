/** AlexNet in its one-tower form (Krizhevsky 2014), with torchvision's layout and names. */

import { maxPool2d, relu, reshape, type Tensor } from "../engine/expressions.ts";
import { adaptiveAveragePool } from "./adaptive-average-pool.ts";
import { defineModel, rateRule, sameName, stemRule } from "./model.ts";

export const alexnet = defineModel({
  name: "alexnet",
  description:
    "Five convolutions and two hidden layers with dropout; width is the filters of the first; stem imagenet (11×11/4) or small (3×3, halved by its first pooling)",
  paper: "Krizhevsky 2014",
  pixels: "standard",
  defaults: { stem: "imagenet", width: 64, dropout: 0.5 },
  rules: { stem: stemRule, dropout: rateRule },
  small: { stem: "small", width: 8 },
  leastSide: ({ stem }) => (stem === "small" ? 15 : 63),
  head: "classifier.6",
  aliases: { torchvision: sameName },
  features(layers, images, { stem, width, dropout }) {
    const convolution = (place: number, x: Tensor, factor: number, kernel: number) =>
      layers.convolution(`features.${place}`, x, {
        filters: factor * width,
        kernel,
        padding: (kernel - 1) / 2,
      });
    // ReLU commutes with the maximum; after pooling it has a quarter of the elements to visit.
    const pooled = (x: Tensor) => relu(maxPool2d(x, { kernel: 3, stride: 2 }));
    const first =
      stem === "small"
        ? convolution(0, images, 1, 3)
        : layers.convolution("features.0", images, { filters: width, kernel: 11, stride: 4, padding: 2 });
    let x = pooled(first);
    x = pooled(convolution(3, x, 3, 5));
    x = relu(convolution(6, x, 6, 3));
    x = relu(convolution(8, x, 4, 3));
    x = pooled(convolution(10, x, 4, 3));
    x = reshape(adaptiveAveragePool(x, 6), [x.shape[0]!, -1]);
    for (const place of [1, 4]) {
      const name = `classifier.${place}`;
      x = relu(layers.linear(name, layers.dropout(name, x, dropout), 64 * width));
    }
    return x;
  },
});
