/**
 * ImageNet's images (Russakovsky et al. 2015) with their boxes, from somebody's own copy: folders of classes or a flat
 * validation folder, and PASCAL VOC XML files. Other sets come as a table of boxes or in COCO's format.
 */

import { createHash, type Hash } from "node:crypto";
import { join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { SkippedImage } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { utf8 } from "../../core/utf8.ts";
import { guardedNow } from "../../disk/guarded.ts";
import { readPlainSync } from "../../disk/plain-file.ts";
import { reasonOf } from "../../sources/image-folder.ts";
import { requireFolder, sharedIndex } from "../../sources/photo-files.ts";
import { type BoxedPhoto, type BoxedPhotos, boxedPhotos } from "./boxed-photos.ts";
import { type AnnotatedFile, listAnnotated } from "./layout.ts";
import { readSynsets } from "./synsets.ts";
import { type Corners, readVocXml, type VocAnnotation } from "./voc-xml.ts";

export type { BoxedPhoto, BoxedPhotos } from "./boxed-photos.ts";
export { readBoxTable, readCocoBoxes } from "./other-formats.ts";

export interface ImageNetBoxesOptions {
  /** Folders of classes (n01440764/…), or images alone. */
  images: string;
  /** XML files, in folders of classes or alone. */
  annotations: string;
  /** Ids of the classes to read (all that have images). */
  classes?: readonly string[] | undefined;
  /** LOC_synset_mapping.txt or the like: an id and its words a line. Ids that are not in it are then errors. */
  synsets?: string | undefined;
  corners?: Corners | undefined;
  /** Leave images out, and list them, whose annotation is broken or whose file is missing. */
  skipBroken?: boolean | undefined;
}

export interface ImageNetBoxes extends BoxedPhotos {
  /** A class's words, where there is a list of them; otherwise its id. */
  title(className: string): string;
  /** Images of the classes that have no annotation, as most of ImageNet's training images. */
  readonly withoutBoxes: number;
  /** Boxes that were left out, since they are around things of other classes. */
  readonly otherBoxes: number;
}

interface BoxIndex {
  photos: BoxedPhoto[];
  skipped: SkippedImage[];
  withoutBoxes: number;
  otherBoxes: number;
  digest: string;
}

const license = "ImageNet's own terms: non-commercial research only, not to be handed on";
/** Small files, read eight times faster one after the other; after so many, others get their turn. */
const filesAtOnce = 500;
const synset = /^n\d{8}$/;

/** In the order of classes, then of file names. */
export async function readImageNetBoxes(options: ImageNetBoxesOptions): Promise<ImageNetBoxes> {
  const [folder, annotations] = [resolve(options.images), resolve(options.annotations)];
  await requireFolder(folder, "ImageNet's images, in folders of classes or flat");
  await requireFolder(annotations, "XML files with boxes, in folders of classes or flat");
  const titles = options.synsets === undefined ? undefined : await readSynsets(resolve(options.synsets));
  const index = await sharedIndex(`imagenet-boxes:${JSON.stringify([folder, annotations, options])}`, () =>
    readIndex(folder, annotations, options, titles),
  );
  const { withoutBoxes, otherBoxes } = index;
  const source = { name: "ImageNet", license, sha256: { "boxes (XML files)": index.digest } };
  const photos = await boxedPhotos(folder, index.photos, source, index.skipped);
  return { ...photos, withoutBoxes, otherBoxes, title: (name) => titles?.get(name) ?? name };
}

async function readIndex(
  folder: string,
  annotations: string,
  options: ImageNetBoxesOptions,
  titles: ReadonlyMap<string, string> | undefined,
): Promise<BoxIndex> {
  const { files, withoutBoxes } = await listAnnotated(folder, annotations, options.classes);
  const hash = createHash("sha256");
  const index: BoxIndex = { photos: [], skipped: [], withoutBoxes, otherBoxes: 0, digest: "" };
  for (const [i, file] of files.entries()) {
    if (i % filesAtOnce === 0) await setImmediate();
    try {
      const { photo, others } = readOne(file, annotations, options.corners ?? "edges", titles, hash);
      if (options.classes?.includes(photo.className) === false) continue;
      index.photos.push(photo);
      index.otherBoxes += others;
    } catch (cause) {
      if (options.skipBroken !== true || !(cause instanceof CuelabError)) throw cause;
      index.skipped.push({
        image: file.image ?? join(annotations, file.xml),
        reason: `${cause.parts.what}: ${reasonOf(cause)}`,
      });
    }
  }
  if (index.photos.length === 0) throw nothing(folder, annotations, options, index);
  index.digest = hash.digest("hex");
  return index;
}

function readOne(
  { image, xml, className }: AnnotatedFile,
  folder: string,
  corners: Corners,
  titles: ReadonlyMap<string, string> | undefined,
  hash: Hash,
): { photo: BoxedPhoto; others: number } {
  const origin = join(folder, xml);
  if (image === undefined) {
    throw new CuelabError({
      kind: "input",
      what: "an annotated image is missing",
      where: origin,
      expected: "an image of the same name in the folder of images",
      todo: "unpack the images again, or leave such annotations out (skipBroken)",
    });
  }
  const bytes = readPlainSync(origin);
  const voc = readVocXml(
    origin,
    guardedNow(origin, () => utf8(bytes)),
    corners,
  );
  const own = className ?? classOf(voc, origin);
  if (titles !== undefined && !titles.has(own)) throw unknownClass(own, origin);
  // Some of ImageNet's files write a dog's breed where its id belongs: only another id is another thing.
  const boxes = voc.objects.filter(({ name }) => name === own || !synset.test(name)).map(({ box }) => box);
  if (boxes.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "an annotation has no box of its image's class",
      where: origin,
      expected: own,
      got: [...new Set(voc.objects.map(({ name }) => name))].join(", "),
    });
  }
  hash.update(`${xml}\n`).update(bytes);
  const { width, height } = voc;
  return {
    photo: { file: image, className: own, width, height, boxes, origin },
    others: voc.objects.length - boxes.length,
  };
}

/** Where no folder says it, all objects must be of one class. */
function classOf({ objects }: VocAnnotation, origin: string): string {
  const names = [...new Set(objects.map(({ name }) => name))];
  if (names.length === 1) return names[0]!;
  throw new CuelabError({
    kind: "input",
    what: "an annotation has objects of several classes, and no folder says which is the image's",
    where: origin,
    expected: "one class, or images in folders of classes",
    got: names.join(", "),
  });
}

function unknownClass(name: string, where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `the class "${name}" is unknown`,
    where,
    expected: "an id of the list of classes, such as n01440764",
    todo: "complete the list, or leave the class out",
  });
}

function nothing(
  folder: string,
  annotations: string,
  { classes }: ImageNetBoxesOptions,
  index: BoxIndex,
): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "no image has a box",
    where: folder,
    expected: `XML files in ${annotations} with the names of images${classes === undefined ? "" : ` of the classes ${classes.join(", ")}`}`,
    got: `${index.withoutBoxes} images without an XML file, ${index.skipped.length} left out`,
    ...(index.skipped[0] === undefined ? {} : { todo: `the first: ${index.skipped[0].reason}` }),
  });
}
