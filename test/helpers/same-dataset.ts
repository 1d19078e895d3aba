/** Whether a dataset read back is the one that was written, image by image, in the order of its splits. */

import { expect } from "vitest";
import { pixelDigest } from "../../src/core/content-hash.ts";
import type { Dataset, Pixels } from "../../src/core/dataset.ts";
import { decodeImage, encodeImage } from "../../src/images/codec.ts";

/** Sorted by hand: images of a split keep their order. */
function splitOrder({ splits: { names, values } }: Dataset): number[] {
  return names.flatMap((_, split) => [...values.keys()].filter((i) => values[i] === split));
}

export async function expectSame(read: Dataset, given: Dataset, encoding: string): Promise<void> {
  const order = splitOrder(given);
  const ordered = (values: ArrayLike<number>) => order.map((i) => values[i]);
  expect(read.images.count).toBe(order.length);
  expect(read.images.shape).toEqual(given.images.shape);
  expect(read.classNames).toEqual(given.classNames);
  expect([...read.labels]).toEqual(ordered(given.labels));
  expect(read.splits.names).toEqual(given.splits.names);
  expect([...read.splits.values]).toEqual(ordered(given.splits.values));
  expect(Object.keys(read.attributes)).toEqual(Object.keys(given.attributes));
  for (const [name, { values, ...about }] of Object.entries(given.attributes)) {
    const { values: found, ...foundAbout } = read.attributes[name]!;
    expect({ ...foundAbout, values: [...found] }, name).toEqual({ ...about, values: ordered(values) });
  }
  for (const part of ["shiftedSplits", "statisticsBy", "skipped"] as const) {
    expect(read.provenance[part], part).toEqual(given.provenance[part]);
  }
  expect(Object.keys(read.sideImages ?? {})).toEqual(Object.keys(given.sideImages ?? {}));
  expect(Object.keys(read.boxes ?? {})).toEqual(Object.keys(given.boxes ?? {}));
  for (const [position, index] of order.entries()) {
    const expected = await asStored(await given.images.pixels(index), encoding);
    expect(digest(await read.images.pixels(position)), `image ${index}`).toBe(digest(expected));
    for (const [name, side] of Object.entries(given.sideImages ?? {})) {
      const found = await read.sideImages![name]!.pixels(position);
      expect(digest(found), `${name} of image ${index}`).toBe(digest(await side.pixels(index)));
    }
    for (const [name, boxes] of Object.entries(given.boxes ?? {})) {
      expect(await read.boxes![name]!.at(position), `${name} in image ${index}`).toEqual(
        await boxes.at(index),
      );
    }
  }
}

const digest = (pixels: Pixels) => Buffer.from(pixelDigest(pixels)).toString("hex");

/** JPEG changes pixels. */
async function asStored(pixels: Pixels, encoding: string): Promise<Pixels> {
  if (encoding !== "jpeg") return pixels;
  return decodeImage((await encodeImage(pixels, "jpeg")).bytes, pixels);
}
