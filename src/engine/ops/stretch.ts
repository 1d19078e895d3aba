/** Stretching along the axis that holds the images of a batch: what a token or a mask of all images needs to be joined to each. */

import { broadcastShapes, sameShape, shapeError } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { interpretBroadcast } from "./layout.ts";
import { sumTo } from "./reductions.ts";

interface StretchAttributes {
  axis: number;
  /** Length of that axis for one image. */
  times: number;
}

const stretchOp: Op<StretchAttributes> = {
  name: "stretch",
  gradient: (node, dy) => [sumTo(dy, node.inputs[0]!.shape), undefined],
  interpret: (node, [x]) => interpretBroadcast(node, x!),
  emit(node, [x, images], emitter) {
    const { axis, times } = node.attributes;
    const first = emitter.node("Shape", [images!], { start: 0, end: 1 });
    const batch = times === 1 ? first : emitter.node("Mul", [first, emitter.integers([times])]);
    const around = [node.shape.slice(0, axis), node.shape.slice(axis + 1)].map((lengths) =>
      lengths.length === 0 ? [] : [emitter.integers(lengths)],
    );
    const parts = [...around[0]!, batch, ...around[1]!];
    const target = parts.length === 1 ? batch : emitter.node("Concat", parts, { axis: 0 });
    return emitter.node("Expand", [x!, target]);
  },
};

/** x broadcast to `shape`, whose length along `axis` is so many times the first of `images`, however many these are. */
export function stretch(x: Tensor, shape: Shape, axis: number, images: Tensor): Tensor {
  const times = shape[axis]! / images.shape[0]!;
  const fits = Number.isInteger(times) && sameShape(broadcastShapes("stretch", x.shape, shape), shape);
  if (!fits)
    throw shapeError("stretch", "a shape that the input stretches to, by whole batches", x, shape, images);
  return new Tensor(stretchOp, [x, images], { axis, times }, shape, x.dtype);
}
