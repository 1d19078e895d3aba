/** Fine detail: sharpness, noise, edges, strokes of writing, and in which part of an image it is. */

import type { Planes } from "./look.ts";

export interface DetailLook {
  /** Mean size of the Laplacian for the contrast there is: high where edges are sharp. */
  sharpness: number;
  /** Standard deviation of noise, of 255 (Immerkær 1996). */
  noise: number;
  /** Share of pixels on an edge. */
  edges: number;
  /** Of all slopes, the share across; 0.5 where nothing is preferred. */
  across: number;
  /** Shares of pixels on thin lines that are lighter, and darker, than both their sides: writing, stamps, watermarks. */
  lightStrokes: number;
  darkStrokes: number;
  /** Of nine cells, rows first: how much of all detail is in each. */
  cells: readonly number[];
  /** Of the nine cells: their mean brightness, from 0 to 1. */
  cellBrightness: readonly number[];
}

/** Of 255, across two pixels. */
const edge = 40;
/** Of 255, against both sides at this distance: strokes are thinner than twice that. */
const stroke = 20;
const strokeDistance = 3;

export const cellNames = [
  "top left",
  "top",
  "top right",
  "left",
  "middle",
  "right",
  "bottom left",
  "bottom",
  "bottom right",
] as const;

export function detailLook({ light, width, height }: Planes): DetailLook {
  const [cells, brightness, counts] = [0, 1, 2].map(() => new Float64Array(9)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  let [laplacian, noise, edges, slopesAcross, slopesDown, inside] = [0, 0, 0, 0, 0, 0];
  let [lightStrokes, darkStrokes] = [0, 0];
  let [sum, squares] = [0, 0];
  for (let y = 0; y < height; y++) {
    const row = 3 * Math.floor((3 * y) / height);
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const here = light[at]!;
      const cell = row + Math.floor((3 * x) / width);
      brightness[cell]! += here;
      counts[cell]!++;
      sum += here;
      squares += here * here;
      if (x < 1 || y < 1 || x > width - 2 || y > height - 2) continue;
      const left = light[at - 1]!;
      const right = light[at + 1]!;
      const above = light[at - width]!;
      const below = light[at + width]!;
      const corners =
        light[at - width - 1]! + light[at - width + 1]! + light[at + width - 1]! + light[at + width + 1]!;
      const cross = left + right + above + below;
      inside++;
      laplacian += Math.abs(4 * here - cross);
      noise += Math.abs(corners - 2 * cross + 4 * here);
      const across = Math.abs(right - left);
      const down = Math.abs(below - above);
      slopesAcross += across;
      slopesDown += down;
      if (across + down > edge) edges++;
      cells[cell]! += across + down;
      const kind = strokeAt(light, width, height, x, y);
      if (kind > 0) lightStrokes++;
      else if (kind < 0) darkStrokes++;
    }
  }
  const deviation = Math.sqrt(Math.max(0, squares / light.length - (sum / light.length) ** 2));
  const slopes = slopesAcross + slopesDown;
  const some = Math.max(1, inside);
  return {
    sharpness: deviation === 0 ? 0 : laplacian / some / deviation,
    noise: (Math.sqrt(Math.PI / 2) * noise) / (6 * some),
    edges: edges / some,
    across: slopes === 0 ? 0.5 : slopesAcross / slopes,
    lightStrokes: lightStrokes / some,
    darkStrokes: darkStrokes / some,
    cells: Array.from(cells, (own) => (slopes === 0 ? 1 / 9 : own / slopes)),
    // An image that is narrower than three pixels has cells without any.
    cellBrightness: Array.from(brightness, (own, i) => own / Math.max(1, counts[i]!) / 255),
  };
}

/** 1 on a light line, -1 on a dark one: across or down. */
function strokeAt(light: Uint8Array, width: number, height: number, x: number, y: number): number {
  const at = y * width + x;
  const here = light[at]!;
  if (x >= strokeDistance && x < width - strokeDistance) {
    const one = here - light[at - strokeDistance]!;
    const other = here - light[at + strokeDistance]!;
    if (one > stroke && other > stroke) return 1;
    if (one < -stroke && other < -stroke) return -1;
  }
  if (y >= strokeDistance && y < height - strokeDistance) {
    const step = strokeDistance * width;
    const one = here - light[at - step]!;
    const other = here - light[at + step]!;
    if (one > stroke && other > stroke) return 1;
    if (one < -stroke && other < -stroke) return -1;
  }
  return 0;
}
