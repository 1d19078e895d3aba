/** The gradient of max-pooling, with windows that tile the map, overlap or leave gaps. */

import { placeholder, writeInline } from "../inline.ts";
import { sizeOf } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { cast, equal } from "./comparison.ts";
import type { Geometry } from "./convolution.ts";
import { add, div, mul } from "./elementwise.ts";
import { reshape } from "./layout.ts";
import { pad } from "./movement.ts";
import { unfold } from "./patches.ts";
import { interleave, phaseOffsets, takePhase } from "./phases.ts";
import { averagePool2d } from "./pooling.ts";
import { sum } from "./reductions.ts";
import { upsampleNearest } from "./resize.ts";
import { zeros } from "./sources.ts";
import { window } from "./window.ts";

export interface PoolingAttributes extends Geometry {
  kernel: readonly [number, number];
}

/** Lower than anything that float32 holds, and still finite: padding must never equal a maximum. */
const belowAll = -3.4028234663852886e38;

const maxGradientOp: Op<PoolingAttributes> = {
  name: "maxPoolGradient",
  // Linear in dy; where the maxima lie has no slope.
  gradient(node, dx) {
    const [x, y] = node.inputs as [Tensor, Tensor, Tensor];
    const { kernel, padding } = node.attributes;
    const planes = [x.shape[0]! * x.shape[1]!, 1, ...x.shape.slice(2)];
    const column = [planes[0]!, 1, sizeOf(y.shape.slice(2))];
    const windows = (map: Tensor, value: number) => {
      const before = [0, 0, padding[0], padding[1]];
      const padded = pad(reshape(map, planes), before, [0, 0, padding[2], padding[3]], value);
      return unfold(padded, kernel, { ...node.attributes, padding: [0, 0, 0, 0] });
    };
    const mask = cast(equal(windows(x, belowAll), reshape(y, column)), "float");
    const total = sum(mul(mask, windows(dx, 0)), [1], { keep: true });
    return [undefined, undefined, reshape(div(total, sum(mask, [1], { keep: true })), y.shape)];
  },
  interpret(node, [x, y, dy]) {
    const { kernel, stride, padding } = node.attributes;
    const [height, width] = node.shape.slice(2) as [number, number];
    const [rows, columns] = node.inputs[1]!.shape.slice(2) as [number, number];
    const dx = new Float64Array(x!.length);
    for (const [flat, largest] of y!.entries()) {
      const map = Math.floor(flat / (rows * columns)) * height * width;
      const top = (Math.floor(flat / columns) % rows) * stride[0] - padding[0];
      const left = (flat % columns) * stride[1] - padding[1];
      const winners: number[] = [];
      for (let row = Math.max(0, top); row < Math.min(height, top + kernel[0]); row++)
        for (let column = Math.max(0, left); column < Math.min(width, left + kernel[1]); column++)
          if (x![map + row * width + column] === largest) winners.push(map + row * width + column);
      for (const at of winners) dx[at]! += dy![flat]! / winners.length;
    }
    return dx;
  },
  // Not lowered: a sum over places, and a filter gradient that makes it where it is used, must find it.
  emit(node, names, emitter) {
    const inputs = node.inputs.map((tensor, i) => placeholder(i, tensor));
    const same = new Tensor(maxGradientOp, inputs, node.attributes, node.shape);
    const result = tiles(same.shape, same.attributes)
      ? tiledGradient(same)
      : interleave(gradientPhases(same), same.shape, same.attributes.stride);
    return writeInline(result, names, emitter);
  },
};

export function isMaxGradient(x: Tensor): x is Tensor<PoolingAttributes> {
  return x.op.name === maxGradientOp.name;
}

/** Does it come in phases that need not be put together? */
export function isInPhases(x: Tensor): x is Tensor<PoolingAttributes> {
  return isMaxGradient(x) && !tiles(x.shape, x.attributes);
}

/** Equal maxima of a window share its gradient. */
export function maxGradient(x: Tensor, y: Tensor<PoolingAttributes>, dy: Tensor): Tensor {
  return new Tensor(maxGradientOp, [x, y, dy], y.attributes, x.shape);
}

/** Windows that touch each element exactly once. */
export function tiles(map: Shape, { kernel, stride, padding }: PoolingAttributes): boolean {
  return ([0, 1] as const).every(
    (axis) =>
      kernel[axis] === stride[axis] &&
      map[axis + 2]! % kernel[axis] === 0 &&
      padding[axis] + padding[axis + 2]! === 0,
  );
}

function tiledGradient(node: Tensor<PoolingAttributes>): Tensor {
  const [x, y, dy] = node.inputs as [Tensor, Tensor, Tensor];
  const { kernel } = node.attributes;
  const mask = cast(equal(x, upsampleNearest(y, kernel)), "float");
  const count = mul(averagePool2d(mask, { kernel }), sizeOf(kernel));
  return mul(mask, upsampleNearest(div(dy, count), kernel));
}

/** Every window's gradient goes to elements of that window, so sums over all places are those of dy. */
export function sumOfMaxGradient(x: Tensor, axes: readonly number[]): Tensor | undefined {
  if (!isMaxGradient(x) || !axes.includes(2) || !axes.includes(3)) return undefined;
  return sum(x.inputs[2]!, axes, { keep: true });
}

/**
 * The phases of the gradient. The elements that a kernel element meets are one phase of the map, shifted by whole
 * windows. So each kernel element is compared with the maxima in one pass over an array of the maxima's size, and
 * nothing is scattered.
 */
export function gradientPhases(node: Tensor<PoolingAttributes>): Tensor[] {
  const [x, y, dy] = node.inputs as [Tensor, Tensor, Tensor];
  const { kernel, stride } = node.attributes;
  const offsets = phaseOffsets(stride);
  const phases = offsets.map((offset) => takePhase(x, stride, offset));
  const elements = phaseOffsets(kernel).map(([u, v]) => ({
    row: placeOf(u, 0, node.attributes),
    column: placeOf(v, 1, node.attributes),
  }));
  const masks = elements.map(({ row, column }) => {
    const met = phases[row.phase * stride[1] + column.phase]!;
    return cast(equal(window(met, [0, 0, row.shift, column.shift], y.shape, belowAll), y), "float");
  });
  const share = div(dy, masks.reduce(add));
  const parts = masks.map((mask, i) => ({ ...elements[i]!, part: mul(mask, share) }));
  return offsets.map(([a, b], i) => {
    const shape = phases[i]!.shape;
    const rows = Array.from({ length: kernel[0] }, (_, u) => placeOf(u, 0, node.attributes)).filter(
      ({ phase }) => phase === a,
    );
    const byRow = rows.map(({ shift }) => {
      const own = parts.filter((part) => part.row.phase === a && part.row.shift === shift);
      const columns = own
        .filter(({ column }) => column.phase === b)
        .map(({ part, column }) => moved(part, 3, column.shift, shape));
      return columns.length === 0 ? undefined : moved(columns.reduce(add), 2, shift, shape);
    });
    const present = byRow.filter((row) => row !== undefined);
    return present.length === 0 ? zeros(shape) : present.reduce(add);
  });
}

/** Which phase a kernel row or column meets, and by how many windows that phase is shifted. */
function placeOf(element: number, axis: 0 | 1, { stride, padding }: PoolingAttributes) {
  const distance = element - padding[axis];
  const shift = Math.floor(distance / stride[axis]);
  return { phase: distance - shift * stride[axis], shift };
}

/** From the windows' places to the phase's, along one axis. */
function moved(part: Tensor, axis: 2 | 3, shift: number, phase: Shape): Tensor {
  const starts = part.shape.map((_, i) => (i === axis ? -shift : 0));
  const sizes = part.shape.map((length, i) => (i === axis ? phase[axis]! : length));
  return window(part, starts, sizes, 0);
}
