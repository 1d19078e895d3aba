/** Reads what a chunk is about from its source, in whatever thread works on it. */

import type { Box } from "../core/box.ts";
import type { EncodedImage, ImageShape, Pixels } from "../core/dataset.ts";
import { CuelabError, type ErrorParts } from "../core/errors.ts";
import { readPlainSync } from "../disk/plain-file.ts";
import type { DecodedImage, FileNotes } from "../images/codec.ts";
import { endingFor } from "../images/file-kind.ts";
import { type Asked, type Inputs, partOf, type Recipe, type RecipePart } from "../images/recipe.ts";
import { applySteps, type ImageStep } from "../images/steps.ts";
import { reasonOf } from "../sources/image-folder.ts";
import { ask, type ChunkSource } from "./chunk-source.ts";
import { followRecipe } from "./follow-recipe.ts";

export interface ReadImage {
  pixels: Pixels;
  /** The file, where there is one that holds just these pixels. */
  encoded?: EncodedImage;
  /** What was done to the pixels of a file. */
  notes?: FileNotes | undefined;
}

/** How the bytes of a file become pixels, given the shape that the dataset declares. */
type Decode = (bytes: Uint8Array, stored: ImageShape | null) => Promise<DecodedImage>;

export async function pictureReader(
  source: ChunkSource,
  inputs: FollowedRecipes,
  decode: Decode,
): Promise<(i: number) => Promise<ReadImage>> {
  switch (source.kind) {
    case "files":
      return async (i) => {
        const path = source.paths[i]!;
        const bytes = readStored(path);
        return decoded({ bytes, extension: endingFor(bytes, path) }, await decode(bytes, source.stored));
      };
    case "encoded":
      return async (i) => {
        const encoded = source.images[i]!;
        if ("error" in encoded) throw new Error(encoded.error);
        return decoded(encoded, await decode(encoded.bytes, source.stored));
      };
    case "raw": {
      const { height, width, channels } = source.shape;
      const size = height * width * channels;
      return async (i) => ({
        pixels: { data: source.data.subarray(i * size, (i + 1) * size), height, width, channels },
      });
    }
    case "changed": {
      const read = await pictureReader(source.from, inputs, decode);
      return async (i) => {
        const { pixels, notes } = await read(i);
        return { pixels: changeImage(pixels, source.steps, source.indices[i]!), notes };
      };
    }
    default: {
      const read = await valueReader(source, inputs);
      return async (i) => ({ pixels: (await read(i)) as Pixels });
    }
  }
}

function decoded(encoded: EncodedImage, { notes, ...pixels }: DecodedImage): ReadImage {
  return { pixels, encoded, notes };
}

/** Of a chunk's boxes, which are never files. */
export async function boxReader(
  source: ChunkSource,
  inputs: FollowedRecipes,
): Promise<(i: number) => Promise<Box | undefined>> {
  const read = await valueReader(source as ValueSource, inputs);
  return async (i) => (await read(i)) as Box | undefined;
}

type ValueSource = Extract<ChunkSource, { kind: "made" | "asked" | "read" }>;

async function valueReader(
  source: ValueSource,
  inputs: FollowedRecipes,
): Promise<(i: number) => Promise<Pixels | Box | undefined>> {
  switch (source.kind) {
    case "made": {
      const made = await inputs.part(source.recipe, source.part);
      return (i) =>
        ownWords(() => ("at" in made ? made.at(source.indices[i]!) : made.pixels(source.indices[i]!)));
    }
    case "asked":
      return (i) => ownWords(() => ask(source.of, source.indices[i]!));
    case "read":
      return async (i) => {
        const found = source.found[i]!;
        if ("value" in found) return found.value;
        throw found.refused ? new RefusedImage(found.refused) : new Error(found.error);
      };
    default:
      return source satisfies never;
  }
}

/** The recipes of the latest chunk, followed once in this thread: a worker is asked for many chunks of one dataset. */
export class FollowedRecipes {
  readonly #inputs = new Map<string, Promise<Inputs>>();

  /** Forgets what a chunk with these sources has no use for. */
  keepFor(sources: readonly ChunkSource[]): void {
    const used = new Set(sources.flatMap(recipesIn).map(keyOf));
    for (const key of this.#inputs.keys()) if (!used.has(key)) this.#inputs.delete(key);
  }

  async part(recipe: Recipe, part: RecipePart): Promise<Asked> {
    const key = keyOf(recipe);
    const inputs = this.#inputs.get(key) ?? followRecipe(recipe);
    this.#inputs.set(key, inputs);
    return partOf(await inputs, part);
  }
}

function recipesIn(source: ChunkSource): Recipe[] {
  if (source.kind === "changed") return recipesIn(source.from);
  return source.kind === "made" ? [source.recipe] : [];
}

const keyOf = (recipe: Recipe) => JSON.stringify(recipe);

/** An image that cannot be made or changed as asked, for a reason that is told in full. */
export class RefusedImage extends CuelabError {}

/** Where an image is composed of other files, their readers know best which of them is at fault, and what to do. */
async function ownWords<Value>(make: () => Value): Promise<Awaited<Value>> {
  try {
    return await make();
  } catch (cause) {
    throw cause instanceof CuelabError ? new RefusedImage(cause.parts) : cause;
  }
}

function changeImage(image: Pixels, steps: readonly ImageStep[], index: number): Pixels {
  try {
    return applySteps(image, steps, index);
  } catch (cause) {
    if (!(cause instanceof CuelabError)) throw cause;
    const { where: _, ...parts }: ErrorParts = cause.parts;
    throw new RefusedImage(parts);
  }
}

function readStored(path: string): Uint8Array {
  try {
    return readPlainSync(path);
  } catch (cause) {
    throw new Error((cause as NodeJS.ErrnoException).code === "ENOENT" ? "no such file" : reasonOf(cause));
  }
}
