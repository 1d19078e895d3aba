/** The textures that objects are filled with: the built-in kinds, by many pictures each or by one as in the paper, or a folder of one's own. */

import type { SourceRecord } from "../../core/dataset.ts";
import { sharedBytes } from "../../core/shared-bytes.ts";
import {
  builtInTexture,
  readTextures,
  type TextureImage,
  textureKinds,
  textureSize,
} from "../../sources/textures/index.ts";

/** Digits and built-in textures of one part are in no other. */
export type TexturePart = "train" | "val" | "test";

export const builtInTextures = "built-in";

/** One picture a kind in all splits, as the paper had: crops alone are new in testing. */
export const singleTextures = "built-in-one";

/** Pictures of each built-in kind: those for training come first, then validation's and testing's. */
const builtInVariants: Record<TexturePart, { first: number; count: number }> = {
  train: { first: 0, count: 8 },
  val: { first: 8, count: 2 },
  test: { first: 10, count: 2 },
};

const variantsOfKind = Object.values(builtInVariants).reduce((sum, { count }) => sum + count, 0);

export interface Textures {
  names: readonly string[];
  source: SourceRecord;
  /** Any picture of a kind that this part may use; `share` from 0 to 1 says which. */
  pick(kind: number, part: TexturePart, share: number): TextureImage;
}

export async function openTextures(choice: string): Promise<Textures> {
  if (choice === builtInTextures) {
    const shelf = await openShelf();
    return {
      names: textureKinds,
      source: { name: "Cuelab's built-in textures", license: "Apache-2.0", sha256: {} },
      pick: (kind, part, share) => shelf.pick(kind, part, share),
    };
  }
  if (choice === singleTextures) {
    const shelf = await openShelf();
    return {
      names: textureKinds,
      source: { name: "Cuelab's built-in textures, one picture a kind", license: "Apache-2.0", sha256: {} },
      pick: (kind) => shelf.pick(kind, "train", 0),
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

export interface TextureShelf {
  pick(kind: number, part: TexturePart, share: number): TextureImage;
}

/**
 * Built-in pictures, each made by the first thread that needs it and then seen by all. Two threads may make the same
 * one at once: they write the same bytes.
 */
export async function openShelf(): Promise<TextureShelf> {
  const pictures = textureKinds.length * variantsOfKind;
  const area = textureSize * textureSize;
  const load = async () => new Uint8Array(pictures * area + 4 * pictures);
  const bytes = await sharedBytes("diagvib-textures", load);
  const ready = new Int32Array(bytes.buffer, pictures * area, pictures);
  return {
    pick(kind, part, share) {
      const { first, count } = builtInVariants[part];
      const variant = first + Math.floor(share * count);
      const slot = kind * variantsOfKind + variant;
      const grey = bytes.subarray(slot * area, (slot + 1) * area);
      if (Atomics.load(ready, slot) === 0) {
        grey.set(builtInTexture(textureKinds[kind]!, variant).grey);
        Atomics.store(ready, slot, 1);
      }
      return { name: textureKinds[kind]!, width: textureSize, height: textureSize, grey };
    },
  };
}
