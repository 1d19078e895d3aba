/**
 * Style transfer by adaptive instance normalisation (Huang & Belongie 2017): the content's VGG-19 features at relu4_1 get
 * the mean and deviation of the style's, channel by channel, and a mirrored decoder paints what has these features.
 */

import { CuelabError } from "../core/errors.ts";
import {
  add,
  cast,
  constant,
  conv2d,
  div,
  gather,
  input,
  maxPool2d,
  mean,
  mul,
  relu,
  type Shape,
  sqrt,
  sub,
  type Tensor,
  transpose,
  upsampleNearest,
  variance,
} from "../engine/expressions.ts";
import type { WeightTensors } from "./weights/take-weights.ts";

export interface AdainWeights {
  /** VGG-19's convolutions, at least up to conv4_1, after a 1 × 1 one that standardises pixels where there is one. */
  encoder: WeightTensors;
  decoder: WeightTensors;
}

export interface AdainOptions {
  height: number;
  width: number;
  /** From 0, the content as the decoder paints it, to 1, all of the style. */
  strength: number;
}

/** conv1_1 to conv4_1, and where the map is halved: before these. */
const convolutions = 9;
const halvedBefore = [2, 4, 8];
/** The mirror: doubled after these. */
const doubledAfter = [0, 4, 6];
/** What three halvings need. */
export const adainMultiple = 8;

const imageNet = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };

/** `content` and `style`: bytes [1, height, width, 3]; comes out as [1, height, width, 3], from 0 to 255 but for overshoot. */
export function adain({ encoder, decoder }: AdainWeights, { height, width, strength }: AdainOptions): Tensor {
  const shape: Shape = [1, height, width, 3];
  const encode = encoderOf(layersOf(encoder, "encoder"));
  const content = encode(input("content", shape, "byte"));
  const style = encode(input("style", shape, "byte"));
  const [own, wanted] = [momentsOf(content), momentsOf(style)];
  const restyled = add(mul(div(sub(content, own.mean), own.deviation), wanted.deviation), wanted.mean);
  const mixed = add(mul(restyled, strength), mul(content, 1 - strength));
  const painted = layersOf(decoder, "decoder").reduce((x, layer, at) => {
    const y = at === convolutions - 1 ? applied(layer, x) : relu(applied(layer, x));
    return doubledAfter.includes(at) ? upsampleNearest(y, 2) : y;
  }, mixed);
  return mul(transpose(painted, [0, 2, 3, 1]), 255);
}

interface CodedLayer {
  weight: Tensor;
  bias: Tensor;
  kernel: number;
}

function encoderOf(layers: readonly CodedLayer[]): (images: Tensor) => Tensor {
  const pixels = layers.length > convolutions ? layers[0] : undefined;
  const rest = layers.slice(pixels === undefined ? 0 : 1);
  return (images) => {
    const unit = div(transpose(cast(images, "float"), [0, 3, 1, 2]), 255);
    const start = pixels === undefined ? standardised(unit) : applied(pixels, unit);
    return rest.reduce((x, layer, at) => {
      const small = halvedBefore.includes(at) ? maxPool2d(x, { kernel: 2 }) : x;
      return relu(applied(layer, small));
    }, start);
  };
}

function standardised(unit: Tensor): Tensor {
  const channels = (values: number[]) => constant(values, [1, 3, 1, 1]);
  return div(sub(unit, channels(imageNet.mean)), channels(imageNet.deviation));
}

/** Borders are mirrored, as in the published networks, so that none are painted. */
function applied({ weight, bias, kernel }: CodedLayer, x: Tensor): Tensor {
  return conv2d(kernel === 1 ? x : mirrored(mirrored(x, 2), 3), weight, { bias });
}

function mirrored(x: Tensor, axis: number): Tensor {
  const length = x.shape[axis]!;
  const at = [1, ...Array.from({ length }, (_, i) => i), length - 2];
  return gather(x, constant(at, [length + 2], "int"), axis);
}

/** Over places, of each channel; the deviation by n − 1 and with 1e-5 under the root, as the published code has it. */
function momentsOf(x: Tensor): { mean: Tensor; deviation: Tensor } {
  const deviation = sqrt(add(variance(x, [2, 3], { keep: true, unbiased: true }), 1e-5));
  return { mean: mean(x, [2, 3], { keep: true }), deviation };
}

/** A file's convolutions in the order of the numbers in their names. */
function layersOf(tensors: WeightTensors, which: keyof AdainWeights): CodedLayer[] {
  const found = [...tensors]
    .filter(([name, { shape }]) => name.endsWith("weight") && shape.length === 4)
    .sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
  const first = which === "encoder" && found[0]?.[1].shape[2] === 1 ? 1 : 0;
  const wanted = found.slice(0, first + convolutions);
  if (wanted.length < first + convolutions || (which === "decoder" && found.length > convolutions))
    throw misfit(which, `${found.length} convolutions`);
  let channels = which === "encoder" ? 3 : wanted[0]![1].shape[1]!;
  return wanted.map(([name, weight], at) => {
    const kernel = at < first ? 1 : 3;
    const bias = tensors.get(name.replace(/weight$/, "bias"));
    const [filters, inputs, rows, columns] = weight.shape as [number, number, number, number];
    if (bias === undefined || inputs !== channels || rows !== kernel || columns !== kernel)
      throw misfit(which, `${name} [${weight.shape.join(", ")}]${bias ? "" : " without a bias"}`);
    channels = filters;
    return { weight: constant(weight.data, weight.shape), bias: constant(bias.data, bias.shape), kernel };
  });
}

function misfit(which: keyof AdainWeights, got: string): CuelabError {
  const decoder = "nine 3 × 3 convolutions with biases, mirroring VGG-19 up to conv4_1";
  const encoder = "VGG-19's 3 × 3 convolutions with biases up to conv4_1, after a 1 × 1 one or none";
  return new CuelabError({
    kind: "input",
    what: `these are no weights of AdaIN's ${which}`,
    expected: which === "decoder" ? decoder : encoder,
    got,
  });
}
