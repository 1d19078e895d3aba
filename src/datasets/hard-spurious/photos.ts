/** People's own photographs with boxes: training and validation images come from one folder, test images from another. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Pixels, SkippedImage } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { imageExtensions } from "../../core/images/codec.ts";
import type { Box } from "../../core/images/compose.ts";
import { dilate, maskOfBoxes } from "../../core/images/inpaint/index.ts";
import { randomStream } from "../../core/random.ts";
import { classTitles, openBoxedPhotos } from "../../sources/boxed-photos.ts";
import type { BoxedPhoto, BoxedPhotos } from "../../sources/imagenet-boxes/index.ts";
import { readPhoto, readPixels } from "../../sources/photo-files.ts";
import { holeOf } from "./parts.ts";
import type { Photographs, Split } from "./photographs.ts";
import type { Settings } from "./settings.ts";

/** Settings that say where photographs are. */
export const photoPlaces = [
  "trainImages",
  "trainBoxes",
  "trainMasks",
  "trainInpainted",
  "testImages",
  "testBoxes",
  "testMasks",
  "testInpainted",
  "synsets",
] as const;

/** One folder of photographs with all that goes with them. */
interface Album {
  boxed: BoxedPhotos & { title: (className: string) => string };
  masks: string | undefined;
  inpainted: string | undefined;
}

export interface PhotoAlbums {
  train: Album;
  /** The same where there are no test photographs apart. */
  test: Album;
  /** Of the classes that have photographs in both: what people call them, by their own names. */
  titles: ReadonlyMap<string, string>;
  /** Classes that have photographs in one of both alone. */
  leftOut: readonly SkippedImage[];
}

export async function openAlbums(chosen: Settings): Promise<PhotoAlbums> {
  const train = await openAlbum("train", chosen);
  const test = chosen.testImages === undefined ? train : await openAlbum("test", chosen);
  const trained = new Set(train.boxed.classNames);
  const tested = new Set(test.boxed.classNames);
  const all = [...new Set([...trained, ...tested])].sort();
  const common = all.filter((name) => trained.has(name) && tested.has(name));
  const leftOut = all
    .filter((name) => !common.includes(name))
    .map((name) => ({
      image: `class ${name}`,
      reason: `it has no photographs to ${trained.has(name) ? "test" : "train"} on`,
    }));
  return { train, test, titles: classTitles(common, train.boxed.title), leftOut };
}

async function openAlbum(part: "train" | "test", chosen: Settings): Promise<Album> {
  const given = (what: "Images" | "Boxes" | "Masks" | "Inpainted") => chosen[`${part}${what}`];
  const required = (what: "Images" | "Boxes" | "Inpainted", why: string): string => {
    const value = given(what);
    if (value !== undefined) return value;
    throw new CuelabError({
      kind: "usage",
      what: `${part}${what} must be given ${why}`,
      todo: `--set ${part}${what}=path`,
    });
  };
  const boxed = await openBoxedPhotos({
    images: required("Images", "with source=photos"),
    boxes: required("Boxes", `with ${part}Images`),
    synsets: chosen.synsets,
  });
  const inpainted = chosen.inpaint === "given" ? required("Inpainted", "with inpaint=given") : undefined;
  return { boxed, masks: given("Masks"), inpainted };
}

export interface PhotoOptions {
  albums: PhotoAlbums;
  classes: readonly string[];
  /** Of each class; all that there are where a number is left out, but for validation. */
  counts: Readonly<Record<"train" | "test", number | undefined> & { val: number }>;
  settings: Settings;
  seed: number;
}

export function photoPhotographs({ albums, classes, counts, settings, seed }: PhotoOptions): Photographs {
  const skipped: SkippedImage[] = [];
  const listed: { album: Album; index: number }[] = [];
  /** Usable photographs of a class, as places in `listed`. */
  const gather = (album: Album): number[][] => {
    const byTitle = new Map(classes.map((name) => [name, [] as number[]]));
    for (const [index, photo] of album.boxed.photos.entries()) {
      const own = byTitle.get(albums.titles.get(photo.className) ?? "");
      if (own === undefined) continue;
      if (leavesNothing(photo, album, settings)) {
        skipped.push({
          image: photo.file,
          reason: "its objects cover it wholly, so that no background is left",
        });
      } else own.push(listed.push({ album, index }) - 1);
    }
    return classes.map((name) => byTitle.get(name)!);
  };
  const one = albums.train === albums.test;
  const training = gather(albums.train);
  const testing = one ? training : gather(albums.test);
  const share = (split: Split): number[][] =>
    classes.map((name, label) => {
      const shuffled = (from: readonly number[], part: string) =>
        randomStream(seed, `hard-spurious/photographs/${part}/${name}`)
          .at(0)
          .shuffle([...from]);
      const pool = shuffled(training[label]!, "train");
      // Where one folder serves for all, test images are taken out of it first.
      const tested = one ? pool.splice(0, counts.test ?? 0) : shuffled(testing[label]!, "test");
      const validation = pool.splice(0, counts.val);
      if (split === "test") return tested.slice(0, counts.test);
      return split === "val" ? validation : pool.slice(0, counts.train);
    });
  const taken = (photograph: number) => {
    const { album, index } = listed[photograph]!;
    return { album, index, photo: album.boxed.photos[index]! };
  };
  const records = one ? [albums.train.boxed.record] : [albums.train.boxed.record, albums.test.boxed.record];
  return {
    classNames: classes,
    members: { train: share("train"), val: share("val"), test: share("test") },
    read: async (photograph) => {
      const { album, index, photo } = taken(photograph);
      const image = await album.boxed.pixels(index);
      const mask =
        album.masks === undefined ? undefined : await readMask(fileLike(album.masks, photo.file), image);
      const background =
        album.inpainted === undefined ? undefined : await readPhoto(fileLike(album.inpainted, photo.file));
      return {
        image,
        box: largest(photo.boxes),
        boxes: photo.boxes,
        ...(mask && { mask }),
        ...(background && { background }),
      };
    },
    place: (photograph) => {
      const { width, height, boxes } = taken(photograph).photo;
      return { box: largest(boxes), width, height };
    },
    describe: (photograph) => {
      const { album, index } = taken(photograph);
      return album.boxed.path(index);
    },
    sources: records,
    license: [...new Set(records.map(({ license }) => license))].join("; "),
    skipped: [
      ...albums.leftOut,
      ...albums.train.boxed.skipped,
      ...(one ? [] : albums.test.boxed.skipped),
      ...skipped,
    ],
  };
}

/** The paper takes one object an image without saying which; the largest shows most of its class. */
function largest(boxes: readonly Box[]): Box {
  return boxes.reduce((most, box) => (box.width * box.height > most.width * most.height ? box : most));
}

/** Whether the boxes, widened, cover everything; masks are smaller, and are seen only once they are read. */
function leavesNothing({ boxes, width, height }: BoxedPhoto, album: Album, settings: Settings): boolean {
  if (album.inpainted !== undefined || (album.masks !== undefined && holeOf(settings) === "mask"))
    return false;
  const { dilation } = settings;
  // Widened boxes can cover at most the sum of their areas, which spares most photographs the look at every pixel.
  const most = boxes.reduce((sum, box) => sum + (box.width + dilation) * (box.height + dilation), 0);
  if (most < width * height) return false;
  return dilate(maskOfBoxes(boxes, width, height), width, dilation).every((value) => value !== 0);
}

/** The file of the same name, whatever its ending. */
function fileLike(folder: string, file: string): string {
  const stem = join(resolve(folder), file.slice(0, file.lastIndexOf(".")));
  const found = imageExtensions.map((extension) => `${stem}.${extension}`).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new CuelabError({
    kind: "input",
    what: "a photograph has no file of the same name",
    where: folder,
    expected: `${stem} with one of the endings ${imageExtensions.join(", ")}`,
  });
}

async function readMask(path: string, { width, height }: Pixels): Promise<Uint8Array> {
  const { data, channels, ...size } = await readPixels(path, "a mask");
  if (size.width !== width || size.height !== height) {
    throw new CuelabError({
      kind: "input",
      what: "a mask has another size than its photograph",
      where: path,
      expected: `${width} × ${height}`,
      got: `${size.width} × ${size.height}`,
    });
  }
  return Uint8Array.from({ length: width * height }, (_, i) => (data[i * channels]! > 127 ? 255 : 0));
}
