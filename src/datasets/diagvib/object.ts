/** The object before it is placed: a digit's hard mask, centred on a square, and the texture that fills it. */

import { type Taps, tapsOf } from "../../images/resample.ts";

/** Side of the square that holds the object, and the digit's longest side in it. */
export const objectSide = 40;
const digitSide = 28;

/** Grey levels above this belong to the digit's box, and after resizing to its mask. */
const boxThreshold = 100;
const maskThreshold = 150;

/** Rows and columns, first and one past the last. */
interface ObjectBox {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export interface ObjectMask {
  /** 1 inside the digit, 0 outside, `objectSide` squared. */
  mask: Uint8Array;
  box: ObjectBox;
}

const across = new Float64Array(digitSide * digitSide);

/** Crops the digit to its box, resizes its longest side to 28 and cuts it out hard. */
export function objectMask(digit: Uint8Array, height: number, width: number): ObjectMask {
  const box = boxOf(digit, height, width);
  const [fromRows, fromColumns] = [box.bottom - box.top, box.right - box.left];
  const factor = digitSide / Math.max(fromRows, fromColumns);
  const rows = Math.max(1, Math.round(fromRows * factor));
  const columns = Math.max(1, Math.round(fromColumns * factor));
  resizeAcross(digit, width, box, tapsOf("bicubic", fromColumns, columns), columns);
  const { start, width: taps, weights } = tapsOf("bicubic", fromRows, rows);
  const [top, left] = [(objectSide - rows) >> 1, (objectSide - columns) >> 1];
  const mask = new Uint8Array(objectSide * objectSide);
  const inside = { top: objectSide, bottom: 0, left: objectSide, right: 0 };
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      let value = 0;
      for (let k = 0, at = start[y]! * columns + x; k < taps; k++, at += columns)
        value += weights[y * taps + k]! * across[at]!;
      if (value <= maskThreshold) continue;
      const row = top + y;
      const column = left + x;
      mask[row * objectSide + column] = 1;
      if (row < inside.top) inside.top = row;
      if (row >= inside.bottom) inside.bottom = row + 1;
      if (column < inside.left) inside.left = column;
      if (column >= inside.right) inside.right = column + 1;
    }
  }
  return { mask, box: inside };
}

function boxOf(digit: Uint8Array, height: number, width: number): ObjectBox {
  const box = { top: height, bottom: 0, left: width, right: 0 };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (digit[y * width + x]! <= boxThreshold) continue;
      if (y < box.top) box.top = y;
      box.bottom = y + 1;
      if (x < box.left) box.left = x;
      if (x >= box.right) box.right = x + 1;
    }
  }
  return box;
}

/** Rows of the box, resized along their length, into `across`. */
function resizeAcross(
  digit: Uint8Array,
  width: number,
  box: ObjectBox,
  { start, width: taps, weights }: Taps,
  columns: number,
): void {
  for (let y = box.top, to = 0; y < box.bottom; y++) {
    const row = y * width + box.left;
    for (let x = 0; x < columns; x++, to++) {
      let value = 0;
      const first = row + start[x]!;
      for (let k = 0; k < taps; k++) value += weights[x * taps + k]! * digit[first + k]!;
      across[to] = value;
    }
  }
}
