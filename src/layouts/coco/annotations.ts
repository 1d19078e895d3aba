/** The annotations of some categories of a COCO or LVIS file, with the images they are about. */

import { createHash } from "node:crypto";
import { z } from "zod";
import { CuelabError } from "../../core/errors.ts";
import { editDistance } from "../../core/nearest.ts";
import { openPlain } from "../../disk/plain-file.ts";
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

const id = z.number().int();

const categorySchema = z.object({
  id,
  name: z.string(),
  synonyms: z.array(z.string()).optional(),
});
type Category = z.output<typeof categorySchema>;

interface Photo {
  files: string[];
  height: number;
  width: number;
}

/** Sizes are checked by what they are: they have words of their own. */
const photoSchema = z.object({
  id,
  file_name: z.string().optional(),
  coco_url: z.string().optional(),
  height: z.unknown().optional(),
  width: z.unknown().optional(),
});
type StoredPhoto = z.output<typeof photoSchema>;

/** Boxes and masks are checked by who needs them, against the image. */
const annotationSchema = z.object({
  id,
  image_id: z.number().optional(),
  category_id: z.number().optional(),
  bbox: z.custom<CocoAnnotation["bbox"]>().optional(),
  area: z.number().optional(),
  segmentation: z.unknown().optional(),
  iscrowd: z.unknown().optional(),
});
type StoredAnnotation = z.output<typeof annotationSchema>;

/** An entry of one of the lists, with what is read of it checked; the rest is left as it is. */
function entryOf<Schema extends z.ZodType>(
  path: string,
  element: Buffer,
  place: ElementPlace,
  schema: Schema,
): z.output<Schema> {
  const result = schema.safeParse(parseElement(path, element, place));
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  throw new CuelabError({
    kind: "input",
    what: "an entry of the annotations is not what it should be",
    where: `${path}, ${place.item} (byte ${place.offset})`,
    got: `${issue.path.join(".") || "the whole entry"}: ${issue.message}`,
  });
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
      categories: (element, place) => known.push(entryOf(path, element, place, categorySchema)),
      images: (element, place) => {
        const photo = entryOf(path, element, place, photoSchema);
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
  const file = await openPlain(path);
  try {
    for (const [i, { category, offset, length }] of places.entries()) {
      if (others.has(category)) continue;
      const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
      const place: ElementPlace = { offset, item: `item ${i + 1} of "annotations"` };
      const stored = entryOf(path, buffer, place, annotationSchema);
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
  if (named.length > 0 && isSize(height) && isSize(width)) return { files: named, height, width };
  throw new CuelabError({
    kind: "input",
    what: named.length === 0 ? "an image of the list has no name" : "an image of the list has no size",
    where,
    expected: named.length === 0 ? '"file_name" or "coco_url"' : '"height" and "width" in whole pixels',
    got: named.length === 0 ? "neither" : `height ${JSON.stringify(height)}, width ${JSON.stringify(width)}`,
  });
}

function isSize(side: unknown): side is number {
  return Number.isInteger(side) && (side as number) > 0;
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
