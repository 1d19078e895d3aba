/** Taking parts out, putting them together, padding and repeating. */

import {
  cast,
  concat,
  constant,
  gather,
  pad,
  slice,
  sliceAxis,
  type Tensor,
} from "../../../engine/expressions.ts";
import { sizeOf, stridesOf } from "../../../engine/shapes.ts";
import { type OperatorCall, type OperatorFamily, positiveAxis } from "../call.ts";
import { onFloats } from "./elementwise.ts";

/** Elements of an axis by constant places: a slice where they follow each other. */
function taken(x: Tensor, axis: number, places: readonly number[]): Tensor {
  const length = x.shape[axis]!;
  if (places.length === 0) return constant([], x.shape.with(axis, 0), x.dtype);
  if (places.length === length && places.every((place, i) => place === i)) return x;
  const step = places.length === 1 ? 1 : places[1]! - places[0]!;
  const even = step > 0 && places.every((place, i) => place === places[0]! + i * step);
  if (even) return sliceAxis(x, axis, places[0]!, places.length, step);
  return gather(x, constant(places, [places.length], "int"), axis);
}

function sliced(call: OperatorCall): Tensor {
  let x = call.input(0);
  const [starts, ends] = [call.numbers(1), call.numbers(2)];
  const axes = call.optionalNumbers(3) ?? starts.map((_, i) => i);
  const steps = call.optionalNumbers(4) ?? starts.map(() => 1);
  for (const [i, given] of axes.entries()) {
    const axis = positiveAxis(given, x.shape.length);
    x = taken(x, axis, placesOf(x.shape[axis]!, starts[i]!, ends[i]!, steps[i]!));
  }
  return x;
}

/** Bounds beyond the ends stand for the ends, negative ones count from behind. */
function placesOf(length: number, start: number, end: number, step: number): number[] {
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const within = (bound: number) => Math.min(most, Math.max(least, bound < 0 ? bound + length : bound));
  const count = Math.max(0, Math.ceil((within(end) - within(start)) / step));
  return Array.from({ length: count }, (_, i) => within(start) + i * step);
}

function gathered(call: OperatorCall): Tensor {
  const x = call.input(0);
  const axis = positiveAxis(call.number("axis", 0), x.shape.length);
  const known = call.around.numbers(call.node.inputs[1]!);
  if (known === undefined) return gather(x, cast(call.input(1), "int"), axis);
  const places = checkedPlaces(call, Array.from(known), x.shape[axis]!);
  const { shape } = call.input(1);
  // All of them in their order, which is how strided views are written.
  if (places.length === x.shape[axis] && places.every((place, i) => place === i))
    return call.reshape(x, [...x.shape.slice(0, axis), ...shape, ...x.shape.slice(axis + 1)]);
  if (shape.length === 1) return taken(x, axis, places);
  if (shape.length === 0)
    return call.reshape(
      sliceAxis(x, axis, places[0]!, 1),
      x.shape.filter((_, i) => i !== axis),
    );
  return gather(x, constant(places, shape, "int"), axis);
}

function checkedPlaces(call: OperatorCall, places: readonly number[], length: number): number[] {
  return places.map((place) => {
    const positive = positiveAxis(place, length);
    if (positive >= 0 && positive < length) return positive;
    throw call.fail({ what: "takes what is not there", expected: `places below ${length}`, got: `${place}` });
  });
}

/** Whole indices into the first axes, which are then one. */
function gatheredDeep(call: OperatorCall): Tensor {
  const [x, indices] = [call.input(0), call.input(1)];
  if (call.number("batch_dims", 0) !== 0)
    throw call.fail({ what: "takes other places of every image", expected: "batch_dims = 0" });
  const depth = indices.shape.at(-1)!;
  const outer = x.shape.slice(0, depth);
  const strides = stridesOf(outer);
  const all = call.numbers(1);
  const places = Array.from({ length: all.length / depth }, (_, i) =>
    strides.reduce((at, stride, axis) => {
      const [place] = checkedPlaces(call, [all[i * depth + axis]!], outer[axis]!);
      return at + place! * stride;
    }, 0),
  );
  const flat = call.reshape(x, [sizeOf(outer), ...x.shape.slice(depth)]);
  return gather(flat, constant(places, indices.shape.slice(0, -1), "int"), 0);
}

/** Parts without elements, which slices of shifted windows leave, add nothing. */
function joined(call: OperatorCall): Tensor {
  const all = call.inputs;
  const axis = positiveAxis(call.number("axis", 0), all[0]?.shape.length ?? 0);
  const parts = all.filter(({ shape }) => shape[axis] !== 0);
  return parts.length === 0 ? all[0]! : concat(parts, axis);
}

/** Lengths by an attribute before opset 13, then by an input, or so many equal parts. */
function split(call: OperatorCall): Tensor[] {
  const x = call.input(0);
  const axis = positiveAxis(call.number("axis", 0), x.shape.length);
  const count = call.number("num_outputs", call.node.outputs.length);
  const even = Math.ceil(x.shape[axis]! / count);
  const sizes =
    call.listOrInput("split", 1) ??
    Array.from({ length: count }, (_, i) => Math.min(even, x.shape[axis]! - i * even));
  let start = 0;
  return sizes.map((size) => {
    start += size;
    return sliceAxis(x, axis, start - size, size);
  });
}

function padded(call: OperatorCall): Tensor {
  const x = call.input(0);
  const pads = call.listOrInput("pads", 1) ?? [];
  const axes = (call.optionalNumbers(3) ?? x.shape.map((_, axis) => axis)).map((axis) =>
    positiveAxis(axis, x.shape.length),
  );
  const [before, after] = [0, 1].map((side) => {
    const amounts = x.shape.map(() => 0);
    for (const [i, axis] of axes.entries()) amounts[axis] = pads[side * axes.length + i]!;
    return amounts;
  }) as [number[], number[]];
  const mode = call.text("mode", "constant");
  call.requireSize(x.shape.map((length, axis) => length + Math.abs(before[axis]!) + Math.abs(after[axis]!)));
  if (mode !== "constant") return mirrored(call, x, before, after, mode);
  const cut = slice(
    x,
    before.map((amount) => Math.max(0, -amount)),
    x.shape.map((length, axis) => length + Math.min(0, before[axis]!) + Math.min(0, after[axis]!)),
  );
  const positive = (amounts: readonly number[]) => amounts.map((amount) => Math.max(0, amount));
  const [value] = call.optionalNumbers(2) ?? [call.number("value", 0)];
  return onFloats([cut], (floats) => pad(floats, positive(before), positive(after), value!));
}

/** What lies beyond an edge is taken from within it. */
function mirrored(call: OperatorCall, x: Tensor, before: number[], after: number[], mode: string): Tensor {
  const within: Record<string, (place: number, length: number) => number> = {
    edge: (place, length) => Math.min(length - 1, Math.max(0, place)),
    reflect: (place, length) => {
      const period = Math.max(1, 2 * (length - 1));
      const folded = ((place % period) + period) % period;
      return folded < length ? folded : period - folded;
    },
    wrap: (place, length) => ((place % length) + length) % length,
  };
  const of = within[mode];
  if (of === undefined) throw call.fail({ what: "pads in an unknown way", got: mode });
  return x.shape.reduce((padded, length, axis) => {
    const places = Array.from({ length: before[axis]! + length + after[axis]! }, (_, i) =>
      of(i - before[axis]!, length),
    );
    return taken(padded, axis, places);
  }, x);
}

function repeated(call: OperatorCall): Tensor {
  const x = call.input(0);
  const times = call.numbers(1);
  call.requireSize(x.shape.map((length, axis) => length * times[axis]!));
  return times.reduce((tiled, count, axis) => {
    if (count < 1) throw call.fail({ what: "repeats nothing", got: `${count} times` });
    return concat(Array<Tensor>(count).fill(tiled), axis);
  }, x);
}

export const movement: OperatorFamily = {
  Concat: joined,
  Gather: gathered,
  GatherND: gatheredDeep,
  Pad: padded,
  Slice: sliced,
  Split: split,
  Tile: repeated,
};
