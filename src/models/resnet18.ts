/** ResNet-18 (He et al. 2016), with torchvision's layout, names and initialisation. */

import { CuelabError } from "../core/errors.ts";
import { add, globalAveragePool, maxPool2d, relu, type Tensor } from "../engine/expressions.ts";
import { heNormal } from "../engine/training/initialisers.ts";
import type { Layers } from "./layers.ts";
import { defineModel } from "./model.ts";

export const resnet18 = defineModel({
  name: "resnet18",
  description: "ResNet-18; stem imagenet (7×7/2 and max-pool) or small (3×3, for images up to about 64²)",
  pixels: "standard",
  defaults: { stem: "imagenet" },
  head: "fc",
  features(layers, images, { stem }) {
    let x = stemOf(layers, images, stem);
    for (const [i, filters] of [64, 128, 256, 512].entries()) {
      x = basicBlock(layers, `layer${i + 1}.0`, x, filters, i === 0 ? 1 : 2);
      x = basicBlock(layers, `layer${i + 1}.1`, x, filters, 1);
    }
    return globalAveragePool(x);
  },
});

function stemOf(layers: Layers, images: Tensor, stem: string): Tensor {
  if (stem === "small") return relu(normalised(layers, "conv1", "bn1", images, 64, 3, 1));
  if (stem === "imagenet") {
    return relu(
      maxPool2d(normalised(layers, "conv1", "bn1", images, 64, 7, 2), { kernel: 3, stride: 2, padding: 1 }),
    );
  }
  throw new CuelabError({
    kind: "usage",
    what: `unknown stem "${stem}"`,
    expected: "one of: imagenet, small",
  });
}

function basicBlock(layers: Layers, name: string, x: Tensor, filters: number, stride: number): Tensor {
  const first = relu(normalised(layers, `${name}.conv1`, `${name}.bn1`, x, filters, 3, stride));
  const second = normalised(layers, `${name}.conv2`, `${name}.bn2`, first, filters, 3, 1);
  const shortcut =
    stride === 1
      ? x
      : normalised(layers, `${name}.downsample.0`, `${name}.downsample.1`, x, filters, 1, stride);
  return relu(add(second, shortcut));
}

/** A convolution without bias, and the batch normalisation that follows it. */
function normalised(
  layers: Layers,
  convolution: string,
  norm: string,
  x: Tensor,
  filters: number,
  kernel: number,
  stride: number,
): Tensor {
  const options = {
    filters,
    kernel,
    stride,
    padding: (kernel - 1) / 2,
    bias: false,
    initial: heNormal("fanOut"),
  };
  return layers.batchNorm(norm, layers.convolution(convolution, x, options));
}
