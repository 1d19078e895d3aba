/** A line of text as coverage: how much of each pixel its strokes fill, drawn once and kept. */

import type { SKRSContext2D } from "@napi-rs/canvas";
import { CuelabError } from "../../core/errors.ts";
import { boxOfMask } from "../compose.ts";
import { loadFont, type TypefaceName } from "./fonts.ts";

export interface TextMask {
  width: number;
  height: number;
  /** One byte a pixel. */
  coverage: Uint8Array;
  /** Column of the mask's first pixel, from where the line begins. */
  left: number;
  /** Row of the mask's first pixel, from the font's ascender, which is the top of the line. */
  top: number;
  /** Rows from the ascender to the baseline. */
  ascent: number;
  /** From where the line begins to where another would go on, in pixels and their parts. */
  advance: number;
}

/** Enough for a few hundred characters at a handful of sizes; beyond, what was drawn first is drawn anew. */
const mostKept = 8192;
const kept = new Map<string, TextMask>();

export function textMask(text: string, typeface: TypefaceName, size: number): TextMask {
  const key = `${typeface} ${size} ${text}`;
  let mask = kept.get(key);
  if (mask === undefined) {
    mask = drawMask(text, typeface, size);
    if (kept.size >= mostKept) kept.delete(kept.keys().next().value!);
    kept.set(key, mask);
  }
  return mask;
}

/**
 * Skia bends the coverage of glyphs by the lightness of their colour, to please eyes on screens. At this grey it leaves
 * it nearly straight, as FreeType gives it: the sum over a text stays within 4% of Pillow's, where white has 25% more.
 */
const straightGrey = "rgb(109, 109, 109)";

let measuring: SKRSContext2D | undefined;

function drawMask(text: string, typeface: TypefaceName, size: number): TextMask {
  const { library, families, ascent } = loadFont(typeface, text);
  const font = `${size}px ${families}`;
  measuring ??= library.createCanvas(1, 1).getContext("2d");
  measuring.font = font;
  const advance = measuring.measureText(text).width;
  // Room for what reaches beyond a line's own space on every side.
  const [x, baseline] = [size, 2 * size];
  const [width, height] = [Math.ceil(advance) + 2 * size, 3 * size];
  const canvas = library.createCanvas(width, height);
  const pen = canvas.getContext("2d");
  pen.font = font;
  pen.fillStyle = straightGrey;
  pen.fillText(text, x, baseline);
  const rgba = canvas.data();
  const inked = new Uint8Array(width * height);
  for (let at = 0; at < inked.length; at++) inked[at] = rgba[4 * at + 3] === 0 ? 0 : 255;
  const box = boxOfMask(inked, width);
  if (box === undefined) {
    throw new CuelabError({
      kind: "usage",
      what: `the text ${JSON.stringify(text)} has nothing to draw`,
      expected: "at least one character that leaves ink",
    });
  }
  const coverage = new Uint8Array(box.width * box.height);
  for (let row = 0, to = 0; row < box.height; row++) {
    const from = (box.top + row) * width + box.left;
    for (let column = 0; column < box.width; column++, to++) coverage[to] = rgba[4 * (from + column) + 3]!;
  }
  const rows = ascentInPixels(ascent, size);
  const { left, top, ...extent } = box;
  return { ...extent, coverage, left: left - x, top: top - baseline + rows, ascent: rows, advance };
}

/** As FreeType rounds it: to a 64th of a pixel, and then up to a whole one. */
function ascentInPixels(ascent: number, size: number): number {
  return Math.ceil(Math.round(64 * ascent * size) / 64);
}
