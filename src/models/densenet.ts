/** DenseNet-121 and -161, with torchvision's layout, names and initialisation. */

import {
  averagePool2d,
  concat,
  globalAveragePool,
  maxPool2d,
  relu,
  type Tensor,
} from "../engine/expressions.ts";
import { filled, heNormal } from "../engine/training/initialisers.ts";
import type { ConvolutionLayerOptions, Layers } from "./layers.ts";
import { blockCounts, blocksRule, defineModel, type Model, renamed, sameName, stemRule } from "./model.ts";

export const densenet121 = defineDenseNet("121", 32, "6,12,24,16");
export const densenet161 = defineDenseNet("161", 48, "6,12,36,24");

function defineDenseNet(depth: string, growth: number, usual: string): Model {
  return defineModel({
    name: `densenet${depth}`,
    description: `DenseNet-${depth}; width is the growth rate; stem imagenet (7×7/2 and max-pool) or small (3×3, for images up to about 64²)`,
    paper: "Huang et al. 2017",
    pixels: "standard",
    defaults: { stem: "imagenet", width: growth, blocks: usual },
    rules: { stem: stemRule, blocks: blocksRule },
    small: { stem: "small", width: 4, blocks: "2,2,2,2" },
    leastSide: ({ stem }) => (stem === "small" ? 8 : 29),
    head: "classifier",
    headInitial: { initialBias: filled(0) },
    aliases: {
      torchvision: sameName,
      timm: sameName,
      // Files from before 2018 keep the names of a time when dots were allowed in them.
      "torchvision-old": renamed([/(denselayer\d+\.(?:norm|conv))([12]\.)/, "$1.$2"]),
    },
    features(layers, images, { stem, width, blocks }) {
      let x = stemOf(layers, images, stem, 2 * width);
      const counts = blockCounts(blocks);
      for (const [stage, count] of counts.entries()) {
        for (let i = 1; i <= count; i++)
          x = denseLayer(layers, `features.denseblock${stage + 1}.denselayer${i}`, x, width);
        if (stage < counts.length - 1) x = transition(layers, `features.transition${stage + 1}`, x);
      }
      return globalAveragePool(relu(layers.batchNorm("features.norm5", x)));
    },
  }) as Model;
}

function stemOf(layers: Layers, images: Tensor, stem: string, filters: number): Tensor {
  const small = stem === "small";
  const geometry = small ? { kernel: 3, padding: 1 } : { kernel: 7, stride: 2, padding: 3 };
  const x = layers.batchNorm(
    "features.norm0",
    convolution(layers, "features.conv0", images, filters, geometry),
  );
  return relu(small ? x : maxPool2d(x, { kernel: 3, stride: 2, padding: 1 }));
}

/** What came before, and `growth` new channels computed from it through a bottleneck. */
function denseLayer(layers: Layers, name: string, x: Tensor, growth: number): Tensor {
  const norm = (place: number, input: Tensor) => relu(layers.batchNorm(`${name}.norm${place}`, input));
  const inner = convolution(layers, `${name}.conv1`, norm(1, x), 4 * growth, { kernel: 1 });
  const added = convolution(layers, `${name}.conv2`, norm(2, inner), growth, { kernel: 3, padding: 1 });
  return concat([x, added], 1);
}

/** Half the channels, half the resolution. */
function transition(layers: Layers, name: string, x: Tensor): Tensor {
  const normalised = relu(layers.batchNorm(`${name}.norm`, x));
  const filters = Math.floor(x.shape[1]! / 2);
  const thinned = convolution(layers, `${name}.conv`, normalised, filters, { kernel: 1 });
  return averagePool2d(thinned, { kernel: 2 });
}

function convolution(
  layers: Layers,
  name: string,
  x: Tensor,
  filters: number,
  geometry: Omit<ConvolutionLayerOptions, "filters">,
): Tensor {
  return layers.convolution(name, x, { ...geometry, filters, bias: false, initial: heNormal("fanIn") });
}
