/** The same elements in another shape or order: reshape, transpose, flip, broadcast. */

import {
  broadcastShapes,
  broadcastStrides,
  normaliseAxis,
  sameShape,
  shapeError,
  sizeOf,
  stridesOf,
  walk,
} from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { matmul, matmulOp } from "./matmul.ts";
import { sumTo } from "./reductions.ts";

interface ReshapeAttributes {
  /** The axis that holds the images of a batch of any size, where it is known; else only a first axis that stays may. */
  open?: number;
}

const reshapeOp: Op<ReshapeAttributes> = {
  name: "reshape",
  gradient: (node, dy) => [reshape(dy, node.inputs[0]!.shape)],
  interpret: (_node, [x]) => x!,
  // Two in a row are one. Like all shortcuts this waits until gradients were taken: they may be asked of any node.
  lower(node) {
    const x = node.inputs[0]!;
    if (isReshape(x)) return reshaped(x.inputs[0]!, node.shape, node.attributes);
    const source = broadcastSource(x);
    return source && sizeOf(source.shape) === 1 ? broadcastTo(reshape(source, []), node.shape) : undefined;
  },
  emit(node, [x], emitter) {
    const { open } = node.attributes;
    if (open !== undefined) return emitter.node("Reshape", [x!, emitter.integers(node.shape.with(open, -1))]);
    // A zero copies the length, so that a graph of one batch size can be exported for all.
    const keepsFirst = node.shape.length > 0 && node.shape[0] === node.inputs[0]!.shape[0];
    const target = keepsFirst ? [0, ...node.shape.slice(1)] : node.shape;
    return emitter.node("Reshape", [x!, emitter.integers(target)]);
  },
};

/** Another shape of the same size; one length may be −1 and is worked out. */
export function reshape(x: Tensor, shape: Shape): Tensor {
  const known = sizeOf(shape.filter((length) => length !== -1));
  const target = shape.map((length) => (length === -1 ? sizeOf(x.shape) / known : length));
  if (sizeOf(target) !== sizeOf(x.shape) || !target.every(Number.isInteger)) {
    throw shapeError("reshape", "a shape of the same size", x.shape, shape);
  }
  return reshaped(x, target, {});
}

/** The same where axis `open` is told to hold the images of a batch of any size. */
export function reshapeOpen(x: Tensor, shape: Shape, open: number): Tensor {
  if (sizeOf(shape) !== sizeOf(x.shape))
    throw shapeError("reshape", "a shape of the same size", x.shape, shape);
  return reshaped(x, shape, { open });
}

/** Equal lengths may stand for other things in a batch of another size: only a plain one is left out then. */
function reshaped(x: Tensor, shape: Shape, attributes: ReshapeAttributes): Tensor {
  const isSame = attributes.open === undefined && sameShape(shape, x.shape);
  return isSame ? x : new Tensor(reshapeOp, [x], attributes, shape, x.dtype);
}

function isReshape(x: Tensor): x is Tensor<ReshapeAttributes> {
  return x.op.name === reshapeOp.name;
}

interface TransposeAttributes {
  order: readonly number[];
}

const transposeOp: Op<TransposeAttributes> = {
  name: "transpose",
  gradient: ({ attributes: { order } }, dy) => [
    transpose(
      dy,
      order.map((_, axis) => order.indexOf(axis)),
    ),
  ],
  interpret(node, [x]) {
    const strides = stridesOf(node.inputs[0]!.shape);
    const result = new Float64Array(x!.length);
    walk(
      node.shape,
      node.attributes.order.map((axis) => strides[axis]!),
      (flat, offset) => {
        result[flat] = x![offset]!;
      },
    );
    return result;
  },
  lower({ inputs: [x], attributes: { order } }) {
    if (!isTranspose(x!)) return swapProduct(x!);
    const inner = x.attributes.order;
    return transpose(
      x.inputs[0]!,
      order.map((axis) => inner[axis]!),
    );
  },
  emit: (node, [x], emitter) => emitter.node("Transpose", [x!], { perm: node.attributes.order }),
};

/** (aᵀ·b)ᵀ = bᵀ·a, which spares both transposes of a: this is the weight gradient of every linear layer. */
function swapProduct(product: Tensor): Tensor | undefined {
  const [a, b] = product.inputs;
  const swaps = product.op === matmulOp && product.shape.length === 2 && isTranspose(a!);
  return swaps ? matmul(transpose(b!), transpose(a!)) : undefined;
}

/** Axis i of the result is axis order[i] of x; without an order the last two axes are swapped. */
export function transpose(x: Tensor, order?: readonly number[]): Tensor {
  const rank = x.shape.length;
  const axes = order ?? [...Array.from({ length: rank - 2 }, (_, i) => i), rank - 1, rank - 2];
  if ([...axes].sort((a, b) => a - b).join() !== x.shape.map((_, i) => i).join()) {
    throw shapeError("transpose", `an order of ${rank} axes, got ${axes.join(", ")}`, x.shape);
  }
  if (axes.every((axis, i) => axis === i)) return x;
  const shape = axes.map((axis) => x.shape[axis]!);
  return new Tensor(transposeOp, [x], { order: axes }, shape, x.dtype);
}

function isTranspose(x: Tensor): x is Tensor<TransposeAttributes> {
  return x.op.name === transposeOp.name;
}

const flipOp: Op<{ axes: readonly number[] }> = {
  name: "flip",
  gradient: (node, dy) => [flip(dy, node.attributes.axes)],
  interpret(node, [x]) {
    const flipped = (axis: number) => node.attributes.axes.includes(axis);
    const own = stridesOf(node.shape);
    const origin = node.shape.reduce(
      (offset, length, axis) => offset + (flipped(axis) ? (length - 1) * own[axis]! : 0),
      0,
    );
    const result = new Float64Array(x!.length);
    walk(
      node.shape,
      own.map((stride, axis) => (flipped(axis) ? -stride : stride)),
      (flat, offset) => {
        result[flat] = x![origin + offset]!;
      },
    );
    return result;
  },
  emit(node, [x], emitter) {
    const { axes } = node.attributes;
    const lists = [axes.map(() => -1), axes.map(() => -(2 ** 31)), axes, axes.map(() => -1)];
    return emitter.node("Slice", [x!, ...lists.map((list) => emitter.integers(list))]);
  },
};

/** Reverses the order along the given axes. */
export function flip(x: Tensor, axes: readonly number[]): Tensor {
  const positive = axes.map((axis) => normaliseAxis("flip", x.shape, axis));
  return new Tensor(flipOp, [x], { axes: positive }, x.shape, x.dtype);
}

/** The values of a node that holds those of its first input, stretched. */
export function interpretBroadcast(node: Tensor, x: Float64Array): Float64Array {
  const result = new Float64Array(sizeOf(node.shape));
  walk(node.shape, broadcastStrides(node.inputs[0]!.shape, node.shape), (flat, offset) => {
    result[flat] = x[offset]!;
  });
  return result;
}

const broadcastOp: Op = {
  name: "broadcastTo",
  gradient: (node, dy) => [sumTo(dy, node.inputs[0]!.shape)],
  interpret: (node, [x]) => interpretBroadcast(node, x!),
  emit: (node, [x], emitter) => emitter.node("Expand", [x!, emitter.integers(node.shape)]),
};

export function broadcastTo(x: Tensor, shape: Shape): Tensor {
  if (!sameShape(broadcastShapes("broadcastTo", x.shape, shape), shape)) {
    throw shapeError("broadcastTo", "a shape that the input stretches to", x.shape, shape);
  }
  return sameShape(x.shape, shape) ? x : new Tensor(broadcastOp, [x], {}, shape, x.dtype);
}

/** What a broadcast node stretches, or undefined for any other node. */
export function broadcastSource(x: Tensor): Tensor | undefined {
  return x.op === broadcastOp ? x.inputs[0] : undefined;
}
