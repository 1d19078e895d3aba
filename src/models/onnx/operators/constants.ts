/** Operators whose results are known when a graph is read: constants, shapes, ranges, and what is worked out of them. */

import { constant, type DType, type Tensor } from "../../../engine/expressions.ts";
import { elementTypeOf, numbersOf, type StoredTensor } from "../../../engine/onnx/decode-tensor.ts";
import { sizeOf, stridesOf } from "../../../engine/shapes.ts";
import type { OperatorCall, OperatorFamily } from "../call.ts";

/** A stored tensor as one that never changes. */
export function constantOf(stored: StoredTensor): Tensor {
  const values = numbersOf(stored);
  return constant(values, stored.shape, elementTypeOf(stored.type)!.dtype);
}

function integers(values: readonly number[], shape: readonly number[] = [values.length]): Tensor {
  return constant(values, shape, "int");
}

function constantNode(call: OperatorCall): Tensor {
  const stored = call.tensor("value");
  if (stored !== undefined) return constantOf(stored);
  const known: Record<string, () => Tensor> = {
    value_float: () => constant([call.number("value_float", 0)], []),
    value_int: () => integers([call.number("value_int", 0)], []),
    value_floats: () => constant(call.list("value_floats")!, [call.list("value_floats")!.length]),
    value_ints: () => integers(call.list("value_ints")!),
  };
  const found = Object.keys(known).find((name) => call.node.attributes.has(name));
  if (found === undefined) throw call.fail({ what: "holds no numbers", expected: "a constant of numbers" });
  return known[found]!();
}

function range(call: OperatorCall): Tensor {
  const [start, limit, step] = [0, 1, 2].map((i) => call.numbers(i)[0]!) as [number, number, number];
  const count = Math.max(0, Math.ceil((limit - start) / step));
  if (!Number.isFinite(count)) throw call.fail({ what: "has no end", got: `a step of ${step}` });
  call.requireSize([count]);
  const values = Array.from({ length: count }, (_, i) => start + i * step);
  return constant(values, [count], call.input(0).dtype);
}

/** `start` and `end` cut axes out from opset 15 on. */
function shapeOf(call: OperatorCall): Tensor {
  const { shape } = call.input(0);
  return integers(shape.slice(call.number("start", 0), call.number("end", shape.length)));
}

function constantOfShape(call: OperatorCall): Tensor {
  const stored = call.tensor("value");
  const value = stored === undefined ? constant([0], [1]) : constantOf(stored);
  const shape = call.numbers(0);
  call.requireSize(shape);
  return call.around.stretch(call.reshape(value, []), shape);
}

function nonZero(call: OperatorCall): Tensor {
  const [values, { shape }] = [call.numbers(0), call.input(0)];
  const strides = stridesOf(shape);
  const found = [...values.keys()].filter((i) => values[i] !== 0);
  const rows = strides.flatMap((stride, axis) => found.map((i) => Math.floor(i / stride) % shape[axis]!));
  return integers(rows, [shape.length, found.length]);
}

function scatterNd(call: OperatorCall): Tensor {
  const { shape, dtype } = call.input(0);
  const [values, places, updates] = [0, 1, 2].map((i) => call.numbers(i)) as [number[], number[], number[]];
  if (call.text("reduction", "none") !== "none")
    throw call.fail({ what: "adds to what is there", expected: "reduction none" });
  const depth = call.input(1).shape.at(-1)!;
  const inner = sizeOf(shape.slice(depth));
  const strides = stridesOf(shape);
  for (let i = 0; i < places.length / depth; i++) {
    const index = places.slice(i * depth, (i + 1) * depth);
    const at = index.reduce(
      (sum, place, axis) => sum + (place < 0 ? place + shape[axis]! : place) * strides[axis]!,
      0,
    );
    if (!(at >= 0 && at + inner <= values.length))
      throw call.fail({ what: "writes outside its tensor", got: `index ${index.join(", ")}` });
    for (let k = 0; k < inner; k++) values[at + k] = updates[i * inner + k]!;
  }
  return constant(values, shape, dtype);
}

/** Above or below a diagonal. */
function trilu(call: OperatorCall): Tensor {
  const { shape, dtype } = call.input(0);
  const [rows, columns] = shape.slice(-2) as [number, number];
  const [offset] = call.optionalNumbers(1) ?? [0];
  const upper = call.number("upper", 1) === 1;
  const kept = (i: number) => {
    const distance = (i % columns) - (Math.floor(i / columns) % rows);
    return upper ? distance >= offset! : distance <= offset!;
  };
  return constant(
    call.numbers(0).map((value, i) => (kept(i) ? value : 0)),
    shape,
    dtype satisfies DType,
  );
}

export const constants: OperatorFamily = {
  Constant: constantNode,
  ConstantOfShape: constantOfShape,
  NonZero: nonZero,
  Range: range,
  ScatterND: scatterNd,
  Shape: shapeOf,
  Size: (call) => integers([sizeOf(call.input(0).shape)], []),
  Trilu: trilu,
};
