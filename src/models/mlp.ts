/** A multilayer perceptron with ReLU and optional dropout. */

import { relu, reshape } from "../engine/expressions.ts";
import { defineModel, rateRule } from "./model.ts";

export const mlp = defineModel({
  name: "mlp",
  description: "Fully connected hidden layers with ReLU",
  paper: "Rumelhart et al. 1986",
  pixels: "unit",
  defaults: { width: 256, depth: 2, dropout: 0 },
  rules: { dropout: rateRule },
  head: "head",
  features(layers, images, { width, depth, dropout }) {
    let x = reshape(images, [images.shape[0]!, -1]);
    for (let layer = 0; layer < depth; layer++) {
      const name = `hidden.${layer}`;
      x = layers.dropout(name, relu(layers.linear(name, x, width)), dropout);
    }
    return x;
  },
});
