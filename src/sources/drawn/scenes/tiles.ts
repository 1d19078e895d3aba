/**
 * Noise that keeps drawings from looking flat: tiles made once from fixed numbers, black and white on transparent
 * ground, and laid over parts of a scene. Laying one down costs a tenth of a millisecond; strokes would cost many.
 */

import { createRequire } from "node:module";
import type { Canvas } from "@napi-rs/canvas";
import type { Random } from "../../../core/random.ts";
import type { Pen } from "../paper.ts";

/** Texels along one side of a tile; at zoom 1, as many fill the width of a scene. */
export const tileSide = 256;

/** Darkness (below 0) or light (above 0) at a texel, from -1 to 1. */
type TileField = (x: number, y: number) => number;

const recipes = {
  /** Sand, asphalt, plaster. */
  grain: () => {
    const lumps = smooth(128, 128, 2);
    return (x, y) => 0.75 * (hash(x, y, 1) * 2 - 1) + 0.4 * lumps(x, y);
  },
  /** Stains, worn patches, ripples when stretched. */
  mottle: () => {
    const stains = fractal(8, 5, 3);
    return (x, y) => stains(x, y) * 2.1;
  },
  /** Foliage: clumps of light on shadow. */
  leaves: () => {
    const clumps = fractal(32, 2, 11);
    const single = smooth(128, 128, 12);
    return (x, y) => 1.1 * clumps(x, y) + 0.9 * single(x, y) + 0.35 * (hash(x, y, 13) - 0.5);
  },
  /** Grass, straw, bark: long upwards, short across. */
  blades: () => {
    const [broad, thin, tufts] = [smooth(128, 24, 21), smooth(256, 48, 22), smooth(16, 8, 23)];
    return (x, y) => 0.9 * broad(x, y) + 0.6 * thin(x, y) + 0.5 * tufts(x, y);
  },
  /** White only: soft heaps with clear air between them. */
  cloud: () => {
    const heaps = fractal(4, 6, 31);
    return (x, y) => Math.max(0, (heaps(x, y) + 0.06) * 2.6);
  },
} satisfies Record<string, () => TileField>;

export type TileName = keyof typeof recipes;

export interface TileBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

const made = new Map<TileName, Canvas>();

export interface Grain {
  /** Texels to a 256th of the scene, both ways. */
  across?: number;
  up?: number;
  /** Only darkens, as a shadow does. */
  darken?: boolean;
}

/** Lays noise over a box, within whatever the pen is clipped to. */
export function roughen(
  pen: Pen,
  random: Random,
  name: TileName,
  box: TileBox,
  strength: number,
  { across = 1, up = across, darken = false }: Grain = {},
): void {
  const width = Math.min(tileSide, Math.max(1, box.width * tileSide * across));
  const height = Math.min(tileSide, Math.max(1, box.height * tileSide * up));
  const x = random.uniform() * (tileSide - width);
  const y = random.uniform() * (tileSide - height);
  layTile(pen, name, { x, y, width, height }, box, strength, darken);
}

/** One piece of a tile, in texels, laid over one box of the scene. */
export function layTile(
  pen: Pen,
  name: TileName,
  from: TileBox,
  to: TileBox,
  strength: number,
  darken = false,
): void {
  pen.globalAlpha = strength;
  // Noise lightens and darkens what lies below it and leaves its hue; clouds are white.
  if (name !== "cloud") pen.globalCompositeOperation = darken ? "multiply" : "overlay";
  pen.drawImage(tile(name), from.x, from.y, from.width, from.height, to.x, to.y, to.width, to.height);
  pen.globalCompositeOperation = "source-over";
  pen.globalAlpha = 1;
}

function tile(name: TileName): Canvas {
  const known = made.get(name);
  if (known !== undefined) return known;
  // Whoever draws has loaded the library already; importing it above would load it for everyone who never draws.
  const { createCanvas } = createRequire(import.meta.url)(
    "@napi-rs/canvas",
  ) as typeof import("@napi-rs/canvas");
  // Twice one below the other, so that a piece may begin at any row.
  const canvas = createCanvas(tileSide, 2 * tileSide);
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(tileSide, tileSide);
  const field = recipes[name]();
  for (let at = 0; at < tileSide * tileSide; at++) {
    const value = Math.max(-1, Math.min(1, field(at % tileSide, Math.floor(at / tileSide))));
    if (value > 0) image.data.fill(255, 4 * at, 4 * at + 3);
    image.data[4 * at + 3] = Math.round(255 * Math.abs(value));
  }
  pen.putImageData(image, 0, 0);
  pen.putImageData(image, 0, tileSide);
  made.set(name, canvas);
  return canvas;
}

/** Octaves of smooth noise, each half as strong as the one before; mean 0. */
function fractal(cells: number, octaves: number, salt: number): TileField {
  const layers = Array.from({ length: octaves }, (_, octave) =>
    smooth(cells * 2 ** octave, cells * 2 ** octave, salt + octave),
  );
  return (x, y) => {
    let total = 0;
    let weight = 0.5;
    for (const layer of layers) {
      total += weight * layer(x, y);
      weight /= 2;
    }
    return total;
  };
}

/** Random values on a grid of cells that wraps around, smoothly joined; from -1 to 1. */
function smooth(columns: number, rows: number, salt: number): TileField {
  const grid = new Float64Array(columns * rows);
  for (let cell = 0; cell < grid.length; cell++) {
    grid[cell] = hash(cell % columns, Math.floor(cell / columns), salt);
  }
  return (x, y) => {
    const column = (x * columns) / tileSide;
    const row = (y * rows) / tileSide;
    const left = Math.floor(column);
    const right = (left + 1) % columns;
    const above = Math.floor(row) * columns;
    const below = ((Math.floor(row) + 1) % rows) * columns;
    const across = ease(column - left);
    const upper = grid[above + left]! + (grid[above + right]! - grid[above + left]!) * across;
    const lower = grid[below + left]! + (grid[below + right]! - grid[below + left]!) * across;
    return 2 * (upper + (lower - upper) * ease(row - Math.floor(row))) - 1;
  };
}

function ease(share: number): number {
  return share * share * (3 - 2 * share);
}

/** The same number in [0, 1) for the same three integers, everywhere. */
function hash(x: number, y: number, salt: number): number {
  let bits = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ Math.imul(salt, 0xc2b2ae3d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}
