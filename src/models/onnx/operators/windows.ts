/** What slides over maps: convolution and pooling, with ONNX's ways of padding. */

import {
  averagePool2d,
  constant,
  conv2d,
  max,
  maxPool2d,
  mean,
  mul,
  type PoolingOptions,
  type Tensor,
} from "../../../engine/expressions.ts";
import { sizeOf } from "../../../engine/shapes.ts";
import type { OperatorCall, OperatorFamily } from "../call.ts";

type Pair = readonly [number, number];
/** Top, left, bottom, right. */
type PaddedSides = readonly [number, number, number, number];

interface SlidingWindow {
  kernel: Pair;
  stride: Pair;
  dilation: Pair;
  padding: PaddedSides;
  /** Rows and columns beyond the padding that a last, incomplete window reaches over. */
  beyond: Pair;
}

function requireMap(call: OperatorCall): Tensor {
  const x = call.input(0);
  if (x.shape.length === 4) return x;
  throw call.fail({
    what: "does not slide over images",
    expected: "[batch, channels, rows, columns]",
    got: x.toString(),
  });
}

function windowOf(call: OperatorCall, x: Tensor, kernel: Pair): SlidingWindow {
  const pair = (name: string) => (call.list(name) ?? [1, 1]) as unknown as Pair;
  const [stride, dilation] = [pair("strides"), pair("dilations")];
  const reach = kernel.map((length, axis) => (length - 1) * dilation[axis]! + 1) as unknown as Pair;
  const map = x.shape.slice(2) as unknown as Pair;
  const padding = paddingOf(call, map, reach, stride);
  const beyond = [0, 1].map((axis) => {
    if (call.number("ceil_mode", 0) === 0) return 0;
    const covered = map[axis]! + padding[axis]! + padding[axis + 2]!;
    const steps = Math.ceil((covered - reach[axis]!) / stride[axis]!);
    // A window must begin on the map or on what pads its beginning.
    const last = steps * stride[axis]! >= map[axis]! + padding[axis]! ? steps - 1 : steps;
    return Math.max(0, last * stride[axis]! + reach[axis]! - covered);
  }) as unknown as Pair;
  return { kernel, stride, dilation, padding, beyond };
}

function paddingOf(call: OperatorCall, map: Pair, reach: Pair, stride: Pair): PaddedSides {
  const automatic = call.text("auto_pad", "NOTSET");
  if (automatic === "NOTSET") return (call.list("pads") ?? [0, 0, 0, 0]) as unknown as PaddedSides;
  if (automatic === "VALID") return [0, 0, 0, 0];
  const total = [0, 1].map((axis) => {
    const length = Math.ceil(map[axis]! / stride[axis]!);
    return Math.max(0, (length - 1) * stride[axis]! + reach[axis]! - map[axis]!);
  });
  const less = total.map((amount) => Math.floor(amount / 2));
  const more = total.map((amount, axis) => amount - less[axis]!);
  const [before, after] = automatic === "SAME_LOWER" ? [more, less] : [less, more];
  return [...before, ...after] as unknown as PaddedSides;
}

function convolution(call: OperatorCall): Tensor {
  const [x, w] = [requireMap(call), call.input(1)];
  const { stride, padding, dilation } = windowOf(call, x, w.shape.slice(2) as unknown as Pair);
  const groups = call.number("group", 1);
  return conv2d(x, w, {
    stride,
    padding,
    dilation,
    groups,
    ...(call.has(2) && { bias: call.input(2) }),
  });
}

/** A pooling window, its padding widened by what incomplete windows reach over. */
function pooled(call: OperatorCall): { x: Tensor; window: SlidingWindow; options: PoolingOptions } {
  const x = requireMap(call);
  const kernel = (call.list("kernel_shape") ?? []) as unknown as Pair;
  const window = windowOf(call, x, kernel);
  if (window.dilation.some((step) => step !== 1) || call.node.outputs.slice(1).some((name) => name !== ""))
    throw call.fail({ what: "pools in a way that the engine has not", expected: "no dilation, no indices" });
  const [top, left, bottom, right] = window.padding;
  const padding = [top, left, bottom + window.beyond[0], right + window.beyond[1]] as const;
  return { x, window, options: { kernel, stride: window.stride, padding } };
}

/** Elements that are no part of the map, or of the padding where it counts, are no part of a mean either. */
function averagePool(call: OperatorCall): Tensor {
  const { x, window, options } = pooled(call);
  const mean = averagePool2d(x, options);
  const countsPadding = call.number("count_include_pad", 0) === 1;
  const counted = (axis: 0 | 1) => {
    const { kernel, stride, padding } = window;
    const [from, to] = countsPadding
      ? [-padding[axis], x.shape[axis + 2]! + padding[axis + 2]!]
      : [0, x.shape[axis + 2]!];
    return Array.from({ length: mean.shape[axis + 2]! }, (_, i) => {
      const start = i * stride[axis] - padding[axis];
      return Math.min(to, start + kernel[axis]) - Math.max(from, start);
    });
  };
  const [rows, columns] = [counted(0), counted(1)];
  const area = sizeOf(window.kernel);
  const factors = rows.flatMap((height) => columns.map((width) => area / (height * width)));
  return factors.every((factor) => factor === 1)
    ? mean
    : mul(mean, constant(factors, [1, 1, rows.length, columns.length]));
}

export const windows: OperatorFamily = {
  AveragePool: averagePool,
  Conv: convolution,
  GlobalAveragePool: (call) => mean(requireMap(call), [2, 3], { keep: true }),
  GlobalMaxPool: (call) => max(requireMap(call), [2, 3], { keep: true }),
  MaxPool: (call) => {
    const { x, options } = pooled(call);
    return maxPool2d(x, options);
  },
};
