import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { type LvisThing, photo, writeAt, writeLvis } from "../../../test/helpers/photos.ts";
import { countryObjects, readCocoObjects, urbanObjects } from "./index.ts";

// 90 × 60 = 5400, more than 4500; 70 × 60 = 4200, more than 3500 and less than 4500.
const large = { left: 20, top: 30, width: 90, height: 60 };
const middling = { left: 20, top: 30, width: 70, height: 60 };

const things: LvisThing[] = [
  { category: "fireplug", parts: [large], colour: [200, 40, 40] },
  { category: "cow", parts: [middling], as: "runs", colour: [40, 160, 60] },
  { category: "fireplug", parts: [middling] },
  { category: "person", parts: [large] },
  {
    category: "fireplug",
    parts: [
      { ...large, width: 40 },
      { ...large, left: 70, width: 40 },
    ],
  },
  { category: "cow", parts: [large], as: "packed", colour: [40, 60, 200] },
  { category: "cow", parts: [{ ...large, width: 50 }] },
];
const wanted = { fireplug: urbanObjects.fireplug, cow: countryObjects.cow };

const root = temporaryFolder();
let made = 0;
const copy = (list = things) => writeLvis(join(root, String(made++)), list);

/** A copy whose JSON is changed before it is read. */
async function changed(change: (content: Content) => void): Promise<{ annotations: string; images: string }> {
  const places = await copy();
  const content = JSON.parse(readFileSync(places.annotations, "utf8")) as Content;
  change(content);
  writeFileSync(places.annotations, JSON.stringify(content));
  return places;
}

interface Content {
  annotations: Record<string, unknown>[];
  images: Record<string, unknown>[];
  categories: Record<string, unknown>[];
}

test("objects that are large enough and in one piece, cut out by their masks", async () => {
  const source = await readCocoObjects({ ...(await copy()), categories: wanted });
  const found = Array.from({ length: source.count }, (_, i) => [source.className(i), source.describe(i)]);
  expect(found.map(([name]) => name)).toEqual(["fireplug", "cow", "cow"]);
  expect(found[1]![1]).toMatch(/lvis_v1_train\.json, annotation 1001$/);
  const object = await source.object(2);
  expect(object.box).toEqual(large);
  expect([object.image.width, object.image.height, object.mask.length]).toEqual([160, 120, 160 * 120]);
  const cutout = await source.cutout(2);
  expect([cutout.width, cutout.height, cutout.mask.every((value) => value === 255)]).toEqual([90, 60, true]);
  // JPEG changes flat colours by a unit or two.
  for (const [i, value] of [40, 60, 200].entries()) {
    expect(Math.abs(cutout.data[3 * (30 * 90 + 45) + i]! - value)).toBeLessThan(4);
  }
  expect(source.record.name).toBe("LVIS");
  expect(Object.keys(source.record.sha256)).toEqual(["lvis_v1_train.json", "photos (names and sizes)"]);
});

test("all eight categories of UrbanCars", async () => {
  const names = Object.keys({ ...urbanObjects, ...countryObjects });
  const places = await copy(names.map((category) => ({ category, parts: [large] })));
  const source = await readCocoObjects({ ...places, categories: { ...urbanObjects, ...countryObjects } });
  expect(Array.from({ length: 8 }, (_, i) => source.className(i))).toEqual(names);
  expect(names).toEqual([
    "fireplug",
    "stop_sign",
    "street_sign",
    "parking_meter",
    "traffic_light",
    "cow",
    "horse",
    "sheep",
  ]);
});

test("a folder with LVIS's two files has the objects of both", async () => {
  const { annotations, images } = await copy();
  const folder = join(annotations, "..");
  writeFileSync(join(folder, "lvis_v1_val.json"), readFileSync(annotations));
  const source = await readCocoObjects({ annotations: folder, images, categories: wanted });
  expect(source.count).toBe(6);
  expect(source.describe(3)).toMatch(/lvis_v1_val\.json, annotation 1000$/);
});

test("COCO's own form: names of files, blanks in names, photos right in the folder, crowds", async () => {
  const places = await changed((content) => {
    for (const image of content.images) {
      image.file_name = String(image.coco_url).split("/").at(-1);
      delete image.coco_url;
    }
    content.categories.find(({ name }) => name === "fireplug")!.name = "fire plug";
    content.annotations[1]!.iscrowd = 1;
  });
  const source = await readCocoObjects({
    annotations: places.annotations,
    images: join(places.images, "train2017"),
    categories: { fire_plug: {}, cow: countryObjects.cow },
  });
  expect(source.count).toBe(4);
});

test("a missing photo is named, or left out and listed", async () => {
  const places = await copy();
  rmSync(join(places.images, "train2017/000000391891.jpg"));
  await expect(readCocoObjects({ ...places, categories: wanted })).rejects.toThrow(
    /photo is missing[\s\S]*annotation 1001[\s\S]*000000391891\.jpg/,
  );
  const source = await readCocoObjects({ ...places, categories: wanted, skipMissing: true });
  expect(source.count).toBe(2);
  expect(source.skipped).toHaveLength(1);
  expect(source.skipped[0]!.reason).toContain("000000391891.jpg");
});

test("photos that are cut off, or of another size, are named when they are asked for", async () => {
  const places = await copy();
  const file = join(places.images, "train2017/000000391890.jpg");
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length / 2));
  const source = await readCocoObjects({ ...places, categories: wanted });
  await expect(source.cutout(0)).rejects.toThrow(/photo cannot be read[\s\S]*000000391890\.jpg/);
  writeAt(
    places.images,
    "train2017/000000391890.jpg",
    await photo(80, 60, { left: 1, top: 1, width: 9, height: 9 }, [1, 2, 3]),
  );
  await expect(source.cutout(0)).rejects.toThrow(
    /another size[\s\S]*000000391890\.jpg[\s\S]*160 × 120[\s\S]*annotation 1000[\s\S]*got: 80 × 60/,
  );
});

test("what lies outside may be left out and is listed; two pixels beyond the border are taken for rounding", async () => {
  const places = await changed(({ annotations }) => {
    // Beyond the right and the lower border of 160 × 120 by 2 and by 1.5; the other cow by 2.5.
    Object.assign(annotations[1]!, {
      segmentation: [[80, 60, 162, 60, 162, 121.5, 80, 121.5]],
      bbox: [80, 60, 82, 61.5],
    });
    Object.assign(annotations[5]!, { segmentation: [[80, 60, 162.5, 60, 162.5, 120, 80, 120]] });
    Object.assign(annotations[4]!, { bbox: [0, 0, 0, 0] });
  });
  const source = await readCocoObjects({ ...places, categories: wanted, skipMissing: true });
  expect(Array.from({ length: source.count }, (_, i) => source.className(i))).toEqual(["fireplug", "cow"]);
  expect((await source.object(1)).box).toEqual({ left: 80, top: 60, width: 80, height: 60 });
  expect(source.skipped.map(({ image, reason }) => [image.slice(-4), reason])).toEqual([
    ["1004", "a box is empty: [0,0,0,0]"],
    ["1005", "a mask lies outside its image: the point 162.5, 60"],
  ]);
  expect(source.record.filteredOut).toEqual({
    "fireplug: box below 4500 pixels": 1,
    "cow: mask below 3500 pixels": 1,
  });
});

test("filters that leave nothing tell what each removed", async () => {
  const places = await copy();
  const categories = { fireplug: { ...urbanObjects.fireplug, leastBoxArea: 5401 }, cow: {} };
  await expect(readCocoObjects({ ...places, categories })).rejects.toThrow(
    /no object of the category "fireplug"[\s\S]*box below 5401 pixels \(3\)/,
  );
  const one = await copy(things.filter((_, i) => i !== 0));
  await expect(readCocoObjects({ ...one, categories: wanted })).rejects.toThrow(
    /fireplug: box below 4500 pixels \(1\); fireplug: more than one component \(1\)/,
  );
});

test.each<[string, (content: Content) => void, RegExp]>([
  [
    "an unknown image",
    ({ annotations }) => Object.assign(annotations[1]!, { image_id: 5 }),
    /image that the file does not list[\s\S]*annotation 1001[\s\S]*image_id 5/,
  ],
  [
    "an unknown category",
    ({ annotations }) => Object.assign(annotations[3]!, { category_id: 99 }),
    /category that the file does not list[\s\S]*annotation 1003[\s\S]*category_id 99/,
  ],
  [
    "no box",
    ({ annotations }) => delete annotations[0]!.bbox,
    /no box[\s\S]*annotation 1000[\s\S]*got: none/,
  ],
  [
    "an empty box",
    ({ annotations }) => Object.assign(annotations[0]!, { bbox: [0, 0, 0, 0] }),
    /box is empty[\s\S]*lvis_v1_train\.json, annotation 1000[\s\S]*\[0,0,0,0\][\s\S]*skipMissing/,
  ],
  [
    "a box elsewhere",
    ({ annotations }) => Object.assign(annotations[0]!, { bbox: [1000, 1000, 200, 100] }),
    /box lies outside its image[\s\S]*annotation 1000[\s\S]*160 × 120[\s\S]*1000,1000,200,100/,
  ],
  [
    "a polygon elsewhere",
    ({ annotations }) =>
      Object.assign(annotations[0]!, { segmentation: [[500, 500, 600, 500, 600, 600, 500, 600]] }),
    /mask lies outside its image[\s\S]*annotation 1000, polygon 1[\s\S]*160 × 120[\s\S]*500, 500/,
  ],
  [
    "a polygon that reaches far beyond",
    ({ annotations }) =>
      Object.assign(annotations[0]!, { segmentation: [[20, 30, 163, 30, 163, 90, 20, 90]] }),
    /mask lies outside its image[\s\S]*annotation 1000[\s\S]*163, 30/,
  ],
  [
    "runs of nothing",
    ({ annotations }) =>
      Object.assign(annotations[1]!, { segmentation: { size: [120, 160], counts: [19200] } }),
    /mask is empty[\s\S]*annotation 1001/,
  ],
  [
    "runs of the wrong length",
    ({ annotations }) => Object.assign(annotations[1]!, { segmentation: { size: [120, 160], counts: [5] } }),
    /wrong length[\s\S]*annotation 1001[\s\S]*19200 pixels[\s\S]*got: 5/,
  ],
  [
    "a polygon of two points",
    ({ annotations }) => Object.assign(annotations[0]!, { segmentation: [[1, 1, 2, 2]] }),
    /fewer than three points[\s\S]*annotation 1000, polygon 1/,
  ],
  [
    "an image without a size",
    ({ images }) => Object.assign(images[2]!, { width: 0 }),
    /no size[\s\S]*image 391892[\s\S]*width 0/,
  ],
  ["an image without a name", ({ images }) => delete images[2]!.coco_url, /no name[\s\S]*image 391892/],
  [
    "another name for a category",
    ({ categories }) => {
      const category = categories.find(({ name }) => name === "fireplug")!;
      Object.assign(category, { name: "fire_hydrant", synonyms: ["fire_hydrant", "fireplug"] });
    },
    /no category "fireplug"[\s\S]*closest: fire_hydrant[\s\S]*another word for "fire_hydrant"/,
  ],
])("%s is refused by name", async (_, change, message) => {
  await expect(readCocoObjects({ ...(await changed(change)), categories: wanted })).rejects.toThrow(message);
});

test("a file that is cut off is told with the byte", async () => {
  const places = await copy();
  const whole = readFileSync(places.annotations);
  writeFileSync(places.annotations, whole.subarray(0, 700));
  await expect(readCocoObjects({ ...places, categories: wanted })).rejects.toThrow(/cut off[\s\S]*byte 700/);
});

test("a folder without annotations is named", async () => {
  const { images } = await copy();
  await expect(readCocoObjects({ annotations: images, images, categories: wanted })).rejects.toThrow(
    /no annotations[\s\S]*lvis_v1_train\.json/,
  );
  await expect(
    readCocoObjects({ annotations: join(images, "none.json"), images, categories: wanted }),
  ).rejects.toThrow(/no annotations[\s\S]*none\.json/);
});
