/** Picking and collecting by integer index: gather, scatter-add, one-hot, sums and means by group (of any number). */

import { normaliseAxis, shapeError, sizeOf } from "../shapes.ts";
import { type Op, Tensor } from "../tensor.ts";
import { cast, equal } from "./comparison.ts";
import { div, maximum, mul } from "./elementwise.ts";
import { reshape } from "./layout.ts";
import { sum } from "./reductions.ts";
import { constant, full } from "./sources.ts";

interface AxisAttributes {
  axis: number;
}

const gatherOp: Op<AxisAttributes> = {
  name: "gather",
  gradient(node, dy) {
    const [x, indices] = node.inputs as [Tensor, Tensor];
    return [scatterAdd(dy, indices, node.attributes.axis, x.shape[node.attributes.axis]!), undefined];
  },
  interpret(node, [x, indices]) {
    const { axis } = node.attributes;
    const source = node.inputs[0]!.shape;
    const inner = sizeOf(source.slice(axis + 1));
    const count = indices!.length;
    return Float64Array.from({ length: sizeOf(node.shape) }, (_, flat) => {
      const outer = Math.floor(flat / (count * inner));
      const index = indices![Math.floor(flat / inner) % count]!;
      return x![(outer * source[axis]! + index) * inner + (flat % inner)]!;
    });
  },
  emit: (node, inputs, emitter) => emitter.node("Gather", inputs, { axis: node.attributes.axis }),
};

/** Entries of x along an axis; the axes of `indices` take that axis's place. */
export function gather(x: Tensor, indices: Tensor, axis = 0): Tensor {
  if (indices.dtype !== "int") throw shapeError("gather", "int indices", x, indices);
  const at = normaliseAxis("gather", x.shape, axis);
  const shape = [...x.shape.slice(0, at), ...indices.shape, ...x.shape.slice(at + 1)];
  return new Tensor(gatherOp, [x, indices], { axis: at }, shape, x.dtype);
}

const scatterOp: Op<AxisAttributes> = {
  name: "scatterAdd",
  gradient: (node, dx) => [gather(dx, node.inputs[1]!, node.attributes.axis), undefined],
  interpret(node, [updates, indices]) {
    const { axis } = node.attributes;
    const inner = sizeOf(node.shape.slice(axis + 1));
    const count = indices!.length;
    const result = new Float64Array(sizeOf(node.shape));
    for (const [flat, value] of updates!.entries()) {
      const outer = Math.floor(flat / (count * inner));
      const index = indices![Math.floor(flat / inner) % count]!;
      result[(outer * node.shape[axis]! + index) * inner + (flat % inner)]! += value;
    }
    return result;
  },
  emit(node, [updates, indices], emitter) {
    const { axis } = node.attributes;
    const outer = sizeOf(node.shape.slice(0, axis));
    const inner = sizeOf(node.shape.slice(axis + 1));
    const count = sizeOf(node.inputs[1]!.shape);
    const column = emitter.node("Reshape", [indices!, emitter.integers([1, count, 1])]);
    const everywhere = emitter.node("Expand", [column, emitter.integers([outer, count, inner])]);
    const values = emitter.node("Reshape", [updates!, emitter.integers([outer, count, inner])]);
    const empty = emitter.node("Expand", [
      emitter.scalar(0),
      emitter.integers([outer, node.shape[axis]!, inner]),
    ]);
    const added = emitter.node("ScatterElements", [empty, everywhere, values], { axis: 1, reduction: "add" });
    return emitter.node("Reshape", [added, emitter.integers(node.shape)]);
  },
};

/** The reverse of gather: adds each entry of `updates` to its index along an axis of length `size`. */
export function scatterAdd(updates: Tensor, indices: Tensor, axis: number, size: number): Tensor {
  const taken = updates.shape.slice(axis, axis + indices.shape.length);
  if (indices.dtype !== "int" || taken.join() !== indices.shape.join()) {
    throw shapeError(
      "scatterAdd",
      `updates that hold the int indices' shape from axis ${axis} on`,
      updates,
      indices,
    );
  }
  const shape = [...updates.shape.slice(0, axis), size, ...updates.shape.slice(axis + indices.shape.length)];
  return new Tensor(scatterOp, [updates, indices], { axis }, shape);
}

/** [...] of integers → [..., depth], 1 at the index and 0 elsewhere; all zero for an index outside. */
export function oneHot(indices: Tensor, depth: number): Tensor {
  if (indices.dtype !== "int") throw shapeError("oneHot", "int indices", indices);
  const range = constant(
    Array.from({ length: depth }, (_, i) => i),
    [depth],
    "int",
  );
  return cast(equal(reshape(indices, [...indices.shape, 1]), range), "float");
}

/** One entry of each row: [batch, classes] and [batch] → [batch]. */
export function pick(rows: Tensor, indices: Tensor): Tensor {
  if (rows.shape.length !== 2 || indices.shape.length !== 1 || rows.shape[0] !== indices.shape[0]) {
    throw shapeError("pick", "[batch, classes] and [batch]", rows, indices);
  }
  return sum(mul(rows, oneHot(indices, rows.shape[1]!)), [1]);
}

/** Sum of the values of each group: [batch] → [groups]. */
export function sumByGroup(values: Tensor, groups: Tensor, count: number): Tensor {
  if (values.shape.length !== 1 || groups.shape.join() !== values.shape.join()) {
    throw shapeError("sumByGroup", "[batch] values and [batch] groups", values, groups);
  }
  return scatterAdd(values, groups, 0, count);
}

/** How many samples each group has: [batch] → [groups]. */
export function countByGroup(groups: Tensor, count: number): Tensor {
  return scatterAdd(full(groups.shape, 1), groups, 0, count);
}

/** Mean of the values of each group; a group that is absent from the batch gives 0. */
export function meanByGroup(values: Tensor, groups: Tensor, count: number): Tensor {
  return div(sumByGroup(values, groups, count), maximum(countByGroup(groups, count), 1));
}
