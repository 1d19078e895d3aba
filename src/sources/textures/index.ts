/** The five kinds of texture that DiagViB-6 knows, made from noise, as many independent images a kind as wanted. */

import { CuelabError } from "../../core/errors.ts";
import { type Random, randomStream } from "../../core/random.ts";
import { bricks } from "./bricks.ts";
import { carpet } from "./carpet.ts";
import { normaliseField } from "./histogram.ts";
import { lava } from "./lava.ts";
import { type NoiseField, sampleField, textureSize } from "./noise.ts";
import type { TextureImage } from "./texture-image.ts";
import { tiles } from "./tiles.ts";
import { wood } from "./wood.ts";

export { normaliseHistogram } from "./histogram.ts";
export { readTextures } from "./read-textures.ts";
export type { TextureImage };
export { textureSize };

export const textureKinds = ["tiles", "wood", "carpet", "bricks", "lava"] as const;
export type TextureKind = (typeof textureKinds)[number];

const makers: Record<TextureKind, (random: Random) => NoiseField> = { tiles, wood, carpet, bricks, lava };

/** Built-in images belong to the program: a dataset's own seed chooses among them and never alters them. */
const textureSeed = 0;

/**
 * A 256 × 256 image of a kind. Variants 0, 1, 2, … differ in sizes and in every detail; the same variant has the
 * same bytes on every machine.
 */
export function builtInTexture(kind: TextureKind, variant: number): TextureImage {
  if (!(Number.isSafeInteger(variant) && variant >= 0)) {
    throw new CuelabError({
      kind: "usage",
      what: "no such variant of a texture",
      expected: "an integer of 0 or more",
      got: String(variant),
    });
  }
  const random = randomStream(textureSeed, `texture ${kind}`).at(variant);
  const grey = normaliseField(sampleField(makers[kind](random)));
  return { name: `${kind} ${variant}`, width: textureSize, height: textureSize, grey };
}
