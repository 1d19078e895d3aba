/** People's own photographs with boxes: training and validation images come from one folder, test images from another. */

import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import type { Box } from "../../core/box.ts";
import type { SkippedImage } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { randomStream } from "../../core/random.ts";
import { dilate, maskOfBoxes } from "../../images/inpaint/index.ts";
import { classTitles, openBoxedPhotos } from "../../layouts/boxed-photos.ts";
import { type Companions, openCompanions } from "../../layouts/companions.ts";
import type { BoxedPhoto, BoxedPhotos } from "../../layouts/imagenet-boxes/index.ts";
import { readInpainted, readMask } from "./companions.ts";
import { holeOf } from "./parts.ts";
import type { Photographs, Split } from "./photographs.ts";
import type { HardSpuriousSettings } from "./settings.ts";

/** One folder of photographs with all that goes with them. */
interface Album {
  boxed: BoxedPhotos & { title: (className: string) => string };
  masks: Companions | undefined;
  inpainted: Companions | undefined;
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

export async function openAlbums(chosen: HardSpuriousSettings): Promise<PhotoAlbums> {
  // Folders first, which are found missing at once, and then boxes, which take their time.
  const [besideTrain, besideTest] = [await openBeside("train", chosen), await openBeside("test", chosen)];
  const train = { boxed: await openBoxes("train", chosen), ...besideTrain };
  const test =
    chosen.testImages === undefined ? train : { boxed: await openBoxes("test", chosen), ...besideTest };
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

async function openBeside(
  part: "train" | "test",
  chosen: HardSpuriousSettings,
): Promise<Omit<Album, "boxed">> {
  const open = async (name: `${typeof part}${"Masks" | "Inpainted"}`, what: string) =>
    chosen[name] === undefined ? undefined : openCompanions(name, chosen[name], what);
  return {
    masks: await open(`${part}Masks`, "masks"),
    inpainted: await open(`${part}Inpainted`, "photographs without their objects"),
  };
}

function openBoxes(part: "train" | "test", chosen: HardSpuriousSettings): Promise<Album["boxed"]> {
  return openBoxedPhotos({
    images: chosen[`${part}Images`]!,
    boxes: chosen[`${part}Boxes`]!,
    synsets: chosen.synsets,
    titles: chosen.classes.length === 0 ? undefined : [...chosen.classes, ...chosen.backgroundClasses],
    skipBroken: chosen.skipBroken,
  });
}

export interface PhotoOptions {
  albums: PhotoAlbums;
  classes: readonly string[];
  /** Of each class; all that there are where a number is left out, but for validation. */
  counts: Readonly<Record<"train" | "test", number | undefined> & { val: number }>;
  settings: HardSpuriousSettings;
  seed: number;
}

export async function photoPhotographs(options: PhotoOptions): Promise<Photographs> {
  const { albums, classes, counts, settings, seed } = options;
  const skipped: SkippedImage[] = [];
  const listed: { album: Album; index: number; covered: boolean }[] = [];
  /** Usable photographs of a class, as places in `listed`. */
  const gather = (album: Album): number[][] => {
    const byTitle = new Map(classes.map((name) => [name, [] as number[]]));
    const listOf = ({ className }: BoxedPhoto) => byTitle.get(albums.titles.get(className) ?? "");
    // Tables and COCO files list a photograph once for each class that it shows.
    const times = new Map<string, number>();
    for (const photo of album.boxed.photos)
      if (listOf(photo)) times.set(photo.file, (times.get(photo.file) ?? 0) + 1);
    for (const [index, photo] of album.boxed.photos.entries()) {
      const own = listOf(photo);
      if (own === undefined) continue;
      if (lookUp(times, photo.file) > 1) {
        skipped.push({ image: photo.file, reason: "it shows objects of several of the classes" });
        continue;
      }
      const covered = leavesNothing(photo, album, settings);
      // Where the background is all that is shown there is nothing to show.
      if (covered && showsBackgrounds(settings))
        skipped.push({
          image: photo.file,
          reason: "its objects cover it wholly, so that no background is left",
        });
      else own.push(listed.push({ album, index, covered }) - 1);
    }
    return classes.map((name) => lookUp(byTitle, name));
  };
  const one = albums.train === albums.test;
  const training = gather(albums.train);
  const testing = one ? training : gather(albums.test);
  const pathOf = (photograph: number) => {
    const { album, index } = listed[photograph]!;
    return album.boxed.path(index);
  };
  if (!one) await refuseSameFiles(training.flat().map(pathOf), testing.flat().map(pathOf));
  const share = (split: Split): number[][] =>
    classes.map((name, label) => {
      const drawn = (from: readonly number[], part: string) =>
        randomStream(seed, `hard-spurious/photographs/${part}/${name}`)
          .at(0)
          .shuffle([...from]);
      // Covered ones come last: they need another in their split whose background they can stand on.
      const shuffled = (from: readonly number[], part: string) => [
        ...drawn(
          from.filter((photograph) => !listed[photograph]!.covered),
          part,
        ),
        ...drawn(
          from.filter((photograph) => listed[photograph]!.covered),
          `${part}/covered`,
        ),
      ];
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
    shared: [
      {
        splits: one ? ["test", "val", "train"] : ["val", "train"],
        available: training.map(({ length }) => length),
      },
    ],
    check: async (photographs) => {
      const used = [...photographs].map(taken);
      for (const album of new Set([albums.train, albums.test])) {
        const files = used.filter((photo) => photo.album === album).map(({ photo }) => photo.file);
        await album.masks?.requireAll(files);
        await album.inpainted?.requireAll(files);
      }
    },
    read: async (photograph) => {
      const { album, index, photo } = taken(photograph);
      const image = await album.boxed.pixels(index);
      const mask = album.masks && (await readMask(await album.masks.path(photo.file), image));
      const background =
        album.inpainted &&
        (await readInpainted(await album.inpainted.path(photo.file), image, album.boxed.path(index)));
      return {
        image,
        box: largest(photo.boxes),
        boxes: photo.boxes,
        ...(mask && { mask }),
        ...(background && { background }),
      };
    },
    hasBackground: (photograph) => !listed[photograph]!.covered,
    place: (photograph) => {
      const { width, height, boxes } = taken(photograph).photo;
      return { box: largest(boxes), boxes, width, height };
    },
    describe: pathOf,
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

function showsBackgrounds({ content }: HardSpuriousSettings): boolean {
  return content === "backgrounds" || content === "background-test";
}

/** Whether the boxes, widened, cover everything; masks are smaller, and are seen only once they are read. */
function leavesNothing(
  { boxes, width, height }: BoxedPhoto,
  album: Album,
  settings: HardSpuriousSettings,
): boolean {
  if (album.inpainted !== undefined || (album.masks !== undefined && holeOf(settings) === "mask"))
    return false;
  const { dilation } = settings;
  // Widened boxes can cover at most the sum of their areas, which spares most photographs the look at every pixel.
  const most = boxes.reduce((sum, box) => sum + (box.width + dilation) * (box.height + dilation), 0);
  if (most < width * height) return false;
  return dilate(maskOfBoxes(boxes, width, height), width, dilation).every((value) => value !== 0);
}

/** Photographs of two folders that are one file; those with different names are not looked at, which would take long. */
async function refuseSameFiles(training: readonly string[], testing: readonly string[]): Promise<void> {
  const names = new Set(training.map((path) => basename(path)));
  const alike = testing.filter((path) => names.has(basename(path)));
  if (alike.length === 0) return;
  const tested = new Set(alike.map((path) => basename(path)));
  const trained = new Set<string>();
  for (const path of training) if (tested.has(basename(path))) trained.add(await realpath(path));
  const same: string[] = [];
  for (const path of alike) if (trained.has(await realpath(path))) same.push(path);
  if (same.length === 0) return;
  throw new CuelabError({
    kind: "usage",
    what: "trainImages and testImages have photographs in common, so that tests would show what was trained on",
    where: same[0]!,
    expected: "photographs to test on that are not trained on",
    got: `${same.length} of ${testing.length} photographs to test on are also to train on`,
    todo: "give other testImages, or leave testImages and testBoxes away: then no photograph is in two splits",
  });
}
