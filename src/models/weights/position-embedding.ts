/** Position embeddings of a vision transformer for images of another size than it was trained on. */

import type { ImageShape } from "../../core/dataset.ts";

const parameter = "encoder.pos_embedding";

/** Whether `got` can be stretched to `expected`: both [1, 1 + patches, width], one of them of a square grid. */
export function positionsFit(name: string, got: readonly number[], expected: readonly number[]): boolean {
  return (
    name === parameter &&
    got.length === 3 &&
    got[0] === 1 &&
    got[2] === expected[2] &&
    Number.isInteger(Math.sqrt(got[1]! - 1))
  );
}

/**
 * [1, 1 + old², width] → [1, 1 + rows · columns, width]: the class token's stays, the grid is stretched by cubic
 * interpolation that keeps the corners in place, as torchvision does.
 */
export function stretchPositions(
  values: Float32Array,
  width: number,
  { height, width: wide }: Pick<ImageShape, "height" | "width">,
  patch: number,
): Float32Array {
  const old = Math.round(Math.sqrt(values.length / width - 1));
  const [rows, columns] = [height / patch, wide / patch];
  const result = new Float32Array((1 + rows * columns) * width);
  result.set(values.subarray(0, width));
  for (let row = 0; row < rows; row++) {
    const above = taps(row, rows, old);
    for (let column = 0; column < columns; column++) {
      const beside = taps(column, columns, old);
      const target = (1 + row * columns + column) * width;
      for (let k = 0; k < width; k++) {
        let total = 0;
        for (const [r, down] of above)
          for (const [c, right] of beside) total += down * right * values[(1 + r * old + c) * width + k]!;
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
