/** Images as files, each read when asked for, and what is said of those that cannot be read. */

import { isAbsolute, join } from "node:path";
import type { EncodedImage, ImageShape, Pixels, StoredImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { readPlain } from "../disk/plain-file.ts";
import { decodeImage } from "../images/codec.ts";
import { endingFor } from "../images/file-kind.ts";

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
      const bytes = await readPlain(path);
      return { bytes, extension: endingFor(bytes, path) };
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
  "repair or remove it, or leave such images out: --skip-broken, where a command has it; else first cuelab data convert <path> --skip-broken --to folder --out D, then take D";

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
