import { expect, test } from "vitest";
import { z } from "zod";
import { type Dataset, standardSplits } from "../core/dataset.ts";
import { describeSettings, parseAssignments, resolveSettings } from "../core/settings.ts";
import { addWatermark, contentOf, imageNetW } from "../images/watermark/watermark.ts";
import { watermarkSettings, withWatermark } from "./watermark-shortcut.ts";

const settings = z.object(watermarkSettings);
const perSplit = 4000;
const shape = { height: 64, width: 64, channels: 3 };

/** Grey images of two classes in turn. */
function world(): Dataset {
  const count = 3 * perSplit;
  return {
    name: "world",
    images: {
      count,
      shape,
      describe: String,
      pixels: (index) => ({ data: new Uint8Array(64 * 64 * 3).fill(index % 200), ...shape }),
    },
    labels: Uint16Array.from({ length: count }, (_, i) => i % 2),
    classNames: ["crate", "carton"],
    attributes: {},
    splits: {
      names: standardSplits,
      values: Uint8Array.from({ length: count }, (_, i) => Math.floor(i / perSplit)),
    },
    provenance: {
      title: "World",
      description: "Grey.",
      generator: { name: "world", version: 1 },
      settings: {},
      seed: 0,
      sources: [],
      license: "none",
      skipped: [],
    },
  };
}

const make = (assignments: string[], seed = 0) =>
  withWatermark(world(), resolveSettings(settings, parseAssignments(settings, assignments)), seed);

/** Share of a split's images of a class that are marked. */
function share({ attributes, labels }: Dataset, split: number, label: number): number {
  const { values } = attributes.watermark!;
  const own = [...values].filter((_, i) => labels[i] === label && Math.floor(i / perSplit) === split);
  return own.reduce((sum, value) => sum + value, 0) / own.length;
}

// Four standard deviations of a share of 2000 draws.
const tolerance = (p: number) => 4 * Math.sqrt((p * (1 - p)) / (perSplit / 2));

test("the marked class has it in training, the others hardly, and testing has it on half of every class", () => {
  const dataset = make(["watermarkClass=carton", "pWatermark=0.9", "pWatermarkOther=0.05"]);
  expect(Math.abs(share(dataset, 0, 1) - 0.9)).toBeLessThan(tolerance(0.9));
  expect(Math.abs(share(dataset, 0, 0) - 0.05)).toBeLessThan(tolerance(0.05));
  for (const [split, label] of [
    [1, 0],
    [1, 1],
    [2, 0],
    [2, 1],
  ] as const) {
    expect(Math.abs(share(dataset, split, label) - 0.5)).toBeLessThan(tolerance(0.5));
  }
  expect(dataset.attributes.watermark!.classValues).toEqual([0, 1]);
});

test("left alone, 95% of the class and none of the others have it", () => {
  const dataset = make(["watermarkClass=carton"]);
  expect(Math.abs(share(dataset, 0, 1) - 0.95)).toBeLessThan(tolerance(0.95));
  expect(share(dataset, 0, 0)).toBe(0);
  expect(make(["watermarkClass=carton"]).attributes).toEqual(dataset.attributes);
  expect(make(["watermarkClass=carton"], 1).attributes).not.toEqual(dataset.attributes);
});

test("images carry what the attribute says", async () => {
  const [plain, dataset] = [world(), make(["watermarkClass=carton"])];
  for (let i = 0; i < 40; i++) {
    const original = await plain.images.pixels(i);
    const expected =
      dataset.attributes.watermark!.values[i] === 1 ? addWatermark(original, imageNetW) : original;
    const { data } = await dataset.images.pixels(i);
    expect(Buffer.compare(data, expected.data)).toBe(0);
  }
  expect(new Set(dataset.attributes.watermark!.values.subarray(0, 40)).size).toBe(2);
});

test("without a class the dataset is what it was, and settings that need one are refused", () => {
  const plain = world();
  expect(withWatermark(plain, {}, 0)).toBe(plain);
  expect(() => make(["pWatermark=0.5"])).toThrow(/no effect without a class/);
  expect(() => make(["watermarkClass=cartoon"])).toThrow(/no class "cartoon"(.|\n)*did you mean "carton"/);
});

test("validation and test images are out of distribution unless marks are as frequent there as in training", () => {
  const shifted = (...more: string[]) => make(["watermarkClass=carton", ...more]).provenance.shiftedSplits;
  expect(shifted()).toEqual(["val", "test"]);
  expect(shifted("pWatermark=0.5")).toEqual(["val", "test"]);
  expect(shifted("pWatermark=0.5", "pWatermarkOther=0.5")).toBeUndefined();
  const plain = world();
  const before: Dataset = { ...plain, provenance: { ...plain.provenance, shiftedSplits: ["test"] } };
  const even = { watermarkClass: "carton", pWatermark: 0.5, pWatermarkOther: 0.5 };
  expect(withWatermark(before, even, 0).provenance.shiftedSplits).toEqual(["test"]);
  expect(withWatermark(before, { watermarkClass: "carton" }, 0).provenance.shiftedSplits).toEqual([
    "val",
    "test",
  ]);
});

test("help pages say what each setting does", () => {
  expect(describeSettings(settings).every(({ description }) => description.length > 20)).toBe(true);
});

test("varied marks in training, one text that training never shows in testing", async () => {
  const dataset = make(["watermarkClass=carton", "watermarkMarks=varied", "watermarkTestMarks=korean"]);
  const plain = world();
  const { values } = dataset.attributes.watermark!;
  const marked = [...values.keys()].filter((i) => values[i] === 1);
  const inkOf = async (i: number) => {
    const [before, after] = [await plain.images.pixels(i), await dataset.images.pixels(i)];
    return after.data.map((value, at) => (value === before.data[at] ? 0 : 1));
  };
  // In training no two of the first marks cover the same pixels; in testing all do.
  const training = await Promise.all(marked.slice(0, 12).map(inkOf));
  expect(new Set(training.map((ink) => ink.join(""))).size).toBe(12);
  for (const i of marked.slice(-3)) {
    const expected = addWatermark(await plain.images.pixels(i), { ...imageNetW, ...contentOf("korean") });
    expect((await dataset.images.pixels(i)).data).toEqual(expected.data);
  }
  // Made by index alone: asked for again, the same.
  expect(await inkOf(marked[3]!)).toEqual(training[3]);
  // Which images are marked does not depend on what with.
  expect(values).toEqual(make(["watermarkClass=carton"]).attributes.watermark!.values);
  expect(dataset.provenance.sources.map(({ name }) => name).length).toBe(4);
});

test("what marks look like has no effect without a class to mark", () => {
  expect(() => make(["watermarkMarks=varied"])).toThrow(/watermarkMarks has no effect/);
});
