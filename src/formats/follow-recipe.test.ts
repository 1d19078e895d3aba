import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import type { Dataset, ImageSet } from "../core/dataset.ts";
import { datasets } from "../datasets/index.ts";
import { inSplitOrder, sizedImages, subset } from "../images/change-dataset.ts";
import { type Recipe, recipeOf } from "../images/recipe.ts";
import { followRecipe } from "./follow-recipe.ts";
import { formats } from "./index.ts";
import { openDataset } from "./open-dataset.ts";
import { watermarked } from "./watermark-dataset.ts";
import { writeDataset } from "./write-dataset.ts";

const root = temporaryFolder();
let digits: Dataset;

beforeAll(async () => {
  digits = await datasets.get("colored-mnist").build({ trainPerEnvironment: 20 }, 3);
});

const marked = (dataset: Dataset) =>
  watermarked(dataset, { watermark: undefined, alpha: 128, classes: [], probability: 0.5, seed: 5 });

async function pixelsOf(images: ImageSet): Promise<string[]> {
  const found: string[] = [];
  for (let i = 0; i < images.count; i++) {
    const { data, height, width, channels } = await images.pixels(i);
    found.push(`${height} ${width} ${channels} ${Buffer.from(data).toString("base64")}`);
  }
  await images.close?.();
  return found;
}

/** As a process is sent it, which shares no memory. */
const sent = (recipe: Recipe) => deserialize(serialize(recipe)) as Recipe;

async function expectFollowed({ images }: Dataset, kinds: string): Promise<void> {
  const recipe = recipeOf(images)!;
  expect(kindsOf(recipe).join(" of ")).toBe(kinds);
  const { images: followed } = await followRecipe(sent(recipe));
  expect(followed.shape).toEqual(images.shape);
  expect(await pixelsOf(followed)).toEqual(await pixelsOf(images));
}

const kindsOf = (recipe: Recipe): string[] => [recipe.kind, ...("of" in recipe ? kindsOf(recipe.of) : [])];

test("images made by name", () => expectFollowed(digits, "made"));

test("some of them, in another order, and some twice", async () => {
  const few = subset(digits, [70, 3, 3, 12]);
  await expectFollowed(few, "some of made");
  await expectFollowed(subset(few, [3, 0]), "some of some of made");
});

test("changed by their own index, before and after others are left out", async () => {
  await expectFollowed(subset(marked(digits), [5, 70, 1]), "some of changed of made");
  await expectFollowed(marked(subset(digits, [5, 70, 1])), "changed of some of made");
});

test.each(["folder", "parquet", "webdataset", "npz"])(
  "stored as %s, from wherever it is opened",
  async (name) => {
    const format = formats.get(name);
    const out = join(root, name);
    await writeDataset(digits, { out, format, encoding: format.encodings[0]!, workers: 0, force: false });
    await expectFollowed((await openDataset(out)).dataset, "stored");
    const { dataset } = await openDataset(out);
    await expectFollowed(subset(dataset, [1, 0]), "some of stored");
  },
);

test("people's own, whose images are ordered by split and of a size that a survey found", async () => {
  const out = join(root, "folder");
  const table = join(out, "mine.csv");
  const [header, ...rows] = readFileSync(join(out, "metadata.csv"), "utf8").trim().split("\n");
  writeFileSync(table, [header, ...rows.reverse()].join("\n"));
  const { dataset } = await openDataset(table, { label: "color", cues: ["y"] });
  expect([...dataset.splits.values]).toEqual([...digits.splits.values]);
  expect(recipeOf(dataset.images)).toEqual({
    kind: "stored",
    path: table,
    mapping: { label: "color", cues: ["y"] },
  });
  const images = sizedImages(dataset.images, digits.images.shape);
  await expectFollowed({ ...dataset, images }, "sized of stored");
});

test("stored data that has changed meanwhile is refused", async () => {
  const { images } = (await openDataset(join(root, "npz"))).dataset;
  const recipe = recipeOf(images)!;
  await images.close?.();
  const other = { ...recipe, hash: "sha256:0" } as Recipe;
  await expect(followRecipe(other)).rejects.toThrow(
    /another one than when it was opened first[\s\S]*sha256:0/,
  );
});

test("pixels of one's own have no recipe, nor has what is made of them", () => {
  const { images } = digits;
  const spread = { ...digits, images: { ...images, pixels: (index: number) => images.pixels(index) } };
  expect(recipeOf({ ...images })).toBe(recipeOf(images));
  expect(recipeOf(spread.images)).toBeUndefined();
  expect(recipeOf(subset(spread, [1, 2]).images)).toBeUndefined();
  expect(recipeOf(marked(spread).images)).toBeUndefined();
});

test("masks and boxes have recipes of their own", async () => {
  const few = { count: { train: 8, val: 8, test: 8 }, backgrounds: { train: 2, val: 1, test: 1 } };
  const cars = await datasets.get("urban-cars").build({ size: 64, ...few }, 3);
  const { mask } = subset(cars, [4, 2]).sideImages!;
  const { sideImages } = await followRecipe(recipeOf(mask!)!);
  expect((await sideImages!.mask!.pixels(0)).data).toEqual((await cars.sideImages!.mask!.pixels(4)).data);
  const wrapped = { ...mask!, pixels: (index: number) => mask!.pixels(1 - index) };
  expect(recipeOf(wrapped)).toBeUndefined();
});

test("a subset takes along what belongs to its images, and refuses images that are not there", () => {
  const few = subset(digits, [70, 0, 30]);
  expect([...few.labels]).toEqual([70, 0, 30].map((i) => digits.labels[i]));
  expect([...few.attributes.color!.values]).toEqual(
    [70, 0, 30].map((i) => digits.attributes.color!.values[i]),
  );
  expect([...few.splits.values]).toEqual([70, 0, 30].map((i) => digits.splits.values[i]));
  const ordered = inSplitOrder(few);
  expect(ordered.images.describe(0)).toBe(digits.images.describe(0));
  expect(inSplitOrder(ordered)).toBe(ordered);
  for (const [index, shown] of [
    [75, "75"],
    [-1, "-1"],
    [1.5, "1.5"],
  ] as const) {
    expect(() => subset(digits, [0, index])).toThrow(`got: ${shown}`);
  }
});
