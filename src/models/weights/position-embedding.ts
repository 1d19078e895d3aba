/** Position embeddings of a vision transformer for images of another size than it was trained on. */

import type { ImageShape } from "../../core/dataset.ts";

export const positions = "encoder.pos_embedding";

/** The patches that an image is cut into. */
export interface Grid {
  rows: number;
  columns: number;
}

export function patchGrid({ height, width }: Pick<ImageShape, "height" | "width">, patch: number): Grid {
  return { rows: height / patch, columns: width / patch };
}

/** Undefined where so many patches form no square. */
export function squareGrid(patches: number): Grid | undefined {
  const side = Math.sqrt(patches);
  return Number.isInteger(side) ? { rows: side, columns: side } : undefined;
}

/**
 * Whether `got` can be stretched to `expected`, both [1, 1 + patches, width]: where the file says of which grid it is,
 * of that one; else of a square one, or of so many patches as are wanted.
 */
export function positionsFit(got: readonly number[], expected: readonly number[], grid?: Grid): boolean {
  if (got.length !== 3 || got[0] !== 1 || got[2] !== expected[2]) return false;
  const patches = got[1]! - 1;
  if (grid !== undefined) return patches === grid.rows * grid.columns;
  return squareGrid(patches) !== undefined || got[1] === expected[1];
}

/**
 * [1, 1 + patches, width] of one grid → of another: the class token's stays, the grid is stretched by cubic
 * interpolation that keeps the corners in place, as torchvision does.
 */
export function stretchPositions(values: Float32Array, width: number, from: Grid, to: Grid): Float32Array {
  if (from.rows === to.rows && from.columns === to.columns) return values;
  const result = new Float32Array((1 + to.rows * to.columns) * width);
  result.set(values.subarray(0, width));
  for (let row = 0; row < to.rows; row++) {
    const above = taps(row, to.rows, from.rows);
    for (let column = 0; column < to.columns; column++) {
      const beside = taps(column, to.columns, from.columns);
      const target = (1 + row * to.columns + column) * width;
      for (let k = 0; k < width; k++) {
        let total = 0;
        for (const [r, down] of above)
          for (const [c, right] of beside)
            total += down * right * values[(1 + r * from.columns + c) * width + k]!;
        result[target + k] = total;
      }
    }
  }
  return result;
}

/** Keys 1981 with a = −0.75, as PyTorch has it; places beyond the border count as the border. */
function taps(index: number, length: number, old: number): [number, number][] {
  const place = length === 1 ? 0 : (index * (old - 1)) / (length - 1);
  const first = Math.floor(place);
  return [-1, 0, 1, 2].map((offset) => [
    Math.min(Math.max(first + offset, 0), old - 1),
    cubic(Math.abs(place - first - offset)),
  ]);
}

function cubic(distance: number): number {
  const a = -0.75;
  if (distance <= 1) return ((a + 2) * distance - (a + 3)) * distance * distance + 1;
  if (distance < 2) return ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a;
  return 0;
}
