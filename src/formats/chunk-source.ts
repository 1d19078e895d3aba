/** Where the pictures and boxes of a chunk are had from: decided in the thread that has the dataset. */

import type { Box } from "../core/box.ts";
import type { EncodedImage, ImageShape, Pixels } from "../core/dataset.ts";
import { CuelabError, type ErrorParts } from "../core/errors.ts";
import {
  type Asked,
  namedRecipeOf,
  type Origin,
  originOf,
  type Recipe,
  type RecipePart,
} from "../images/recipe.ts";
import type { ImageStep } from "../images/steps.ts";
import { reasonOf } from "../sources/image-folder.ts";

/** Plain data for another thread, but for `asked`, which is for this one. */
export type ChunkSource =
  /** To be made anew by a recipe, each from its index. */
  | { kind: "made"; recipe: Recipe; part: RecipePart; indices: Uint32Array }
  | { kind: "files"; paths: string[]; stored: ImageShape | null }
  | { kind: "encoded"; images: (EncodedImage | { error: string })[]; stored: ImageShape | null }
  | { kind: "raw"; data: Uint8Array; shape: ImageShape }
  | { kind: "changed"; from: ChunkSource; steps: readonly ImageStep[]; indices: Uint32Array }
  | { kind: "asked"; of: Asked; indices: Uint32Array }
  | { kind: "read"; found: Found[] };

/** What was asked for, or why it was not to be had. */
type Found = { value: Pixels | Box | undefined } | { error: string; refused?: ErrorParts };

/** A thing that only the thread which has the dataset can give. */
type Here = (of: Asked, indices: Uint32Array) => ChunkSource;

/** For work in the same thread: things are asked for when their turn comes. */
export const askedInPlace: Here = (of, indices) => ({ kind: "asked", of, indices });

/** For work in another thread: things are asked for beforehand, and sent. */
export class ReadAhead {
  readonly #wanted: { of: Asked; indices: Uint32Array; found: Found[] }[] = [];

  readonly here: Here = (of, indices) => {
    const found: Found[] = [];
    this.#wanted.push({ of, indices, found });
    return { kind: "read", found };
  };

  /** Image by image, with what goes with each: who draws one has its mask in mind just then. */
  async read(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      for (const { of, indices, found } of this.#wanted) found.push(await find(of, indices[i]!));
    }
  }
}

/** Another thread makes datasets with a name itself; this one has them already. */
export async function sourceOf(asked: Asked, indices: Uint32Array, here: Here): Promise<ChunkSource> {
  const origin = originOf(asked);
  if (origin?.kind === "files") return filesSource(asked, origin, indices);
  const named = namedRecipeOf(asked);
  if (named?.recipe.kind === "made" && here !== askedInPlace) return { kind: "made", ...named, indices };
  if (origin === undefined) return here(asked, indices);
  switch (origin.kind) {
    case "some":
      return sourceOf(
        origin.of,
        indices.map((i) => origin.indices[i]!),
        here,
      );
    case "sized":
      return sourceOf(origin.of, indices, here);
    case "changed":
      return {
        kind: "changed",
        from: await sourceOf(origin.of, indices, here),
        steps: origin.steps,
        indices,
      };
    default:
      return origin satisfies never;
  }
}

/** Files that workers can open are left to them; what lies in shards is read here. */
async function filesSource(
  asked: Asked,
  { files }: Extract<Origin, { kind: "files" }>,
  indices: Uint32Array,
): Promise<ChunkSource> {
  const stored = "shape" in asked ? asked.shape : null;
  if (files.path) return { kind: "files", paths: Array.from(indices, (i) => files.path!(i)), stored };
  if (files.encoded) {
    const read = (index: number) =>
      files.encoded!(index).catch((cause: unknown) => ({ error: reasonOf(cause) }));
    return { kind: "encoded", images: await Promise.all(Array.from(indices, read)), stored };
  }
  const parts = runsOf(indices).map(({ start, count }) => files.rawPixels!(start, count));
  const data = parts.length === 1 ? await parts[0]! : Buffer.concat(await Promise.all(parts));
  return { kind: "raw", data, shape: stored! };
}

/** Stretches of indices that follow each other. */
function runsOf(indices: Uint32Array): { start: number; count: number }[] {
  const runs: { start: number; count: number }[] = [];
  for (const index of indices) {
    const last = runs.at(-1);
    if (last && index === last.start + last.count) last.count++;
    else runs.push({ start: index, count: 1 });
  }
  return runs;
}

async function find(of: Asked, index: number): Promise<Found> {
  try {
    return { value: await ask(of, index) };
  } catch (cause) {
    if (isOfSystem(cause)) throw cause;
    const refused = cause instanceof CuelabError && { refused: withoutCause(cause.parts) };
    return { error: reasonOf(cause), ...refused };
  }
}

/** Asks for one thing, and keeps it as it is at that moment: the next may be made in the same memory. */
export async function ask(of: Asked, index: number): Promise<Pixels | Box | undefined> {
  if ("at" in of) return of.at(index);
  const given = of.pixels(index);
  const { data, height, width, channels } = given instanceof Promise ? await given : given;
  const { shape } = of;
  const fits =
    shape === null || (shape.height === height && shape.width === width && shape.channels === channels);
  if (fits && data.length === height * width * channels) {
    return { data: new Uint8Array(data), height, width, channels };
  }
  throw new CuelabError({
    kind: "input",
    what: "pixels are not of the shape that the dataset declares",
    expected: sizeOf(shape ?? { height, width, channels }),
    got: `${sizeOf({ height, width, channels })}, in ${data.length} bytes`,
    todo: "say the shape of changed images in images.shape",
  });
}

function sizeOf({ height, width, channels }: ImageShape): string {
  return `${height} × ${width} × ${channels}`;
}

/** A full disk, or one that fails, is no fault of the image. */
export function isOfSystem(cause: unknown): boolean {
  return (cause as NodeJS.ErrnoException).syscall !== undefined;
}

/** What caused an error may hold anything, and is not sent between threads. */
export function withoutCause(parts: ErrorParts): ErrorParts {
  const { cause: _, ...rest } = parts;
  return rest;
}
