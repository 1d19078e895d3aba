/** Maximum, average and global pooling over the last two axes of [batch, channels, rows, columns]. */

import { shapeError, sizeOf } from "../shapes.ts";
import { type Op, Tensor } from "../tensor.ts";
import { type ConvolutionOptions, geometryOf, inputGradient, outputSize } from "./convolution.ts";
import { mul } from "./elementwise.ts";
import { reshape } from "./layout.ts";
import { maxGradient, type PoolingAttributes, tiles } from "./pooling-gradient.ts";
import { mean } from "./reductions.ts";
import { upsampleNearest } from "./resize.ts";
import { full } from "./sources.ts";

export interface PoolingOptions {
  kernel: number | readonly [number, number];
  /** The kernel's size unless given. */
  stride?: ConvolutionOptions["stride"];
  padding?: ConvolutionOptions["padding"];
}

function attributesOf({ kernel, stride, padding }: PoolingOptions): PoolingAttributes {
  const size = typeof kernel === "number" ? ([kernel, kernel] as const) : kernel;
  return { kernel: size, ...geometryOf({ stride: stride ?? size, padding: padding ?? 0 }) };
}

function pool(op: Op<PoolingAttributes>, x: Tensor, attributes: PoolingAttributes): Tensor {
  if (x.shape.length !== 4) throw shapeError(op.name, "[batch, channels, rows, columns]", x);
  const { kernel, padding } = attributes;
  const [rows, columns] = outputSize(x.shape.slice(2), kernel, attributes);
  if (
    rows < 1 ||
    columns < 1 ||
    Math.max(padding[0], padding[2]) >= kernel[0] ||
    Math.max(padding[1], padding[3]) >= kernel[1]
  ) {
    throw shapeError(op.name, `a ${kernel.join("×")} kernel that fits the map and exceeds the padding`, x);
  }
  return new Tensor(op, [x], attributes, [x.shape[0]!, x.shape[1]!, rows, columns]);
}

function windows(
  node: Tensor<PoolingAttributes>,
  initial: number,
  step: (total: number, value: number) => number,
  x: Float64Array,
): Float64Array {
  const { kernel, stride, padding } = node.attributes;
  const [height, width] = node.inputs[0]!.shape.slice(2) as [number, number];
  const [rows, columns] = node.shape.slice(2) as [number, number];
  return Float64Array.from({ length: sizeOf(node.shape) }, (_, flat) => {
    const map = Math.floor(flat / (rows * columns)) * height * width;
    const top = (Math.floor(flat / columns) % rows) * stride[0] - padding[0];
    const left = (flat % columns) * stride[1] - padding[1];
    let total = initial;
    for (let row = Math.max(0, top); row < Math.min(height, top + kernel[0]); row++)
      for (let column = Math.max(0, left); column < Math.min(width, left + kernel[1]); column++)
        total = step(total, x[map + row * width + column]!);
    return total;
  });
}

const maxPoolOp: Op<PoolingAttributes> = {
  name: "maxPool2d",
  gradient: (node, dy) => [maxGradient(node.inputs[0]!, node, dy)],
  interpret: (node, [x]) => windows(node, Number.NEGATIVE_INFINITY, Math.max, x!),
  emit: (node, inputs, emitter) => emitter.node("MaxPool", inputs, onnxAttributes(node.attributes)),
};

/** Largest element of each window; equal maxima share the gradient, so that it sums to that of the output. */
export function maxPool2d(x: Tensor, options: PoolingOptions): Tensor {
  return pool(maxPoolOp, x, attributesOf(options));
}

const averagePoolOp: Op<PoolingAttributes> = {
  name: "averagePool2d",
  gradient(node, dy) {
    const x = node.inputs[0]!;
    const { kernel } = node.attributes;
    const weight = 1 / sizeOf(kernel);
    if (tiles(x.shape, node.attributes)) return [upsampleNearest(mul(dy, weight), kernel)];
    const maps = x.shape[0]! * x.shape[1]!;
    const spread = inputGradient(
      reshape(dy, [maps, 1, ...node.shape.slice(2)]),
      full([1, 1, ...kernel], weight),
      [maps, 1, ...x.shape.slice(2)],
      node.attributes,
    );
    return [reshape(spread, x.shape)];
  },
  interpret: (node, [x]) =>
    windows(node, 0, (total, value) => total + value, x!).map(
      (total) => total / sizeOf(node.attributes.kernel),
    ),
  emit: (node, inputs, emitter) =>
    emitter.node("AveragePool", inputs, { ...onnxAttributes(node.attributes), count_include_pad: 1 }),
};

/** Mean of each window; padding counts as zeros, as in PyTorch's default. */
export function averagePool2d(x: Tensor, options: PoolingOptions): Tensor {
  return pool(averagePoolOp, x, attributesOf(options));
}

/** [batch, channels, rows, columns] → [batch, channels]. */
export function globalAveragePool(x: Tensor): Tensor {
  if (x.shape.length !== 4) throw shapeError("globalAveragePool", "[batch, channels, rows, columns]", x);
  return mean(x, [2, 3]);
}

function onnxAttributes({ kernel, stride, padding }: PoolingAttributes) {
  return { kernel_shape: kernel, strides: stride, pads: padding };
}
