/** The textures that objects are filled with: the built-in kinds, or a folder of one's own. */

import type { SourceRecord } from "../../core/dataset.ts";
import {
  builtInTexture,
  readTextures,
  type TextureImage,
  textureKinds,
} from "../../sources/textures/index.ts";

/** Digits and built-in textures of one part are in no other. */
export type Part = "train" | "val" | "test";

export const builtInTextures = "built-in";

/** Pictures of each built-in kind: those for training come first, then validation's and testing's. */
const builtInVariants: Record<Part, { first: number; count: number }> = {
  train: { first: 0, count: 8 },
  val: { first: 8, count: 2 },
  test: { first: 10, count: 2 },
};

export interface Textures {
  names: readonly string[];
  source: SourceRecord;
  /** Any picture of a kind that this part may use; `share` from 0 to 1 says which. */
  pick(kind: number, part: Part, share: number): TextureImage;
}

export async function openTextures(choice: string): Promise<Textures> {
  if (choice === builtInTextures) {
    return {
      names: textureKinds,
      source: { name: "Cuelab's built-in textures", license: "Apache-2.0", sha256: {} },
      pick: pickBuiltIn,
    };
  }
  const { kinds, source } = await readTextures(choice);
  return {
    names: kinds.map(({ name }) => name),
    source,
    pick: (kind, _part, share) => {
      const { images } = kinds[kind]!;
      return images[Math.floor(share * images.length)]!;
    },
  };
}

const made = new Map<number, TextureImage>();

/** Made when first asked for, and kept: there are few, of 64 kB each. */
export function pickBuiltIn(kind: number, part: Part, share: number): TextureImage {
  const { first, count } = builtInVariants[part];
  const variant = first + Math.floor(share * count);
  const key = 1000 * kind + variant;
  let image = made.get(key);
  if (image === undefined) {
    image = builtInTexture(textureKinds[kind]!, variant);
    made.set(key, image);
  }
  return image;
}
