/** Laying windows of a map out as columns (im2col), and adding columns back into a map (col2im). */

import { shapeError, sizeOf } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";
import { type Geometry, outputSize } from "./convolution.ts";
import { reshape } from "./layout.ts";
import { concat, pad, slice } from "./movement.ts";

interface PatchAttributes extends Geometry {
  kernel: readonly [number, number];
}

/** Calls `visit` with the flat offset of each patch element and of the map element it comes from. */
function forEachElement(
  map: Shape,
  attributes: PatchAttributes,
  visit: (patch: number, map: number) => void,
): void {
  const { kernel, stride, padding, dilation } = attributes;
  const [batch, channels, height, width] = map as [number, number, number, number];
  const [rows, columns] = outputSize([height, width], kernel, attributes);
  let patch = 0;
  for (let plane = 0; plane < batch * channels; plane++)
    for (let u = 0; u < kernel[0]; u++)
      for (let v = 0; v < kernel[1]; v++)
        for (let r = 0; r < rows; r++)
          for (let c = 0; c < columns; c++, patch++) {
            const row = r * stride[0] + u * dilation[0] - padding[0];
            const column = c * stride[1] + v * dilation[1] - padding[1];
            if (row < 0 || row >= height || column < 0 || column >= width) continue;
            visit(patch, (plane * height + row) * width + column);
          }
}

const unfoldOp: Op<PatchAttributes> = {
  name: "unfold",
  gradient: (node, dy) => [fold(dy, node.inputs[0]!.shape, node.attributes)],
  interpret(node, [x]) {
    const result = new Float64Array(sizeOf(node.shape));
    forEachElement(node.inputs[0]!.shape, node.attributes, (patch, map) => {
      result[patch] = x![map]!;
    });
    return result;
  },
  lower(node) {
    const x = node.inputs[0]!;
    const { kernel, padding } = node.attributes;
    const [batch, channels] = x.shape as [number, number];
    const size = outputSize(x.shape.slice(2), kernel, node.attributes);
    const padded = pad(x, [0, 0, padding[0], padding[1]], [0, 0, padding[2], padding[3]]);
    const parts = kernelElements(kernel).map((element) =>
      reshape(shiftedPart(padded, element, size, node.attributes), [batch, channels, 1, -1]),
    );
    return reshape(concat(parts, 2), node.shape);
  },
};

/** [batch, channels, rows, columns] → [batch, channels · kernel elements, windows], with zeros for padding. */
export function unfold(x: Tensor, kernel: readonly [number, number], geometry: Geometry): Tensor {
  if (x.shape.length !== 4) throw shapeError("unfold", "[batch, channels, rows, columns]", x);
  const size = outputSize(x.shape.slice(2), kernel, geometry);
  const shape = [x.shape[0]!, x.shape[1]! * sizeOf(kernel), sizeOf(size)];
  return new Tensor(unfoldOp, [x], { ...geometry, kernel }, shape);
}

const foldOp: Op<PatchAttributes> = {
  name: "fold",
  gradient: (node, dx) => [unfold(dx, node.attributes.kernel, node.attributes)],
  interpret(node, [patches]) {
    const result = new Float64Array(sizeOf(node.shape));
    forEachElement(node.shape, node.attributes, (patch, map) => {
      result[map]! += patches![patch]!;
    });
    return result;
  },
  emit(node, [patches], emitter) {
    const { kernel, stride, padding, dilation } = node.attributes;
    const inputs = [patches!, emitter.integers(node.shape.slice(2)), emitter.integers(kernel)];
    return emitter.node("Col2Im", inputs, { strides: stride, pads: padding, dilations: dilation });
  },
};

/** The reverse of unfold: adds every patch element to the map element that it comes from. */
export function fold(
  patches: Tensor,
  shape: Shape,
  { kernel, stride, padding, dilation, groups }: PatchAttributes,
): Tensor {
  return new Tensor(foldOp, [patches], { kernel, stride, padding, dilation, groups }, shape);
}

/** Row and column of each kernel element, in order. */
function kernelElements([rows, columns]: readonly [number, number]): [number, number][] {
  return Array.from({ length: rows * columns }, (_, i) => [Math.floor(i / columns), i % columns]);
}

/** The part of a padded map, channels first, that one kernel element meets. */
function shiftedPart(
  padded: Tensor,
  element: readonly [number, number],
  size: Shape,
  geometry: Geometry,
): Tensor {
  const { stride, dilation } = geometry;
  const start = [0, 0, element[0] * dilation[0], element[1] * dilation[1]];
  return slice(
    padded,
    start,
    [padded.shape[0]!, padded.shape[1]!, size[0]!, size[1]!],
    [1, 1, stride[0], stride[1]],
  );
}
