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
const recipes = {
  /** Sand, asphalt, plaster. */
  grain: (x, y) => 0.75 * (hash(x, y, 1) * 2 - 1) + 0.4 * smooth(x, y, 128, 128, 2),
  /** Stains, worn patches, ripples when stretched. */
  mottle: (x, y) => fractal(x, y, 8, 5, 3) * 2.1,
  /** Foliage: clumps of light on shadow. */
  leaves: (x, y) =>
    1.1 * fractal(x, y, 32, 2, 11) + 0.9 * smooth(x, y, 128, 128, 12) + 0.35 * (hash(x, y, 13) - 0.5),
  /** Grass, straw, bark: long upwards, short across. */
  blades: (x, y) =>
    0.9 * smooth(x, y, 128, 24, 21) + 0.6 * smooth(x, y, 256, 48, 22) + 0.5 * smooth(x, y, 16, 8, 23),
  /** White only: soft heaps with clear air between them. */
  cloud: (x, y) => Math.max(0, Math.min(1, (fractal(x, y, 4, 6, 31) + 0.06) * 2.6)),
} satisfies Record<string, (x: number, y: number) => number>;

export type TileName = keyof typeof recipes;

export interface Box {
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
  box: Box,
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
  from: Box,
  to: Box,
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
  const recipe = recipes[name];
  for (let at = 0; at < tileSide * tileSide; at++) {
    const value = Math.max(-1, Math.min(1, recipe(at % tileSide, Math.floor(at / tileSide))));
    if (value > 0) image.data.fill(255, 4 * at, 4 * at + 3);
    image.data[4 * at + 3] = Math.round(255 * Math.abs(value));
  }
  pen.putImageData(image, 0, 0);
  pen.putImageData(image, 0, tileSide);
  made.set(name, canvas);
  return canvas;
}

/** Octaves of smooth noise, each half as strong as the one before; mean 0. */
function fractal(x: number, y: number, cells: number, octaves: number, salt: number): number {
  let total = 0;
  let weight = 0.5;
  for (let octave = 0; octave < octaves; octave++) {
    const fine = cells * 2 ** octave;
    total += weight * smooth(x, y, fine, fine, salt + octave);
    weight /= 2;
  }
  return total;
}

/** Random values on a grid of cells that wraps around, smoothly joined; from -1 to 1. */
function smooth(x: number, y: number, columns: number, rows: number, salt: number): number {
  const column = (x * columns) / tileSide;
  const row = (y * rows) / tileSide;
  const left = Math.floor(column);
  const top = Math.floor(row);
  const value = (right: number, down: number) => hash((left + right) % columns, (top + down) % rows, salt);
  const across = ease(column - left);
  const upper = value(0, 0) + (value(1, 0) - value(0, 0)) * across;
  const lower = value(0, 1) + (value(1, 1) - value(0, 1)) * across;
  return 2 * (upper + (lower - upper) * ease(row - top)) - 1;
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
