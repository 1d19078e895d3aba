/** A dataset that was wrapped, halved, re-ordered or held out comes back from every format as it was given. */

import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Dataset, Pixels } from "../../src/core/dataset.ts";
import { datasets, formats, openDataset, subset, watermarked, writeDataset } from "../../src/index.ts";
import { withHeldOut } from "../../src/training/held-out-data.ts";
import { temporaryFolder } from "../helpers/files.ts";
import { expectSame } from "../helpers/same-dataset.ts";

const root = temporaryFolder();
let written = 0;

/** Where it was written. */
async function stored(given: Dataset, formatName: string): Promise<string> {
  const format = formats.get(formatName);
  const out = join(root, String(written++));
  await writeDataset(given, { out, format, encoding: format.encodings[0]!, workers: 0, force: false });
  return out;
}

async function comesBack(given: Dataset, formatName: string, workers: number): Promise<string> {
  const format = formats.get(formatName);
  const [out, encoding] = [join(root, String(written++)), format.encodings[0]!];
  const { hash } = await writeDataset(given, { out, format, encoding, workers, force: false });
  const { dataset } = await openDataset(out);
  await expectSame(dataset, given, encoding);
  await dataset.images.close?.();
  return hash;
}

/** The README's call with pixels of one's own: everything else of the images is spread along. */
function inverted(dataset: Dataset): Dataset {
  const { images } = dataset;
  const pixels = async (index: number): Promise<Pixels> => {
    const { data, ...shape } = await images.pixels(index);
    return { data: data.map((value) => 255 - value), ...shape };
  };
  return { ...dataset, images: { ...images, pixels } };
}

/** By hand, as people do it who know no better way. */
function chosenByHand(dataset: Dataset, indices: readonly number[]): Dataset {
  const { images, sideImages = {}, boxes = {} } = dataset;
  return {
    ...dataset,
    images: { ...images, count: indices.length, pixels: (i) => images.pixels(indices[i]!) },
    labels: Uint16Array.from(indices, (i) => dataset.labels[i]!),
    splits: { ...dataset.splits, values: Uint8Array.from(indices, (i) => dataset.splits.values[i]!) },
    attributes: mapped(dataset.attributes, (attribute) => ({
      ...attribute,
      values: Uint16Array.from(indices, (i) => attribute.values[i]!),
    })),
    ...(dataset.sideImages && {
      sideImages: mapped(sideImages, (side) => ({
        ...side,
        pixels: (i: number) => side.pixels(indices[i]!),
      })),
    }),
    ...(dataset.boxes && {
      boxes: mapped(boxes, (box) => ({ ...box, at: (i: number) => box.at(indices[i]!) })),
    }),
  };
}

function mapped<Value>(record: Readonly<Record<string, Value>>, change: (value: Value) => Value) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

const everySecond = ({ images }: Dataset) =>
  Uint32Array.from({ length: Math.floor(images.count / 2) }, (_, i) => 2 * i + 1);
const backwards = ({ images }: Dataset) =>
  Uint32Array.from({ length: images.count }, (_, i) => images.count - 1 - i);
const marked = (dataset: Dataset) =>
  watermarked(dataset, { watermark: undefined, alpha: 128, classes: [], probability: 0.5, seed: 5 });

const changes: Record<string, (dataset: Dataset) => Dataset> = {
  inverted,
  "halved by hand": (dataset) => chosenByHand(dataset, [...everySecond(dataset)]),
  halved: (dataset) => subset(dataset, everySecond(dataset)),
  "re-ordered": (dataset) => subset(dataset, backwards(dataset)),
  "watermarked, then halved": (dataset) => subset(marked(dataset), everySecond(dataset)),
  "halved, inverted, then watermarked": (dataset) => marked(inverted(subset(dataset, everySecond(dataset)))),
};
const names = Object.keys(changes);
const general = formats.names.filter((name) => name !== "urban-cars");

const digitsOf = (trainPerEnvironment: number) =>
  datasets.get("colored-mnist").build({ trainPerEnvironment }, 3);

/** More than one chunk, so that two workers have work. */
let many: Dataset;
let few: Dataset;
/** As they are, whatever the format. */
const hashes = new Map<Dataset, string>();

beforeAll(async () => {
  [many, few] = [await digitsOf(140), await digitsOf(20)];
  for (const digits of [many, few]) hashes.set(digits, await comesBack(digits, "npz", 0));
});

describe.each(general)("%s", (format) => {
  test("as they are", async () => {
    expect(await comesBack(few, format, 0)).toBe(hashes.get(few));
  });

  // Threads cost a quarter of a second each, and are the same for all formats but for the one whose files they write.
  const cases: [name: string, workers: number][] =
    format === "folder"
      ? [...names.map((name): [string, number] => [name, 2]), ["halved", 1]]
      : names.map((name) => [name, name === "inverted" ? 2 : 0]);
  test.each(cases)("%s, with %i workers", async (name, workers) => {
    const digits = workers > 1 ? many : few;
    expect(await comesBack(changes[name]!(digits), format, workers)).not.toBe(hashes.get(digits));
  });

  test("with environments held out", async () => {
    const workers = format === "folder" ? 2 : 0;
    const digits = workers > 1 ? many : few;
    const held = withHeldOut(digits, { by: "environment", trainOn: ["0.2"], trainShare: 0.5, seed: 1 });
    expect(held.splits.names).toContain("(unused)");
    expect(await comesBack(held, format, workers)).not.toBe(hashes.get(digits));
  });

  test("read from it, and then changed", async () => {
    const out = await stored(few, format);
    for (const name of ["inverted", "halved", "watermarked, then halved"]) {
      const { dataset } = await openDataset(out);
      await comesBack(changes[name]!(dataset), "npz", 0);
      await dataset.images.close?.();
    }
  });
});

describe.each(formats.names)("with side images and boxes, %s", (format) => {
  let cars: Dataset;
  /** Threads are the same for all formats but for those whose files they write. */
  const workers = format === "folder" || format === "urban-cars" ? 1 : 0;

  beforeAll(async () => {
    const few = { count: { train: 16, val: 8, test: 8 }, backgrounds: { train: 2, val: 1, test: 1 } };
    cars = await datasets.get("urban-cars").build({ size: 64, ...few }, 3);
  });

  test.each(["halved by hand", "halved", "watermarked, then halved"])("%s", async (name) => {
    await comesBack(changes[name]!(cars), format, workers);
  });

  test("with masks and boxes of one's own", async () => {
    const { mask, bg_only } = cars.sideImages!;
    const others = subset(cars, backwards(cars));
    const own = {
      ...cars,
      sideImages: {
        mask: { ...mask!, pixels: (index: number) => mask!.pixels(31 - index) },
        bg_only: bg_only!,
        theirs: others.sideImages!.mask!,
      },
      boxes: {
        car: others.boxes!.car!,
        coObject: {
          ...cars.boxes!.coObject!,
          at: (index: number) => ({ left: index, top: 1, width: 2, height: 3 }),
        },
      },
    };
    await comesBack(own, format, workers);
  });
});

describe("what was seen to go wrong", () => {
  const made = () => datasets.get("colored-mnist").build({ trainPerEnvironment: 40 }, 0);
  const sumOf = async ({ images }: Dataset) =>
    (await images.pixels(0)).data.reduce((sum: number, value: number) => sum + value, 0);

  test("inverted pixels were written as the originals, under the originals' hash", async () => {
    const digits = await made();
    expect(await sumOf(digits)).toBe(32_593);
    const original = await comesBack(digits, "npz", 1);
    expect(original).toMatch(/^sha256:1cd6f18d/);
    expect(await sumOf(inverted(digits))).toBe(567_167);
    expect(await comesBack(inverted(digits), "npz", 1)).not.toBe(original);
  });

  test.each(["parquet", "webdataset"])("%s put 100 of 150 images into another split", async (format) => {
    const held = withHeldOut(await made(), { by: null, trainOn: ["0.1"], seed: 0 });
    expect(held.images.count).toBe(150);
    await comesBack(held, format, 1);
  });
});

test("labels of other images than those that are there are refused", async () => {
  const digits = await datasets.get("colored-mnist").build({ trainPerEnvironment: 20 }, 0);
  const halved = { ...digits, labels: digits.labels.subarray(0, 10) };
  await expect(comesBack(halved, "npz", 0)).rejects.toThrow(
    /one value of "labels" an image[\s\S]*75[\s\S]*10/,
  );
});

test("pixels of another shape than the one declared are refused", async () => {
  const digits = await datasets.get("colored-mnist").build({ trainPerEnvironment: 20 }, 0);
  const pixels = () => ({ data: new Uint8Array(9), height: 3, width: 3, channels: 1 });
  const small = { ...digits, images: { ...digits.images, pixels } };
  for (const workers of [0, 1]) {
    await expect(comesBack(small, "npz", workers)).rejects.toThrow(
      /not of the shape[\s\S]*28 × 28 × 3[\s\S]*3 × 3 × 1/,
    );
  }
});
