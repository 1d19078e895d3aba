/** What drawings are made on: a Skia canvas in units of its own, and its pixels as the rest of the lab wants them. */

import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import type { Pixels } from "../../core/dataset.ts";
import { type Cutout, cutByMask } from "../../core/images/compose.ts";

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

/** A drawing on transparent ground, cut out along its outline; undefined where nothing was drawn. */
export function cutDrawing({ canvas }: Paper): Cutout | undefined {
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
