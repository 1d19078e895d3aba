/** The annotations of some categories of a COCO or LVIS file, with the images they are about. */

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { CuelabError } from "../../core/errors.ts";
import { editDistance } from "../../core/nearest.ts";
import { type ElementPlace, parseElement, walkJsonArrays } from "./json-arrays.ts";

export interface CocoAnnotation {
  id: number;
  category: string;
  /** Names the image's file below a folder of images: the most particular first. */
  files: string[];
  height: number;
  width: number;
  /** Left, top, width, height. */
  bbox: [number, number, number, number] | undefined;
  /** Pixels of the object, as the file says. */
  area: number | undefined;
  segmentation: unknown;
  /** A region with many objects, which are not told apart. */
  crowd: boolean;
}

interface Category {
  id: number;
  name: string;
  synonyms?: string[];
}

interface Photo {
  files: string[];
  height: number;
  width: number;
}

interface StoredPhoto {
  id: number;
  file_name?: string;
  coco_url?: string;
  height: number;
  width: number;
}

interface StoredAnnotation {
  id: number;
  image_id?: number;
  category_id?: number;
  bbox?: [number, number, number, number];
  area?: number;
  segmentation?: unknown;
  iscrowd?: number;
}

/** In the file's order. Without a list of categories all are taken. */
export async function readAnnotations(
  path: string,
  categories?: readonly string[],
): Promise<{ annotations: CocoAnnotation[]; sha256: string }> {
  const known: Category[] = [];
  const photos = new Map<number, Photo>();
  // LVIS has its categories after the annotations: which of these are wanted is known only at the end.
  const places: AnnotationPlace[] = [];
  const hash = createHash("sha256");
  await walkJsonArrays(
    path,
    {
      categories: (element, place) => known.push(parseElement<Category>(path, element, place)),
      images: (element, place) => {
        const photo = parseElement<StoredPhoto>(path, element, place);
        photos.set(photo.id, photoOf(photo, `${path}, image ${photo.id} (byte ${place.offset})`));
      },
      annotations: (element, { offset }) => {
        places.push({ category: categoryIn(element), offset, length: element.length });
      },
    },
    hash,
  );
  const wanted = chooseCategories(path, known, categories);
  const others = new Set(known.map(({ id }) => id).filter((id) => !wanted.has(id)));
  const annotations: CocoAnnotation[] = [];
  const file = await open(path);
  try {
    for (const [i, { category, offset, length }] of places.entries()) {
      if (others.has(category)) continue;
      const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
      const place: ElementPlace = { offset, item: `item ${i + 1} of "annotations"` };
      const stored = parseElement<StoredAnnotation>(path, buffer, place);
      if (others.has(stored.category_id ?? Number.NaN)) continue;
      annotations.push(
        annotationOf(stored, `${path}, annotation ${stored.id} (byte ${offset})`, wanted, photos),
      );
    }
  } finally {
    await file.close();
  }
  return { annotations, sha256: hash.digest("hex") };
}

/** An annotation's bytes in the file. */
interface AnnotationPlace {
  /** NaN where it is not written plainly, and the annotation must be parsed to know. */
  category: number;
  offset: number;
  length: number;
}

function annotationOf(
  { id, image_id, category_id, bbox, area, segmentation, iscrowd }: StoredAnnotation,
  where: string,
  wanted: ReadonlyMap<number, string>,
  photos: ReadonlyMap<number, Photo>,
): CocoAnnotation {
  const category = wanted.get(category_id ?? Number.NaN);
  const photo = photos.get(image_id ?? Number.NaN);
  if (category === undefined) throw unknownId("category", category_id, where);
  if (photo === undefined) throw unknownId("image", image_id, where);
  return { id, category, ...photo, bbox, area, segmentation, crowd: iscrowd === 1 };
}

const categoryField = Buffer.from('"category_id"');

/** The number after the name of the field; NaN where it is not written plainly. */
function categoryIn(element: Buffer): number {
  const at = element.indexOf(categoryField);
  if (at < 0) return Number.NaN;
  const start = at + categoryField.length;
  return Number(
    /^\s*:\s*(\d+)\s*[,}]/.exec(element.toString("latin1", start, start + 24))?.[1] ?? Number.NaN,
  );
}

function photoOf({ file_name, coco_url, height, width }: StoredPhoto, where: string): Photo {
  // LVIS names no file, but an address that ends with `train2017/000000391895.jpg`.
  const fromUrl = coco_url?.split("/").slice(-2).join("/");
  const files = [file_name, fromUrl, file_name?.split("/").at(-1), fromUrl?.split("/").at(-1)];
  const named = [...new Set(files.filter((file): file is string => file !== undefined && file !== ""))];
  const sized = [height, width].every((side) => Number.isInteger(side) && side > 0);
  if (named.length > 0 && sized) return { files: named, height, width };
  throw new CuelabError({
    kind: "input",
    what: named.length === 0 ? "an image of the list has no name" : "an image of the list has no size",
    where,
    expected: named.length === 0 ? '"file_name" or "coco_url"' : '"height" and "width" in whole pixels',
    got: named.length === 0 ? "neither" : `height ${height}, width ${width}`,
  });
}

/** Id → name as asked for. Blanks and underscores are the same: LVIS writes stop_sign, COCO stop sign. */
function chooseCategories(
  path: string,
  known: readonly Category[],
  names: readonly string[] | undefined,
): Map<number, string> {
  if (names === undefined) return new Map(known.map(({ id, name }) => [id, name]));
  const ids = new Map(known.map(({ id, name }) => [keyOf(name), id]));
  return new Map(
    names.map((name) => {
      const id = ids.get(keyOf(name));
      if (id === undefined) throw unknownCategory(name, path, known);
      return [id, name];
    }),
  );
}

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(" ", "_");
}

function unknownCategory(name: string, path: string, known: readonly Category[]): CuelabError {
  const distance = (word: string) => editDistance(keyOf(name), keyOf(word));
  const close = known
    .map((category) => ({
      name: category.name,
      far: Math.min(...[category.name, ...(category.synonyms ?? [])].map(distance)),
    }))
    .sort((a, b) => a.far - b.far)
    .slice(0, 5);
  return new CuelabError({
    kind: "input",
    what: `there is no category "${name}"`,
    where: path,
    expected: `one of its ${known.length} categories`,
    got: known.length === 0 ? "none at all" : `the closest: ${close.map((entry) => entry.name).join(", ")}`,
    todo:
      close[0]?.far === 0
        ? `"${name}" is another word for "${close[0].name}"`
        : "take the annotations of LVIS v1 for its names",
  });
}

function unknownId(what: string, id: number | undefined, where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `an annotation is about ${what === "image" ? "an" : "a"} ${what} that the file does not list`,
    where,
    expected: `an id of its ${what === "image" ? "images" : "categories"}`,
    got: `${what}_id ${id}`,
  });
}
