/**
 * Objects cut out of COCO's photos by the masks of a COCO or LVIS file (Lin et al. 2014; Gupta et al. 2019), or of any
 * other set in that format, filtered as Li et al. 2023 filtered theirs.
 */

import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { SkippedImage } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { filesDigest, readPhoto, requireFolder, sharedIndex } from "../../sources/photo-files.ts";
import { maskedPhotos, type ObjectSource } from "../../sources/photo-source.ts";
import { type CocoAnnotation, readAnnotations } from "./annotations.ts";
import { annotationFiles, photoFinder } from "./files.ts";
import { filterObjects, type ObjectFilters } from "./filters.ts";
import { decodeSegmentation } from "./masks.ts";

const things: ObjectFilters = { oneComponent: true, leastBoxArea: 4500 };
const animals: ObjectFilters = { oneComponent: true, leastMaskArea: 3500 };

/** UrbanCars' co-occurring objects (Li et al. 2023, Appendix A.1), by their names in LVIS. */
export const urbanObjects = {
  fireplug: things,
  stop_sign: things,
  street_sign: things,
  parking_meter: things,
  traffic_light: things,
} as const;
export const countryObjects = { cow: animals, horse: animals, sheep: animals } as const;

export interface CocoOptions {
  /** A JSON file, or a folder with lvis_v1_train.json and lvis_v1_val.json, or with instances_*.json. */
  annotations: string;
  /** The folder of photos, or the one that holds train2017 and val2017. */
  images: string;
  /** Names of categories with what their objects must be like. */
  categories: Readonly<Record<string, ObjectFilters>>;
  /** Leave objects out whose photo is missing or whose annotation is broken, and list them, instead of stopping. */
  skipMissing?: boolean | undefined;
}

interface CocoIndex {
  objects: CocoAnnotation[];
  /** File of annotations of each object, an index into `paths`. */
  origins: number[];
  paths: string[];
  sha256: Record<string, string>;
  filteredOut: Record<string, number>;
  broken: SkippedImage[];
}

/** In the order of files, then of annotations. */
export async function readCocoObjects(options: CocoOptions): Promise<ObjectSource> {
  const folder = resolve(options.images);
  await requireFolder(folder, "the photos that the annotations are about");
  const paths = await annotationFiles(options.annotations);
  const { categories, skipMissing = false } = options;
  const key = await keyOf(paths, categories, skipMissing);
  const index = await sharedIndex(key, () => readIndex(paths, categories, skipMissing));
  const { objects, origins } = index;
  const describe = (i: number) => `${index.paths[origins[i]!]}, annotation ${objects[i]!.id}`;
  const find = photoFinder(folder);
  const skipped = [...index.broken];
  const files: (string | undefined)[] = [];
  for (const [i, { files: names }] of objects.entries()) {
    const file = await find(names);
    if (file === undefined) {
      if (!skipMissing) throw noPhoto(describe(i), folder, names);
      skipped.push({ image: describe(i), reason: `its photo ${names[0]} is missing` });
    }
    files.push(file);
  }
  const used = files.flatMap((file, i) => (file === undefined ? [] : [{ file, i }]));
  if (used.length === 0) throw noPhoto(describe(0), folder, objects[0]!.files);
  const classNames = used.map(({ i }) => objects[i]!.category);
  return maskedPhotos({
    classNames,
    describe: (k) => describe(used[k]!.i),
    photo: (k) => join(folder, used[k]!.file),
    load: async (k) => {
      const { file, i } = used[k]!;
      const image = await readPhoto(join(folder, file));
      const { height, width, segmentation } = objects[i]!;
      if (image.height !== height || image.width !== width) {
        throw new CuelabError({
          kind: "input",
          what: "a photo has another size than its annotation says",
          where: join(folder, file),
          expected: `${width} × ${height} (${describe(i)})`,
          got: `${image.width} × ${image.height}`,
          todo: "use the photos as published, not resized",
        });
      }
      return { image, mask: decodeSegmentation(segmentation, { height, width }, describe(i)) };
    },
    record: {
      name: paths.some((path) => basename(path).startsWith("lvis")) ? "LVIS" : "COCO",
      license,
      sha256: {
        ...index.sha256,
        "photos (names and sizes)": await filesDigest(
          folder,
          [...new Set(used.map(({ file }) => file))].sort(),
        ),
      },
      filteredOut: index.filteredOut,
    },
    skipped,
  });
}

const license =
  "annotations CC BY 4.0; photos under the terms of Flickr and their photographers' licences, not to be handed on";

async function readIndex(
  paths: string[],
  categories: CocoOptions["categories"],
  skipBroken: boolean,
): Promise<CocoIndex> {
  const index: CocoIndex = { objects: [], origins: [], paths, sha256: {}, filteredOut: {}, broken: [] };
  const filtered = new Map<string, number>();
  const removed = { filtered, broken: skipBroken ? index.broken : undefined };
  for (const [origin, path] of paths.entries()) {
    const { annotations, sha256 } = await readAnnotations(path, Object.keys(categories));
    index.sha256[basename(path)] = sha256;
    for (const object of filterObjects(path, annotations, categories, removed)) {
      index.objects.push(object);
      index.origins.push(origin);
    }
  }
  index.filteredOut = Object.fromEntries(filtered);
  const present = new Set(index.objects.map(({ category }) => category));
  const empty = Object.keys(categories).filter((name) => !present.has(name));
  if (empty.length === 0) return index;
  const reasons = [...filtered].filter(([reason]) => empty.some((name) => reason.startsWith(`${name}: `)));
  throw new CuelabError({
    kind: "input",
    what: `no object of the category "${empty[0]}" is left`,
    where: paths.join(", "),
    expected: "at least one that passes all filters",
    got:
      reasons.length === 0
        ? "no annotation of it"
        : reasons.map(([reason, count]) => `${reason} (${count})`).join("; "),
    todo: "ask for less, leave the category out, or take a larger file",
  });
}

/** Another file, or the same one changed, is another index. */
async function keyOf(
  paths: readonly string[],
  categories: CocoOptions["categories"],
  skipBroken: boolean,
): Promise<string> {
  const stats = await Promise.all(paths.map((path) => stat(path)));
  const versions = stats.map(({ size, mtimeMs }) => [size, mtimeMs]);
  return `coco:${JSON.stringify([paths, versions, categories, skipBroken])}`;
}

function noPhoto(where: string, folder: string, names: readonly string[]): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a photo is missing",
    where,
    expected: `one of: ${names.join(", ")} in ${folder}, or in its folders train2017, val2017`,
    todo: "name the folder that holds COCO's photos, or leave objects without a photo out (skipMissing)",
  });
}
