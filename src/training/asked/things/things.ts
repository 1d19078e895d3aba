/** Where the main thing of each image is: masks or boxes in files, or what a segmenter or detector that people bring finds; and what an inpainter leaves without it. */

import type { Box } from "../../../core/box.ts";
import { ByteCache } from "../../../core/byte-cache.ts";
import type { Dataset, Pixels } from "../../../core/dataset.ts";
import { CuelabError } from "../../../core/errors.ts";
import { readPlain } from "../../../disk/plain-file.ts";
import { decodeAsStored } from "../../../images/codec.ts";
import { maskOfBoxes } from "../../../images/inpaint/index.ts";
import { openBoxedPhotos } from "../../../layouts/boxed-photos.ts";
import { openCompanions } from "../../../layouts/companions.ts";
import { type DetectorWords, openDetector } from "./detector.ts";
import { type InpainterWords, openInpainter } from "./inpainter.ts";
import { openSegmenter, type SegmenterWords } from "./segmenter.ts";

export interface ThingWords extends SegmenterWords, DetectorWords, InpainterWords {
  /** A folder of masks by the images' names. */
  masks?: string | undefined;
  /** A folder of VOC's XML files, a CSV or COCO's JSON. */
  boxes?: string | undefined;
}

export interface FoundThings {
  /** With a side image `mask` or a box `object`. */
  dataset: Dataset;
  remarks: readonly string[];
  close: () => Promise<void>;
}

/** Masks that were found stay in memory up to so many bytes: they are asked for again for every change of an image. */
const cachedBytes = 256e6;

const ways = ["masks", "boxes", "segmenter", "detector"] as const;

/** `folder` is where the images lie, for boxes that name them. */
export async function withThings(
  dataset: Dataset,
  words: ThingWords,
  { folder, threads }: { folder: string | undefined; threads?: number | undefined },
): Promise<FoundThings> {
  const given = ways.filter((way) => words[way] !== undefined);
  refuseIdle(words, given);
  const found = await placed(dataset, words, given[0], { folder, threads });
  if (words.inpainter === undefined) return found;
  try {
    return await withoutThings(found, words, threads);
  } catch (cause) {
    await found.close();
    throw cause;
  }
}

async function placed(
  dataset: Dataset,
  words: ThingWords,
  way: (typeof ways)[number] | undefined,
  { folder, threads }: { folder: string | undefined; threads?: number | undefined },
): Promise<FoundThings> {
  if (way === undefined) return { dataset, remarks: [], close: async () => {} };
  if (way === "masks") return masksInFiles(dataset, words.masks!);
  if (way === "boxes") return boxesInFiles(dataset, words.boxes!, folder);
  if (way === "segmenter") {
    const { maskOf, said, close } = await openSegmenter(words, threads);
    const masks = cached(
      dataset,
      (image) => maskOf(image),
      ({ data }) => data.length,
    );
    return { dataset: withMasks(dataset, masks, said), remarks: [`masks: ${said}`], close };
  }
  const { boxesOf, said, close } = await openDetector(words, threads);
  const boxes = cached(
    dataset,
    (image) => boxesOf(image),
    (found) => 64 + 64 * found.length,
  );
  return { dataset: withBoxes(dataset, boxes, said), remarks: [`boxes: ${said}`], close };
}

/** The side image that shows images without what a mask or box of this name covers. */
export function behind(name: string): string {
  return `behind-${name}`;
}

async function withoutThings(
  { dataset, remarks, close }: FoundThings,
  words: ThingWords,
  threads: number | undefined,
): Promise<FoundThings> {
  const { images, sideImages = {}, boxes = {} } = dataset;
  const masks = Object.keys(sideImages).filter((name) => sideImages[name]!.shape.channels === 1);
  const holes: [string, (index: number, image: Pixels) => Promise<Uint8Array | undefined>][] = [
    ...masks.map((name): (typeof holes)[number] => [
      name,
      async (index) => (await sideImages[name]!.pixels(index)).data,
    ]),
    ...Object.keys(boxes).map((name): (typeof holes)[number] => [
      name,
      async (index, { height, width }) => {
        const box = await boxes[name]!.at(index);
        return box && maskOfBoxes([box], width, height);
      },
    ]),
  ];
  if (holes.length === 0)
    throw new CuelabError({
      kind: "usage",
      what: "--inpainter fills what masks or boxes cover, and there are none",
      todo: `say where things are: ${ways.map((way) => `--${way}`).join(", ")}`,
    });
  const inpainter = await openInpainter(words, threads);
  const { height, width } = images.shape ?? { height: 0, width: 0 };
  const filled = holes.map(([name, holeOf]) => {
    const cache = new ByteCache(
      async (index: number) => {
        const image = await images.pixels(index);
        const hole = await holeOf(index, image);
        return hole === undefined ? image : inpainter.fill(image, hole);
      },
      ({ data }) => data.length,
      cachedBytes,
    );
    const pixels = (index: number) => cache.get(index);
    const description = `without what ${name} covers, by ${inpainter.said}`;
    return [behind(name), { shape: { height, width, channels: 3 }, description, pixels }] as const;
  });
  return {
    dataset: { ...dataset, sideImages: { ...sideImages, ...Object.fromEntries(filled) } },
    remarks: [...remarks, `holes: ${inpainter.said}`],
    close: async () => {
      await inpainter.close();
      await close();
    },
  };
}

function cached<Value>(
  { images }: Dataset,
  find: (image: Pixels) => Promise<Value>,
  bytesOf: (value: Value) => number,
): (index: number) => Promise<Value> {
  const cache = new ByteCache(
    async (index: number) => find(await images.pixels(index)),
    bytesOf,
    cachedBytes,
  );
  return (index) => cache.get(index);
}

function withMasks(
  dataset: Dataset,
  pixels: (index: number) => Promise<Pixels>,
  description: string,
): Dataset {
  if (dataset.sideImages?.mask !== undefined) throw twice("masks");
  // Of images of several sizes each mask has its image's; no one shape is right.
  const { height, width } = dataset.images.shape ?? { height: 0, width: 0 };
  const mask = { shape: { height, width, channels: 1 }, description, pixels };
  return { ...dataset, sideImages: { ...dataset.sideImages, mask } };
}

/** The first is the main thing's. */
function withBoxes(
  dataset: Dataset,
  all: (index: number) => Promise<readonly Box[]>,
  description: string,
): Dataset {
  if (dataset.boxes?.object !== undefined) throw twice("boxes");
  const object = { description, at: async (index: number) => (await all(index))[0], all };
  return { ...dataset, boxes: { ...dataset.boxes, object } };
}

async function masksInFiles(dataset: Dataset, folder: string): Promise<FoundThings> {
  const files = filesOf(dataset, "--masks");
  const companions = await openCompanions("--masks", folder, "masks");
  await companions.requireAll(files);
  const { images } = dataset;
  const pixels = async (index: number): Promise<Pixels> => {
    const path = await companions.path(files[index]!);
    const { data, height, width, channels } = await decodeAsStored(await readPlain(path));
    const shape = images.shape ?? (await images.pixels(index));
    if (height !== shape.height || width !== shape.width)
      throw new CuelabError({
        kind: "input",
        what: "a mask is of another size than its image",
        where: path,
        expected: `${shape.height} × ${shape.width}`,
        got: `${height} × ${width}`,
      });
    return {
      data: channels === 1 ? data : data.filter((_, at) => at % channels === 0),
      height,
      width,
      channels: 1,
    };
  };
  const said = `files in ${folder}, by the images' names`;
  return { dataset: withMasks(dataset, pixels, said), remarks: [`masks: ${said}`], close: async () => {} };
}

async function boxesInFiles(
  dataset: Dataset,
  boxes: string,
  folder: string | undefined,
): Promise<FoundThings> {
  const files = filesOf(dataset, "--boxes");
  if (folder === undefined)
    throw new CuelabError({
      kind: "usage",
      what: "--boxes is for a folder of photographs",
      todo: "name the folder with --data; datasets by name have boxes of their own",
    });
  const { photos } = await openBoxedPhotos({ images: folder, boxes });
  const byFile = new Map<string, Box[]>();
  for (const { file, boxes: own } of photos) byFile.set(file, [...(byFile.get(file) ?? []), ...own]);
  const found = files.filter((file) => byFile.has(file)).length;
  if (found === 0)
    throw new CuelabError({
      kind: "input",
      what: "none of the images has a box",
      where: boxes,
      expected: `boxes of files such as ${files[0]}`,
      got: [...byFile.keys()].slice(0, 3).join(", "),
    });
  const area = ({ width, height }: Box) => width * height;
  const all = async (index: number) =>
    (byFile.get(files[index]!) ?? []).toSorted((a, b) => area(b) - area(a));
  const said = `${boxes}, the largest of each image; ${found} of ${files.length} images have some`;
  return { dataset: withBoxes(dataset, all, said), remarks: [`boxes: ${said}`], close: async () => {} };
}

function filesOf({ images }: Dataset, option: string): string[] {
  if (images.file !== undefined)
    return Array.from({ length: images.count }, (_, index) => images.file!(index));
  throw new CuelabError({
    kind: "usage",
    what: `${option} goes by the names of files, and these images have none`,
    todo: "name a folder of photographs with --data",
  });
}

function refuseIdle(words: ThingWords, given: readonly string[]): void {
  if (given.length > 1)
    throw new CuelabError({
      kind: "usage",
      what: "where things are is told in one way",
      expected: `one of: ${ways.map((way) => `--${way}`).join(", ")}`,
      got: given.map((way) => `--${way}`).join(", "),
    });
  const idle = Object.entries(words).find(([name, value]) => {
    const owner = /^(segmenter|detector|inpainter)[A-Z]/.exec(name)?.[1] as keyof ThingWords | undefined;
    return value !== undefined && owner !== undefined && words[owner] === undefined;
  });
  if (idle === undefined) return;
  const option = idle[0].replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new CuelabError({
    kind: "usage",
    what: `--${option} has no effect without --${option.split("-")[0]}`,
  });
}

function twice(what: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `the dataset has ${what} of its own`,
    todo: "leave the option away",
  });
}
