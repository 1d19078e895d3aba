import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { photo, vocXml, writeAt, writeImageNet } from "../../../test/helpers/photos.ts";
import { readBoxTable, readCocoBoxes, readImageNetBoxes } from "./index.ts";
import { readVocXml } from "./voc-xml.ts";

const root = temporaryFolder();
let made = 0;
const fresh = () => join(root, String(made++));
const size = { width: 60, height: 50 };
const tench = "n01440764";
const first = "n01440764/n01440764_1";

test("folders of classes with boxes in XML files", async () => {
  const places = await writeImageNet(fresh());
  const source = await readImageNetBoxes(places);
  expect(source.classNames).toEqual(["n01440764", "n02085620"]);
  expect(source.photos).toHaveLength(4);
  expect(source.photos[1]).toMatchObject({
    file: "n01440764/n01440764_2.JPEG",
    className: tench,
    width: 61,
    height: 50,
    boxes: [{ left: 11, top: 5, width: 30, height: 20 }],
  });
  const pixels = await source.pixels(3);
  expect([pixels.width, pixels.height, pixels.channels]).toEqual([61, 50, 3]);
  // Red inside the box, as the helper paints the second class, and grey beside it.
  const red = (x: number, y: number) => pixels.data[3 * (y * 61 + x)]!;
  expect(Math.abs(red(25, 15) - 120)).toBeLessThan(6);
  expect([source.withoutBoxes, source.otherBoxes, source.skipped]).toEqual([0, 0, []]);
});

test("the first validation image's box, as published", () => {
  // ILSVRC2012_val_00000001.xml; other programs give it the width 330 and the height 85.
  const text = vocXml("val", "ILSVRC2012_val_00000001", { width: 500, height: 375 }, [
    { name: "n01751748", corners: [111, 108, 441, 193] },
  ]);
  expect(readVocXml("a.xml", text, "edges")).toEqual({
    width: 500,
    height: 375,
    objects: [{ name: "n01751748", box: { left: 111, top: 108, width: 330, height: 85 } }],
  });
});

test("edges run from 0 to the size; PASCAL VOC's pixels from 1 to the size", () => {
  const whole = { left: 0, top: 0, width: 60, height: 50 };
  const read = (corners: readonly [number, number, number, number], as: "edges" | "pixels") =>
    readVocXml("a.xml", vocXml("f", "n", size, [{ name: "x", corners }]), as).objects[0]!.box;
  expect(read([0, 0, 60, 50], "edges")).toEqual(whole);
  expect(read([1, 1, 60, 50], "pixels")).toEqual(whole);
  expect(read([7, 8, 7, 8], "pixels")).toEqual({ left: 6, top: 7, width: 1, height: 1 });
  expect(() => read([7, 8, 7, 9], "edges")).toThrow(/box is empty/);
  expect(() => read([0, 1, 60, 50], "pixels")).toThrow(/outside/);
});

test("validation images flat, or in folders of classes, with flat XML files", async () => {
  const folder = fresh();
  const image = await photo(60, 50, { left: 0, top: 0, width: 9, height: 9 }, [1, 2, 3]);
  for (const [i, name] of ["n02085620", tench].entries()) {
    const stem = `ILSVRC2012_val_0000000${i + 1}`;
    writeAt(folder, `flat/${stem}.JPEG`, image);
    writeAt(folder, `sorted/${name}/${stem}.JPEG`, image);
    writeAt(folder, `xml/${stem}.xml`, vocXml("val", stem, size, [{ name, corners: [1, 2, 30, 40] }]));
  }
  const annotations = join(folder, "xml");
  const flat = await readImageNetBoxes({ images: join(folder, "flat"), annotations });
  expect(flat.photos.map(({ file, className }) => [file, className])).toEqual([
    ["ILSVRC2012_val_00000001.JPEG", "n02085620"],
    ["ILSVRC2012_val_00000002.JPEG", tench],
  ]);
  const sorted = await readImageNetBoxes({ images: join(folder, "sorted"), annotations });
  expect(sorted.photos.map(({ className }) => className)).toEqual([tench, "n02085620"]);
  const one = await readImageNetBoxes({ images: join(folder, "sorted"), annotations, classes: [tench] });
  expect(one.photos.map(({ file }) => file)).toEqual([`${tench}/ILSVRC2012_val_00000002.JPEG`]);
  const oneOfFlat = await readImageNetBoxes({ images: join(folder, "flat"), annotations, classes: [tench] });
  expect(oneOfFlat.photos).toHaveLength(1);
});

test("several boxes; other classes' boxes are left out and counted; breeds written out are the class", async () => {
  const places = await writeImageNet(fresh(), [tench], 2);
  const objects = [
    { name: tench, corners: [0, 0, 10, 10] },
    { name: "n02085620", corners: [10, 10, 20, 20] },
    { name: "Scottish_deerhound", corners: [20, 20, 60, 50] },
  ] as const;
  writeAt(places.annotations, `${first}.xml`, vocXml(tench, "n01440764_1", size, objects));
  rmSync(join(places.annotations, "n01440764/n01440764_2.xml"));
  const source = await readImageNetBoxes(places);
  expect(source.photos.map(({ boxes }) => boxes)).toEqual([
    [
      { left: 0, top: 0, width: 10, height: 10 },
      { left: 20, top: 20, width: 40, height: 30 },
    ],
  ]);
  expect([source.withoutBoxes, source.otherBoxes]).toEqual([1, 1]);
});

test("a list of classes gives their words, and unknown ids are told", async () => {
  const folder = fresh();
  const places = await writeImageNet(folder);
  const synsets = join(folder, "LOC_synset_mapping.txt");
  writeFileSync(synsets, "n01440764 tench, Tinca tinca\nn02085620 Chihuahua\n");
  const source = await readImageNetBoxes({ ...places, synsets });
  expect(source.classNames.map((name) => source.title(name))).toEqual(["tench", "Chihuahua"]);
  writeFileSync(synsets, "n01440764 tench, Tinca tinca\n");
  await expect(readImageNetBoxes({ ...places, synsets })).rejects.toThrow(
    /class "n02085620" is unknown[\s\S]*n02085620_1\.xml/,
  );
  writeFileSync(synsets, "tench\n");
  await expect(readImageNetBoxes({ ...places, synsets })).rejects.toThrow(
    /cannot be read[\s\S]*line 1[\s\S]*got: tench/,
  );
});

const thing = { name: tench, corners: [1, 2, 30, 40] } as const;
const xml = (corners: readonly [number, number, number, number]) =>
  vocXml(tench, "n", size, [thing, { name: tench, corners }]);

test.each<[string, string, RegExp]>([
  ["an empty box", xml([30, 5, 30, 25]), /box is empty[\s\S]*n01440764_1\.xml, object 2[\s\S]*width 0/],
  ["a box inside out", xml([30, 5, 20, 25]), /box is empty[\s\S]*object 2[\s\S]*width -10/],
  [
    "a box beyond the right",
    xml([30, 5, 61, 25]),
    /outside its image[\s\S]*object 2[\s\S]*within 60 × 50[\s\S]*left 30, top 5, width 31/,
  ],
  ["a box above", xml([30, -1, 60, 25]), /outside its image[\s\S]*top -1/],
  [
    "a broken file",
    xml([1, 2, 3, 4]).replace("</size>", ""),
    /XML file is broken[\s\S]*n01440764_1\.xml, line \d+\n {2}expected: tags that are closed[^\n]*\n {2}got: </,
  ],
  [
    "a file cut off",
    xml([1, 2, 3, 4]).slice(0, 300),
    /XML file is cut off[\s\S]*n01440764_1\.xml, line \d+\n {2}expected: <\/annotation> at its end\n {2}got: \S/,
  ],
  ["an empty file", "", /XML file is cut off[\s\S]*got: an empty file/],
  ["no size", xml([1, 2, 3, 4]).replace(/<size>[\s\S]*<\/size>/, ""), /no image size[\s\S]*n01440764_1\.xml/],
  [
    "a size of nothing",
    xml([1, 2, 3, 4]).replace("<width>60</width>", "<width>0</width>"),
    /no image size[\s\S]*"0"/,
  ],
  ["no object", vocXml(tench, "n", size, []), /no object[\s\S]*n01440764_1\.xml/],
  ["no name", xml([1, 2, 3, 4]).replace(`<name>${tench}</name>`, ""), /no name[\s\S]*object 1/],
  ["half a box", xml([1, 2, 3, 4]).replace("<xmax>30</xmax>", ""), /no box[\s\S]*object 1/],
  [
    "another thing",
    vocXml(tench, "n", size, [{ ...thing, name: "n09999999" }]),
    /no box of its image's class[\s\S]*got: n09999999/,
  ],
])("%s is refused by file and object, or left out and listed", async (_, text, message) => {
  const places = await writeImageNet(fresh(), [tench], 2);
  writeAt(places.annotations, `${first}.xml`, text);
  await expect(readImageNetBoxes(places)).rejects.toThrow(message);
  const source = await readImageNetBoxes({ ...places, skipBroken: true });
  expect(source.photos.map(({ file }) => file)).toEqual(["n01440764/n01440764_2.JPEG"]);
  expect(source.skipped.map(({ image }) => image)).toEqual([`${first}.JPEG`]);
});

test("images that are missing, cut off or of another size", async () => {
  const places = await writeImageNet(fresh(), [tench], 2);
  const file = join(places.images, `${first}.JPEG`);
  const source = await readImageNetBoxes(places);
  const whole = readFileSync(file);
  writeFileSync(file, whole.subarray(0, whole.length / 2));
  await expect(source.pixels(0)).rejects.toThrow(/photo cannot be read[\s\S]*n01440764_1\.JPEG/);
  renameSync(join(places.images, "n01440764/n01440764_2.JPEG"), file);
  await expect(source.pixels(0)).rejects.toThrow(
    /another size[\s\S]*n01440764_1\.JPEG[\s\S]*60 × 50[\s\S]*n01440764_1\.xml[\s\S]*got: 61 × 50/,
  );
  await expect(readImageNetBoxes(places)).rejects.toThrow(
    /annotated image is missing[\s\S]*n01440764_2\.xml/,
  );
});

test("folders that cannot be meant are told", async () => {
  const folder = fresh();
  const places = await writeImageNet(folder);
  await expect(readImageNetBoxes({ ...places, images: folder })).rejects.toThrow(/splits, not classes/);
  await expect(readImageNetBoxes({ ...places, classes: ["n01440765"] })).rejects.toThrow(
    /"n01440765" has no folder[\s\S]*did you mean "n01440764"/,
  );
  await expect(readImageNetBoxes({ ...places, annotations: places.images })).rejects.toThrow(
    /no image has a box[\s\S]*4 images without an XML file/,
  );
});

test("boxes of other images, as a table", async () => {
  const folder = fresh();
  writeAt(folder, "a/1.jpg", await photo(60, 50, { left: 1, top: 1, width: 9, height: 9 }, [9, 9, 9]));
  writeAt(folder, "a/2.jpg", await photo(60, 50, { left: 1, top: 1, width: 9, height: 9 }, [9, 9, 9]));
  const header = "file,class,left,top,width,height,imageWidth,imageHeight\n";
  const read = (rows: string) => {
    writeAt(folder, "boxes.csv", header + rows);
    return readBoxTable({ images: folder, table: join(folder, "boxes.csv") });
  };
  const source = await read(
    "a/1.jpg,dog,1,2,3,4,60,50\na/2.jpg,cat,0,0,60,50,,\na/1.jpg,dog,5,6,7,8,60,50\n",
  );
  expect(source.photos).toMatchObject([
    {
      file: "a/1.jpg",
      className: "dog",
      width: 60,
      height: 50,
      boxes: [
        { left: 1, top: 2, width: 3, height: 4 },
        { left: 5, top: 6, width: 7, height: 8 },
      ],
    },
    { file: "a/2.jpg", className: "cat", width: 60, height: 50 },
  ]);
  expect((await source.pixels(1)).width).toBe(60);
  await expect(read("a/1.jpg,dog,1,2,3,4,60,50\na/1.jpg,dog,50,2,30,4,60,50\n")).rejects.toThrow(
    /outside its image[\s\S]*boxes\.csv, line 3/,
  );
  await expect(read("a/2.jpg,cat,1,2,0,4,,\n")).rejects.toThrow(/box is empty[\s\S]*line 2/);
  await expect(read("a/2.jpg,cat,1.5,2,1,4,,\n")).rejects.toThrow(/whole pixels[\s\S]*left 1\.5/);
  await expect(read("a/3.jpg,cat,1,2,1,4,,\n")).rejects.toThrow(/photo is missing[\s\S]*a.3\.jpg/);
  await expect(read(",cat,1,2,1,4,,\n")).rejects.toThrow(/names no file/);
  writeAt(folder, "boxes.csv", "file,label\na,b\n");
  await expect(readBoxTable({ images: folder, table: join(folder, "boxes.csv") })).rejects.toThrow(
    /no column "class"[\s\S]*got: file, label/,
  );
});

test("boxes of other images, in COCO's format", async () => {
  const folder = fresh();
  writeAt(folder, "val2017/1.jpg", await photo(60, 50, { left: 1, top: 1, width: 9, height: 9 }, [9, 9, 9]));
  const read = (...boxes: unknown[]) => {
    const content = {
      images: [{ id: 1, file_name: "1.jpg", width: 60, height: 50 }],
      annotations: boxes.map((bbox, i) => ({ id: i + 1, image_id: 1, category_id: 3, bbox })),
      categories: [{ id: 3, name: "dog" }],
    };
    writeAt(folder, "instances_val2017.json", JSON.stringify(content));
    return readCocoBoxes({ images: folder, annotations: join(folder, "instances_val2017.json") });
  };
  const source = await read([1.2, 2.9, 3, 4], [10, 10, 50.01, 40]);
  expect(source.photos).toMatchObject([
    {
      file: "val2017/1.jpg",
      className: "dog",
      boxes: [
        { left: 1, top: 2, width: 4, height: 5 },
        { left: 10, top: 10, width: 50, height: 40 },
      ],
    },
  ]);
  await expect(read([1, 1, 2, 2], [30, 1, 40, 2])).rejects.toThrow(/outside[\s\S]*annotation 2/);
  await expect(read([1, 1, 0, 2])).rejects.toThrow(/box is empty[\s\S]*annotation 1/);
  await expect(read([1, 1])).rejects.toThrow(/no box[\s\S]*annotation 1[\s\S]*got: \[1,1\]/);
});
