/**
 * The image function of DiagViB-6: one textured digit on a background. Texture and mask are resized as two planes;
 * colour is linear in the texture, so it is applied afterwards, to the few pixels that the object covers.
 */

import { type Taps, tapsOf } from "../../images/resample.ts";
import { type ObjectMask, objectSide } from "./object.ts";

/** A texture picture and where the object's crop begins in it. */
export interface TextureCrop {
  grey: Uint8Array;
  width: number;
  top: number;
  left: number;
}

export interface ObjectFactors {
  /** The object's centre, as shares of the canvas. */
  row: number;
  column: number;
  /** Degrees. */
  hue: number;
  /** Lightness of the two colours, the darker one first. */
  lightness: readonly [darker: number, brighter: number];
  scale: number;
  object: ObjectMask;
  texture: TextureCrop;
}

/** Where the object landed, for what is drawn over it. */
export interface Placement {
  top: number;
  left: number;
  side: number;
}

/** The canvas for which the object has its 40 pixels; on others it shrinks or grows along. */
const paperCanvas = 128;
export const largestCanvas = 256;

const largestSide = Math.round((objectSide * 1.45 * largestCanvas) / paperCanvas);
const texturePlane = new Float64Array(objectSide * largestSide);
const maskPlane = new Float64Array(objectSide * largestSide);

export function placementOf({ row, column, scale }: ObjectFactors, canvas: number): Placement {
  const side = Math.max(1, Math.round((objectSide * scale * canvas) / paperCanvas));
  return {
    top: Math.floor((canvas - 1) * row - (side - 1) / 2),
    left: Math.floor((canvas - 1) * column - (side - 1) / 2),
    side,
  };
}

/** Paints the object over RGB pixels of a square canvas. What lies beyond its edge is cut off. */
export function drawObject(pixels: Uint8Array, canvas: number, factors: ObjectFactors): void {
  const { top, left, side } = placementOf(factors, canvas);
  const taps = tapsOf("triangle", objectSide, side);
  const { mask, box } = factors.object;
  const rows = reached(taps, side, box.top, box.bottom, top, canvas);
  const columns = reached(taps, side, box.left, box.right, left, canvas);
  if (rows.first === rows.end || columns.first === columns.end) return;
  resizeAcross(mask, factors.texture, taps, rows, columns, side);

  const [dark, bright] = factors.lightness.map((lightness) => rgbOf(factors.hue, lightness)) as [Rgb, Rgb];
  const [r0, g0, b0] = bright;
  // (c1·t + c2·(255 − t)) / 255 with c1 the darker colour.
  const [r1, g1, b1] = [(dark[0] - r0) / 255, (dark[1] - g0) / 255, (dark[2] - b0) / 255];
  const { width, start, weights } = taps;
  for (let y = rows.first; y < rows.end; y++) {
    const firstTap = start[y]! * side;
    let at = 3 * ((top + y) * canvas + left + columns.first);
    for (let x = columns.first; x < columns.end; x++, at += 3) {
      let texture = 0;
      let cover = 0;
      for (let k = 0, from = firstTap + x; k < width; k++, from += side) {
        const weight = weights[y * width + k]!;
        texture += weight * texturePlane[from]!;
        cover += weight * maskPlane[from]!;
      }
      if (cover <= 0) continue;
      const rest = 1 - cover;
      pixels[at] = rest * pixels[at]! + cover * (r0 + r1 * texture) + 0.5;
      pixels[at + 1] = rest * pixels[at + 1]! + cover * (g0 + g1 * texture) + 0.5;
      pixels[at + 2] = rest * pixels[at + 2]! + cover * (b0 + b1 * texture) + 0.5;
    }
  }
}

interface Span {
  first: number;
  end: number;
}

/** The outputs on the canvas that have an input between `from` and `to` under their kernel. */
function reached(taps: Taps, side: number, from: number, to: number, offset: number, canvas: number): Span {
  let [first, end] = [Math.max(0, -offset), Math.min(side, canvas - offset)];
  while (first < end && taps.start[first]! + taps.width <= from) first++;
  while (end > first && taps.start[end - 1]! >= to) end--;
  return { first, end: Math.max(first, end) };
}

/** Rows of texture and mask, resized along their length, into the two planes. */
function resizeAcross(
  mask: Uint8Array,
  { grey, width: stride, top, left }: TextureCrop,
  { start, width, weights }: Taps,
  rows: Span,
  columns: Span,
  side: number,
): void {
  const lastRow = start[rows.end - 1]! + width;
  for (let y = start[rows.first]!; y < lastRow; y++) {
    const textureRow = (top + y) * stride + left;
    const maskRow = y * objectSide;
    for (let x = columns.first; x < columns.end; x++) {
      const first = start[x]!;
      let texture = 0;
      let cover = 0;
      for (let k = 0; k < width; k++) {
        const weight = weights[x * width + k]!;
        texture += weight * grey[textureRow + first + k]!;
        cover += weight * mask[maskRow + first + k]!;
      }
      texturePlane[y * side + x] = texture;
      maskPlane[y * side + x] = cover;
    }
  }
}

export type Rgb = readonly [red: number, green: number, blue: number];

/** Hue in degrees, lightness and saturation from 0 to 1; channels from 0 to 255. */
export function rgbOf(hue: number, lightness: number, saturation = 1): Rgb {
  const spread = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const k = (((hue / 30 + offset) % 12) + 12) % 12;
    return 255 * (lightness - spread * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}
