/** The same elements in another shape or order. */

import { type Tensor, transpose } from "../../../engine/expressions.ts";
import { broadcastShapes, normaliseAxes, sizeOf } from "../../../engine/shapes.ts";
import { type OperatorCall, type OperatorFamily, positiveAxis } from "../call.ts";

/** A zero copies a length, unless zeros are meant; one −1 is worked out. */
function reshaped(call: OperatorCall): Tensor {
  const x = call.input(0);
  const copies = call.number("allowzero", 0) === 0;
  const wanted = call
    .numbers(1)
    .map((length, axis) => (length === 0 && copies ? (x.shape[axis] ?? 0) : length));
  const worked = (shape: readonly number[]) => {
    const known = sizeOf(shape.filter((length) => length !== -1));
    return shape.map((length) => (length === -1 ? sizeOf(x.shape) / known : length));
  };
  const fits = (shape: readonly number[]) => {
    const target = worked(shape);
    return sizeOf(target) === sizeOf(x.shape) && target.every(Number.isInteger);
  };
  return call.reshape(x, worked(call.around.forBatch(wanted, fits)));
}

function flattened(call: OperatorCall): Tensor {
  const x = call.input(0);
  const axis = positiveAxis(call.number("axis", 1), x.shape.length);
  return call.reshape(x, [sizeOf(x.shape.slice(0, axis)), sizeOf(x.shape.slice(axis))]);
}

/** An attribute before opset 13. */
function squeezed(call: OperatorCall): Tensor {
  const x = call.input(0);
  const given = call.listOrInput("axes", 1);
  const axes =
    given === undefined
      ? x.shape.flatMap((length, axis) => (length === 1 ? [axis] : []))
      : normaliseAxes("Squeeze", x.shape, given);
  return call.reshape(
    x,
    x.shape.filter((_, axis) => !axes.includes(axis)),
  );
}

function unsqueezed(call: OperatorCall): Tensor {
  const x = call.input(0);
  const given = call.listOrInput("axes", 1) ?? [];
  const rank = x.shape.length + given.length;
  const axes = given.map((axis) => positiveAxis(axis, rank));
  const rest = [...x.shape];
  return call.reshape(
    x,
    Array.from({ length: rank }, (_, axis) => (axes.includes(axis) ? 1 : rest.shift()!)),
  );
}

function expanded(call: OperatorCall): Tensor {
  const x = call.input(0);
  const shape = call.around.forBatch(call.numbers(1), () => true);
  const target = broadcastShapes("Expand", x.shape, shape);
  call.requireSize(target);
  return call.around.stretch(x, target);
}

export const layout: OperatorFamily = {
  Dropout: (call) => call.input(0),
  Expand: expanded,
  Flatten: flattened,
  Identity: (call) => call.input(0),
  Reshape: reshaped,
  Squeeze: squeezed,
  Transpose: (call) => {
    const x = call.input(0);
    return transpose(x, call.list("perm") ?? x.shape.map((_, axis) => x.shape.length - 1 - axis));
  },
  Unsqueeze: unsqueezed,
};
