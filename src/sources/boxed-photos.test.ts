/** Boxes in each form, found by what they look like. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { writeImageNet } from "../../test/helpers/photos.ts";
import { measureDataBias } from "../audits/data-bias/measure.ts";
import { classTitles, openBoxedPhotos } from "../layouts/boxed-photos.ts";

const root = temporaryFolder();
const { images, annotations } = await writeImageNet(root);
const first = "n01440764/n01440764_1.JPEG";

test("XML files, a table and COCO's JSON give the same box", async () => {
  const [table, coco] = [join(root, "boxes.csv"), join(root, "boxes.json")];
  writeFileSync(table, `file,class,left,top,width,height\n${first},n01440764,10,5,30,20\n`);
  writeFileSync(
    coco,
    JSON.stringify({
      images: [{ id: 1, file_name: first, width: 60, height: 50 }],
      categories: [{ id: 3, name: "n01440764" }],
      annotations: [{ id: 7, image_id: 1, category_id: 3, bbox: [10, 5, 30, 20], area: 600, iscrowd: 0 }],
    }),
  );
  for (const boxes of [annotations, table, coco]) {
    const { photos } = await openBoxedPhotos({ images, boxes });
    const { file, className, width, height, boxes: found } = photos[0]!;
    expect({ file, className, width, height }, boxes).toEqual({
      file: first,
      className: "n01440764",
      width: 60,
      height: 50,
    });
    expect(found, boxes).toEqual([{ left: 10, top: 5, width: 30, height: 20 }]);
  }
});

test("scores of boxes from XML files, by hand", async () => {
  const { photos } = await openBoxedPhotos({ images, boxes: annotations });
  const { classes } = await measureDataBias(photos.map((photo) => ({ ...photo, describe: photo.file })));
  // Centres at 25/60 and 26/61 across and 15/50 down: the distance down, 0.2, is the larger; areas 600 of 60·50 and 61·50.
  expect(classes.map(({ images, objects }) => [images, objects])).toEqual([
    [2, 2],
    [2, 2],
  ]);
  expect(classes[0]!.centre).toBeCloseTo(0.8, 12);
  expect(classes[0]!.size).toBeCloseTo((600 / 3000 + 600 / 3050) / 2, 12);
});

test("of XML files only those of the classes asked for are read, and of those called alike all", async () => {
  const words = join(root, "words.txt");
  writeFileSync(words, "n01440764 crane, a bird\nn02085620 tench\n");
  const read = async (titles: string[]) =>
    (await openBoxedPhotos({ images, boxes: annotations, synsets: words, titles })).classNames;
  expect(await read(["tench"])).toEqual(["n02085620"]);
  expect(await read(["crane"])).toEqual(["n01440764"]);
  // Nothing is called trench: all are read, for a message that says what there is.
  expect(await read(["tench", "trench"])).toEqual(["n01440764", "n02085620"]);
  writeFileSync(words, "n01440764 crane, a bird\nn02085620 crane, a machine\n");
  expect(await read(["crane (n01440764)"])).toEqual(["n01440764", "n02085620"]);
  const table = join(root, "boxes.csv");
  await expect(openBoxedPhotos({ images, boxes: table, skipBroken: true })).rejects.toThrow("skipBroken");
});

test("what is no file of boxes is refused", async () => {
  await expect(openBoxedPhotos({ images, boxes: join(root, "none.csv") })).rejects.toThrow(
    "there are no such boxes",
  );
  await expect(openBoxedPhotos({ images, boxes: join(images, first) })).rejects.toThrow("no file of boxes");
});

test("classes that are called alike keep their own names", () => {
  const words: Record<string, string> = { n1: "crane", n2: "crane", n3: "tench" };
  const titles = classTitles(["n1", "n2", "n3"], (name) => words[name]!);
  expect([...titles.values()]).toEqual(["crane (n1)", "crane (n2)", "tench"]);
});
