/** A multilayer perceptron with ReLU and optional dropout. */

import { relu, reshape } from "../engine/expressions.ts";
import { defineModel } from "./model.ts";

export const mlp = defineModel({
  name: "mlp",
  description: "Fully connected hidden layers with ReLU",
  pixels: "unit",
  defaults: { width: 256, depth: 2, dropout: 0 },
  numbers: { dropout: { expected: "a number from 0 to below 1", fits: (rate) => rate >= 0 && rate < 1 } },
  head: "head",
  features(layers, images, { width, depth, dropout }) {
    let x = reshape(images, [images.shape[0]!, -1]);
    for (let layer = 0; layer < depth; layer++) {
      x = layers.dropout(relu(layers.linear(`hidden.${layer}`, x, width)), dropout);
    }
    return x;
  },
});
