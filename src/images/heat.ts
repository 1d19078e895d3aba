/** A map over its image: light where the map is high, in colours that colour-blind people tell apart, the image in grey below. */

import type { Pixels } from "../core/dataset.ts";
import { inColour } from "./fit.ts";
import { resizeBilinear } from "./resize.ts";

/** Points of cividis (Nuñez et al. 2018), which looks alike with and without colour blindness. */
const scale = [
  [0, 34, 78],
  [53, 69, 108],
  [102, 105, 112],
  [148, 142, 119],
  [200, 184, 102],
  [254, 232, 56],
] as const;

/** How dark the image lies below; and how much of it shows where the map is highest. */
const dimmed = 0.6;
const opaque = 0.85;

/** One place in a hundred may be above the lightest colour: maps of single pixels would else be dark but for a few. */
const brightest = 0.99;

/** `map` has a number a pixel; what is below 0 is as 0. */
export function heatOver(image: Pixels, map: Float32Array): Pixels {
  const colour = inColour(image);
  const { height, width, channels, data } = colour;
  const sorted = Float32Array.from(map).sort();
  const largest =
    Math.max(0, sorted[Math.floor(brightest * (map.length - 1))]!) || Math.max(0, sorted.at(-1)!);
  const drawn = new Uint8Array(height * width * 3);
  for (let p = 0; p < height * width; p++) {
    let grey = 0;
    for (let k = 0; k < channels; k++) grey += data[p * channels + k]! / channels;
    const share = largest > 0 ? Math.min(1, Math.max(0, map[p]!) / largest) : 0;
    const over = opaque * Math.min(1, 2 * share);
    const tint = colourAt(share);
    for (let k = 0; k < 3; k++) drawn[3 * p + k] = Math.round((1 - over) * dimmed * grey + over * tint[k]!);
  }
  return { data: drawn, height, width, channels: 3 };
}

function colourAt(share: number): readonly number[] {
  const at = share * (scale.length - 1);
  const below = Math.min(scale.length - 2, Math.floor(at));
  return scale[below]!.map((from, k) => from + (at - below) * (scale[below + 1]![k]! - from));
}

/** In place: the border of a region, white on dark. */
export function outline({ data, height, width }: Pixels, region: ArrayLike<number>): void {
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      if (region[at] !== 1) continue;
      const ends =
        x === 0 ||
        y === 0 ||
        x === width - 1 ||
        y === height - 1 ||
        region[at - 1] !== 1 ||
        region[at + 1] !== 1 ||
        region[at - width] !== 1 ||
        region[at + width] !== 1;
      if (ends) data.fill(255, 3 * at, 3 * at + 3);
    }
}

/** Dots between tiles. */
const gap = 2;

/** Rows of tiles, all of one size, with a white line between. */
export function tiled(rows: readonly (readonly Pixels[])[]): Pixels {
  const { height, width } = rows[0]![0]!;
  const columns = Math.max(...rows.map((row) => row.length));
  const [tall, wide] = [rows.length * (height + gap) - gap, columns * (width + gap) - gap];
  const sheet = new Uint8Array(tall * wide * 3).fill(255);
  for (const [r, row] of rows.entries())
    for (const [c, tile] of row.entries())
      for (let y = 0; y < height; y++) {
        const to = ((r * (height + gap) + y) * wide + c * (width + gap)) * 3;
        sheet.set(tile.data.subarray(3 * y * width, 3 * (y + 1) * width), to);
      }
  return { data: sheet, height: tall, width: wide, channels: 3 };
}

/** As large as a tile is seen: small images enlarged evenly, pixel by pixel where that goes up in whole numbers. */
export function asTile(image: Pixels, side: number): Pixels {
  const colour = inColour(image);
  const longer = Math.max(colour.height, colour.width);
  const size = (length: number) => Math.max(1, Math.round((length * side) / longer));
  return resizeBilinear(colour, size(colour.height), size(colour.width));
}
