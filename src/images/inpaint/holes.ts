/** Which pixels of an image are to be filled, and what of the image is left. Masks: 255 to fill, 0 to keep. */

import type { Box } from "../../core/box.ts";

/** Widens a mask by a square kernel of an odd side, as morphological dilation does; a side of 1 changes nothing. */
export function dilate(mask: Uint8Array, width: number, side: number): Uint8Array {
  const reach = (side - 1) / 2;
  const height = mask.length / width;
  // A square is a row of columns: first along rows, then along columns.
  const along = spread(mask, height, width, 1, width, reach);
  return spread(along, width, height, width, 1, reach);
}

/** Lines of `length` pixels, `step` apart within a line and `lineStep` between lines. */
function spread(
  mask: Uint8Array,
  lines: number,
  length: number,
  step: number,
  lineStep: number,
  reach: number,
): Uint8Array {
  const wide = new Uint8Array(mask.length);
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    let latest = Number.NEGATIVE_INFINITY;
    for (let ahead = 0; ahead < length + reach; ahead++) {
      if (ahead < length && mask[start + ahead * step] !== 0) latest = ahead;
      const at = ahead - reach;
      // `latest` is the last masked pixel up to at + reach; it reaches back as far as it reaches on.
      if (at >= 0 && latest >= at - reach) wide[start + at * step] = 255;
    }
  }
  return wide;
}

export function maskOfBoxes(boxes: readonly Box[], width: number, height: number): Uint8Array {
  const mask = new Uint8Array(width * height);
  for (const box of boxes) {
    for (let y = box.top; y < box.top + box.height; y++) {
      mask.fill(255, y * width + box.left, y * width + box.left + box.width);
    }
  }
  return mask;
}

/** The largest rectangle that holds no masked pixel; undefined where all are masked. */
export function largestFreeBox(mask: Uint8Array, width: number): Box | undefined {
  const height = mask.length / width;
  /** How many free pixels end in this row, in each column, and one column of none that closes every rectangle. */
  const free = new Int32Array(width + 1);
  const open = new Int32Array(width + 1);
  let [best, most]: [Box | undefined, number] = [undefined, 0];
  for (let y = 0; y < height; y++) {
    let depth = 0;
    for (let x = 0; x <= width; x++) {
      if (x < width) free[x] = mask[y * width + x] === 0 ? free[x]! + 1 : 0;
      // `open` keeps columns of growing height; a lower one ends all rectangles that are higher.
      while (depth > 0 && free[open[depth - 1]!]! >= free[x]!) {
        const rows = free[open[--depth]!]!;
        const left = depth === 0 ? 0 : open[depth - 1]! + 1;
        if (rows * (x - left) > most) {
          most = rows * (x - left);
          best = { left, top: y - rows + 1, width: x - left, height: rows };
        }
      }
      open[depth++] = x;
    }
  }
  return best;
}
