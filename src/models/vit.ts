/** Vision transformers, with torchvision's layout, names and initialisation; tiny and small as in DeiT. */

import { CuelabError } from "../core/errors.ts";
import {
  add,
  gelu,
  matmul,
  mul,
  pad,
  reshape,
  sliceAxis,
  softmax,
  type Tensor,
  transpose,
} from "../engine/expressions.ts";
import { filled, normal, torchWeight, xavierUniform } from "../engine/training/initialisers.ts";
import type { Layers } from "./layers.ts";
import { defineModel, type Model, renamed, sameName } from "./model.ts";

const epsilon = 1e-6;

export const vitTiny = defineViT("vit-tiny", "Touvron et al. 2021", 192, 3);
export const vitSmall = defineViT("vit-small", "Touvron et al. 2021", 384, 6);
export const vitB16 = defineViT("vit-b16", "Dosovitskiy et al. 2021", 768, 12);

function defineViT(name: string, paper: string, usualWidth: number, usualHeads: number): Model {
  return defineModel({
    name,
    description: `Vision transformer of width ${usualWidth} with a class token; patch is its stem: 16 for ImageNet, 4 or 2 for small images`,
    paper,
    pixels: "standard",
    defaults: { patch: 16, width: usualWidth, depth: 12, heads: usualHeads },
    small: { patch: 4, width: 16, depth: 2, heads: 2 },
    head: "heads.head",
    headInitial: { initial: filled(0), initialBias: filled(0) },
    aliases: {
      torchvision: sameName,
      timm: (name) => timmName(name.replace(/^encoder\.layers\.encoder_layer_/, "blocks.")),
      // Files from before torchvision 0.13.
      "torchvision-old": renamed([/\.mlp\.0\./, ".mlp.linear_1."], [/\.mlp\.3\./, ".mlp.linear_2."]),
    },
    features(layers, images, { patch, width, depth, heads }) {
      checkDivides(`width of model "${name}"`, width, "heads", heads);
      for (const side of images.shape.slice(2)) checkDivides("side of the images", side, "patch", patch);
      let x = tokens(layers, images, patch, width);
      for (let i = 0; i < depth; i++) x = encoderLayer(layers, `encoder.layers.encoder_layer_${i}`, x, heads);
      x = layers.layerNorm("encoder.ln", x, epsilon);
      return reshape(sliceAxis(x, 1, 0, 1), [x.shape[0]!, width]);
    },
  }) as Model;
}

/** [batch, channels, rows, columns] → [batch, 1 + patches, width]: the class token, then the patches, row by row. */
function tokens(layers: Layers, images: Tensor, patch: number, width: number): Tensor {
  const projected = layers.convolution("conv_proj", images, {
    filters: width,
    kernel: patch,
    stride: patch,
    initial: normal(1 / Math.sqrt(images.shape[1]! * patch * patch)),
    initialBias: filled(0),
  });
  const patches = transpose(reshape(projected, [images.shape[0]!, width, -1])); // [batch, patches, width]
  const count = patches.shape[1]!;
  const classToken = layers.parameter("class_token", [1, 1, width], filled(0));
  const positions = layers.parameter("encoder.pos_embedding", [1, count + 1, width], normal(0.02));
  // Added rather than joined: the token then needs no copy for each image.
  return add(pad(patches, [0, 1, 0], [0, 0, 0]), add(positions, pad(classToken, [0, 0, 0], [0, count, 0])));
}

/** Normalisation before each part, not after it. */
function encoderLayer(layers: Layers, name: string, x: Tensor, heads: number): Tensor {
  const attended = add(
    x,
    selfAttention(layers, `${name}.self_attention`, layers.layerNorm(`${name}.ln_1`, x, epsilon), heads),
  );
  const width = x.shape[2]!;
  const hidden = { initial: xavierUniform(), initialBias: normal(1e-6) };
  let y = layers.layerNorm(`${name}.ln_2`, attended, epsilon);
  y = gelu(layers.linear(`${name}.mlp.0`, y, 4 * width, hidden));
  y = layers.linear(`${name}.mlp.3`, y, width, hidden);
  return add(attended, y);
}

/** softmax(Q·Kᵀ / √d)·V in each head. */
function selfAttention(layers: Layers, name: string, x: Tensor, heads: number): Tensor {
  const [batch, count, width] = x.shape as [number, number, number];
  const size = width / heads;
  // PyTorch keeps the three projections in one matrix, and names it without a dot.
  const joined = layers.linearOf(
    x,
    layers.parameter(`${name}.in_proj_weight`, [3 * width, width], xavierUniform()),
    layers.parameter(`${name}.in_proj_bias`, [3 * width], filled(0)),
  );
  const [query, key, value] = [0, 1, 2].map((part) =>
    transpose(reshape(sliceAxis(joined, 2, part * width, width), [batch, count, heads, size]), [0, 2, 1, 3]),
  ) as [Tensor, Tensor, Tensor];
  const weights = softmax(matmul(mul(query, 1 / Math.sqrt(size)), transpose(key))); // [batch, heads, count, count]
  const mixed = reshape(transpose(matmul(weights, value), [0, 2, 1, 3]), [batch, count, width]);
  return layers.linear(`${name}.out_proj`, mixed, width, { initial: torchWeight(), initialBias: filled(0) });
}

function checkDivides(whole: string, size: number, part: string, divisor: number): void {
  if (size % divisor === 0) return;
  throw new CuelabError({
    kind: "usage",
    what: `the ${whole} is no multiple of ${part}`,
    got: `${size} and ${part}=${divisor}`,
    todo: `give --model-set ${part}=<n> with one of: ${divisorsOf(size).join(", ")}`,
  });
}

function divisorsOf(size: number): number[] {
  return Array.from({ length: size }, (_, i) => i + 1).filter((n) => size % n === 0);
}

const timmName = renamed(
  [/^class_token$/, "cls_token"],
  [/^encoder\.pos_embedding$/, "pos_embed"],
  [/^conv_proj\./, "patch_embed.proj."],
  [/^encoder\.ln\./, "norm."],
  [/^heads\.head\./, "head."],
  [/\.ln_([12])\./, ".norm$1."],
  [/\.self_attention\.in_proj_/, ".attn.qkv."],
  [/\.self_attention\.out_proj\./, ".attn.proj."],
  [/\.mlp\.0\./, ".mlp.fc1."],
  [/\.mlp\.3\./, ".mlp.fc2."],
);
