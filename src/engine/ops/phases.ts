/**
 * A map taken apart by a stride: phase (a, b) holds the elements at rows a, a + s, … and columns b, b + t, …. What
 * only sums over a map need not put the phases together again.
 */

import { sizeOf } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { slice } from "./movement.ts";
import { window } from "./window.ts";

interface InterleaveAttributes {
  stride: readonly [number, number];
}

/** The shape of the phase that begins at `offset`. */
function phaseShape(map: Shape, stride: readonly [number, number], offset: Shape): Shape {
  const length = (axis: 0 | 1) => Math.ceil((map[axis + 2]! - offset[axis]!) / stride[axis]);
  return [map[0]!, map[1]!, length(0), length(1)];
}

/** Row and column offset of each phase, in the order that `interleave` wants. */
export function phaseOffsets([rows, columns]: readonly [number, number]): [number, number][] {
  return Array.from({ length: rows * columns }, (_, i) => [Math.floor(i / columns), i % columns]);
}

export function takePhase(x: Tensor, stride: readonly [number, number], offset: Shape): Tensor {
  return slice(x, [0, 0, ...offset], phaseShape(x.shape, stride, offset), [1, 1, ...stride]);
}

const interleaveOp: Op<InterleaveAttributes> = {
  name: "interleave",
  interpret(node, phases) {
    const [rows, columns] = node.attributes.stride;
    const [height, width] = node.shape.slice(2) as [number, number];
    const offsets = phaseOffsets(node.attributes.stride);
    return Float64Array.from({ length: sizeOf(node.shape) }, (_, flat) => {
      const map = Math.floor(flat / (height * width));
      const [row, column] = [Math.floor(flat / width) % height, flat % width];
      const [a, b] = [row % rows, column % columns];
      const phase = offsets.findIndex((offset) => offset[0] === a && offset[1] === b);
      const [phaseRows, phaseColumns] = node.inputs[phase]!.shape.slice(2) as [number, number];
      const at = Math.floor(row / rows) * phaseColumns + Math.floor(column / columns);
      return phases[phase]![map * phaseRows * phaseColumns + at]!;
    });
  },
  emit(node, inputs, emitter) {
    const [rows, columns] = node.attributes.stride;
    const [batch, channels, height, width] = node.shape as [number, number, number, number];
    const [phaseRows, phaseColumns] = node.inputs[0]!.shape.slice(2) as [number, number];
    // Side by side, first the columns, then the rows: a quarter of the time of one transpose.
    const join = (parts: readonly string[], shape: Shape, axis: number) => {
      const split = parts.map((part) => emitter.node("Reshape", [part, emitter.integers(shape)]));
      return emitter.node("Concat", split, { axis });
    };
    const maps = batch * channels;
    const wide = Array.from({ length: rows }, (_, row) =>
      join(inputs.slice(row * columns, (row + 1) * columns), [maps, phaseRows, phaseColumns, 1], 3),
    );
    const whole = [batch, channels, phaseRows * rows, phaseColumns * columns];
    const tall = join(wide, [maps, phaseRows, 1, phaseColumns * columns], 2);
    const map = emitter.node("Reshape", [tall, emitter.integers(whole)]);
    if (whole[2] === height && whole[3] === width) return map;
    const lists = [
      [0, 0],
      [height, width],
      [2, 3],
    ].map((list) => emitter.integers(list));
    return emitter.node("Slice", [map, ...lists]);
  },
};

/** The map whose phases these are. All come in the size of the first; what hangs over the edge is cut off. */
export function interleave(
  phases: readonly Tensor[],
  shape: Shape,
  stride: readonly [number, number],
): Tensor {
  const size = phaseShape(shape, stride, [0, 0]);
  const even = phases.map((phase) => window(phase, [0, 0, 0, 0], size, 0));
  return new Tensor(interleaveOp, even, { stride }, shape);
}
