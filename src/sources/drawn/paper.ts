/** What drawings are made on: a Skia canvas in units of its own, and its pixels as the rest of the lab wants them. */

import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import type { Pixels } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { boxOfMask, type Cutout, inside, resizeLongest } from "../../images/compose.ts";
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

/** How often a drawing is tried at slightly other lengths before it is resized instead; one attempt is the rule. */
const attempts = 6;

/** The object cut out along its outline, its longest side exactly so many pixels. */
export function cutDrawing(library: CanvasLibrary, drawing: ObjectDrawing, side: number): Cutout {
  // A rounded end covers its last pixel by less than half, which makes it none of the object's: one that is a little
  // longer mostly has the right size at once.
  let length = side + 0.3;
  let [tooShort, tooLong] = [0, Number.POSITIVE_INFINITY];
  let latest: Cutout | undefined;
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Both ends can win or lose a pixel at the very same length; out of step they do not.
    const shift = attempt === 0 ? 0 : 0.25;
    const cutout = cut(drawLong(library, drawing, length, side, shift));
    const got = cutout === undefined ? 0 : Math.max(cutout.width, cutout.height);
    if (cutout !== undefined && got === side) return cutout;
    latest = cutout ?? latest;
    if (got < side) tooShort = Math.max(tooShort, length);
    else tooLong = Math.min(tooLong, length);
    const next = length + (Math.abs(side - got) > 1 ? 1 : 0.5) * (side - got);
    length = next > tooShort && next < tooLong ? next : (tooShort + tooLong) / 2;
  }
  if (latest !== undefined) return resizeLongest(latest, side);
  throw new CuelabError({ kind: "failure", what: `nothing was drawn of an object of ${side} pixels` });
}

/** So many pixels long; its ends reach alike beyond the side they are to fill, but for the shift. */
function drawLong(
  library: CanvasLibrary,
  drawing: ObjectDrawing,
  length: number,
  side: number,
  shift: number,
): Canvas {
  const scale = length / Math.max(drawing.width, drawing.height);
  const overhang = (length - side) / 2;
  const margin = 2 + Math.max(0, Math.ceil(overhang));
  const room = (extent: number) => Math.ceil(extent * scale) + 2 * margin;
  const canvas = library.createCanvas(room(drawing.width), room(drawing.height));
  const pen = canvas.getContext("2d");
  const start = margin - overhang + shift;
  pen.translate(start, start);
  pen.scale(scale, scale);
  drawing.draw(pen);
  return canvas;
}

/** Undefined where nothing was drawn. */
function cut(canvas: Canvas): Cutout | undefined {
  const { width } = canvas;
  const rgba = canvas.data();
  const opacity = new Uint8Array(rgba.length / 4);
  for (let at = 0; at < opacity.length; at++) opacity[at] = rgba[4 * at + 3]!;
  const box = boxOfMask(opacity, width);
  if (box === undefined) return undefined;
  const data = new Uint8Array(3 * box.width * box.height);
  const mask = new Uint8Array(box.width * box.height);
  for (let y = 0, to = 0; y < box.height; y++) {
    let from = (box.top + y) * width + box.left;
    for (let x = 0; x < box.width; x++, from++, to++) {
      const alpha = opacity[from]!;
      if (alpha <= inside) continue;
      mask[to] = 255;
      // Skia keeps colours multiplied by their opacity; outlines would come out dark.
      for (let channel = 0; channel < 3; channel++) {
        const value = rgba[4 * from + channel]!;
        data[3 * to + channel] = alpha === 255 ? value : Math.min(255, Math.round((255 * value) / alpha));
      }
    }
  }
  return { data, width: box.width, height: box.height, channels: 3, mask };
}
