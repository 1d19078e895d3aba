/** A dataset that was wrapped, halved, re-ordered or held out comes back from every format as it was given. */

import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Dataset, Pixels } from "../../src/core/dataset.ts";
import { temporaryFolder } from "../helpers/files.ts";
import { expectSame } from "../helpers/same-dataset.ts";

/** As it is built: worker threads have no other. */
const built = (file: string) => join(import.meta.dirname, "../../dist/src", file);
const { datasets, formats, openDataset, writeDataset } = (await import(
  built("index.js")
)) as typeof import("../../src/index.ts");
const { withHeldOut } = (await import(
  built("protocol/held-out-data.js")
)) as typeof import("../../src/protocol/held-out-data.ts");

const root = temporaryFolder();
let written = 0;

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
const heldOut = (dataset: Dataset) =>
  withHeldOut(dataset, { by: "environment", trainOn: ["0.2"], trainShare: 0.5, seed: 1 });

const changes: Record<string, (dataset: Dataset) => Dataset> = {
  inverted,
  "halved by hand": (dataset) => chosenByHand(dataset, [...everySecond(dataset)]),
  "re-ordered by hand": (dataset) => chosenByHand(dataset, [...backwards(dataset)]),
};
const names = Object.keys(changes);

describe.each(formats.names.filter((name) => name !== "urban-cars"))("%s", (format) => {
  let digits: Dataset;
  let hash: string;

  beforeAll(async () => {
    // More than one chunk, so that two workers have work.
    digits = await datasets.get("colored-mnist").build({ trainPerEnvironment: 200, size: 14 }, 3);
    hash = await comesBack(digits, format, 0);
  });

  test.each(names.flatMap((name) => [0, 1, 2].map((workers) => [name, workers] as const)))(
    "%s, with %i workers",
    async (name, workers) => {
      expect(await comesBack(changes[name]!(digits), format, workers)).not.toBe(hash);
    },
  );

  test.each([0, 2])("with environments held out, with %i workers", async (workers) => {
    expect(await comesBack(heldOut(digits), format, workers)).not.toBe(hash);
  });
});

describe.each(formats.names)("with side images and boxes, %s", (format) => {
  let cars: Dataset;

  beforeAll(async () => {
    const few = { count: { train: 16, val: 8, test: 8 }, backgrounds: { train: 2, val: 1, test: 1 } };
    cars = await datasets.get("urban-cars").build({ size: 64, ...few }, 3);
  });

  test.each(names)("%s", async (name) => {
    await comesBack(changes[name]!(cars), format, 1);
  });
});
