/** Hard-Spurious-ImageNet: the paper's counts and categories, composition by hand, drawn photographs and people's own. */

import { cpSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { mask, photo, vocXml, writeAt } from "../../test/helpers/photos.ts";
import type { Pixels } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { parseAssignments } from "../core/settings.ts";
import { subset } from "../images/change-dataset.ts";
import { boxOfMask } from "../images/compose.ts";
import { encodePng } from "../images/png.ts";
import { centreCrop, resizeShorter } from "../images/resize.ts";
import { readClassAccuracy } from "../layouts/class-accuracy.ts";
import { readPhoto } from "../sources/photo-files.ts";
import { chooseClasses } from "./hard-spurious/classes.ts";
import { placedGroups } from "./hard-spurious/groups.ts";
import { drawnClasses, habits } from "./hard-spurious/habits.ts";
import { hardSpurious } from "./hard-spurious.ts";
import { findDataset } from "./index.ts";

const root = temporaryFolder();

const build = (set: readonly string[], seed = 0) =>
  hardSpurious.build(parseAssignments(hardSpurious.settings, set), seed);

/** Drawn small, with backgrounds that need no filling. */
const quick = [
  "classes=cow,van,fireplug,horse",
  "size=64",
  "photographs.side=64",
  "inpaint=exact",
  "count.train.easy=3",
  "count.train.medium=1",
  "count.train.hard=1",
  "count.val=1",
  "count.test=2",
];

test("a class has the images of Table 11: 400 to train, 240 to validate and 600 to test", async () => {
  const { labels, splits, attributes } = await build(["classes=cow,van", "inpaint=exact"]);
  const counts = (split: number, name: string) => {
    const { values, valueNames } = attributes.group!;
    const group = valueNames.indexOf(name);
    return labels.filter((label, i) => label === 0 && splits.values[i] === split && values[i] === group)
      .length;
  };
  const row = (split: number, size: number) =>
    ["CeO", "CoO", "CeR", "CoR"].map((code) => counts(split, `${code}-${size}`));
  // In thousands for the thousand classes of ImageNet, as the table gives them.
  expect([56, 84, 112].map((size) => row(0, size))).toEqual([
    [10, 10, 10, 10],
    [80, 80, 10, 10],
    [80, 80, 10, 10],
  ]);
  for (const size of [56, 84, 112]) {
    expect(row(1, size)).toEqual([20, 20, 20, 20]);
    expect(row(2, size)).toEqual([50, 50, 50, 50]);
  }
  const total = (split: number) =>
    splits.values.filter((value, i) => value === split && labels[i] === 0).length;
  expect([total(0), total(1), total(2)]).toEqual([400, 240, 600]);
});

test("easy, medium and hard are the paper's, and go on for other sizes", () => {
  const named = (sizes: number[], difficulty: string) =>
    placedGroups(sizes, ["centre", "corner"])
      .filter((group) => group.difficulty === difficulty)
      .map(({ name }) => name);
  expect(named([56, 84, 112], "easy")).toEqual(["CeO-84", "CoO-84", "CeO-112", "CoO-112"]);
  expect(named([112, 56, 84], "medium")).toEqual(["CeO-56", "CoO-56", "CeR-112", "CoR-112"]);
  expect(named([56, 84, 112], "hard")).toEqual(["CeR-56", "CoR-56", "CeR-84", "CoR-84"]);
  expect(named([40], "easy")).toEqual(["CeO-40", "CoO-40"]);
  expect(named([40], "hard")).toEqual(["CeR-40", "CoR-40"]);
  expect(named([40, 80], "medium")).toEqual(["CeO-40", "CoO-40", "CeR-80", "CoR-80"]);
});

test("variants train on easy groups alone, or on all alike", async () => {
  const variant = async (name: string) => {
    const { assignments } = findDataset(`hard-spurious:${name}`);
    const { attributes, splits } = await build([...assignments, "classes=cow,van", "inpaint=exact"]);
    const { values } = attributes.difficulty!;
    return [0, 1, 2].map(
      (code) => values.filter((value, i) => value === code && splits.values[i] === 0).length / 2,
    );
  };
  expect(await variant("erm-easy")).toEqual([320, 0, 0]);
  expect(await variant("all-equal")).toEqual([132, 132, 132]);
  const { assignments } = findDataset("hard-spurious:all-equal");
  const shifted = async (...more: string[]) =>
    (await build([...assignments, "classes=cow,van", "inpaint=exact", ...more])).provenance.shiftedSplits;
  expect(await shifted()).toBeUndefined();
  expect(await shifted("watermarkClass=cow")).toEqual(["val", "test"]);
});

test("every class has one other class for its random backgrounds, and no two the same", async () => {
  const { attributes, labels } = await build(quick);
  const { values } = attributes.backgroundClass!;
  const random = attributes.background!.values;
  const partners = new Map<number, Set<number>>();
  for (const [i, label] of labels.entries()) {
    if (random[i] === 0) expect(values[i]).toBe(label);
    else partners.set(label, (partners.get(label) ?? new Set()).add(values[i]!));
  }
  const single = [...partners.values()].map((found) => [...found]);
  expect(single.every((found, label) => found.length === 1 && found[0] !== label)).toBe(true);
  expect(new Set(single.flat()).size).toBe(4);
  for (let seed = 0; seed < 40; seed++) {
    const { partner } = chooseClasses(drawnClasses, chosen({}), undefined, seed);
    expect(partner.every((other, label) => other !== label)).toBe(true);
    expect(new Set(partner).size).toBe(drawnClasses.length);
  }
});

test("version 1 has fifteen drawn classes, in this order, each with a scene of its own", () => {
  expect(drawnClasses.join(" ")).toBe(
    "sedan hatchback coupe pickup van suv truck fireplug stop-sign street-sign parking-meter traffic-light cow horse sheep",
  );
  expect(new Set(Object.values(habits).map(({ scene }) => scene)).size).toBe(15);
});

const chosen = (more: object) => ({
  classes: [],
  backgroundClasses: [],
  version: 1 as const,
  v2Classes: 2,
  ...more,
});

test("the image is its background but for the object's square, which is at the place that the group says", async () => {
  const dataset = await build(quick);
  const { images, attributes, boxes, sideImages } = dataset;
  const { valueNames, values } = attributes.group!;
  // Of 64 pixels, sizes are 16, 24 and 32. In the centre they begin at (64 − s) / 2, at the top right in column 64 − s.
  const expected: Record<string, [left: number, top: number, side: number]> = {
    "CeO-16": [24, 24, 16],
    "CoO-24": [40, 0, 24],
    "CeR-32": [16, 16, 32],
    "CoR-32": [32, 0, 32],
  };
  for (const [name, [left, top, side]] of Object.entries(expected)) {
    const index = values.indexOf(valueNames.indexOf(name));
    const box = await boxes!.object!.at(index);
    expect(box, name).toEqual({ left, top, width: side, height: side });
    const [image, background, object] = [
      await images.pixels(index),
      await sideImages!.background!.pixels(index),
      await sideImages!.mask!.pixels(index),
    ];
    expect(boxOfMask(object.data, 64), name).toEqual(box);
    expect(
      differences(image, background).every((i) => object.data[i] === 255),
      name,
    ).toBe(true);
    expect(differences(image, background).length, name).toBeGreaterThan((side * side) / 2);
  }
});

test("images of one photograph differ by place, size and background alone", async () => {
  const { images, attributes, splits, sideImages } = await build(quick);
  const { valueNames, values } = attributes.group!;
  const of = (name: string) =>
    values.findIndex((value, i) => value === valueNames.indexOf(name) && splits.values[i] === 1);
  const cut = async (index: number, left: number, top: number) => {
    const image = await images.pixels(index);
    return Array.from({ length: 24 * 24 * 3 }, (_, i) => {
      const [row, rest] = [Math.floor(i / 72), i % 72];
      return image.data[((top + row) * 64 + left) * 3 + rest];
    });
  };
  const [centre, corner] = [of("CeO-24"), of("CoR-24")];
  expect(await cut(centre, 20, 20)).toEqual(await cut(corner, 40, 0));
  const background = async (index: number) => (await sideImages!.background!.pixels(index)).data;
  expect(await background(of("CeR-16"))).toEqual(await background(corner));
  expect(await background(centre)).not.toEqual(await background(corner));
});

test("no photograph is in two splits", async () => {
  const { images, splits } = await build(quick);
  const seen = new Map<string, number>();
  for (let i = 0; i < images.count; i++) {
    const name = /\((.*)\)/.exec(images.describe(i))![1]!;
    expect(seen.get(name) ?? splits.values[i]).toBe(splits.values[i]);
    seen.set(name, splits.values[i]!);
  }
  // Of each of four classes as many as the largest group has images: 3 + 1 + 2.
  expect(seen.size).toBe(24);
});

test("with the aspect preserved the shortest side has the size, and the longest is at most the image's", async () => {
  const { boxes, sideImages, attributes, images } = await build([
    ...quick,
    "classes=fireplug,stop-sign,van",
    "aspect=preserve",
    "cut=mask",
  ]);
  const { values, valueNames } = attributes.size!;
  const corners = new Set<string>();
  for (let i = 0; i < images.count; i += 3) {
    const box = (await boxes!.object!.at(i))!;
    expect(boxOfMask((await sideImages!.mask!.pixels(i)).data, 64)).toEqual(box);
    const [shortest, longest] = [Math.min(box.width, box.height), Math.max(box.width, box.height)];
    const side = Number(valueNames[values[i]!]);
    // Where the longest would leave the image, it fills it, and the shortest stays below its size.
    expect(
      longest === 64 ? shortest <= side : shortest === side,
      `${shortest} × ${longest} for ${side}`,
    ).toBe(true);
    if (attributes.position!.values[i] === 1) corners.add(`${box.top === 0} ${box.left === 0}`);
  }
  expect(corners.size).toBe(4);
});

test("photographs, backgrounds alone, and both to measure what backgrounds give away", async () => {
  const whole = await build([...quick, "content=photographs"]);
  const empty = await build([...quick, "content=backgrounds"]);
  const both = await build([...quick, "content=background-test"]);
  expect(whole.images.count).toBe(24);
  for (const index of [0, 7, 23]) {
    const [photograph, background] = [await whole.images.pixels(index), await empty.images.pixels(index)];
    const object = await whole.sideImages!.mask!.pixels(index);
    expect(boxOfMask(object.data, 64)).toEqual(await whole.boxes!.object!.at(index));
    expect(differences(photograph, background).every((i) => object.data[i] === 255)).toBe(true);
    const tested = both.splits.values[index] === 2;
    expect((await both.images.pixels(index)).data).toEqual((tested ? background : photograph).data);
  }
  expect(both.provenance.shiftedSplits).toEqual(["test"]);
});

test("version 2 takes backgrounds that give their class away, and objects of the classes that they do not", async () => {
  const table = join(root, "accuracy.csv");
  writeFileSync(table, "class,accuracy\ncow,0.9\nvan,0.2\nfireplug,0.7\nhorse,0.1\ntruck,0.5\n");
  const { classNames, attributes } = await build([
    ...quick,
    "classes=cow,van,fireplug,horse,truck",
    "version=2",
    `backgroundAccuracy=${table}`,
    "v2Classes=2",
  ]);
  expect([...classNames].sort()).toEqual(["horse", "van"]);
  const { values, valueNames } = attributes.backgroundClass!;
  const random = attributes.background!.values;
  const behind = new Set([...values].filter((_, i) => random[i] === 1).map((value) => valueNames[value]));
  expect(behind).toEqual(new Set(["cow", "fireplug"]));
});

test("accuracies by class are read from a table and from what eval prints", async () => {
  const report = join(root, "eval.json");
  const groups = [
    { class: "cow", values: {}, accuracy: 0.5 },
    { class: "van", values: {}, accuracy: 1 },
  ];
  writeFileSync(report, JSON.stringify({ groups }));
  expect(await readClassAccuracy(report)).toEqual(
    new Map([
      ["cow", 0.5],
      ["van", 1],
    ]),
  );
  writeFileSync(report, JSON.stringify({ groups: [{ class: "cow", values: { place: "x" }, accuracy: 1 }] }));
  await expect(readClassAccuracy(report)).rejects.toThrow("groups that are not the classes");
  const table = join(root, "percent.csv");
  writeFileSync(table, "class,accuracy\ncow,52\n");
  await expect(readClassAccuracy(table)).rejects.toThrow("from 0 to 1");
});

test("settings that contradict each other are refused, with a way out", async () => {
  const refused = async (set: string[], ...texts: string[]) => {
    const error = await build([...quick, ...set]).catch((cause: unknown) => cause);
    expectError(
      () => {
        throw error;
      },
      "usage",
      ...texts,
    );
  };
  await refused(["version=2"], "backgroundAccuracy=");
  await refused(["sizes=70"], "does not fit");
  await refused(["photographs.test=1"], "too few photographs", "count.test");
  await refused(["classes=cow,vam"], 'did you mean "van"');
  await refused(["classes=cow"], "at least two classes");
  await refused(["inpaint=given"], "inpaint=exact");
  await refused(["trainImages=photos"], "source=photos");
  await refused(["source=photos", "inpaint=tiled"], "photographs.side");
  await refused(["v2Classes=3"], "v2Classes has no effect without version=2");
  await refused(["corner=top-left", "positions=centre,anywhere"], "corner=top-left has no effect");
  await refused(["sizes=16,24,16"], "sizes has 16 twice");
  await refused(["positions=corner,corner"], "positions has corner twice");
  await refused(["skipBroken=true"], "skipBroken has no effect on drawn photographs");
  await expect(build(["source=photos"])).rejects.toThrow("trainImages must be given");
  expectError(
    () =>
      chooseClasses(
        ["a", "b", "c"],
        chosen({ version: 2 }),
        new Map([
          ["a", 1],
          ["b", 0],
          ["c", 0],
        ]),
        0,
      ),
    "usage",
    "v2Classes=1",
  );
});

/** 40 × 30, grey 120; each has a box of its class's colour at (4, 6) of 12 × 10, and a smaller one at the right. */
async function writePhotos(folder: string, each: number): Promise<void> {
  const [size, box] = [
    { width: 40, height: 30 },
    { left: 4, top: 6, width: 12, height: 10 },
  ];
  const colours = { n00000001: [250, 20, 20], n00000002: [20, 250, 20], n00000003: [20, 20, 250] } as const;
  for (const [name, colour] of Object.entries(colours)) {
    for (let i = 0; i < each; i++) {
      const stem = `${name}_${i}`;
      writeAt(folder, `images/${name}/${stem}.JPEG`, await photo(40, 30, box, colour));
      const objects = [
        { name, corners: [33, 20, 36, 23] as const },
        { name, corners: [4, 6, 16, 16] as const },
      ];
      writeAt(folder, `boxes/${name}/${stem}.xml`, vocXml(name, stem, size, objects));
      writeAt(folder, `masks/${name}/${stem}.png`, mask(40, 30, [box]));
      const clean = encodePng({ data: new Uint8Array(3600).fill(i), width: 40, height: 30, channels: 3 });
      writeAt(folder, `clean/${name}/${stem}.png`, clean);
    }
  }
  // One that is all object: no background would be left.
  writeAt(
    folder,
    "images/n00000001/whole.JPEG",
    await photo(40, 30, { left: 0, top: 0, width: 40, height: 30 }, [9, 9, 9]),
  );
  writeAt(
    folder,
    "boxes/n00000001/whole.xml",
    vocXml("n00000001", "whole", size, [{ name: "n00000001", corners: [2, 2, 38, 28] }]),
  );
  const behind = encodePng({ data: new Uint8Array(3600).fill(9), width: 40, height: 30, channels: 3 });
  writeAt(folder, "clean/n00000001/whole.png", behind);
}

test("people's photographs: the largest box is the object, all boxes are filled, and test images are others", async () => {
  await writePhotos(join(root, "train"), 4);
  await writePhotos(join(root, "test"), 2);
  writeFileSync(
    join(root, "words.txt"),
    "n00000001 crane, a bird\nn00000002 crane, a machine\nn00000003 tench\n",
  );
  const places = ["train", "test"].flatMap((part) => [
    `${part}Images=${join(root, part, "images")}`,
    `${part}Boxes=${join(root, part, "boxes")}`,
  ]);
  const common = ["source=photos", ...places, `synsets=${join(root, "words.txt")}`, "size=32", "dilation=5"];
  const counts = [
    "count.train.easy=3",
    "count.train.medium=1",
    "count.train.hard=1",
    "count.val=1",
    "count.test=2",
  ];
  const dataset = await build([...common, ...counts, "inpaint=tiled"]);
  expect(dataset.classNames).toEqual(["crane (n00000001)", "crane (n00000002)", "tench"]);
  // The photograph that is all object is one to take: it stands on another's background.
  expect(dataset.provenance.skipped).toEqual([]);
  const { values, valueNames } = dataset.attributes.group!;
  const index = values.findIndex(
    (value, i) => valueNames[value] === "CeR-16" && dataset.splits.values[i] === 2,
  );
  const { data } = await dataset.images.pixels(index);
  const at = (x: number, y: number) => [...data.subarray(3 * (32 * y + x), 3 * (32 * y + x) + 3)];
  // Red in the middle, the grey of the photographs around it; a JPEG changes both by a few levels.
  expect(near(at(16, 16), [250, 20, 20]), String(at(16, 16))).toBe(true);
  const around = [...Array(32).keys()].flatMap((x) => [at(x, 3), at(x, 28)]);
  expect(around.every((colour) => near(colour, [120, 120, 120]))).toBe(true);
  expect(dataset.images.describe(index)).toContain(join(root, "test", "images"));

  const given = await build([
    ...common,
    ...counts,
    "inpaint=given",
    `trainInpainted=${join(root, "train", "clean")}`,
    `testInpainted=${join(root, "test", "clean")}`,
    "classes=tench,crane (n00000001)",
    "content=backgrounds",
  ]);
  const name = /_(\d)\.JPEG/.exec(given.images.describe(0))![1];
  expect((await given.images.pixels(0)).data.every((value) => value === Number(name))).toBe(true);
});

test("a photograph that is all object counts: boxes alone give as many test images as there are photographs", async () => {
  await writePhotos(join(root, "covered"), 2);
  const places = [
    `trainImages=${join(root, "covered", "images")}`,
    `trainBoxes=${join(root, "covered", "boxes")}`,
  ];
  const none = ["easy", "medium", "hard"].map((kind) => `count.train.${kind}=0`);
  const set = ["source=photos", ...places, ...none, "count.val=0", "size=32", "dilation=5", "inpaint=tiled"];
  // The first class has two photographs and the covered one, and all three are wanted.
  const objects = ["classes=n00000001", "backgroundClasses=n00000002", "count.test=3"];
  const dataset = await build([...set, ...objects]);
  const { values, valueNames } = dataset.attributes.group!;
  const covered = [...values.keys()].filter((i) => dataset.images.describe(i).includes("whole"));
  expect(covered).toHaveLength(12);
  expect(dataset.provenance.description).toContain("1 photographs are nothing but object");
  for (const index of covered.filter((i) => valueNames[values[i]!]!.startsWith("CeO"))) {
    const { data } = await dataset.images.pixels(index);
    // The other's grey around it: of its own photograph nothing but the object's near-black is left.
    expect(near([...data.subarray(0, 3)], [120, 120, 120])).toBe(true);
    expect(near([...data.subarray(3 * (32 * 16 + 16), 3 * (32 * 16 + 16) + 3)], [9, 9, 9])).toBe(true);
  }
  // Backgrounds alone have nothing of it, and lists it.
  const backgrounds = await build([...set, "count.test=2", "content=backgrounds"]);
  expect(backgrounds.provenance.skipped.map(({ image }) => image)).toEqual(["n00000001/whole.JPEG"]);
  // Where nobody of the class can lend one, that is said.
  for (let i = 0; i < 2; i++) {
    const stem = `n00000001_${i}`;
    const boxes = [{ name: "n00000001", corners: [1, 1, 39, 29] as const }];
    const xml = vocXml("n00000001", stem, { width: 40, height: 30 }, boxes);
    writeAt(join(root, "covered"), `boxes2/n00000001/${stem}.xml`, xml);
  }
  for (const name of ["n00000002", "n00000003"])
    cpSync(join(root, "covered", "boxes", name), join(root, "covered", "boxes2", name), { recursive: true });
  const all = set.map((text) => text.replace(/boxes$/, "boxes2"));
  const message = await messageOf([...all, "count.test=2"]);
  expect(message).toContain(
    'no photograph of the class "n00000001" in the split test has any background left',
  );
});

test("all boxes of a photograph are counted, and clean images show its middle", async () => {
  await writePhotos(join(root, "clean"), 1);
  const places = [
    `trainImages=${join(root, "clean", "images")}`,
    `trainBoxes=${join(root, "clean", "boxes")}`,
  ];
  const none = ["easy", "medium", "hard"].map((kind) => `count.train.${kind}=0`);
  const set = ["source=photos", ...places, ...none, "count.val=0", "count.test=1", "inpaint=tiled"];
  const whole = await build([...set, "size=40", "content=photographs", "classes=n00000002,n00000003"]);
  // Boxes of 12 × 10 at (4, 6) and of 3 × 3 at (33, 20) in 40 × 30, squeezed to 40 × 40 in whole pixels.
  const big = { left: 4, top: 8, width: 12, height: 13 };
  const small = { left: 33, top: 27, width: 3, height: 4 };
  expect(await whole.boxes!.object!.all!(0)).toEqual([small, big]);
  expect(await whole.boxes!.object!.at(0)).toEqual(big);
  // In parts as in wholes: boxes go with the images that are chosen.
  expect(await subset(whole, [1]).boxes!.object!.all!(0)).toHaveLength(2);

  // 28 of 32: 40 × 30 becomes 42 × 32, of which columns 7 to 35 and rows 2 to 30 are left.
  const clean = await build([...set, "size=28", "content=clean", "classes=n00000002,n00000003"]);
  const photograph = clean.images.describe(0).split(" (")[1]!.slice(0, -1);
  const expected = centreCrop(resizeShorter(await readPhoto(photograph), 32), 28, 28);
  expect(Buffer.from((await clean.images.pixels(0)).data).equals(Buffer.from(expected.data))).toBe(true);
  // (4 … 16) · 42/40 − 7 and (6 … 16) · 32/30 − 2; the small one from 33 · 42/40 − 7 = 27.65, rounded, to the border.
  expect(await clean.boxes!.object!.all!(0)).toEqual([
    { left: 27, top: 19, width: 1, height: 4 },
    { left: 0, top: 4, width: 10, height: 11 },
  ]);
});

test("one folder of photographs is shared out between the splits", async () => {
  await writePhotos(join(root, "one"), 4);
  rmSync(join(root, "one", "boxes", "n00000001", "whole.xml"));
  const places = [`trainImages=${join(root, "one", "images")}`, `trainBoxes=${join(root, "one", "boxes")}`];
  const counts = [
    "count.train.easy=2",
    "count.train.medium=1",
    "count.train.hard=1",
    "count.val=1",
    "count.test=1",
  ];
  const set = ["source=photos", ...places, ...counts, "size=32", "dilation=5", "inpaint=tiled"];
  const { images, splits } = await build([...set, "cut=mask", `trainMasks=${join(root, "one", "masks")}`]);
  const where = Array.from(
    { length: images.count },
    (_, i) => [images.describe(i).split("/").at(-1)!, splits.values[i]!] as const,
  );
  expect(new Map(where).size).toBe(12);
  expect(where.every(([name, split]) => new Map(where).get(name) === split)).toBe(true);
  // 4 photographs a class: 1 goes to test, 1 to val, and 2 are left where 3 are wanted.
  const message = await messageOf([...set, "count.train.easy=3"]);
  for (const text of [
    'the class "n00000001" has too few photographs for the split train, which shares them with test and val',
    "5: 1 for test (count.test=1), 1 for val (count.val=1), 3 for train (count.train.easy=3)",
    "4: 1 for test, 1 for val, 2 for train",
    "testImages",
  ])
    expect(message).toContain(text);
  expect(await messageOf([...set, "photographs.test=2"])).toContain("2 for test (photographs.test=2)");
  // What shows two classes could be in two splits, once for each.
  const rows = ["n00000001", "n00000002", "n00000003"].flatMap((name) =>
    [0, 1, 2, 3].map((i) => `${name}/${name}_${i}.JPEG,${name},4,6,12,10`),
  );
  const table = join(root, "one", "boxes.csv");
  const both = "n00000001/n00000001_0.JPEG,n00000002,33,20,3,3";
  writeFileSync(table, ["file,class,left,top,width,height", ...rows, both, ""].join("\n"));
  const listed = ["source=photos", places[0]!, `trainBoxes=${table}`, ...counts, "count.train.easy=1"];
  const { provenance } = await build([...listed, "size=32", "dilation=5", "inpaint=tiled"]);
  expect(provenance.skipped).toEqual([
    { image: "n00000001/n00000001_0.JPEG", reason: "it shows objects of several of the classes" },
    { image: "n00000001/n00000001_0.JPEG", reason: "it shows objects of several of the classes" },
  ]);
  // A black mask would leave the object in its own background.
  for (let i = 0; i < 4; i++)
    writeAt(join(root, "one"), `masks/n00000001/n00000001_${i}.png`, mask(40, 30, []));
  const black = await build([...set, `trainMasks=${join(root, "one", "masks")}`]);
  await expect(Promise.resolve(black.images.pixels(0))).rejects.toThrow(/a mask is empty[\s\S]*n00000001_/);
  // A class that gives backgrounds alone must have some in every split.
  const backgrounds = ["classes=n00000001,n00000002", "backgroundClasses=n00000003"];
  rmSync(join(root, "one", "boxes", "n00000003"), { recursive: true });
  writeAt(
    join(root, "one"),
    "boxes/n00000003/n00000003_0.xml",
    vocXml("n00000003", "n00000003_0", { width: 40, height: 30 }, [
      { name: "n00000003", corners: [4, 6, 16, 16] },
    ]),
  );
  expect(await messageOf([...set, ...backgrounds])).toContain('the class "n00000003" has too few');
});

const messageOf = async (set: readonly string[]): Promise<string> => {
  const error = await build(set).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(CuelabError);
  return (error as CuelabError).message;
};

/** Both folders, all settings that are needed, and 2 photographs a class and split. */
async function twoFolders(name: string): Promise<{ folder: string; set: string[]; beside: string[] }> {
  const folder = join(root, name);
  await writePhotos(join(folder, "train"), 2);
  await writePhotos(join(folder, "test"), 1);
  const of = (part: string, setting: string, place: string) =>
    `${part}${setting}=${join(folder, part, place)}`;
  const places = ["train", "test"].flatMap((part) => [
    of(part, "Images", "images"),
    of(part, "Boxes", "boxes"),
  ]);
  const counts = ["easy", "medium", "hard"].map((kind) => `count.train.${kind}=1`);
  const set = ["source=photos", ...places, ...counts, "count.val=1", "count.test=1", "size=32", "dilation=5"];
  const beside = ["train", "test"].map((part) => of(part, "Inpainted", "clean"));
  return { folder, set: [...set, "inpaint=given", "classes=n00000002,n00000003"], beside };
}

test("files beside photographs have their names, whatever their endings, and are missed at once", async () => {
  const { folder, set, beside } = await twoFolders("beside");
  for (const [part, each] of Object.entries({ train: 2, test: 1 })) {
    for (const name of ["n00000002", "n00000003"]) {
      for (let i = 0; i < each; i++) {
        const stem = join(folder, part, "clean", name, `${name}_${i}`);
        // Twice the resolution, as other tools may leave it, and ImageNet's ending.
        const full = { left: 0, top: 0, width: 80, height: 60 };
        writeFileSync(`${stem}.JPEG`, await photo(80, 60, full, [10, 200, 10]));
        rmSync(`${stem}.png`);
      }
    }
  }
  const dataset = await build([...set, ...beside, "content=backgrounds"]);
  const { data } = await dataset.images.pixels(0);
  expect(near([...data.subarray(0, 3)], [10, 200, 10])).toBe(true);

  expect(await messageOf([...set, beside[0]!])).toContain("testInpainted must be given");
  const masks = ["train", "test"].map((part) => `${part}Masks=${join(folder, part, "masks")}`);
  expect(await messageOf([...set, ...beside, masks[0]!])).toContain(
    "testMasks must be given with trainMasks",
  );
  expect(await messageOf([...set, ...beside, masks[1]!])).toContain(
    "trainMasks must be given with testMasks",
  );
  const away = await messageOf([...set, ...beside, masks[0]!, "testMasks=/nowhere/masks"]);
  expect(away).toContain("testMasks");
  expect(away).toContain("/nowhere/masks");
  rmSync(join(folder, "train", "masks", "n00000003"), { recursive: true });
  const missing = await messageOf([...set, ...beside, ...masks]);
  expect(missing).toContain("in trainMasks");
  expect(missing).toMatch(/none for 2 of 4 photographs, the first n00000003\/n00000003_[01]\.JPEG/);

  // 40 × 30 photographs: 81 × 60 is twice that but for rounding, 60 × 60 is another shape.
  for (const [width, wrong] of [
    [81, false],
    [60, true],
  ] as const) {
    const stem = join(folder, "test", "clean", "n00000002", "n00000002_0.JPEG");
    writeFileSync(stem, await photo(width, 60, { left: 0, top: 0, width, height: 60 }, [10, 200, 10]));
    const { images, splits } = await build([...set, ...beside, "content=backgrounds"]);
    const read = images.pixels(splits.values.indexOf(2));
    if (!wrong) await read;
    else {
      const error = await Promise.resolve(read).catch((cause: unknown) => cause);
      for (const text of ["another shape", "60 × 60", "40 × 30", stem, join(folder, "test", "images")])
        expect(String(error)).toContain(text);
    }
  }
});

test("photographs to test on may not be those to train on, under whichever path", async () => {
  const { folder, set } = await twoFolders("leak");
  const tiled = [...set, "inpaint=tiled"];
  await build(tiled);
  const same = [
    `testImages=${join(folder, "train", "images")}`,
    `testBoxes=${join(folder, "train", "boxes")}`,
  ];
  expect(await messageOf([...tiled, ...same])).toContain("4 of 4 photographs to test on");
  const place = join(folder, "test", "images", "n00000003", "n00000003_0.JPEG");
  rmSync(place);
  symlinkSync(join(folder, "train", "images", "n00000003", "n00000003_0.JPEG"), place);
  expect(await messageOf(tiled)).toContain("1 of 2 photographs to test on");
});

test("broken boxes are left out where asked for, and those of other classes are not read", async () => {
  const { folder, set } = await twoFolders("broken");
  const tiled = [...set, "inpaint=tiled"];
  writeAt(folder, "train/boxes/n00000001/n00000001_0.xml", "<annotation>");
  expect((await build(tiled)).classNames).toEqual(["n00000002", "n00000003"]);
  const all = [...tiled, "classes=n00000001,n00000002,n00000003", "count.val=0"];
  expect(await messageOf(all)).toContain("n00000001_0.xml");
  const { provenance } = await build([...all, "skipBroken=true"]);
  expect(provenance.skipped.map(({ image }) => image)).toContain("n00000001/n00000001_0.JPEG");
});

function differences(one: Pixels, other: Pixels): number[] {
  const pixels = one.data.length / 3;
  return [...Array(pixels).keys()].filter((i) =>
    [0, 1, 2].some((c) => one.data[3 * i + c] !== other.data[3 * i + c]),
  );
}

function near(colour: readonly number[], expected: readonly number[]): boolean {
  return colour.every((value, i) => Math.abs(value - expected[i]!) <= 25);
}
