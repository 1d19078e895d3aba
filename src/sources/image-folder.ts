/** Any folder of images: found by extension, classed by folder, split by a first folder named train, val or test. */

import type { Dirent } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { extname, isAbsolute, join } from "node:path";
import type { EncodedImage, ImageShape, Pixels, StoredImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { decodeImage, imageExtensions } from "../images/codec.ts";

/** An image set over files, each read when asked for. */
export class ImageFiles implements StoredImages {
  readonly shape: ImageShape | null;
  readonly #root: string;
  readonly #paths: readonly string[];

  /** `paths` are relative to `root`, with forward slashes; absolute ones are taken as they are. */
  constructor(root: string, paths: readonly string[], shape: ImageShape | null = null) {
    this.#root = root;
    this.#paths = paths;
    this.shape = shape;
  }

  get count(): number {
    return this.#paths.length;
  }

  path(index: number): string {
    const path = this.#paths[index]!;
    return isAbsolute(path) ? path : join(this.#root, path);
  }

  describe(index: number): string {
    return this.path(index);
  }

  file(index: number): string {
    return this.#paths[index]!;
  }

  async encoded(index: number): Promise<EncodedImage> {
    const path = this.path(index);
    try {
      return { bytes: await readFile(path), extension: extname(path).slice(1).toLowerCase() };
    } catch (cause) {
      throw unreadableImage(path, cause);
    }
  }

  async pixels(index: number): Promise<Pixels> {
    const { bytes } = await this.encoded(index);
    try {
      return await decodeImage(bytes, this.shape);
    } catch (cause) {
      throw unreadableImage(this.describe(index), cause);
    }
  }
}

/** What to do about such an image where a command cannot leave it out itself. */
export const leaveOutFirst =
  "repair or remove it, or leave such images out first: cuelab data convert <path> --skip-broken --to folder --out D, then take D";

/** The error for an image that is missing, truncated or no image at all. */
export function unreadableImage(image: string, cause: unknown): CuelabError {
  if (cause instanceof CuelabError) return cause;
  const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
  return new CuelabError({
    kind: "input",
    what: missing ? "an image is missing" : "an image cannot be read",
    where: image,
    got: missing ? "no such file" : reasonOf(cause),
    todo: leaveOutFirst,
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

const known = new Set<string>(imageExtensions);

/** Paths of all images below a folder, sorted, relative to it, with forward slashes. Links to folders are followed. */
export async function listImages(root: string): Promise<string[]> {
  return (await imagesBelow(root, "", [])).sort();
}

/** `above` holds the true paths of the folders above, among which a link would lead in a circle. */
async function imagesBelow(root: string, folder: string, above: readonly string[]): Promise<string[]> {
  const path = join(root, folder);
  let entries: Dirent[];
  let truePath: string;
  try {
    truePath = await realpath(path);
    if (above.includes(truePath)) return [];
    entries = await readdir(path, { withFileTypes: true });
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "cannot read the folder",
      where: path,
      got: reasonOf(cause),
      cause,
    });
  }
  const images: string[] = [];
  for (const entry of entries) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (await leadsToFolder(entry, join(root, name))) {
      for (const image of await imagesBelow(root, name, [...above, truePath])) images.push(image);
    } else if (known.has(extname(name).slice(1).toLowerCase()) && !entry.name.startsWith(".")) {
      images.push(name);
    }
  }
  return images;
}

/** A link that leads nowhere counts as a file, so that it is reported as a missing image. */
async function leadsToFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return stat(path).then(
    (target) => target.isDirectory(),
    () => false,
  );
}
