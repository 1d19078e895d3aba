/** Watermarked copies of datasets: as people make them, and in place. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Dataset, Pixels } from "../src/core/dataset.ts";
import { datasets } from "../src/datasets/index.ts";
import { checkDataset } from "../src/formats/check-dataset.ts";
import { formats } from "../src/formats/index.ts";
import type { Manifest } from "../src/formats/manifest.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { type WatermarkChoice, watermarked, writeWatermarked } from "../src/formats/watermark-dataset.ts";
import { decodeImage } from "../src/images/codec.ts";
import { encodePng } from "../src/images/png.ts";
import { contentNames, contents } from "../src/images/watermark/contents.ts";
import { addWatermark, imageNetW } from "../src/images/watermark/watermark.ts";
import { namedDataset } from "../src/training/named-data.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere } from "./helpers/in-process.ts";

const root = temporaryFolder();

const everywhere: WatermarkChoice = {
  watermark: imageNetW,
  alpha: imageNetW.alpha,
  classes: [],
  probability: 1,
  seed: 0,
};

/** Flat images of these greys in folders of two classes, a third of them without colours. */
function photographs(folder: string, greys: readonly number[], height = 300, width = 410): string {
  greys.forEach((grey, i) => {
    const channels = i % 3 === 2 ? 1 : 3;
    const data = new Uint8Array(height * width * channels).fill(grey);
    const place = join(root, folder, i % 4 === 3 ? "test" : "train", i % 2 === 0 ? "crate" : "carton");
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `${i}.png`), encodePng({ data, height, width, channels }));
  });
  return join(root, folder);
}

const write = (dataset: Dataset, choice: WatermarkChoice, out: string, format = "folder") =>
  writeWatermarked(dataset, choice, {
    out: join(root, out),
    format: formats.get(format),
    skipBroken: false,
    force: false,
    workers: 0,
  });

const same = (a: Pixels, b: Pixels) => Buffer.compare(a.data, b.data) === 0 && a.channels === b.channels;

test("the command makes ImageNet-W of a folder: resized, cropped, watermarked, the same for any number of workers", async () => {
  const folder = photographs("photographs", [60, 60, 60, 120, 180, 240]);
  const out = join(root, "imagenet-w");
  const args = [
    "data",
    "watermark",
    folder,
    "--resize",
    "256",
    "--crop",
    "224",
    "--workers",
    "2",
    "--out",
    out,
  ];
  const manifest = await jsonHere<Manifest & { marked: number }>(args);
  expect(manifest).toMatchObject({ count: 6, marked: 6, image: { height: 224, width: 224, channels: 3 } });
  // A file without colours, of grey 60, as the test of the watermark itself expects it: Pillow's box, and 158 inside of strokes.
  const image = await decodeImage(readFileSync(join(out, "train", "000003.png")));
  const flat = { data: new Uint8Array(224 * 224 * 3).fill(60), height: 224, width: 224, channels: 3 };
  expect(same(image, addWatermark(flat, imageNetW))).toBe(true);
  const { dataset } = await openDataset(folder);
  const here = await write(dataset, { ...everywhere, resize: 256, crop: 224 }, "in-place", "npz");
  expect(here.manifest.hash).toBe(manifest.hash);
  expect(here.manifest.settings).toMatchObject({
    text: "捷径捷径捷径",
    x: 0.01,
    y: 0.4,
    alpha: 128,
    crop: 224,
  });
  const checked = await checkDataset(out, { mapping: {}, workers: 0 });
  expect(checked.problems).toEqual([]);
});

test("labels, attributes and splits stay; the new cue says which images are marked", async () => {
  const definition = datasets.get("biased-mnist");
  const original = await definition.build({ count: { train: 40, val: 10, test: 10 } }, 3);
  const choice = { ...everywhere, classes: ["3", "7"], probability: 0.5, seed: 4 };
  const { manifest, marked } = await write(original, choice, "digits", "parquet");
  const { dataset } = await openDataset(join(root, "digits"));
  expect([...dataset.labels]).toEqual([...original.labels]);
  expect([...dataset.splits.values]).toEqual([...original.splits.values]);
  for (const [name, { values }] of Object.entries(original.attributes)) {
    expect([...dataset.attributes[name]!.values], name).toEqual([...values]);
  }
  const { values, classValues, role } = dataset.attributes.watermark!;
  expect({ role, classValues }).toEqual({ role: "cue", classValues: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0] });
  const candidates = original.labels.filter((label) => label === 3 || label === 7).length;
  expect(marked).toBeGreaterThan(0);
  expect(marked).toBeLessThan(candidates);
  for (let i = 0; i < original.images.count; i++) {
    const before = await original.images.pixels(i);
    const expected = values[i] === 1 ? addWatermark(before, imageNetW) : before;
    expect(same(await dataset.images.pixels(i), expected), `image ${i}`).toBe(true);
    if (values[i] === 1) expect([3, 7]).toContain(original.labels[i]);
  }
  expect(manifest.name).toBe("biased-mnist-watermark");
  expect(() => watermarked(dataset, everywhere)).toThrow(/has an attribute "watermark" already/);
});

test("random watermarks follow the seed", async () => {
  const { dataset } = await openDataset(photographs("plain", [60, 60, 60, 60], 96, 96));
  const random = (seed: number) => watermarked(dataset, { ...everywhere, watermark: undefined, seed });
  const [first, again, other] = [random(1), random(1), random(2)];
  for (let i = 0; i < 4; i++) {
    const image = await first.images.pixels(i);
    expect(same(image, await again.images.pixels(i))).toBe(true);
    expect(same(image, await other.images.pixels(i))).toBe(false);
  }
});

test("an image that cannot carry it is named, and so is what to do", async () => {
  const { dataset } = await openDataset(photographs("tiny", [60, 60], 20, 300));
  await expect(write(dataset, everywhere, "never")).rejects.toThrow(/too small(.|\n)*300 × 20/);
  const { dataset: small } = await openDataset(photographs("small", [60, 60], 200, 200));
  await expect(write(small, { ...everywhere, crop: 224 }, "never")).rejects.toThrow(
    /smaller than what is to be cut out(.|\n)*small\/train\/carton\/1.png(.|\n)*--resize/,
  );
  const large = { ...everywhere, watermark: { ...imageNetW, fontSize: 150 } };
  await expect(write(small, large, "never")).rejects.toThrow(
    /does not fit its image(.|\n)*smaller font size/,
  );
  expect(() => watermarked(small, { ...everywhere, classes: ["cartoon"] })).toThrow(/did you mean "carton"/);
});

test("what is neither a dataset's name nor a path is told as such, with the closest name", async () => {
  const open = (name: string) => namedDataset(name, { set: [] });
  await expect(open("nofolder")).rejects.toThrow(
    /neither a dataset "nofolder" nor such a file or folder[\s\S]*a path, or one of: .*urban-cars/,
  );
  await expect(open("urban-car")).rejects.toThrow(/did you mean "urban-cars"/);
});

test("the documentation has the paper's table as the program has it", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../docs/watermarks.md"), "utf8");
  for (const name of contentNames) {
    const { text, gap, cartonGap } = contents[name];
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\``));
    expect(row, name).toContain(text);
    expect(row).toContain(`−${Math.abs(gap).toFixed(2)} | +${cartonGap} |`);
  }
});
