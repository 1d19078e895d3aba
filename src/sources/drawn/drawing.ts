/** What an artist of objects and an artist of scenes provide. */

import type { Random } from "../../core/random.ts";
import type { Pen } from "./paper.ts";

/** One object, decided upon and ready to be drawn at any size, any number of times alike. */
export interface ObjectDrawing {
  /** Of a sheet with room for it, in units of its own. */
  width: number;
  height: number;
  draw(pen: Pen): void;
}

export type DrawObject = (random: Random) => ObjectDrawing;

/** Fills the unit square, opaque. */
export type DrawScene = (pen: Pen, random: Random) => void;
