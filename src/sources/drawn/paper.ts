/** What drawings are made on: a Skia canvas in units of its own, and its pixels as the rest of the lab wants them. */

import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import type { Pixels } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { type Cutout, cutByMask } from "../../core/images/compose.ts";
import type { ObjectDrawing } from "./drawing.ts";

export type Pen = SKRSContext2D;

export interface Paper {
  pen: Pen;
  canvas: Canvas;
}

type CanvasLibrary = typeof import("@napi-rs/canvas");

/** A transparent sheet on which `unit` lengths fill the longest side of `pixels` pixels. */
export function newPaper(
  library: CanvasLibrary,
  { width, height }: { width: number; height: number },
  pixels: number,
): Paper {
  const scale = pixels / Math.max(width, height);
  const canvas = library.createCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
  const pen = canvas.getContext("2d");
  pen.scale(scale, scale);
  return { pen, canvas };
}

/** An opaque drawing as RGB. */
export function opaquePixels({ canvas }: Paper): Pixels {
  const { width, height } = canvas;
  const rgba = canvas.data();
  const data = new Uint8Array(3 * width * height);
  for (let from = 0, to = 0; from < rgba.length; from += 4, to += 3) {
    data[to] = rgba[from]!;
    data[to + 1] = rgba[from + 1]!;
    data[to + 2] = rgba[from + 2]!;
  }
  return { data, width, height, channels: 3 };
}

/** The object cut out along its outline, its longest side exactly so many pixels. */
export function cutDrawing(library: CanvasLibrary, drawing: ObjectDrawing, side: number): Cutout {
  const longest = Math.max(drawing.width, drawing.height);
  // A rounded end covers its last pixel by less than half, which makes it none of the object's: one that is a little
  // longer mostly has the right size at once.
  let length = side + 0.3;
  let [tooShort, tooLong] = [0, Number.POSITIVE_INFINITY];
  for (let attempt = 0; attempt < 16; attempt++) {
    const cutout = drawLong(library, drawing, length / longest, side);
    const got = cutout === undefined ? 0 : Math.max(cutout.width, cutout.height);
    if (cutout !== undefined && got === side) return cutout;
    if (got < side) tooShort = Math.max(tooShort, length);
    else tooLong = Math.min(tooLong, length);
    const next = length + 0.5 * (side - got);
    length = next > tooShort && next < tooLong ? next : (tooShort + tooLong) / 2;
  }
  throw new CuelabError({
    kind: "failure",
    what: "an object cannot be drawn at this size",
    expected: `a longest side of ${side} pixels`,
    got: `none from ${tooShort.toFixed(2)} to ${tooLong.toFixed(2)}`,
  });
}

/** Cut out; undefined where nothing was drawn. Its ends reach alike beyond the side they are to fill. */
function drawLong(
  library: CanvasLibrary,
  { width, height, draw }: ObjectDrawing,
  scale: number,
  side: number,
): Cutout | undefined {
  const margin = 2 + Math.max(0, Math.ceil(scale * Math.max(width, height) - side));
  const room = (length: number) => Math.ceil(length * scale) + 2 * margin;
  const canvas = library.createCanvas(room(width), room(height));
  const pen = canvas.getContext("2d");
  const overhang = (scale * Math.max(width, height) - side) / 2;
  pen.translate(margin - overhang, margin - overhang);
  pen.scale(scale, scale);
  draw(pen);
  return cut(canvas);
}

function cut(canvas: Canvas): Cutout | undefined {
  const { width, height } = canvas;
  const rgba = canvas.data();
  const data = new Uint8Array(3 * width * height);
  const mask = new Uint8Array(width * height);
  for (let at = 0; at < mask.length; at++) {
    const alpha = rgba[4 * at + 3]!;
    mask[at] = alpha;
    if (alpha === 0) continue;
    // Skia keeps colours multiplied by their opacity; outlines would come out dark.
    for (let channel = 0; channel < 3; channel++) {
      data[3 * at + channel] = Math.min(255, Math.round((255 * rgba[4 * at + channel]!) / alpha));
    }
  }
  return cutByMask({ data, width, height, channels: 3 }, mask);
}
