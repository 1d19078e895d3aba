import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { encodeMatFile } from "../../../test/helpers/mat-file.ts";
import {
  carBox,
  mask,
  someCars,
  writeAt,
  writeCarDevkit,
  writeCarFolders,
} from "../../../test/helpers/photos.ts";
import { countryCars, urbanCars } from "./classes.ts";
import { type CarSource, readStanfordCars } from "./index.ts";

const root = temporaryFolder();
let made = 0;
const fresh = () => join(root, String(made++));

const classesOf = (source: CarSource) =>
  Array.from({ length: source.count }, (_, i) => [source.className(i), source.kind(i)]);

test("196 classes, 128 urban and 68 country, none twice", () => {
  expect([urbanCars.length, countryCars.length]).toEqual([128, 68]);
  expect(new Set([...urbanCars, ...countryCars]).size).toBe(196);
  // Names must differ in their letters and digits alone, by which folders are known.
  const keys = [...urbanCars, ...countryCars].map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ""));
  expect(new Set(keys).size).toBe(196);
});

test("the appendix's odd ones", () => {
  // Words would put these into the other list.
  for (const name of [
    "Aston Martin V8 Vantage Convertible 2012",
    "Chevrolet HHR SS 2010",
    "Chevrolet TrailBlazer SS 2009",
  ]) {
    expect(countryCars).toContain(name);
  }
  for (const name of [
    "Aston Martin V8 Vantage Coupe 2012",
    "Chevrolet Cobalt SS 2010",
    "Dodge Magnum Wagon 2008",
  ]) {
    expect(urbanCars).toContain(name);
  }
  // The first and last of each list, and the name that the appendix prints without a blank.
  expect([urbanCars[0], urbanCars.at(-1)]).toEqual(["Acura RL Sedan 2012", "smart fortwo Convertible 2012"]);
  expect([countryCars[0], countryCars.at(-1)]).toEqual(["AM General Hummer SUV 2000", "Volvo XC90 SUV 2007"]);
  expect(urbanCars).toContain("Infiniti G Coupe IPL 2012");
});

test("folders of classes, whatever stands for the slash", async () => {
  const source = await readStanfordCars(await writeCarFolders(fresh()));
  expect(classesOf(source)).toEqual(
    someCars.flatMap(({ carClass, kind }) => [
      [carClass, kind],
      [carClass, kind],
    ]),
  );
  const { box, image } = await source.object(6);
  expect(box).toEqual(carBox);
  expect([image.width, image.height]).toEqual([48, 32]);
  const cutout = await source.cutout(6);
  expect([cutout.width, cutout.height]).toEqual([30, 14]);
  // Blue, as JPEG keeps it.
  expect(Math.abs(cutout.data[3 * (7 * 30 + 15) + 2]! - 200)).toBeLessThan(6);
});

test("Stanford's own layout, with both lists and masks as UrbanCars names them", async () => {
  const source = await readStanfordCars(await writeCarDevkit(fresh()));
  const kinds = someCars.map(({ carClass, kind }) => [carClass, kind]);
  // Files in the order of names: cars_test before cars_train.
  expect(classesOf(source)).toEqual([...kinds, ...kinds]);
  expect(source.describe(0)).toMatch(/cars_test.00001\.jpg$/);
  expect((await source.object(7)).box).toEqual(carBox);
});

test("one list for all images, as another of Stanford's archives has it", async () => {
  const folder = fresh();
  const places = await writeCarDevkit(folder);
  const annotations = someCars.map((_, i) => ({
    relative_im_path: `cars_train/0000${i + 1}.jpg`,
    class: i + 1,
  }));
  const class_names = someCars.map(({ carClass }) => carClass);
  rmSync(join(places.images, "devkit"), { recursive: true });
  writeAt(places.images, "cars_annos.mat", encodeMatFile({ annotations, class_names }));
  expect(classesOf(await readStanfordCars(places))).toEqual(
    someCars.map(({ carClass, kind }) => [carClass, kind]),
  );
});

test("a table of classes, and masks all in one folder", async () => {
  const folder = fresh();
  const { images } = await writeCarDevkit(folder);
  rmSync(join(images, "devkit"), { recursive: true });
  const rows = someCars.map(({ carClass }, i) => `cars_train/0000${i + 1}.jpg,${carClass}\n`);
  writeAt(images, "annotations.csv", `file,class\n${rows.join("")}`);
  const masks = join(folder, "mask/cars_train");
  const source = await readStanfordCars({ images, masks });
  expect(source.count).toBe(4);
});

test("lists of images to keep and to leave out", async () => {
  const folder = fresh();
  const places = await writeCarDevkit(folder);
  // As the paper's authors published theirs: train.txt and test.txt.
  writeAt(folder, "keep/train.txt", "00001.jpg\n00003.jpg\n");
  writeAt(folder, "keep/test.txt", "00004.jpg\n");
  const kept = await readStanfordCars({ ...places, keep: join(folder, "keep") });
  expect(Array.from({ length: kept.count }, (_, i) => kept.describe(i).slice(-20))).toEqual([
    "/cars_test/00004.jpg",
    "cars_train/00001.jpg",
    "cars_train/00003.jpg",
  ]);
  writeAt(folder, "people.txt", "# with people\ncars_train/00002.jpg\r\n\n");
  expect((await readStanfordCars({ ...places, exclude: join(folder, "people.txt") })).count).toBe(7);
  writeAt(folder, "twice.txt", "00002.jpg\n");
  await expect(readStanfordCars({ ...places, exclude: join(folder, "twice.txt") })).rejects.toThrow(
    /"00002\.jpg" is the name of several photos[\s\S]*twice\.txt, line 1/,
  );
  writeAt(folder, "wrong.txt", "cars_train/00002.jpg\ncars_train/12345.jpg\n");
  await expect(readStanfordCars({ ...places, exclude: join(folder, "wrong.txt") })).rejects.toThrow(
    /no such photo[\s\S]*wrong\.txt, line 2/,
  );
  writeAt(folder, "none.txt", "\n");
  await expect(readStanfordCars({ ...places, keep: join(folder, "none.txt") })).rejects.toThrow(
    /lists leave no photo/,
  );
  await expect(readStanfordCars({ ...places, keep: join(folder, "nowhere.txt") })).rejects.toThrow(
    /list of photos cannot be read[\s\S]*nowhere\.txt/,
  );
});

test("a missing mask is named by its image, or left out and listed", async () => {
  const places = await writeCarFolders(fresh());
  rmSync(join(places.masks, "train/Jeep Wrangler SUV 2012/00005.png"));
  await expect(readStanfordCars(places)).rejects.toThrow(
    /image has no mask[\s\S]*Jeep Wrangler SUV 2012.00005\.jpg[\s\S]*one of: train\/Jeep Wrangler SUV 2012\/00005\.png/,
  );
  const source = await readStanfordCars({ ...places, skipMissing: true });
  expect(source.count).toBe(7);
  expect(source.skipped).toEqual([
    { image: join(places.images, "train/Jeep Wrangler SUV 2012/00005.jpg"), reason: "no mask" },
  ]);
});

test.each<[string, Uint8Array | string, RegExp]>([
  [
    "a mask of another size",
    mask(47, 32, [carBox]),
    /another size[\s\S]*00001\.png[\s\S]*48 × 32[\s\S]*got: 47 × 32/,
  ],
  ["an empty mask", mask(48, 32, []), /mask is empty[\s\S]*00001\.png[\s\S]*no value above 0[\s\S]*segment/],
  ["a mask of ones", mask(48, 32, [carBox], 1), /mask is empty[\s\S]*no value above 1[\s\S]*multiply/],
  ["a mask that is no image", "not a PNG", /mask cannot be read[\s\S]*00001\.png/],
])("%s is refused when it is asked for", async (_, content, message) => {
  const places = await writeCarFolders(fresh(), 1);
  writeAt(places.masks, "train/Audi TT RS Coupe 2012/00001.png", content);
  const source = await readStanfordCars(places);
  await expect(source.cutout(0)).rejects.toThrow(message);
  expect((await source.cutout(1)).width).toBe(30);
});

test("masks in several parts are one car; values above half belong to it", async () => {
  const places = await writeCarFolders(fresh(), 1);
  const parts = [
    { left: 2, top: 3, width: 4, height: 5 },
    { left: 40, top: 20, width: 4, height: 5 },
  ];
  writeAt(places.masks, "train/Audi TT RS Coupe 2012/00001.png", mask(48, 32, parts, 128));
  const cutout = await (await readStanfordCars(places)).cutout(0);
  expect([cutout.width, cutout.height, cutout.mask.filter(Boolean).length]).toEqual([42, 22, 40]);
});

test("damaged and missing files are named", async () => {
  const places = await writeCarFolders(fresh(), 1);
  const file = join(places.images, "train/Audi TT RS Coupe 2012/00001.jpg");
  const whole = readFileSync(file);
  const source = await readStanfordCars(places);
  writeFileSync(file, whole.subarray(0, whole.length - 100));
  await expect(source.cutout(0)).rejects.toThrow(/photo cannot be read[\s\S]*00001\.jpg/);
  writeFileSync(file, "");
  await expect(readStanfordCars(places)).rejects.toThrow(/photo is empty[\s\S]*00001\.jpg[\s\S]*0 bytes/);
});

test("a listed image that is not there is named", async () => {
  const places = await writeCarDevkit(fresh());
  rmSync(join(places.images, "cars_train/00002.jpg"));
  await expect(readStanfordCars(places)).rejects.toThrow(/photo is missing[\s\S]*cars_train.00002\.jpg/);
});

test("classes that do not exist are named with the closest", async () => {
  const places = await writeCarFolders(fresh(), 1);
  renameSync(
    join(places.images, "train/Jeep Wrangler SUV 2012"),
    join(places.images, "train/Jeep Wrangler SUV 2013"),
  );
  await expect(readStanfordCars(places)).rejects.toThrow(
    /"Jeep Wrangler SUV 2013" is none of[\s\S]*did you mean "Jeep Wrangler SUV 2012"/,
  );
});

test.each<[string, (images: string) => void, RegExp]>([
  [
    "test images without labels",
    (images) => rmSync(join(images, "cars_test_annos_withlabels.mat")),
    /cars_test_annos_withlabels\.mat is missing/,
  ],
  ["no class names", (images) => rmSync(join(images, "devkit/cars_meta.mat")), /cars_meta\.mat is missing/],
  [
    "an unknown class id",
    (images) =>
      writeAt(
        images,
        "devkit/cars_train_annos.mat",
        encodeMatFile({ annotations: [{ class: 9, fname: "00001.jpg" }] }),
      ),
    /class that does not exist[\s\S]*cars_train_annos\.mat, annotation 1 \(00001\.jpg\)[\s\S]*from 1 to 5[\s\S]*got: 9/,
  ],
  [
    "a list without classes",
    (images) =>
      writeAt(
        images,
        "devkit/cars_train_annos.mat",
        encodeMatFile({ annotations: [{ bbox_x1: 1, fname: "00001.jpg" }] }),
      ),
    /has no class[\s\S]*annotation 1/,
  ],
  [
    "a list without annotations",
    (images) => writeAt(images, "devkit/cars_train_annos.mat", encodeMatFile({ other: 1 })),
    /no annotations[\s\S]*cars_train_annos\.mat/,
  ],
])("%s is refused by name", async (_, change, message) => {
  const places = await writeCarDevkit(fresh());
  change(places.images);
  await expect(readStanfordCars(places)).rejects.toThrow(message);
});

test("two images of one name do not share a flat mask", async () => {
  const folder = fresh();
  const { images } = await writeCarDevkit(folder);
  await expect(readStanfordCars({ images, masks: join(folder, "mask/cars_train") })).rejects.toThrow(
    /two images have the same mask[\s\S]*cars_test\/00001\.jpg and cars_train\/00001\.jpg/,
  );
});

test("equal copies have equal digests wherever they lie, and other masks others", async () => {
  const digests = async () => (await readStanfordCars(await writeCarFolders(fresh(), 1))).record.sha256;
  const first = await digests();
  expect(await digests()).toEqual(first);
  const places = await writeCarFolders(fresh(), 1);
  writeAt(
    places.masks,
    "train/Audi TT RS Coupe 2012/00001.png",
    mask(48, 32, [{ left: 1, top: 1, width: 3, height: 3 }]),
  );
  const changed = (await readStanfordCars(places)).record.sha256;
  expect(changed["images (names, classes and sizes)"]).toBe(first["images (names, classes and sizes)"]);
  expect(changed["masks (names and sizes)"]).not.toBe(first["masks (names and sizes)"]);
});
