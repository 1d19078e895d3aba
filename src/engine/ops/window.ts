/** Padding and slicing in one pass, for lowered graphs. */

import { sameShape, sizeOf, stridesOf } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";

interface WindowAttributes {
  starts: readonly number[];
  value: number;
}

const windowOp: Op<WindowAttributes> = {
  name: "window",
  interpret(node, [x]) {
    const { starts, value } = node.attributes;
    const source = node.inputs[0]!.shape;
    const strides = stridesOf(source);
    return Float64Array.from({ length: sizeOf(node.shape) }, (_, flat) => {
      let offset = 0;
      let rest = flat;
      for (let axis = source.length - 1; axis >= 0; axis--) {
        const at = starts[axis]! + (rest % node.shape[axis]!);
        if (at < 0 || at >= source[axis]!) return value;
        offset += at * strides[axis]!;
        rest = Math.floor(rest / node.shape[axis]!);
      }
      return x![offset]!;
    });
  },
  emit(node, [x], emitter) {
    const { starts, value } = node.attributes;
    const source = node.inputs[0]!.shape;
    // Negative amounts cut off.
    const before = starts.map((start) => -start);
    const after = node.shape.map((length, axis) => starts[axis]! + length - source[axis]!);
    return emitter.node("Pad", [x!, emitter.integers([...before, ...after]), emitter.scalar(value)], {
      mode: "constant",
    });
  },
};

/** A part that may reach over the edge, where `value` stands. It has no gradient: none is taken of lowered graphs. */
export function window(x: Tensor, starts: Shape, sizes: Shape, value: number): Tensor {
  return starts.every((start) => start === 0) && sameShape(sizes, x.shape)
    ? x
    : new Tensor(windowOp, [x], { starts, value }, sizes);
}
