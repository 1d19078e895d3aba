/**
 * 3×3 convolutions with fewer multiplications (Winograd 1980; Lavin & Gray 2016): a tile of 4×4 results takes 36
 * products for each pair of channels instead of 144. Tiles are polynomials that are multiplied by their values at a
 * few points, so a convolution is a small product into those values, one product of channels for each value, and a
 * small product back. Where a convolution and its filter gradient have the same tiles, their values are computed once,
 * unless the batch is done in parts.
 */

import { sizeOf, stridesOf } from "../shapes.ts";
import type { Shape, Tensor } from "../tensor.ts";
import { joinParts, partSize, sumOverParts } from "./by-parts.ts";
import type { Geometry } from "./convolution.ts";
import { gather } from "./indexing.ts";
import { reshape, transpose } from "./layout.ts";
import { matmul } from "./matmul.ts";
import { pad } from "./movement.ts";
import { constant } from "./sources.ts";
import {
  evaluation,
  interpolation,
  kernel,
  onSquare,
  type Side,
  transposed,
  valuesOf,
  type WinogradMatrix,
} from "./winograd-matrices.ts";

/** Products of a tile. Those of large tiles count half as much again: they round more, and much is done around them. */
const products: Record<Side, number> = { 2: 16, 4: 36 * 1.5 };
/** Tiles that hang over the edge of a small map can leave too little gain. */
const worthwhile = 0.7;

/** Fewer channels leave too little to do between the two small products. */
const manyChannels = 64;
/** On a single place, all but one of the kernel's elements meet padding. */
const manyPlaces = 4;

/** Values of a part of the batch that stay in the cache. */
const valuesInCache = 6e5;

/** A map cut into tiles: `rows` × `columns` of them, with `side` × `side` results each. */
interface Tiling {
  side: Side;
  rows: number;
  columns: number;
}

/** The tiling of a map in `results` of a 3×3 convolution, or undefined where this way does not apply or does not pay. */
export function winogradTiling(
  results: Shape,
  w: Shape,
  geometry: Geometry,
  sides: readonly Side[] = [4, 2],
): Tiling | undefined {
  const { stride, padding, dilation, groups } = geometry;
  const applies =
    groups === 1 &&
    [...stride, ...dilation].every((n) => n === 1) &&
    [w[2], w[3]].every((n) => n === kernel) &&
    padding.every((amount) => amount < kernel);
  const [height, width] = results.slice(2) as [number, number];
  if (!applies || Math.min(w[0]!, w[1]!) < manyChannels || height * width < manyPlaces) return undefined;
  const cost = ({ side, rows, columns }: Tiling) => products[side] * rows * columns;
  const best = sides
    .map((side) => ({ side, rows: Math.ceil(height / side), columns: Math.ceil(width / side) }))
    .reduce((one, other) => (cost(other) < cost(one) ? other : one));
  return cost(best) < height * width * kernel ** 2 * worthwhile ? best : undefined;
}

/** Large tiles do not suit filter gradients, see `winogradFilterGradient`. */
export const sidesForFilterGradient: readonly Side[] = [2];

export function winogradForward(x: Tensor, w: Tensor, y: Shape, geometry: Geometry, tiling: Tiling): Tensor {
  const filters = filterValues(w, evaluation(kernel, tiling.side, "scaled"));
  return inParts(channelsLast(x), filters, y, tiling, (part, by, shape) =>
    fromTiles(matmul(valuesAt(part, geometry.padding, tiling), transpose(by)), shape, tiling),
  );
}

/** Values take more than twice the memory of their map: a large batch is done in parts that fit into the cache. */
function inParts(
  x: Tensor,
  filters: Tensor,
  shape: Shape,
  tiling: Tiling,
  build: (part: Tensor, filters: Tensor, shape: Shape) => Tensor,
): Tensor {
  const size = sizeOfPart(x.shape[0]!, filters.shape.slice(1), tiling);
  if (size === x.shape[0]) return build(x, filters, shape);
  return joinParts([x], [filters], size, ([part], [by]) => build(part!, by!, [size, ...shape.slice(1)]));
}

function sizeOfPart(batch: number, channels: Shape, { side, rows, columns }: Tiling): number {
  const values = valuesOf(side) ** 2 * rows * columns * Math.max(...channels);
  const size = partSize(batch, valuesInCache / values);
  // A batch without a divisor of about that size stays whole: tiny parts would cost more than memory does.
  return size < valuesInCache / values / 4 ? batch : size;
}

/** The same with the kernels turned around, from filters to channels. */
export function winogradInputGradient(
  dy: Tensor,
  w: Tensor,
  x: Shape,
  { padding }: Geometry,
  tiling: Tiling,
): Tensor {
  const left = padding.map((amount) => kernel - 1 - amount);
  const turned = evaluation(kernel, tiling.side, "scaled").map((row) => [...row].reverse());
  return inParts(channelsLast(dy), filterValues(w, turned), x, tiling, (part, filters, shape) =>
    fromTiles(matmul(valuesAt(part, left, tiling), filters), shape, tiling),
  );
}

/**
 * Here dy takes the kernel's part: its tiles slide over tiles of x and give the kernel's 3×3 elements. Losses after
 * five steps of Adam on four images were off by 2e-3 with tiles of 4, by 2e-6 to 2e-4 with tiles of 2 and by 2e-7 with
 * a plain sum. It is likely that gradients near zero are to blame, of whose rounding Adam makes whole steps.
 */
export function winogradFilterGradient(
  x: Tensor,
  dy: Tensor,
  w: Shape,
  geometry: Geometry,
  tiling: Tiling,
): Tensor {
  const { side } = tiling;
  const productsOf = (image: Tensor, slope: Tensor) => {
    const tiles = transpose(toTiles(slope, [0, 0], side, tiling));
    const slopes = transform(onSquare(evaluation(side, side, "scaled")), tiles);
    return matmul(slopes, valuesAt(image, geometry.padding, tiling));
  };
  const size = sizeOfPart(x.shape[0]!, w.slice(0, 2), tiling);
  const maps = [channelsLast(x), channelsLast(dy)] as const;
  const sums =
    size === x.shape[0]
      ? productsOf(...maps)
      : sumOverParts(maps, size, ([image, slope]) => productsOf(image!, slope!));
  // Turned around, so that the result lies as the weights do.
  const flat = transpose(reshape(sums, [sums.shape[0]!, -1]));
  return reshape(matmul(flat, transpose(matrix(onSquare(transposed(evaluation(kernel, side)))))), w);
}

/**
 * [batch, channels, rows, columns] → [batch, rows, columns, channels]. Done for the whole batch, so that a convolution
 * and its filter gradient, and the two gradients, share it.
 */
function channelsLast(x: Tensor): Tensor {
  return transpose(x, [0, 2, 3, 1]);
}

/** The values of each tile of a map: [values, tiles, channels]. */
function valuesAt(x: Tensor, padding: Shape, tiling: Tiling): Tensor {
  return transform(onSquare(interpolation(tiling.side)), toTiles(x, padding, valuesOf(tiling.side), tiling));
}

/** [filters, channels, 3, 3] → [values, filters, channels]. */
function filterValues(w: Tensor, evaluate: WinogradMatrix): Tensor {
  const [filters, channels] = w.shape as [number, number];
  const rows = transpose(reshape(w, [filters * channels, kernel * kernel]));
  return reshape(matmul(matrix(onSquare(evaluate)), rows), [-1, filters, channels]);
}

/** Multiplies along the first axis. */
function transform(by: WinogradMatrix, x: Tensor): Tensor {
  return reshape(matmul(matrix(by), reshape(x, [x.shape[0]!, -1])), [by.length, ...x.shape.slice(1)]);
}

/**
 * [batch, rows, columns, channels] → [elements of a tile, tiles, channels], where tiles of `size` begin `tiling.side`
 * apart. Channels come last, so that a gather moves them together, which the runtime spreads over its threads.
 */
function toTiles(x: Tensor, padding: Shape, size: number, { side, rows, columns }: Tiling): Tensor {
  const [batch, height, width, channels] = x.shape as [number, number, number, number];
  const [top, left] = padding as [number, number];
  const [tall, wide] = [(rows - 1) * side + size, (columns - 1) * side + size];
  const padded = pad(x, [0, top, left, 0], [0, tall - height - top, wide - width - left, 0]);
  const places = indices(
    `to ${side} ${size}`,
    [size, size, batch, rows, columns],
    ([u, v, image, row, column]) => {
      return (image! * tall + row! * side + u!) * wide + column! * side + v!;
    },
  );
  return reshape(gather(reshape(padded, [-1, channels]), places), [size * size, -1, channels]);
}

/** The reverse for values of results: [values, tiles, channels] → [batch, channels, rows, columns]. */
function fromTiles(values: Tensor, shape: Shape, { side, rows, columns }: Tiling): Tensor {
  const [batch, channels, height, width] = shape as [number, number, number, number];
  const results = transform(onSquare(transposed(evaluation(side, side))), values);
  const places = indices(`from ${side}`, [batch, height, width], ([image, row, column]) => {
    const element = (row! % side) * side + (column! % side);
    const tile = (image! * rows + Math.floor(row! / side)) * columns + Math.floor(column! / side);
    return element * batch * rows * columns + tile;
  });
  const map = gather(reshape(results, [-1, channels]), places);
  return transpose(reshape(map, [batch, height, width, channels]), [0, 3, 1, 2]);
}

const knownIndices = new Map<string, Tensor>();

/** A list of places, one for each index into `shape`. Equal lists are one tensor, so that what they pick is shared. */
function indices(name: string, shape: Shape, place: (index: readonly number[]) => number): Tensor {
  const key = `${name} ${shape.join()}`;
  const known = knownIndices.get(key);
  if (known !== undefined) return known;
  const strides = stridesOf(shape);
  const list = Array.from({ length: sizeOf(shape) }, (_, flat) =>
    place(shape.map((length, axis) => Math.floor(flat / strides[axis]!) % length)),
  );
  const result = constant(list, [list.length], "int");
  knownIndices.set(key, result);
  return result;
}

function matrix(m: WinogradMatrix): Tensor {
  return constant(m.flat(), [m.length, m[0]!.length]);
}
