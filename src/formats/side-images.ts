/**
 * The pictures that go with images, such as masks: always PNG files, in `sides/<name>/<split>/` beside whatever the
 * format writes, or where the format keeps them itself.
 */

import { createHash, type Hash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Dataset, StoredImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { sideFiles } from "../layouts/side-files.ts";
import { type Format, imageName, type SplitRange, splitRanges, type WritePlan } from "./format.ts";
import type { Manifest } from "./manifest.ts";

export const sidesFolder = "sides";

/** Where side images are written, by name and index, in the dataset's folder. */
export function sidePaths(format: Format, plan: WritePlan): (name: string, index: number) => string {
  if (format.sidePath && format.imagePaths) {
    const [imagePath, sidePath] = [format.imagePaths(plan), format.sidePath];
    return (name, index) => sidePath(imagePath(index), name);
  }
  return (name, index) => usualPath(plan.ranges, name, index);
}

function usualPath(ranges: readonly SplitRange[], name: string, index: number): string {
  return `${sidesFolder}/${name}/${imageName(ranges, index)}.png`;
}

/** The folders that `sidePaths` leads to, unless they are those of the images. */
export function makeSideFolders(root: string, format: Format, { dataset, ranges }: WritePlan): void {
  if (format.sidePath) return;
  for (const name of Object.keys(dataset.sideImages ?? {})) {
    for (const { name: split, count } of ranges) {
      if (count > 0) mkdirSync(join(root, sidesFolder, name, split), { recursive: true });
    }
  }
}

/** Where people find the side images of a dataset, for its card. */
export function describePlace(format: Format, name: string): string {
  return format.sidePath?.("…", name) ?? `${sidesFolder}/${name}/<split>/<position>.png`;
}

/** For Croissant: the files of one kind of side image. */
export function sideFileSet(format: Format, name: string): object {
  return {
    "@type": "cr:FileSet",
    "@id": `${sidesFolder}/${name}`,
    name: `${sidesFolder}/${name}`,
    encodingFormat: "image/png",
    includes: format.sidePath?.("**/*", name) ?? `${sidesFolder}/${name}/*/*.png`,
  };
}

/** The side images of a dataset of ours. */
export function openSides(
  root: string,
  format: Format,
  { sideImages = [] }: Manifest,
  images: StoredImages,
  splits: Dataset["splits"],
): Dataset["sideImages"] {
  if (sideImages.length === 0) return undefined;
  const ranges = splitRanges(splits);
  const pathOf = (name: string) => (index: number) =>
    format.sidePath && images.path
      ? format.sidePath(images.path(index).replace(/\.[^.]+$/, ""), name)
      : join(root, usualPath(ranges, name, index));
  return Object.fromEntries(
    sideImages.map(({ name, description, height, width, channels }) => [
      name,
      sideFiles(pathOf(name), description, { height, width, channels }),
    ]),
  );
}

/** What all side images of a name hash to: SHA-256 over the digests of their pixels, in order. */
export class SideHasher {
  readonly #hashes: ReadonlyMap<string, Hash>;

  constructor({ sideImages = {} }: Dataset) {
    this.#hashes = new Map(Object.keys(sideImages).map((name) => [name, createHash("sha256")]));
  }

  update(digests: Readonly<Record<string, Uint8Array>>): void {
    for (const [name, hash] of this.#hashes) hash.update(digests[name]!);
  }

  digests(): Map<string, string> {
    return new Map([...this.#hashes].map(([name, hash]) => [name, hash.digest("hex")]));
  }
}

/** Which side images are not what the manifest says. */
export function changedSides({ sideImages = [] }: Manifest, digests: ReadonlyMap<string, string>): string[] {
  return sideImages.filter(({ name, sha256 }) => digests.get(name) !== sha256).map(({ name }) => name);
}

/** What the manifest says of them. */
export function describeSides(
  { sideImages = {} }: Dataset,
  digests: ReadonlyMap<string, string>,
): Pick<Manifest, "sideImages"> {
  const described = Object.entries(sideImages).map(([name, { shape, description }]) => ({
    name,
    ...shape,
    description,
    sha256: lookUp(digests, name),
  }));
  return described.length === 0 ? {} : { sideImages: described };
}

/** Names become those of folders and files. */
export function checkSideNames({ sideImages = {}, boxes = {} }: Dataset): void {
  const bad = [...Object.keys(sideImages), ...Object.keys(boxes)].find((name) => !/^\w[\w-]*$/.test(name));
  if (bad === undefined) return;
  throw new CuelabError({
    kind: "failure",
    what: `a side image or box cannot be named ${JSON.stringify(bad)}`,
    expected: "letters, digits, _ and -",
  });
}
