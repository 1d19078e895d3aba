/** UrbanCars against the numbers of Li et al. 2023, section 2.1 and Appendix A.1, and of their published code. */

import { expect, test } from "vitest";
import { pixelDigest } from "../core/content-hash.ts";
import type { Dataset, Pixels } from "../core/dataset.ts";
import { boxOfMask } from "../images/compose.ts";
import { datasets } from "./index.ts";
import { carGroupCounts } from "./urban-cars/groups.ts";
import { arrange, compose, coverObjects } from "./urban-cars/scene.ts";

const few = {
  count: { train: 80, val: 16, test: 16 },
  backgrounds: { train: 4, val: 2, test: 2 },
};

const build = (settings: object = {}, seed = 0) =>
  datasets.get("urban-cars").build({ ...few, size: 64, ...settings }, seed);

test("the full size has the paper's groups: 3610, 190, 190 and 10 a class, and 125 of each in the other splits", async () => {
  const { labels, attributes, splits, images } = await datasets.get("urban-cars").build({}, 0);
  expect(images.shape).toEqual({ height: 256, width: 256, channels: 3 });
  const counts: Record<string, number[]> = {
    train: Array(8).fill(0),
    val: Array(8).fill(0),
    test: Array(8).fill(0),
  };
  for (let i = 0; i < images.count; i++) {
    const group = labels[i]! * 4 + attributes.background!.values[i]! * 2 + attributes.coObject!.values[i]!;
    counts[splits.names[splits.values[i]!]!]![group]!++;
  }
  expect(counts).toEqual({
    train: [3610, 190, 190, 10, 10, 190, 190, 3610],
    val: Array(8).fill(125),
    test: Array(8).fill(125),
  });
});

test.each([
  // 50 a class: 45.125, 2.375, 2.375, 0.125; the first of the equal remainders gets the missing one.
  [100, 0.95, 0.95, [45, 2, 3, 0, 0, 3, 2, 45]],
  // 200 a class: 180.5, 9.5, 9.5, 0.5; of equal remainders common groups come first.
  [400, 0.95, 0.95, [181, 9, 10, 0, 0, 10, 9, 181]],
  // 20 · (.72, .08, .18, .02) = 14.4, 1.6, 3.6, 0.4
  [40, 0.9, 0.8, [14, 4, 2, 0, 0, 2, 4, 14]],
  [9, 0.5, 0.5, [2, 1, 1, 1, 1, 1, 1, 1]],
  [10, 1, 1, [5, 0, 0, 0, 0, 0, 0, 5]],
])("%i images with correlations %f and %f", (count, background, thing, expected) => {
  expect(carGroupCounts(count, { background, thing })).toEqual(expected);
});

test.each([
  // Longest sides 128 and 64, centres at row 128 and columns 128 and 224, of 256; smaller sizes in proportion.
  [256, { car: [128, 128, 128], thing: [64, 128, 224] }],
  [128, { car: [64, 64, 64], thing: [32, 64, 112] }],
  [64, { car: [32, 32, 32], thing: [16, 32, 56] }],
] as const)("at %i pixels masks have the size and the place of the paper", async (size, expected) => {
  const { sideImages, boxes, images } = await build({ size });
  for (let i = 0; i < images.count; i += 13) {
    for (const [part, side, box] of [
      ["car", "mask", "car"],
      ["thing", "co_occur_obj_mask", "coObject"],
    ] as const) {
      const [longest, row, column] = expected[part];
      const { data } = await sideImages![side]!.pixels(i);
      expect(new Set(data)).toEqual(new Set([0, 255]));
      const found = boxOfMask(data, size)!;
      expect(Math.max(found.width, found.height)).toBe(longest);
      expect(found.left).toBe(column - Math.floor(found.width / 2));
      expect(found.top).toBe(row - Math.floor(found.height / 2));
      expect(await boxes![box]!.at(i)).toEqual(found);
    }
  }
});

test("an image is its parts: car over object over background, each only where its mask is", () => {
  const plain = (size: number, value: number): Pixels => ({
    data: new Uint8Array(3 * size * size).fill(value),
    height: size,
    width: size,
    channels: 3,
  });
  const square = (value: number) => ({ ...plain(40, value), mask: new Uint8Array(1600).fill(255) });
  const holed = square(9);
  holed.mask[0] = 0;
  const { data } = compose(arrange(plain(256, 1), holed, square(5)));
  const counts = new Map<number, number>();
  for (const value of data) counts.set(value, (counts.get(value) ?? 0) + 1);
  // 128 · 128 minus the hole, which at 3.2 times the size has rounded corners; 64 · 64.
  expect(counts.get(5)).toBe(3 * 64 * 64);
  expect(counts.get(9)! / 3).toBeLessThan(128 * 128);
  expect(counts.get(9)! / 3).toBeGreaterThan(128 * 128 - 16);
  expect(data[3 * (64 * 256 + 64)]).toBe(1);
  expect(data[3 * (64 * 256 + 191)]).toBe(9);
  expect(data[3 * (96 * 256 + 192)]).toBe(5);
});

test("backgrounds alone repeat the left stripes by the rows and columns of the published code", () => {
  const image: Pixels = {
    data: Uint8Array.from({ length: 3 * 256 * 256 }, (_, i) => (i * 31 + (i >> 8) * 7) % 251),
    height: 256,
    width: 256,
    channels: 3,
  };
  const before = image.data.slice();
  const { data } = coverObjects(image);
  let wrong = 0;
  for (let y = 0; y < 256; y++) {
    for (let x = 0; x < 256; x++) {
      const overCar = y >= 64 && y < 192 && x >= 64 && x < 192;
      const overThing = y >= 96 && y < 160 && x >= 192;
      const from = overCar || overThing ? x % 64 : x;
      for (let c = 0; c < 3; c++) {
        if (data[3 * (256 * y + x) + c] !== before[3 * (256 * y + from) + c]) wrong++;
      }
    }
  }
  expect(wrong).toBe(0);
});

test("no car, thing or background of one split is in another", async () => {
  const dataset = await build({ size: 64, count: { train: 40, val: 40, test: 40 } });
  const seen = new Map<string, number>();
  for (let i = 0; i < dataset.images.count; i++) {
    for (const drawing of await drawingsOf(dataset, i)) {
      const split = dataset.splits.values[i]!;
      expect(seen.get(drawing) ?? split, `image ${i}`).toBe(split);
      seen.set(drawing, split);
    }
  }
  // Every car and thing is drawn anew, up to drawings that happen to be alike at this size.
  expect(seen.size).toBeGreaterThan(0.9 * 2 * 120);
});

/** What is under each mask, and the background's upper quarter, which nothing covers. */
async function drawingsOf({ images, sideImages }: Dataset, index: number): Promise<string[]> {
  const image = await images.pixels(index);
  const hidden = async (side: string) => {
    const mask = await sideImages![side]!.pixels(index);
    const data = image.data.map((value, i) => (mask.data[Math.floor(i / 3)] === 255 ? value : 0));
    return Buffer.from(pixelDigest({ ...image, data })).toString("hex");
  };
  const top = Buffer.from(image.data.subarray(0, (3 * 64 * 64) / 4)).toString("hex");
  return [await hidden("mask"), await hidden("co_occur_obj_mask"), top];
}

test("splits do not depend on each other's size, and correlations leave validation and test as they are", async () => {
  const [first, second] = [
    await build({ count: { train: 80, val: 16, test: 16 } }),
    await build({ count: { train: 40, val: 16, test: 16 }, bgCorrelation: 0.7 }),
  ];
  for (let i = 0; i < 32; i++) {
    const [changed, same] = [await second.images.pixels(40 + i), await first.images.pixels(80 + i)];
    expect(pixelDigest(changed)).toEqual(pixelDigest(same));
  }
});

test("a watermark may be a third shortcut, which masks and backgrounds alone do not show", async () => {
  const [plain, marked] = [await build(), await build({ watermarkClass: "country", pWatermark: 1 })];
  const { values } = marked.attributes.watermark!;
  const index = values.indexOf(1);
  expect(marked.labels[index]).toBe(1);
  const digest = async ({ images }: Dataset, i: number) => Buffer.from(pixelDigest(await images.pixels(i)));
  expect(await digest(marked, index)).not.toEqual(await digest(plain, index));
  expect(await digest(marked, values.indexOf(0))).toEqual(await digest(plain, values.indexOf(0)));
  const background = async ({ sideImages }: Dataset) => pixelDigest(await sideImages!.bg_only!.pixels(index));
  expect(await background(marked)).toEqual(await background(plain));
});

test("training images are of both classes at least, and the description tells the true shares", async () => {
  await expect(build({ count: { train: 1 } })).rejects.toThrow(
    /count\.train[\s\S]*2[\s\S]*too few for two classes/,
  );
  const { labels, provenance } = await build({
    count: { train: 2, val: 0, test: 0 },
    bgCorrelation: 0.9,
    coObjCorrelation: 0.8,
  });
  expect(new Set(labels)).toEqual(new Set([0, 1]));
  expect(provenance.description).toMatch(
    /background is .* in 90% of the images, and the co-occurring object in 80%;/,
  );
  expect(provenance.description).not.toContain("95%");
});

test("what is photographed needs folders, and folders need photographs", async () => {
  const photographed = datasets.get("urban-cars").build({ source: "photos", cars: "x" }, 0);
  await expect(photographed).rejects.toThrow(/nothing for carMasks, places, lvis/);
  await expect(build({ cars: "x" })).rejects.toThrow(/cars has no effect on drawings/);
  await expect(build({ reuse: true })).rejects.toThrow(/reuse has no effect on drawings[\s\S]*source=photos/);
  await expect(build({ skipMissing: true })).rejects.toThrow(/skipMissing has no effect on drawings/);
  await expect(build({ source: "photos" })).rejects.toThrow(/backgrounds\.train has no effect on photos/);
});

test("haze takes the background, or the object, towards grey 170 and leaves all else as it is", async () => {
  const [clear, hazy] = [
    await build({ backgroundHaze: 0 }),
    await build({ backgroundHaze: 0.3, coObjHaze: 0.5 }),
  ];
  const [plain, seen] = [await clear.images.pixels(5), await hazy.images.pixels(5)];
  const { mask, co_occur_obj_mask: object } = clear.sideImages!;
  const masks = [await mask!.pixels(5), await object!.pixels(5)];
  plain.data.forEach((value, at) => {
    const [car, thing] = masks.map(({ data }) => data[Math.floor(at / 3)]! > 127);
    const share = car ? 0 : thing ? 0.5 : 0.3;
    expect(seen.data[at]).toBe(Math.round((1 - share) * value + share * 170));
  });
});

test("only the kinds that are named are drawn, and each world needs one", async () => {
  const { attributes } = await build({
    carKinds: ["truck", "sedan"],
    backgroundKinds: ["alley", "desert-road"],
    coObjKinds: ["cow", "stop-sign", "sheep"],
  });
  const shown = (name: string) =>
    attributes[name]!.valueNames.filter((_, code) => attributes[name]!.values.includes(code)).toSorted();
  expect(shown("carKind")).toEqual(["sedan", "truck"]);
  expect(shown("scene")).toEqual(["alley", "desert-road"]);
  expect(shown("thing")).toEqual(["cow", "sheep", "stop-sign"]);
  await expect(build({ carKinds: ["sedan", "coupe"] })).rejects.toThrow(/at least one of each world/);
  await expect(
    datasets.get("urban-cars").build({ source: "photos", backgroundHaze: 0.2 }, 0),
  ).rejects.toThrow(/backgroundHaze has no effect/);
});
