/**
 * The embedded pictures: vehicles, things by the road and scenes, drawn by Skia from random numbers, so that the
 * experiments on photographs run without any. Equal numbers give equal drawings; other numbers give others, without end.
 */

import type { Pixels } from "../../core/dataset.ts";
import type { Random } from "../../core/random.ts";
import type { Cutout } from "../../images/compose.ts";
import { type ObjectName, objects } from "./objects.ts";
import { cutDrawing, newPaper, opaquePixels } from "./paper.ts";
import { type SceneName, scenes } from "./scenes.ts";

export { type ObjectName, objectNames } from "./objects.ts";
export { countryScenes, type SceneName, urbanScenes } from "./scenes.ts";

/** Terms of everything drawn here. */
export const drawingsLicense = "CC0 1.0";

export interface Artist {
  /** The object alone, its longest side exactly that many pixels. */
  object(name: ObjectName, random: Random, side: number): Cutout;
  /** A square scene without any of the objects. */
  scene(name: SceneName, random: Random, side: number): Pixels;
}

export async function createArtist(): Promise<Artist> {
  const library = await import("@napi-rs/canvas");
  return {
    object: (name, random, side) => cutDrawing(library, objects[name](random), side),
    scene: (name, random, side) => {
      const paper = newPaper(library, { width: 1, height: 1 }, side);
      scenes[name](paper.pen, random);
      return opaquePixels(paper);
    },
  };
}
