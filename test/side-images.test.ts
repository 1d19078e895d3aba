/** Pictures and boxes that go with each image, through every format. */

import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { pixelDigest } from "../src/core/content-hash.ts";
import type { Dataset } from "../src/core/dataset.ts";
import { datasets } from "../src/datasets/index.ts";
import { checkDataset } from "../src/formats/check-dataset.ts";
import { convertDataset } from "../src/formats/convert-dataset.ts";
import { formats } from "../src/formats/index.ts";
import type { Manifest } from "../src/formats/manifest.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { writeDataset } from "../src/formats/write-dataset.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const options = { force: false, workers: 0 };
let source: Dataset;
const written = new Map<string, { out: string; manifest: Manifest }>();

beforeAll(async () => {
  source = await datasets.get("urban-cars").build(
    {
      size: 64,
      count: { train: 24, val: 8, test: 8 },
      backgrounds: { train: 2, val: 1, test: 1 },
    },
    3,
  );
  const format = formats.get("folder");
  const out = join(root, "folder");
  written.set("folder", {
    out,
    manifest: await writeDataset(source, { ...options, out, format, encoding: "png" }),
  });
  for (const to of formats.names) {
    if (to === "folder") continue;
    const conversion = { ...options, to, out: join(root, to), skipBroken: false, mapping: {} };
    written.set(to, { out: conversion.out, manifest: await convertDataset(out, conversion) });
  }
});

const check = (path: string) => checkDataset(path, { mapping: {}, workers: 0 });

describe.each(formats.names)("%s", (format) => {
  test("masks, backgrounds and boxes come back as they went in", async () => {
    const { dataset } = await openDataset(written.get(format)!.out);
    expect(Object.keys(dataset.sideImages!)).toEqual(["mask", "co_occur_obj_mask", "bg_only"]);
    for (const index of [0, 23, 24, 39]) {
      for (const [name, side] of Object.entries(source.sideImages!)) {
        const [got, expected] = [await dataset.sideImages![name]!.pixels(index), await side.pixels(index)];
        expect(pixelDigest(got), name).toEqual(pixelDigest(expected));
      }
      for (const thing of ["car", "coObject"]) {
        expect(await dataset.boxes![thing]!.at(index)).toEqual(await source.boxes![thing]!.at(index));
      }
    }
    await dataset.images.close?.();
  });

  test("the check finds them sound, and notices a mask or a box that was changed", async () => {
    const { out } = written.get(format)!;
    expect((await check(out)).problems).toEqual([]);
    const changed = join(root, `${format}-changed`);
    cpSync(out, changed, { recursive: true });
    const masks = readdirSync(changed, { recursive: true, encoding: "utf8" })
      .filter(
        (name) => /(^|[/_])mask/.test(name) && !name.includes("co_occur_obj_mask") && name.endsWith(".png"),
      )
      .sort();
    expect(masks).toHaveLength(40);
    writeFileSync(join(changed, masks[0]!), readFileSync(join(changed, masks[1]!)));
    const boxes = readFileSync(join(changed, "boxes.csv"), "utf8");
    writeFileSync(join(changed, "boxes.csv"), boxes.replace(/\n0,train,0,car,(\d+)/, "\n0,train,0,car,1"));
    expect((await check(changed)).problems).toEqual([
      'side images "mask" are not what dataset.json says',
      "boxes.csv has changed since it was written",
    ]);
  });
});

test("every format gives the same digests, and they are no part of the content hash", async () => {
  const all = [...written.values()].map(({ manifest }) => manifest);
  for (const { sideImages, boxes } of all) {
    expect(sideImages).toEqual(all[0]!.sideImages);
    expect(boxes).toEqual(all[0]!.boxes);
  }
  const format = formats.get("npz");
  const bare = await writeDataset(source, {
    ...options,
    out: join(root, "bare"),
    format,
    encoding: "raw",
    sideImages: false,
  });
  expect(bare.sideImages).toBeUndefined();
  expect(readdirSync(join(root, "bare"))).not.toContain("sides");
  expect(bare.hash).toBe(written.get("npz")!.manifest.hash);
});

test("an image with a broken mask can be left out, and the others keep theirs", async () => {
  const path = join(root, "broken");
  cpSync(written.get("folder")!.out, path, { recursive: true });
  writeFileSync(join(path, "sides/mask/train/000005.png"), "no image");
  expect((await check(path)).problems[0]).toMatch(/1 of 40 images cannot be read/);
  const conversion = { ...options, to: "parquet", mapping: {} };
  await expect(
    convertDataset(path, { ...conversion, out: join(root, "stopped"), skipBroken: false }),
  ).rejects.toThrow(/000005/);
  const kept = await convertDataset(path, { ...conversion, out: join(root, "kept"), skipBroken: true });
  expect(kept.skipped).toHaveLength(1);
  const { dataset } = await openDataset(join(root, "kept"));
  expect(dataset.images.count).toBe(39);
  expect(await dataset.boxes!.car!.at(5)).toEqual(await source.boxes!.car!.at(6));
  const [got, expected] = [
    await dataset.sideImages!.mask!.pixels(38),
    await source.sideImages!.mask!.pixels(39),
  ];
  expect(pixelDigest(got)).toEqual(pixelDigest(expected));
});

test("the card and Croissant tell of them, and Hugging Face's patterns do not reach them", () => {
  const { out } = written.get("folder")!;
  const card = readFileSync(join(out, "README.md"), "utf8");
  expect(card).toContain("sides/co_occur_obj_mask/<split>/<position>.png");
  expect(card).toContain("boxes.csv");
  expect(card.match(/path: "(.*)"/g)).toEqual(['path: "train/**"', 'path: "val/**"', 'path: "test/**"']);
  const { distribution, recordSet } = JSON.parse(readFileSync(join(out, "croissant.json"), "utf8")) as {
    distribution: { "@id": string }[];
    recordSet: { "@id": string }[];
  };
  expect(distribution.map((part) => part["@id"])).toEqual(
    expect.arrayContaining(["sides/mask", "sides/co_occur_obj_mask", "sides/bg_only", "boxes.csv"]),
  );
  expect(recordSet.map((part) => part["@id"])).toEqual(["records", "boxes"]);
});

describe("the authors' layout", () => {
  const base = () => join(written.get("urban-cars")!.out, "urbancars");

  test("has their folders and files, even for empty groups", () => {
    const list = (path: string) => readdirSync(join(base(), path)).sort();
    expect(list("")).toEqual(["bg-0.5_co_occur_obj-0.5", "bg-0.95_co_occur_obj-0.95"]);
    expect(list("bg-0.5_co_occur_obj-0.5")).toEqual(["test", "val"]);
    const train = "bg-0.95_co_occur_obj-0.95/train";
    // The 2 × 2 × 2 names that their loader asserts, written out.
    expect(list(train)).toEqual([
      "obj-country_bg-country_co_occur_obj-country",
      "obj-country_bg-country_co_occur_obj-urban",
      "obj-country_bg-urban_co_occur_obj-country",
      "obj-country_bg-urban_co_occur_obj-urban",
      "obj-urban_bg-country_co_occur_obj-country",
      "obj-urban_bg-country_co_occur_obj-urban",
      "obj-urban_bg-urban_co_occur_obj-country",
      "obj-urban_bg-urban_co_occur_obj-urban",
    ]);
    expect(list(`${train}/obj-urban_bg-country_co_occur_obj-country`)).toEqual([]);
    expect(list(`${train}/obj-country_bg-country_co_occur_obj-country`).slice(0, 5)).toEqual([
      "000.jpg",
      "000_bg_only.png",
      "000_co_occur_obj_mask.png",
      "000_mask.png",
      "001.jpg",
    ]);
  });

  test.each(["", "urbancars"])("is read without our dataset.json, from the folder %j", async (from) => {
    const foreign = join(root, `foreign-${from}`);
    cpSync(base(), join(foreign, "urbancars"), { recursive: true });
    const { dataset, format, warnings } = await openDataset(join(foreign, from));
    expect(format).toBe("urban-cars");
    expect(warnings).toEqual([]);
    expect(dataset.classNames).toEqual(["urban", "country"]);
    expect(dataset.attributes.background!.valueNames).toEqual(["urban", "country"]);
    expect(groupsOf(dataset)).toEqual(groupsOf(source));
    const index = dataset.labels.indexOf(1);
    expect(dataset.images.describe(index)).toMatch(
      /train\/obj-country_bg-country_co_occur_obj-country\/000\.jpg$/,
    );
    const mask = await dataset.sideImages!.mask!.pixels(index);
    expect({ ...mask, data: mask.data.length }).toEqual({ height: 64, width: 64, channels: 1, data: 4096 });
  });

  test("is read by its folders where our table lies beside them, unless the table is asked for", async () => {
    const foreign = join(root, "foreign-with-table");
    cpSync(join(base(), ".."), foreign, { recursive: true });
    rmSync(join(foreign, "dataset.json"));
    expect(existsSync(join(foreign, "metadata.csv"))).toBe(true);
    const { dataset, format } = await openDataset(foreign);
    expect([format, dataset.classNames]).toEqual(["urban-cars", ["urban", "country"]]);
    expect((await openDataset(join(foreign, "metadata.csv"))).format).toBe("table");
  });

  test("backgrounds of training images only are left out, and it is said", async () => {
    const foreign = join(root, "foreign-train-only");
    cpSync(base(), join(foreign, "urbancars"), { recursive: true });
    const test = join(foreign, "urbancars/bg-0.5_co_occur_obj-0.5");
    for (const name of readdirSync(test, { recursive: true, encoding: "utf8" })) {
      if (name.endsWith("_bg_only.png")) rmSync(join(test, name));
    }
    const { dataset, warnings } = await openDataset(foreign);
    expect(Object.keys(dataset.sideImages!)).toEqual(["mask", "co_occur_obj_mask"]);
    expect(warnings).toEqual(["only 24 of 40 images have a _bg_only.png: left out"]);
  });

  test("refuses what it cannot hold", async () => {
    const other = { ...source, name: "birds", classNames: ["landbird", "waterbird"] };
    const format = formats.get("urban-cars");
    await expect(
      writeDataset(other, { ...options, out: join(root, "no"), format, encoding: "jpeg" }),
    ).rejects.toThrow(/cannot hold "birds"/);
  });
});

/** Images of each split, class, background and co-occurring object. */
function groupsOf({ splits, labels, attributes }: Dataset): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let i = 0; i < labels.length; i++) {
    const { background, coObject } = attributes;
    const group = [splits.values[i], labels[i], background!.values[i], coObject!.values[i]].join();
    counts[group] = (counts[group] ?? 0) + 1;
  }
  return counts;
}
