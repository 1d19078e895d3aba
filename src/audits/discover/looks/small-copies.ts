/** An image in very small: what near-duplicates are compared by, and what tiny classifiers see. */

import { hueNames } from "./colour-look.ts";
import type { Planes } from "./look.ts";

/** Cells across and down of the copies that are kept. */
export const copySide = 16;
export const copyCells = copySide * copySide;
const hashSide = 32;
/** Frequencies across and down that make the hash. */
const frequencies = 8;

/** Means over equal cells, of pixels by how much of them lies in each: copies of other sizes have nearly the same. */
function cellMeans(plane: Uint8Array, width: number, height: number, side: number): Float64Array {
  const [columns, rows] = [overlapsOf(width, side), overlapsOf(height, side)];
  const means = new Float64Array(side * side);
  const line = new Float64Array(side);
  for (let y = 0; y < height; y++) {
    line.fill(0);
    for (let x = 0; x < width; x++) {
      const value = plane[y * width + x]!;
      for (let k = columns.starts[x]!; k < columns.starts[x + 1]!; k++)
        line[columns.cells[k]!]! += columns.weights[k]! * value;
    }
    for (let k = rows.starts[y]!; k < rows.starts[y + 1]!; k++) {
      const start = rows.cells[k]! * side;
      for (let cell = 0; cell < side; cell++) means[start + cell]! += rows.weights[k]! * line[cell]!;
    }
  }
  return means;
}

/** Of each pixel of a line: the cells that it lies in, and which share of the cell it is. */
interface CellOverlaps {
  /** Where the entries of a pixel begin, and of the last one end. */
  starts: Uint32Array;
  cells: Uint16Array;
  weights: Float64Array;
}

const overlaps = new Map<string, CellOverlaps>();
/** Few sizes follow each other in a dataset. */
const mostOverlaps = 500;

function overlapsOf(length: number, side: number): CellOverlaps {
  const key = `${length} ${side}`;
  const known = overlaps.get(key);
  if (known) return known;
  const [starts, cells, weights]: [number[], number[], number[]] = [[0], [], []];
  for (let pixel = 0; pixel < length; pixel++) {
    const [from, to] = [(pixel * side) / length, ((pixel + 1) * side) / length];
    for (let cell = Math.floor(from); cell < side && cell < to - 1e-9; cell++) {
      cells.push(cell);
      weights.push(Math.min(to, cell + 1) - Math.max(from, cell));
    }
    starts.push(cells.length);
  }
  const made = {
    starts: Uint32Array.from(starts),
    cells: Uint16Array.from(cells),
    weights: Float64Array.from(weights),
  };
  if (overlaps.size >= mostOverlaps) overlaps.clear();
  overlaps.set(key, made);
  return made;
}

/** [3, 16, 16] bytes: red, green, blue. */
export function colourCopy({ red, green, blue, width, height }: Planes): Uint8Array {
  const copy = new Uint8Array(3 * copyCells);
  for (const [i, plane] of [red, green, blue].entries())
    copy.set(rounded(cellMeans(plane, width, height, copySide)), i * copyCells);
  return copy;
}

/** [16, 16] bytes of brightness. */
export function lightCopy({ light, width, height }: Planes): Uint8Array {
  return rounded(cellMeans(light, width, height, copySide));
}

function rounded(values: Float64Array): Uint8Array {
  return Uint8Array.from(values, (value) => Math.round(value));
}

/**
 * A perceptual hash (Zauner 2010, section 3.2.1): which of the lowest 8 × 8 frequencies of the cosine transform of 32 × 32 cells
 * lie above their median, without the mean. Scaling, compression and brightness change few of its bits. Of the mirrored picture,
 * odd frequencies across have the other sign.
 */
export function perceptualHashes({ light, width, height }: Planes): { upright: bigint; mirrored: bigint } {
  const cells = cellMeans(light, width, height, hashSide);
  const rows = new Float64Array(frequencies * hashSide);
  for (let u = 1; u <= frequencies; u++)
    for (let x = 0; x < hashSide; x++) {
      let sum = 0;
      for (let y = 0; y < hashSide; y++) sum += cells[y * hashSide + x]! * cosines[u * hashSide + y]!;
      rows[(u - 1) * hashSide + x] = sum;
    }
  const transformed = new Float64Array(frequencies * frequencies);
  for (let u = 0; u < frequencies; u++)
    for (let v = 1; v <= frequencies; v++) {
      let sum = 0;
      for (let x = 0; x < hashSide; x++) sum += rows[u * hashSide + x]! * cosines[v * hashSide + x]!;
      transformed[u * frequencies + v - 1] = sum;
    }
  const turned = transformed.map((value, i) => ((i % frequencies) % 2 === 0 ? -value : value));
  return { upright: aboveMedian(transformed), mirrored: aboveMedian(turned) };
}

function aboveMedian(values: Float64Array): bigint {
  const sorted = values.slice().sort();
  const median = (sorted[31]! + sorted[32]!) / 2;
  let hash = 0n;
  for (const value of values) hash = (hash << 1n) | (value > median ? 1n : 0n);
  return hash;
}

const cosines = Float64Array.from({ length: (frequencies + 1) * hashSide }, (_, i) => {
  const [u, x] = [Math.floor(i / hashSide), i % hashSide];
  return Math.cos(((2 * x + 1) * u * Math.PI) / (2 * hashSide));
});

/** Patches across and down. */
const patchSide = 8;
/** Of a patch: three colours, contrast, slopes across and down. */
const patchNumbers = 6;
const summaries = 4;
export const bagWidth = patchNumbers * summaries + hueNames.length;

/**
 * An image cut into 8 × 8 patches and shuffled: mean, deviation, least and most over all patches of what each looks like, so that
 * nothing is left of where they were.
 */
export function bagOfPatches(planes: Planes, hues: readonly number[]): Float32Array {
  const { width, height } = planes;
  const bag = new Float32Array(bagWidth);
  const all = Array.from({ length: patchNumbers }, () => [] as number[]);
  for (let row = 0; row < patchSide; row++) {
    const [top, bottom] = edges(row, height);
    for (let column = 0; column < patchSide; column++) {
      const [left, right] = edges(column, width);
      for (const [i, value] of patchLook(planes, left, right, top, bottom).entries()) all[i]!.push(value);
    }
  }
  for (const [i, values] of all.entries()) {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    bag.set([mean, Math.sqrt(squares), Math.min(...values), Math.max(...values)], summaries * i);
  }
  bag.set(hues, patchNumbers * summaries);
  return bag;
}

function edges(i: number, length: number): [number, number] {
  const from = Math.floor((i * length) / patchSide);
  return [from, Math.max(from + 1, Math.floor(((i + 1) * length) / patchSide))];
}

function patchLook(
  { red, green, blue, light, width }: Planes,
  left: number,
  right: number,
  top: number,
  bottom: number,
): number[] {
  let [r, g, b, sum, squares, across, down] = [0, 0, 0, 0, 0, 0, 0];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = y * width + x;
      r += red[at]!;
      g += green[at]!;
      b += blue[at]!;
      sum += light[at]!;
      squares += light[at]! ** 2;
      if (x > left) across += Math.abs(light[at]! - light[at - 1]!);
      if (y > top) down += Math.abs(light[at]! - light[at - width]!);
    }
  }
  const many = (right - left) * (bottom - top);
  const contrast = Math.sqrt(Math.max(0, squares / many - (sum / many) ** 2));
  return [r / many, g / many, b / many, contrast, across / many, down / many];
}
