/**
 * The ways to compute a convolution and its two gradients with standard ops, chosen by a fixed rule on shapes. The
 * rule was fitted with bench/convolutions.mjs on AVX2 cores; it never measures anything itself, so equal seeds give
 * equal bytes.
 */

import { sizeOf } from "../shapes.ts";
import { type LowerOptions, type Shape, Tensor } from "../tensor.ts";
import { partSize, sumOverParts } from "./by-parts.ts";
import { convolve, fewChannels, type Geometry } from "./convolution.ts";
import { depthwiseFilterGradient, depthwiseInputGradient, isDepthwise } from "./convolution-depthwise.ts";
import { filterGradientOfAffine } from "./convolution-identities.ts";
import { add } from "./elementwise.ts";
import { gather } from "./indexing.ts";
import { flip, reshape, transpose } from "./layout.ts";
import { matmul } from "./matmul.ts";
import { concat, pad, slice } from "./movement.ts";
import { fold, unfold } from "./patches.ts";
import { phaseOffsets } from "./phases.ts";
import { gradientPhases, isInPhases, isMaxGradient } from "./pooling-gradient.ts";
import { sum } from "./reductions.ts";
import { constant } from "./sources.ts";
import {
  sidesForFilterGradient,
  winogradFilterGradient,
  winogradForward,
  winogradInputGradient,
  winogradTiling,
} from "./winograd.ts";

/** Up to this many output places, one product over all images beats one product an image. */
const fewPlaces = { forward: 4, inputGradient: 16, filterGradient: 1 };
/** Up to this many, all kernel elements go into one product; beyond it, the copies that this takes cost too much. */
const placesForPatches = 4;
/** With so few filters a product for each kernel element is thin, and on maps of this size windows cost less. */
const thin = { filters: 32, places: 1024 };
/** A part of the batch whose windows are about 3 MB, and as many parts as make it worth while. */
const valuesInCache = 8e5;
const fewestParts = 4;
/** Columns pay for wide layers only. */
const manyChannels = 64;

export function lowerConvolution(node: Tensor<Geometry>, { openBatch }: LowerOptions): Tensor | undefined {
  if (openBatch) return undefined;
  const [x, w, bias] = node.inputs as [Tensor, Tensor, Tensor?];
  const withBias = (y: Tensor) => (bias === undefined ? y : add(y, reshape(bias, [1, -1, 1, 1])));
  const tiling = winogradTiling(node.shape, w.shape, node.attributes);
  if (tiling !== undefined) return withBias(winogradForward(x, w, node.shape, node.attributes, tiling));
  if (
    !isPlain(node.attributes) ||
    sizeOf(node.shape.slice(2)) > fewPlaces.forward ||
    x.shape[1]! < manyChannels
  )
    return undefined;
  return withBias(forwardByColumns(x, w, node.shape, node.attributes));
}

export function lowerInputGradient(node: Tensor<Geometry>, { openBatch }: LowerOptions): Tensor | undefined {
  if (openBatch) return undefined;
  const [dy, w] = node.inputs as [Tensor, Tensor];
  const { stride, padding, dilation } = node.attributes;
  if (isDepthwise(w.shape, node.attributes)) return depthwiseInputGradient(dy, w, node.attributes);
  if (!isPlain(node.attributes)) return undefined;
  const tiling = winogradTiling(node.shape, w.shape, node.attributes);
  if (tiling !== undefined) return winogradInputGradient(dy, w, node.shape, node.attributes, tiling);
  if (sizeOf(dy.shape.slice(2)) <= fewPlaces.inputGradient && w.shape[1]! >= manyChannels) {
    return inputGradientByColumns(dy, w, node.shape, node.attributes);
  }
  const reach = [dilation[0] * (w.shape[2]! - 1), dilation[1] * (w.shape[3]! - 1)];
  const fits = padding.every((amount, side) => amount <= reach[side % 2]!);
  if (stride[0] > 1 || stride[1] > 1 || !fits || w.shape[1]! < fewChannels) return undefined;
  return inputGradientByFlipping(dy, w, node.attributes);
}

function isPlain({ groups }: Geometry): boolean {
  return groups === 1;
}

type FilterFormulation = keyof typeof filterFormulations;

/** Few channels make thin matrices, small maps make many of them: each has a formulation that avoids its trouble. */
function chooseFilterFormulation(x: Shape, dy: Shape, { groups }: Geometry): FilterFormulation {
  if (groups > 1) return "taps";
  const places = sizeOf(dy.slice(2));
  if (x[1]! < fewChannels || (dy[1]! <= thin.filters && places >= thin.places)) return "patches";
  if (places <= fewPlaces.filterGradient) return "columns";
  return places <= placesForPatches ? "patchesLast" : "tapsLast";
}

export function lowerFilterGradient(node: Tensor<Geometry>): Tensor {
  const [x, dy] = node.inputs as [Tensor, Tensor];
  if (isDepthwise(node.shape, node.attributes))
    return depthwiseFilterGradient(x, dy, node.shape, node.attributes);
  const affine = filterGradientOfAffine(node);
  if (affine !== undefined) return affine;
  const tiling = winogradTiling(dy.shape, node.shape, node.attributes, sidesForFilterGradient);
  if (tiling !== undefined) return winogradFilterGradient(x, dy, node.shape, node.attributes, tiling);
  const choice = chooseFilterFormulation(x.shape, dy.shape, node.attributes);
  return choice === "patches"
    ? filterGradientByParts(x, dy, node.shape, node.attributes)
    : filterFormulations[choice](x, dy, node.shape, node.attributes);
}

/** Windows take much memory: those of a few images at a time stay in the cache. Pooling's gradient is made there too. */
function filterGradientByParts(x: Tensor, dy: Tensor, w: Shape, geometry: Geometry): Tensor {
  const windows = sizeOf(w.slice(1)) * sizeOf(dy.shape.slice(2));
  const size = partSize(x.shape[0]!, valuesInCache / windows);
  if (x.shape[0]! / size < fewestParts) return filterFormulations.patches(x, dy, w, geometry);
  const inputs = isMaxGradient(dy) ? [x, ...dy.inputs] : [x, dy];
  return sumOverParts(inputs, size, ([image, ...rest]) => {
    const part = isMaxGradient(dy)
      ? new Tensor(dy.op, rest, dy.attributes, [size, ...dy.shape.slice(1)])
      : rest[0]!;
    return filterFormulations.patches(image!, part, w, geometry);
  });
}

/** All windows of all images as rows: [batch · places, channels · kernel elements]. */
function windowRows(x: Tensor, w: Shape, geometry: Geometry): Tensor {
  const columns = unfold(x, [w[2]!, w[3]!], geometry);
  return reshape(transpose(columns), [-1, columns.shape[1]!]);
}

/** [batch, filters, rows, columns] → [batch · places, filters]. */
function placeRows(y: Tensor): Tensor {
  const [batch, filters] = y.shape as [number, number];
  return reshape(transpose(reshape(y, [batch, filters, -1])), [-1, filters]);
}

export function forwardByColumns(x: Tensor, w: Tensor, shape: Shape, geometry: Geometry): Tensor {
  const [batch, filters] = shape as [number, number];
  const rows = matmul(windowRows(x, w.shape, geometry), transpose(reshape(w, [filters, -1])));
  return reshape(transpose(reshape(rows, [batch, -1, filters])), shape);
}

export function inputGradientByColumns(dy: Tensor, w: Tensor, shape: Shape, geometry: Geometry): Tensor {
  const rows = matmul(placeRows(dy), reshape(w, [w.shape[0]!, -1]));
  const columns = transpose(reshape(rows, [dy.shape[0]!, -1, rows.shape[1]!]));
  return fold(columns, shape, { ...geometry, kernel: [w.shape[2]!, w.shape[3]!] });
}

/** Stride 1: a convolution with the flipped, transposed kernel. */
export function inputGradientByFlipping(dy: Tensor, w: Tensor, geometry: Geometry): Tensor {
  const { padding, dilation } = geometry;
  const reach = [dilation[0] * (w.shape[2]! - 1), dilation[1] * (w.shape[3]! - 1)];
  const [top, left, bottom, right] = padding.map((amount, side) => reach[side % 2]! - amount) as [
    number,
    number,
    number,
    number,
  ];
  const flipped = sizeOf(w.shape.slice(2)) === 1 ? w : flip(w, [2, 3]);
  return convolve(dy, transpose(flipped, [1, 0, 2, 3]), { ...geometry, padding: [top, left, bottom, right] });
}

type FilterGradient = (x: Tensor, dy: Tensor, w: Shape, geometry: Geometry) => Tensor;

export const filterFormulations = {
  /** A convolution of x with dy as its kernel, batch and channels swapped. */
  swapped(x, dy, w, { stride, padding, dilation, groups }) {
    const swap = [1, 0, 2, 3];
    const result = convolve(transpose(x, swap), transpose(dy, swap), {
      stride: dilation,
      padding,
      dilation: stride,
      groups,
    });
    const kernel = slice(result, [0, 0, 0, 0], [result.shape[0]!, result.shape[1]!, w[2]!, w[3]!]);
    return transpose(kernel, swap);
  },

  /** For each kernel element, dy times the shifted x, image by image; channels stay first. */
  taps(x, dy, w, geometry) {
    const { groups } = geometry;
    const [batch, filters, rows, columns] = dy.shape as [number, number, number, number];
    const area = rows * columns;
    const left = reshape(dy, [batch, groups, filters / groups, area]);
    const parts = shifted(x, dy.shape, w, geometry, "first").map((part) => {
      const right = reshape(part, [batch, groups, w[1]!, area]);
      return reshape(sum(matmul(left, transpose(right)), [0]), [filters, w[1]!, 1]);
    });
    return reshape(concat(parts, 2), w);
  },

  /** The same with channels last: one long product for each kernel element. */
  tapsLast(x, dy, w, geometry) {
    const [filters, channels] = w as [number, number];
    const left = reshape(transpose(dy, [1, 0, 2, 3]), [filters, -1]);
    const parts = shifted(transpose(x, [0, 2, 3, 1]), dy.shape, w, geometry, "last").map((part) =>
      reshape(matmul(left, reshape(part, [-1, channels])), [filters, channels, 1]),
    );
    return reshape(concat(parts, 2), w);
  },

  /**
   * All windows as rows of one matrix an image. That matrix stands left, where a product reads it as it lies; the
   * gradient on the right is what the runtime rearranges, and it is the smaller of the two.
   */
  patches(x, dy, w, geometry) {
    const { padding } = geometry;
    const [filters, channels, kernelRows, kernelColumns] = w as [number, number, number, number];
    const padded = pad(x, [0, 0, padding[0], padding[1]], [0, 0, padding[2], padding[3]]);
    // The sum over places has no order, so a gradient that comes in phases stays in them.
    const [phases, stride] = isInPhases(dy)
      ? [gradientPhases(dy), dy.attributes.stride]
      : [[dy], [1, 1] as const];
    const products = phaseOffsets(stride).map((offset, i) => {
      const part = phases[i]!;
      const windows = windowPlanes(padded, part.shape, w, geometry, stride, offset);
      const right = transpose(reshape(part, [part.shape[0]!, filters, -1]));
      return sum(matmul(windows, right), [0]);
    });
    const product = products.reduce(add);
    return transpose(reshape(product, [kernelColumns, channels, kernelRows, filters]), [3, 1, 2, 0]);
  },

  /** All shifted copies side by side with channels last: one product for everything. */
  patchesLast(x, dy, w, geometry) {
    const [filters, channels, kernelRows, kernelColumns] = w as [number, number, number, number];
    const left = reshape(transpose(dy, [1, 0, 2, 3]), [filters, -1]);
    const stacked = concat(shifted(transpose(x, [0, 2, 3, 1]), dy.shape, w, geometry, "last"), 3);
    const product = matmul(left, reshape(stacked, [-1, kernelRows * kernelColumns * channels]));
    return transpose(reshape(product, [filters, kernelRows, kernelColumns, channels]), [0, 3, 1, 2]);
  },

  /** The windows of all images as rows, in the kernel's own order: no layout changes around one product. */
  columns(x, dy, w, geometry) {
    return reshape(matmul(transpose(placeRows(dy)), windowRows(x, w, geometry)), w);
  },
} satisfies Record<string, FilterGradient>;

/**
 * What each kernel element meets: [batch, kernel columns · channels · kernel rows, places]. Columns are shifted by
 * slices; rows, which are whole blocks by then, by one gather, which the runtime spreads over its threads.
 */
function windowPlanes(
  padded: Tensor,
  dy: Shape,
  w: Shape,
  geometry: Geometry,
  phases: readonly [number, number],
  offset: readonly [number, number],
): Tensor {
  const [batch, channels, height] = padded.shape as [number, number, number];
  const [rows, columns] = dy.slice(2) as [number, number];
  const [kernelRows, kernelColumns] = w.slice(2) as [number, number];
  const at = (axis: 0 | 1, element: number, place: number) =>
    element * geometry.dilation[axis] + (offset[axis] + place * phases[axis]) * geometry.stride[axis];
  const shifted = Array.from({ length: kernelColumns }, (_, column) =>
    slice(
      padded,
      [0, 0, 0, at(1, column, 0)],
      [batch, channels, height, columns],
      [1, 1, 1, phases[1] * geometry.stride[1]],
    ),
  );
  const order = Array.from({ length: kernelRows * rows }, (_, i) => at(0, Math.floor(i / rows), i % rows));
  const planes = gather(concat(shifted, 1), constant(order, [order.length], "int"), 2);
  return reshape(planes, [batch, kernelColumns * channels * kernelRows, rows * columns]);
}

/** For each kernel element, the part of x that it is multiplied with, in the order of the kernel's elements. */
function shifted(x: Tensor, dy: Shape, w: Shape, geometry: Geometry, channels: "first" | "last"): Tensor[] {
  const { stride, padding, dilation } = geometry;
  const [rows, columns] = dy.slice(2) as [number, number];
  const spread = (r: number, c: number, other: number) =>
    channels === "first" ? [other, other, r, c] : [other, r, c, other];
  const padded = pad(x, spread(padding[0], padding[1], 0), spread(padding[2], padding[3], 0));
  const sizes =
    channels === "first"
      ? [x.shape[0]!, x.shape[1]!, rows, columns]
      : [x.shape[0]!, rows, columns, x.shape[3]!];
  return Array.from({ length: w[2]! * w[3]! }, (_, tap) => {
    const [top, left] = [Math.floor(tap / w[3]!) * dilation[0], (tap % w[3]!) * dilation[1]];
    if (channels === "last" && stride[1] > 1) {
      return strided(strided(padded, 1, top, stride[0], rows), 2, left, stride[1], columns);
    }
    return slice(padded, spread(top, left, 0), sizes, spread(stride[0], stride[1], 1));
  });
}

/** Every `step`-th row or column of maps whose channels come last: a gather, which the runtime spreads over its threads. */
function strided(x: Tensor, axis: 1 | 2, start: number, step: number, count: number): Tensor {
  const places = Array.from({ length: count }, (_, i) => start + i * step);
  return gather(x, constant(places, [count], "int"), axis);
}
