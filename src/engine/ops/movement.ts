/** Taking parts out, adding borders and putting parts together: slice, pad, concat. */

import { normaliseAxis, sameShape, shapeError, sizeOf, stridesOf, walk } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { reshape } from "./layout.ts";

interface SliceAttributes {
  starts: readonly number[];
  steps: readonly number[];
}

const sliceOp: Op<SliceAttributes> = {
  name: "slice",
  gradient: (node, dy) => [unslice(dy, node.inputs[0]!.shape, node.attributes)],
  interpret(node, [x]) {
    const strides = stridesOf(node.inputs[0]!.shape);
    const { starts, steps } = node.attributes;
    const origin = starts.reduce((offset, start, axis) => offset + start * strides[axis]!, 0);
    const result = new Float64Array(sizeOf(node.shape));
    walk(
      node.shape,
      strides.map((stride, axis) => stride * steps[axis]!),
      (flat, offset) => {
        result[flat] = x![origin + offset]!;
      },
    );
    return result;
  },
  emit(node, [x], emitter) {
    const { starts, steps } = node.attributes;
    const source = node.inputs[0]!.shape;
    const axes = starts.flatMap((start, axis) =>
      start === 0 && steps[axis] === 1 && node.shape[axis] === source[axis] ? [] : [axis],
    );
    const ends = axes.map((axis) => starts[axis]! + (node.shape[axis]! - 1) * steps[axis]! + 1);
    const lists = [axes.map((axis) => starts[axis]!), ends, axes, axes.map((axis) => steps[axis]!)];
    return emitter.node("Slice", [x!, ...lists.map((list) => emitter.integers(list))]);
  },
};

/** `sizes[i]` elements from `starts[i]` on every axis, `steps[i]` apart. */
export function slice(x: Tensor, starts: Shape, sizes: Shape, steps: Shape = starts.map(() => 1)): Tensor {
  const inside = x.shape.every((length, axis) => {
    const [start, size, step] = [starts[axis]!, sizes[axis]!, steps[axis]!];
    return start >= 0 && size >= 1 && step >= 1 && start + (size - 1) * step < length;
  });
  if (!inside || starts.length !== x.shape.length || sizes.length !== x.shape.length) {
    throw shapeError(
      "slice",
      `sizes [${sizes.join(", ")}] from [${starts.join(", ")}] inside the tensor`,
      x.shape,
    );
  }
  if (sameShape(sizes, x.shape)) return x;
  return new Tensor(sliceOp, [x], { starts, steps }, sizes, x.dtype);
}

/** A slice along one axis only. */
export function sliceAxis(x: Tensor, axis: number, start: number, size: number, step = 1): Tensor {
  const at = normaliseAxis("slice", x.shape, axis);
  const only = (value: number, other: number) => x.shape.map((_, i) => (i === at ? value : other));
  return slice(
    x,
    only(start, 0),
    x.shape.map((length, i) => (i === at ? size : length)),
    only(step, 1),
  );
}

/** Puts a slice back where it came from, with zeros elsewhere. */
function unslice(part: Tensor, shape: Shape, { starts, steps }: SliceAttributes): Tensor {
  let spread = part;
  for (const [axis, step] of steps.entries()) {
    if (step > 1 && spread.shape[axis]! > 1) spread = spreadAxis(spread, axis, step);
  }
  return pad(
    spread,
    starts,
    shape.map((length, axis) => length - starts[axis]! - spread.shape[axis]!),
  );
}

/** Inserts step − 1 zeros between neighbours: [a, b] → [a, 0, b]. */
function spreadAxis(x: Tensor, axis: number, step: number): Tensor {
  const before = x.shape.slice(0, axis);
  const length = x.shape[axis]!;
  const after = x.shape.slice(axis + 1);
  const column = reshape(x, [...before, length, 1, ...after]);
  const nothing = column.shape.map(() => 0);
  const padded = pad(
    column,
    nothing,
    column.shape.map((_, i) => (i === axis + 1 ? step - 1 : 0)),
  );
  return sliceAxis(reshape(padded, [...before, length * step, ...after]), axis, 0, (length - 1) * step + 1);
}

interface PadAttributes {
  before: readonly number[];
  value: number;
}

const padOp: Op<PadAttributes> = {
  name: "pad",
  gradient: (node, dy) => [slice(dy, node.attributes.before, node.inputs[0]!.shape)],
  interpret(node, [x]) {
    const { before, value } = node.attributes;
    const strides = stridesOf(node.shape);
    const origin = before.reduce((offset, amount, axis) => offset + amount * strides[axis]!, 0);
    const result = new Float64Array(sizeOf(node.shape)).fill(value);
    walk(node.inputs[0]!.shape, strides, (flat, offset) => {
      result[origin + offset] = x![flat]!;
    });
    return result;
  },
  emit(node, [x], emitter) {
    const { before, value } = node.attributes;
    const after = node.shape.map((length, axis) => length - node.inputs[0]!.shape[axis]! - before[axis]!);
    return emitter.node("Pad", [x!, emitter.integers([...before, ...after]), emitter.scalar(value)], {
      mode: "constant",
    });
  },
};

/** Adds `before[i]` and `after[i]` elements of one value around every axis. */
export function pad(x: Tensor, before: Shape, after: Shape, value = 0): Tensor {
  const valid = [...before, ...after].every((amount) => Number.isInteger(amount) && amount >= 0);
  if (!valid || x.dtype !== "float" || before.length !== x.shape.length || after.length !== x.shape.length) {
    throw shapeError("pad", "a float input and one non-negative amount an axis", x, before, after);
  }
  const shape = x.shape.map((length, axis) => before[axis]! + length + after[axis]!);
  return sameShape(shape, x.shape) ? x : new Tensor(padOp, [x], { before, value }, shape);
}

const concatOp: Op<{ axis: number }> = {
  name: "concat",
  gradient(node, dy) {
    let start = 0;
    return node.inputs.map((part) => {
      const size = part.shape[node.attributes.axis]!;
      start += size;
      return sliceAxis(dy, node.attributes.axis, start - size, size);
    });
  },
  interpret(node, inputs) {
    const { axis } = node.attributes;
    const outer = sizeOf(node.shape.slice(0, axis));
    const result = new Float64Array(sizeOf(node.shape));
    let at = 0;
    for (let row = 0; row < outer; row++) {
      for (const data of inputs) {
        const run = data.length / outer;
        result.set(data.subarray(row * run, (row + 1) * run), at);
        at += run;
      }
    }
    return result;
  },
  emit: (node, inputs, emitter) => emitter.node("Concat", inputs, { axis: node.attributes.axis }),
};

export function concat(parts: readonly Tensor[], axis: number): Tensor {
  const first = parts[0];
  if (first === undefined) throw shapeError("concat", "at least one tensor");
  const at = normaliseAxis("concat", first.shape, axis);
  for (const part of parts) {
    const fits =
      part.shape.length === first.shape.length &&
      part.shape.every((n, i) => i === at || n === first.shape[i]);
    if (!fits || part.dtype !== first.dtype)
      throw shapeError("concat", `equal shapes outside axis ${at}`, first, part);
  }
  if (parts.length === 1) return first;
  const total = parts.reduce((sum, part) => sum + part.shape[at]!, 0);
  return new Tensor(
    concatOp,
    parts,
    { axis: at },
    first.shape.map((n, i) => (i === at ? total : n)),
    first.dtype,
  );
}
