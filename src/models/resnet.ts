/** ResNet-18, ResNet-50 and Wide-ResNet-50-2, with torchvision's layout, names and initialisation. */

import { add, globalAveragePool, maxPool2d, relu, type Tensor } from "../engine/expressions.ts";
import { heNormal } from "../engine/training/initialisers.ts";
import type { Layers } from "./layers.ts";
import { blockCounts, blocksRule, defineModel, type Model, sameName, stemRule } from "./model.ts";

interface ResNet {
  name: string;
  description: string;
  paper: string;
  block: ResidualBlock;
  blocks: string;
}

type ResidualBlock = (layers: Layers, name: string, x: Tensor, planes: number, stride: number) => Tensor;

const stems = "stem imagenet (7×7/2 and max-pool) or small (3×3, for images up to about 64²)";

export const resnet18 = defineResNet({
  name: "resnet18",
  description: `ResNet-18; ${stems}`,
  paper: "He et al. 2016",
  block: basicBlock,
  blocks: "2,2,2,2",
});

export const resnet50 = defineResNet({
  name: "resnet50",
  description: `ResNet-50, strides in the 3×3 convolutions; ${stems}`,
  paper: "He et al. 2016",
  block: bottleneck(1),
  blocks: "3,4,6,3",
});

export const wideResnet50 = defineResNet({
  name: "wide-resnet50-2",
  description: `ResNet-50 with 3×3 convolutions of twice the width; ${stems}`,
  paper: "Zagoruyko & Komodakis 2016",
  block: bottleneck(2),
  blocks: "3,4,6,3",
});

function defineResNet({ block, blocks: usual, ...about }: ResNet): Model {
  return defineModel({
    ...about,
    pixels: "standard",
    defaults: { stem: "imagenet", width: 64, blocks: usual },
    rules: { stem: stemRule, blocks: blocksRule },
    small: { stem: "small", width: 8, blocks: "1,1,1,1" },
    head: "fc",
    aliases: { torchvision: sameName, timm: sameName },
    features(layers, images, { stem, width, blocks }) {
      let x = stemOf(layers, images, stem, width);
      for (const [stage, count] of blockCounts(blocks).entries()) {
        for (let i = 0; i < count; i++) {
          const stride = stage > 0 && i === 0 ? 2 : 1;
          x = block(layers, `layer${stage + 1}.${i}`, x, width * 2 ** stage, stride);
        }
        layers.expose(`layer${stage + 1}`, x);
      }
      return globalAveragePool(x);
    },
  }) as Model;
}

function stemOf(layers: Layers, images: Tensor, stem: string, width: number): Tensor {
  if (stem === "small") return relu(normalised(layers, "conv1", "bn1", images, width, 3, 1));
  const x = normalised(layers, "conv1", "bn1", images, width, 7, 2);
  return relu(maxPool2d(x, { kernel: 3, stride: 2, padding: 1 }));
}

function basicBlock(layers: Layers, name: string, x: Tensor, planes: number, stride: number): Tensor {
  const first = relu(normalised(layers, `${name}.conv1`, `${name}.bn1`, x, planes, 3, stride));
  const second = normalised(layers, `${name}.conv2`, `${name}.bn2`, first, planes, 3, 1);
  return relu(add(second, shortcut(layers, name, x, planes, stride)));
}

/** 1×1, 3×3 of `widening` times the planes, 1×1 to four times the planes. */
function bottleneck(widening: number): ResidualBlock {
  return (layers, name, x, planes, stride) => {
    const inner = planes * widening;
    const first = relu(normalised(layers, `${name}.conv1`, `${name}.bn1`, x, inner, 1, 1));
    const second = relu(normalised(layers, `${name}.conv2`, `${name}.bn2`, first, inner, 3, stride));
    const third = normalised(layers, `${name}.conv3`, `${name}.bn3`, second, 4 * planes, 1, 1);
    return relu(add(third, shortcut(layers, name, x, 4 * planes, stride)));
  };
}

/** x itself, or projected to the shape of what it is added to. */
function shortcut(layers: Layers, name: string, x: Tensor, filters: number, stride: number): Tensor {
  if (stride === 1 && x.shape[1] === filters) return x;
  return normalised(layers, `${name}.downsample.0`, `${name}.downsample.1`, x, filters, 1, stride);
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
