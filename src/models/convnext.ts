/** ConvNeXt-Tiny, with torchvision's layout, names and initialisation. */

import { add, gelu, globalAveragePool, mul, reshape, type Tensor, transpose } from "../engine/expressions.ts";
import { filled, normal } from "../engine/training/initialisers.ts";
import type { ConvolutionLayerOptions, Layers } from "./layers.ts";
import { blockCounts, blocksRule, defineModel, rateRule, renamed, sameName, stemRule } from "./model.ts";

const epsilon = 1e-6;
const initial = { initial: normal(0.02), initialBias: filled(0) };

export const convnextTiny = defineModel({
  name: "convnext-tiny",
  description:
    "ConvNeXt-Tiny; stem imagenet (4×4/4) or small (2×2/2, for images up to about 64²); stochasticDepth is the rate of the last block (torchvision trains with 0.1)",
  paper: "Liu et al. 2022",
  pixels: "standard",
  defaults: { stem: "imagenet", width: 96, blocks: "3,3,9,3", stochasticDepth: 0 },
  rules: { stem: stemRule, blocks: blocksRule, stochasticDepth: rateRule },
  small: { stem: "small", width: 8, blocks: "1,1,1,1" },
  leastSide: ({ stem }) => (stem === "small" ? 16 : 32),
  head: "classifier.2",
  headInitial: initial,
  aliases: {
    torchvision: sameName,
    timm: (name) => timmName(timmStage(name)),
  },
  features(layers, images, { stem, width, blocks, stochasticDepth }) {
    const counts = blockCounts(blocks);
    const last = counts.reduce((total, count) => total + count, 0) - 1;
    const patch = stem === "small" ? 2 : 4;
    let x = convolution(layers, "features.0.0", images, { filters: width, kernel: patch, stride: patch });
    x = normaliseChannels(layers, "features.0.1", x);
    let block = 0;
    for (const [stage, count] of counts.entries()) {
      if (stage > 0) {
        const name = `features.${2 * stage}`;
        x = normaliseChannels(layers, `${name}.0`, x);
        x = convolution(layers, `${name}.1`, x, { filters: width * 2 ** stage, kernel: 2, stride: 2 });
      }
      for (let i = 0; i < count; i++, block++) {
        const rate = last === 0 ? 0 : (stochasticDepth * block) / last;
        x = blockOf(layers, `features.${2 * stage + 1}.${i}`, x, rate);
      }
    }
    return layers.layerNorm("classifier.0", globalAveragePool(x), epsilon);
  },
});

/** 7×7 for each channel alone, then two linear layers for each place, scaled by a small number for each channel. */
function blockOf(layers: Layers, name: string, x: Tensor, rate: number): Tensor {
  const channels = x.shape[1]!;
  const depthwise = { filters: channels, kernel: 7, padding: 3, groups: channels };
  let y = channelsLast(convolution(layers, `${name}.block.0`, x, depthwise));
  y = layers.layerNorm(`${name}.block.2`, y, epsilon);
  y = gelu(layers.linear(`${name}.block.3`, y, 4 * channels, initial));
  y = layers.linear(`${name}.block.5`, y, channels, initial);
  const scale = layers.parameter(`${name}.layer_scale`, [channels, 1, 1], filled(1e-6));
  y = channelsFirst(mul(y, reshape(scale, [channels])));
  return add(x, layers.stochasticDepth(name, y, rate));
}

function convolution(layers: Layers, name: string, x: Tensor, options: ConvolutionLayerOptions): Tensor {
  return layers.convolution(name, x, { ...options, ...initial });
}

function normaliseChannels(layers: Layers, name: string, x: Tensor): Tensor {
  return channelsFirst(layers.layerNorm(name, channelsLast(x), epsilon));
}

function channelsLast(x: Tensor): Tensor {
  return transpose(x, [0, 2, 3, 1]);
}

function channelsFirst(x: Tensor): Tensor {
  return transpose(x, [0, 3, 1, 2]);
}

/** timm counts stages where torchvision counts its list of stages and what lies between them. */
function timmStage(name: string): string {
  return name.replace(/^features\.(\d+)\.(\d+)/, (_, place: string, inner: string) => {
    const stage = Math.floor((Number(place) - 1) / 2);
    if (place === "0") return `stem.${inner}`;
    return Number(place) % 2 === 0
      ? `stages.${stage + 1}.downsample.${inner}`
      : `stages.${stage}.blocks.${inner}`;
  });
}

const timmName = renamed(
  [/\.block\.0\./, ".conv_dw."],
  [/\.block\.2\./, ".norm."],
  [/\.block\.3\./, ".mlp.fc1."],
  [/\.block\.5\./, ".mlp.fc2."],
  [/\.layer_scale$/, ".gamma"],
  [/^classifier\.0\./, "head.norm."],
  [/^classifier\.2\./, "head.fc."],
);
