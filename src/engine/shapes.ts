/** Shape arithmetic, and the error that every op raises when shapes do not fit. */

import { CuelabError } from "../core/errors.ts";
import type { Shape, Tensor } from "./tensor.ts";

export function sizeOf(shape: Shape): number {
  return shape.reduce((product, length) => product * length, 1);
}

export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((length, axis) => length === b[axis]);
}

/** Row-major strides. */
export function stridesOf(shape: Shape): number[] {
  const strides = shape.map(() => 1);
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    strides[axis] = stride;
    stride *= shape[axis]!;
  }
  return strides;
}

export function shapeError(
  op: string,
  expected: string,
  ...shapes: readonly (Shape | Tensor)[]
): CuelabError {
  const got = shapes.map((item) =>
    "op" in item ? `${formatShape(item.shape)} ${item.dtype}` : formatShape(item),
  );
  return new CuelabError({
    kind: "failure",
    what: `${op}: shapes do not fit`,
    expected,
    got: got.join(" and "),
  });
}

export function formatShape(shape: Shape): string {
  return `[${shape.join(", ")}]`;
}

/** NumPy's rule: shapes are aligned at the end, and a length of one stretches. */
export function broadcastShapes(op: string, a: Shape, b: Shape): Shape {
  const rank = Math.max(a.length, b.length);
  return Array.from({ length: rank }, (_, axis) => {
    const left = a[axis - rank + a.length] ?? 1;
    const right = b[axis - rank + b.length] ?? 1;
    if (left !== right && left !== 1 && right !== 1) {
      throw shapeError(op, "shapes that broadcast (equal lengths or 1, aligned at the end)", a, b);
    }
    return left === 1 ? right : left;
  });
}

/** Turns negative axes into positive ones, sorted; an omitted list means all axes. */
export function normaliseAxes(op: string, shape: Shape, axes?: readonly number[]): number[] {
  if (axes === undefined) return shape.map((_, axis) => axis);
  const rank = shape.length;
  const positive = axes.map((axis) => (axis < 0 ? axis + rank : axis));
  const valid = positive.every((axis) => Number.isInteger(axis) && axis >= 0 && axis < rank);
  if (!valid || new Set(positive).size !== positive.length) {
    throw shapeError(op, `different axes of a tensor of rank ${rank}, got axes ${axes.join(", ")}`, shape);
  }
  return positive.sort((a, b) => a - b);
}

export function normaliseAxis(op: string, shape: Shape, axis: number): number {
  return normaliseAxes(op, shape, [axis])[0]!;
}

/** Calls `visit` for every index of `shape` in row-major order with its flat offset under `strides`. */
export function walk(
  shape: Shape,
  strides: readonly number[],
  visit: (flat: number, offset: number) => void,
): void {
  const size = sizeOf(shape);
  const index = shape.map(() => 0);
  let offset = 0;
  for (let flat = 0; flat < size; flat++) {
    visit(flat, offset);
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      index[axis]!++;
      offset += strides[axis]!;
      if (index[axis]! < shape[axis]!) break;
      offset -= strides[axis]! * shape[axis]!;
      index[axis] = 0;
    }
  }
}

/** Strides that read a tensor of shape `from` as if it had the (broadcast) shape `to`. */
export function broadcastStrides(from: Shape, to: Shape): number[] {
  const own = stridesOf(from);
  return to.map((_, axis) => {
    const source = axis - to.length + from.length;
    return source < 0 || from[source] === 1 ? 0 : own[source]!;
  });
}
