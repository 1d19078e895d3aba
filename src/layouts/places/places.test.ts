import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { photo, writeAt, writePlaces } from "../../../test/helpers/photos.ts";
import { countryPlaces, readPlaces, urbanPlaces } from "./index.ts";

const root = temporaryFolder();
let made = 0;
const fresh = () => join(root, String(made++));

test("images of the categories asked for, of train and val, in their order", async () => {
  const folder = await writePlaces(fresh(), [...urbanPlaces, ...countryPlaces, "street"], 2);
  const source = await readPlaces({ folder, categories: urbanPlaces });
  expect(Array.from({ length: source.count }, (_, i) => source.category(i))).toEqual(
    urbanPlaces.flatMap((name) => [name, name]),
  );
  expect(source.describe(1)).toMatch(/val.alley.Places365_val_00000002\.jpg$/);
  const pixels = await source.pixels(8, 32);
  expect([pixels.width, pixels.height, pixels.channels]).toEqual([32, 32, 3]);
  // The red that the helper gives to the fifth category; JPEG changes it by a unit or two.
  expect(Math.abs(pixels.data[0]! - 100)).toBeLessThan(4);
  expect((await readPlaces({ folder, categories: countryPlaces })).count).toBe(6);
});

test("the older layout: a folder a letter, and garage/outdoor", async () => {
  const folder = fresh();
  const image = await photo(40, 30, { left: 0, top: 0, width: 40, height: 30 }, [9, 90, 9]);
  writeAt(folder, "places365/data_256/a/alley/00000001.jpg", image);
  writeAt(folder, "places365/data_256/g/garage/outdoor/00000001.jpg", image);
  writeAt(folder, "places365/data_256/g/garage/indoor/00000001.jpg", image);
  writeAt(folder, "places365/data_256/d/desert_road/00000001.jpg", image);
  writeAt(folder, "places365/data_256/d/desert/sand/00000001.jpg", image);
  const source = await readPlaces({ folder, categories: ["garage-outdoor", "alley", "desert_road"] });
  expect(Array.from({ length: source.count }, (_, i) => source.describe(i).slice(folder.length + 1))).toEqual(
    [
      join("places365/data_256/g/garage/outdoor/00000001.jpg"),
      join("places365/data_256/a/alley/00000001.jpg"),
      join("places365/data_256/d/desert_road/00000001.jpg"),
    ],
  );
});

test("lists in the form that UrbanCars' authors published", async () => {
  const folder = await writePlaces(fresh(), ["alley", "downtown"]);
  const lists = fresh();
  writeAt(lists, "train/alley.txt", "Places365_train_00000002.jpg\n");
  writeAt(lists, "train/downtown.txt", "Places365_train_00000001.jpg\n");
  writeAt(lists, "train/street.txt", "Places365_train_00000009.jpg\n");
  const source = await readPlaces({ folder, categories: ["alley", "downtown"], keep: lists });
  expect(source.count).toBe(2);
  expect(source.describe(0)).toMatch(/train.alley.Places365_train_00000002\.jpg$/);
  expect(source.describe(1)).toMatch(/train.downtown.Places365_train_00000001\.jpg$/);
  const rest = await readPlaces({ folder, categories: ["alley", "downtown"], exclude: lists });
  expect(rest.count).toBe(4);
  writeAt(lists, "train/alley.txt", "Places365_train_00000007.jpg\n");
  await expect(readPlaces({ folder, categories: ["alley"], keep: lists })).rejects.toThrow(
    /no such photo[\s\S]*alley\.txt, line 1/,
  );
});

test("what is missing or damaged is named", async () => {
  const folder = await writePlaces(fresh(), ["alley"], 1);
  await expect(readPlaces({ folder, categories: ["alley", "valley"] })).rejects.toThrow(
    /no folder of the category "valley"[\s\S]*did you mean "alley"/,
  );
  await expect(readPlaces({ folder: join(folder, "none"), categories: ["alley"] })).rejects.toThrow(
    /no such folder[\s\S]*none/,
  );
  mkdirSync(join(folder, "train/downtown"), { recursive: true });
  await expect(readPlaces({ folder, categories: ["downtown"] })).rejects.toThrow(
    /"downtown" has no images[\s\S]*train.downtown/,
  );
  const file = join(folder, "val/alley/Places365_val_00000001.jpg");
  const source = await readPlaces({ folder, categories: ["alley"] });
  writeFileSync(file, readFileSync(file).subarray(0, 300));
  await expect(source.pixels(0, 16)).rejects.toThrow(
    /photo cannot be read[\s\S]*Places365_val_00000001\.jpg/,
  );
  renameSync(file, `${file}.old`);
  await expect(source.pixels(0, 16)).rejects.toThrow(/photo is missing/);
});
