/** A network to begin with: two convolutions, the second of which adds to what it is given. */

export const networkTemplate = (
  name: string,
): string => `/** ${name}: a small network with one residual block. */

import { add, globalAveragePool, maxPool2d, relu } from "cuelab/engine";
import { defineModel, definePlugin } from "cuelab/plugin";

const network = defineModel({
  name: "${name}",
  description: "a 3×3 convolution, one that adds to it, and the mean over all places",
  paper: "unpublished",
  // Bytes are divided by 255; "standard" subtracts the training images' mean and divides by their deviation.
  pixels: "unit",
  // Given with --model-set width=16.
  defaults: { width: 16 },
  // The linear layer after features(), by its parameters' name.
  head: "head",
  // [batch, channels, rows, columns] → [batch, features]
  features(layers, images, { width }) {
    const begun = relu(
      maxPool2d(layers.convolution("begin", images, { filters: width, kernel: 3, stride: 1, padding: 1 }), { kernel: 2 }),
    );
    const block = layers.convolution("block", begun, { filters: width, kernel: 3, stride: 1, padding: 1 });
    return globalAveragePool(relu(add(begun, block)));
  },
});

export default definePlugin({ models: [network] });
`;
