/** UrbanCars from small copies of Stanford Cars, Places and LVIS whose colours tell what is what. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Pixels } from "../src/core/dataset.ts";
import type { CuelabError } from "../src/core/errors.ts";
import { datasets } from "../src/datasets/index.ts";
import { formats } from "../src/formats/index.ts";
import { readManifest } from "../src/formats/manifest.ts";
import { processImages, refuseBroken } from "../src/formats/process-images.ts";
import { writeDataset } from "../src/formats/write-dataset.ts";
import { countryObjects, urbanObjects } from "../src/layouts/coco/index.ts";
import { countryPlaces, urbanPlaces } from "../src/layouts/places/index.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { mask, someCars, writeCarFolders, writeLvis, writePlaces } from "./helpers/photos.ts";

const root = temporaryFolder();
let places: Record<string, string>;

const categories = [...urbanPlaces, ...countryPlaces];
const things = [...Object.keys(urbanObjects), ...Object.keys(countryObjects)];
const box = { left: 20, top: 20, width: 80, height: 60 };

beforeAll(async () => {
  const cars = await writeCarFolders(join(root, "cars"), 4);
  const lvis = await writeLvis(
    join(root, "lvis"),
    // Three of each: fifteen urban things and nine of the country.
    things.flatMap((category, t) =>
      [0, 1, 2].map(() => ({ category, parts: [box], colour: [250 - 25 * t, 30, 200] as const })),
    ),
  );
  places = {
    cars: cars.images,
    carMasks: cars.masks,
    places: await writePlaces(join(root, "places"), categories, 3),
    lvis: lvis.annotations,
    lvisImages: lvis.images,
  };
});

const build = (settings: object) =>
  datasets.get("urban-cars").build({ source: "photos", size: 64, ...places, ...settings }, 0);

test("each image is composed of photos of the kinds that its attributes name, none used twice", async () => {
  const { images, attributes, boxes, labels, provenance } = await build({
    count: { train: 8, val: 4, test: 4 },
  });
  const { carKind, scene, thing, background, coObject } = attributes;
  const kindOf = ({ values, valueNames }: typeof carKind & object, i: number) => valueNames[values[i]!]!;
  for (let i = 0; i < images.count; i++) {
    const image = await images.pixels(i);
    const car = someCars.find(({ carClass }) => carClass === kindOf(carKind!, i))!;
    expect(["urban", "country"][labels[i]!]).toBe(car.kind);
    expectColour(image, 32, 32, car.colour);
    const category = categories.indexOf(kindOf(scene!, i) as (typeof categories)[number]);
    expect(background!.values[i]).toBe(category < urbanPlaces.length ? 0 : 1);
    expectColour(image, 2, 2, [20 + 20 * category, 100, undefined]);
    const kind = things.indexOf(kindOf(thing!, i));
    expect(coObject!.values[i]).toBe(kind < 5 ? 0 : 1);
    expectColour(image, 32, 56, [250 - 25 * kind, 30, 200]);
    // The car's mask is 30 × 14, the thing's 80 × 60: 32 × 15 and 16 × 12 in place.
    expect(await boxes!.car!.at(i)).toEqual({ left: 16, top: 25, width: 32, height: 15 });
    expect(await boxes!.coObject!.at(i)).toEqual({ left: 48, top: 26, width: 16, height: 12 });
  }
  // Four photos of each of the four car classes, all of them used.
  const used = carKind!.valueNames.map((_, code) => carKind!.values.filter((value) => value === code).length);
  expect(used).toEqual([4, 4, 4, 4]);
  expect(provenance.sources.map(({ name }) => name)).toEqual(["Stanford Cars", "Places", "LVIS"]);
  expect(provenance.license).toMatch(/non-commercial/);
});

test("too few photos are an error that counts them, unless they may be used again", async () => {
  const count = { train: 40, val: 8, test: 8 };
  await expect(build({ count })).rejects.toThrow(/too few urban cars[\s\S]*28: 20 \+ 4 \+ 4[\s\S]*got: 8/);
  const { images, attributes } = await build({ count, reuse: true });
  expect(images.count).toBe(56);
  expect(attributes.carKind!.valueNames).toHaveLength(4);
});

test("things of one photo alone cannot be dealt out, whether used again or not", async () => {
  const content = JSON.parse(readFileSync(places.lvis!, "utf8")) as { annotations: object[] };
  const annotations = content.annotations.map((annotation) => ({ ...annotation, image_id: 391890 }));
  const lvis = join(root, "one-photo.json");
  writeFileSync(lvis, JSON.stringify({ ...content, annotations }));
  for (const reuse of [false, true]) {
    await expect(build({ count: { train: 8, val: 2, test: 2 }, reuse, lvis })).rejects.toThrow(
      /too few photos of urban co-occurring objects[\s\S]*no photo in two[\s\S]*got: 15 in 1 photo/,
    );
  }
});

test("what the filters removed is counted in dataset.json", async () => {
  const content = JSON.parse(readFileSync(places.lvis!, "utf8")) as { annotations: object[] };
  const annotations = content.annotations.map((one, i) => (i === 1 ? { ...one, bbox: [20, 20, 8, 6] } : one));
  const lvis = join(root, "one-small.json");
  writeFileSync(lvis, JSON.stringify({ ...content, annotations }));
  const out = join(root, "counted");
  await writeDataset(await build({ count: { train: 2, val: 0, test: 0 }, lvis }), {
    out,
    format: formats.get("folder"),
    encoding: "png",
    force: false,
    workers: 0,
  });
  const { sources } = (await readManifest(out))!;
  expect(sources.map(({ filteredOut }) => filteredOut)).toEqual([
    undefined,
    undefined,
    { "fireplug: box below 4500 pixels": 1 },
  ]);
});

const blank = mask(48, 32, []);
const other = mask(24, 16, [{ left: 3, top: 5, width: 15, height: 7 }]);

test.each<[string, "cars" | "carMasks", string, (whole: Buffer) => Uint8Array, RegExp]>([
  ["a photo that is cut off", "cars", "jpg", half, /^a photo cannot be read[\s\S]*expected: a whole image/],
  ["a mask that is cut off", "carMasks", "png", half, /^a mask cannot be read[\s\S]*expected: a whole image/],
  ["a black mask", "carMasks", "png", () => blank, /^a mask is empty[\s\S]*above 127[\s\S]*no value above 0/],
  ["a small mask", "carMasks", "png", () => other, /^a mask has another size[\s\S]*48 × 32[\s\S]*24 × 16/],
])(
  "%s is told with its own file, what was expected and what to do",
  async (_, folder, ending, spoil, told) => {
    const file = join(places[folder]!, `train/${someCars[0].carClass}/00001.${ending}`);
    const whole = readFileSync(file);
    writeFileSync(file, spoil(whole));
    try {
      const dataset = await build({ count: { train: 8, val: 4, test: 4 } });
      const run = async () => {
        for await (const chunk of processImages(dataset, { encoding: "none", workers: 0, sides: true }))
          refuseBroken(chunk, dataset.images);
      };
      const error = await run().catch((cause: unknown) => cause);
      expect((error as Error).message).toMatch(told);
      const { where, todo } = (error as CuelabError).parts;
      expect(where).toMatch(/^\/.*00001\.(jpg|png), for urban-cars image \d+$/);
      expect(where).toContain(file);
      expect(todo).toMatch(/leave|resize/);
    } finally {
      writeFileSync(file, whole);
    }
  },
);

function half(whole: Buffer): Uint8Array {
  return whole.subarray(0, whole.length / 2);
}

/** Within what JPEG and resizing change. */
function expectColour(
  { data, width }: Pixels,
  row: number,
  column: number,
  colour: readonly (number | undefined)[],
): void {
  colour.forEach((value, channel) => {
    if (value === undefined) return;
    expect(Math.abs(data[3 * (row * width + column) + channel]! - value)).toBeLessThan(16);
  });
}
