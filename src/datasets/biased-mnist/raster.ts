/** Hard-edged drawing on small square masks: lines that step to a neighbouring pixel, and filled polygons. */

/** One byte a pixel, rows first: 1 where there is ink. */
export interface Mask {
  size: number;
  ink: Uint8Array;
}

export type RasterPoint = readonly [x: number, y: number];

export function emptyMask(size: number): Mask {
  return { size, ink: new Uint8Array(size * size) };
}

/** The pixels of a mask for which `has` holds. */
export function rasterMask(size: number, has: (x: number, y: number) => boolean): Mask {
  return {
    size,
    ink: Uint8Array.from({ length: size * size }, (_, i) => +has(i % size, Math.floor(i / size))),
  };
}

/**
 * A polygon of whole-number corners, which may lie one past the mask's edge: the pixels inside or on its sides, and a
 * line of one pixel along each side. That line is cut to the mask before it is stepped, as the published images show:
 * a side that leaves the mask bends a little.
 */
export function fillPolygon(size: number, corners: readonly RasterPoint[]): Mask {
  const mask = emptyMask(size);
  const sides = corners.map((corner, i) => [corner, corners[(i + 1) % corners.length]!] as const);
  for (let y = 0; y < size; y++) {
    const crossings = sides
      .map(([a, b]) => (a[1] <= b[1] ? [a, b] : [b, a]) as [RasterPoint, RasterPoint])
      .filter(([upper, lower]) => upper[1] <= y && y < lower[1])
      .map(([[x0, y0], [x1, y1]]) => (x0 * (y1 - y) + x1 * (y - y0)) / (y1 - y0))
      .sort((a, b) => a - b);
    for (let i = 0; i + 1 < crossings.length; i += 2) {
      const [left, right] = [Math.ceil(crossings[i]!), Math.min(size - 1, Math.floor(crossings[i + 1]!))];
      mask.ink.fill(1, y * size + left, y * size + right + 1);
    }
  }
  for (const [from, to] of sides) drawSide(mask, from, to);
  return mask;
}

/** The pixels of a line between any two points, one for each whole number along its longer direction. */
export function linePixels([x0, y0]: RasterPoint, [x1, y1]: RasterPoint): RasterPoint[] {
  const flat = Math.abs(x1 - x0) >= Math.abs(y1 - y0);
  const [from, to] = flat ? [x0, x1] : [y0, y1];
  const [start, end] = flat ? [y0, y1] : [x0, x1];
  const slope = to === from ? 0 : (end - start) / (to - from);
  const direction = Math.sign(to - from) || 1;
  const steps = Math.abs(Math.round(to) - Math.round(from));
  return Array.from({ length: steps + 1 }, (_, i) => {
    const along = Math.round(from) + i * direction;
    const across = Math.round(start + (along - from) * slope);
    return flat ? [along, across] : [across, along];
  });
}

/** Bresenham's line from the left end to the right one: which end comes first decides how ties fall. */
function drawSide(mask: Mask, from: RasterPoint, to: RasterPoint): void {
  const cut = cutToMask(mask.size, from, to);
  if (cut === undefined) return;
  const [[x0, y0], [x1, y1]] = cut[0][0] <= cut[1][0] ? cut : [cut[1], cut[0]];
  const [width, height] = [x1 - x0, Math.abs(y1 - y0)];
  const down = Math.sign(y1 - y0);
  const steep = height > width;
  const [long, short] = steep ? [height, width] : [width, height];
  let error = long - 2 * short;
  for (let step = 0, x = x0, y = y0; step <= long; step++) {
    mask.ink[y * mask.size + x] = 1;
    const aside = error < 0;
    error += (aside ? 2 * long : 0) - 2 * short;
    x += !steep || aside ? 1 : 0;
    y += steep || aside ? down : 0;
  }
}

/** The part of a side inside the mask, its new ends rounded towards the old ones; none where all of it is outside. */
function cutToMask(size: number, from: RasterPoint, to: RasterPoint): [RasterPoint, RasterPoint] | undefined {
  const last = size - 1;
  let [[x0, y0], [x1, y1]] = [from, to];
  if ((x0 > last && x1 > last) || (y0 > last && y1 > last)) return undefined;
  if (y0 > last) [x0, y0] = [x0 + Math.trunc(((last - y0) * (x1 - x0)) / (y1 - y0)), last];
  if (y1 > last) [x1, y1] = [x1 + Math.trunc(((last - y1) * (x1 - x0)) / (y1 - y0)), last];
  if (x0 > last && x1 > last) return undefined;
  if (x0 > last) [x0, y0] = [last, y0 + Math.trunc(((last - x0) * (y1 - y0)) / (x1 - x0))];
  if (x1 > last) [x1, y1] = [last, y1 + Math.trunc(((last - x1) * (y1 - y0)) / (x1 - x0))];
  return [
    [x0, y0],
    [x1, y1],
  ];
}
