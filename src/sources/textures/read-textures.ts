/** Textures of one's own: a folder with an image (`moss.png`) or a folder of images (`moss/1.jpg`, …) for each class. */

import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { extname, join, parse } from "node:path";
import type { Pixels, SourceRecord } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { decodeImage } from "../../images/codec.ts";
import { imageExtensions } from "../../images/file-kind.ts";
import { reasonOf } from "../image-folder.ts";
import { listImages } from "../list-images.ts";
import { normaliseHistogram } from "./histogram.ts";
import { smallestSide, type TextureImage } from "./texture-image.ts";

interface TextureClass {
  name: string;
  images: TextureImage[];
}

/** Images become grey and histogram-normalised. Classes and images are in the order of their names. */
export async function readTextures(folder: string): Promise<{ kinds: TextureClass[]; source: SourceRecord }> {
  const sha256: Record<string, string> = {};
  const kinds: TextureClass[] = [];
  const classes = await classFiles(folder);
  for (const name of [...classes.keys()].sort()) {
    const images: TextureImage[] = [];
    for (const file of lookUp(classes, name)) {
      const path = join(folder, file);
      const bytes = await readBytes(path);
      sha256[file] = createHash("sha256").update(bytes).digest("hex");
      images.push(textureOf(await decode(bytes, path), file, path));
    }
    kinds.push({ name, images });
  }
  return { kinds, source: { name: `textures of ${folder}`, license: "yours", sha256 } };
}

/** Class → its files, relative to the folder, with forward slashes. */
async function classFiles(folder: string): Promise<Map<string, string[]>> {
  const classes = new Map<string, string[]>();
  for (const entry of await entriesOf(folder)) {
    if (entry.startsWith(".")) continue;
    const path = join(folder, entry);
    const inner = (await isFolder(path)) ? await listImages(path) : null;
    if (inner?.length === 0) throw noImages(path);
    if (inner === null && !isImage(entry)) continue;
    const name = inner === null ? parse(entry).name : entry;
    if (classes.has(name)) {
      throw new CuelabError({
        kind: "input",
        what: `two entries of the folder are the texture class "${name}"`,
        where: folder,
        expected: "one image or one folder of images a class",
        got: `${lookUp(classes, name)[0]!.split("/")[0]} and ${entry}`,
        todo: `put all images of the class into a folder "${name}"`,
      });
    }
    classes.set(name, inner?.map((file) => `${entry}/${file}`) ?? [entry]);
  }
  if (classes.size === 0) throw noImages(folder);
  return classes;
}

function textureOf({ data, width, height, channels }: Pixels, name: string, path: string): TextureImage {
  if (width < smallestSide || height < smallestSide) {
    throw new CuelabError({
      kind: "input",
      what: "a texture is too small to take crops from",
      where: path,
      expected: `at least ${smallestSide} × ${smallestSide} pixels`,
      got: `${width} × ${height}`,
    });
  }
  const grey = channels === 1 ? data : greyOf(data, channels);
  if (grey.every((value) => value === grey[0])) {
    throw new CuelabError({
      kind: "input",
      what: "a texture has one grey everywhere, which no network can tell from another",
      where: path,
    });
  }
  return { name, width, height, grey: normaliseHistogram(grey) };
}

/** ITU-R 601 luma in 16-bit fixed point, rounded: what PIL's `convert("L")` computes. */
function greyOf(data: Uint8Array, channels: number): Uint8Array {
  const grey = new Uint8Array(data.length / channels);
  for (let i = 0, at = 0; i < grey.length; i++, at += channels) {
    grey[i] = (19595 * data[at]! + 38470 * data[at + 1]! + 7471 * data[at + 2]! + 0x8000) >>> 16;
  }
  return grey;
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "cannot read the folder of textures",
      where: folder,
      expected: "a folder with one image, or one folder of images, a texture class",
      got: reasonOf(cause),
      cause,
    });
  }
}

/** A link that leads nowhere counts as a file, so that it is reported as an image that cannot be read. */
async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (target) => target.isDirectory(),
    () => false,
  );
}

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readPlain(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function decode(bytes: Uint8Array, path: string): Promise<Pixels> {
  try {
    return await decodeImage(bytes);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a texture cannot be read",
    where: path,
    expected: `a whole image (${imageExtensions.join(", ")})`,
    got: reasonOf(cause),
    todo: "repair it or remove it from the folder",
    cause,
  });
}

function noImages(folder: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the folder holds no texture images",
    where: folder,
    expected: `at least one image (${imageExtensions.join(", ")})`,
    todo: "add images such as tiles.png or tiles/1.jpg, or remove the folder",
  });
}

function isImage(file: string): boolean {
  return (imageExtensions as readonly string[]).includes(extname(file).slice(1).toLowerCase());
}
