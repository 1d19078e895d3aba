/** Any folder of images: found by extension, classed by folder, split by a first folder named train, val or test. */

import { readdir, readFile } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import type { EncodedImage, ImageSet, ImageShape, Pixels } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { decodeImage, imageExtensions } from "../core/images/codec.ts";

/** An image set over files, each read when asked for. */
export class ImageFiles implements ImageSet {
  readonly shape: ImageShape | null;
  readonly #root: string;
  readonly #paths: readonly string[];

  /** `paths` are relative to `root`, with forward slashes. */
  constructor(root: string, paths: readonly string[], shape: ImageShape | null = null) {
    this.#root = root;
    this.#paths = paths;
    this.shape = shape;
  }

  get count(): number {
    return this.#paths.length;
  }

  path(index: number): string {
    return join(this.#root, this.#paths[index]!);
  }

  describe(index: number): string {
    return this.path(index);
  }

  async encoded(index: number): Promise<EncodedImage> {
    const path = this.path(index);
    try {
      return { bytes: await readFile(path), extension: extname(path).slice(1).toLowerCase() };
    } catch (cause) {
      throw unreadable(path, cause);
    }
  }

  async pixels(index: number): Promise<Pixels> {
    const { bytes } = await this.encoded(index);
    try {
      return await decodeImage(bytes, this.shape);
    } catch (cause) {
      throw unreadable(this.describe(index), cause);
    }
  }
}

/** The error for an image that is missing, truncated or no image at all. */
export function unreadable(image: string, cause: unknown): CuelabError {
  if (cause instanceof CuelabError) return cause;
  const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
  return new CuelabError({
    kind: "input",
    what: missing ? "an image is missing" : "an image cannot be read",
    where: image,
    got: missing ? "no such file" : reasonOf(cause),
    todo: "repair or remove it, or pass --skip-broken to leave such images out and list them in the provenance",
    cause,
  });
}

/** First line of what went wrong, for lists. */
export function reasonOf(cause: unknown): string {
  const message =
    cause instanceof CuelabError
      ? (cause.parts.got ?? cause.parts.what)
      : String((cause as Error)?.message ?? cause);
  return message.split("\n")[0]!;
}

/** Paths of all images below a folder, sorted, relative to it, with forward slashes. */
export async function listImages(root: string): Promise<string[]> {
  let entries: { parentPath: string; name: string; isFile(): boolean; isSymbolicLink(): boolean }[];
  try {
    entries = await readdir(root, { recursive: true, withFileTypes: true });
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "cannot read the folder",
      where: root,
      got: reasonOf(cause),
      cause,
    });
  }
  const known = new Set<string>(imageExtensions);
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .filter((entry) => known.has(extname(entry.name).slice(1).toLowerCase()) && !entry.name.startsWith("."))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}
