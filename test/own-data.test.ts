/** Data that people bring: tables, class folders, Hugging Face Parquet, other people's tar and npz files, IDX. */

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { decodeImage } from "../src/core/images/codec.ts";
import { datasets } from "../src/datasets/index.ts";
import { checkDataset } from "../src/formats/check-dataset.ts";
import { convertDataset } from "../src/formats/convert-dataset.ts";
import { formats } from "../src/formats/index.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { writeDataset } from "../src/formats/write-dataset.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();

const check = (path: string, mapping = {}) => checkDataset(path, { mapping, workers: 0 });
const convert = (path: string, to: string, out: string, skipBroken = false) =>
  convertDataset(path, { to, out: join(root, out), skipBroken, mapping: {}, force: false, workers: 0 });

/** Files at the given paths; a text is a file's content, a number a distinct small JPEG or PNG. */
async function files(folder: string, contents: Record<string, string | number | Buffer>): Promise<string> {
  const base = join(root, folder);
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    if (typeof content !== "number") {
      writeFileSync(join(base, name), content);
      continue;
    }
    const picture = sharp({
      create: {
        width: 12,
        height: 10,
        channels: 3,
        background: { r: content * 20, g: 255 - content * 20, b: 90 },
      },
    });
    writeFileSync(join(base, name), await (name.endsWith("png") ? picture.png() : picture.jpeg()).toBuffer());
  }
  return base;
}

/** Waterbirds' layout: place 0 and 1 are land and water, split 0, 1, 2. */
function waterbirds(rows = ""): Promise<string> {
  return files(`waterbirds-${Math.random()}`, {
    "001/a.jpg": 1,
    "001/b.jpg": 2,
    "002/c.jpg": 3,
    "002/d.jpg": 4,
    "002/e.jpg": 5,
    "002/f.jpg": 6,
    "metadata.csv":
      "img_id,img_filename,y,split,place,place_filename\n" +
      `1,001/a.jpg,0,0,0,/f/1.jpg\n2,001/b.jpg,0,2,1,/f/2.jpg\n3,002/c.jpg,1,0,1,/f/3.jpg\n4,002/d.jpg,1,1,1,/f/4.jpg\n5,002/e.jpg,1,0,1,/f/5.jpg\n6,002/f.jpg,1,0,0,/f/6.jpg\n${rows}`,
  });
}

test("a table in Waterbirds' form is read as it stands", async () => {
  const report = await check(await waterbirds(), { cues: ["place"] });
  expect(report).toMatchObject({
    ok: true,
    count: 6,
    splits: { train: 4, val: 1, test: 1 },
    format: "table",
  });
  const train = report.cues.find(({ slice }) => slice === "train")!;
  // Training: (y 0, place 0), (1, 1), (1, 1), (1, 0). Three of four have their class's majority place.
  expect(train).toMatchObject({ cue: "place", count: 4, agreement: 0.75, agreementRule: "majority" });
  // χ² of [[1, 0], [1, 2]] is 4·(1·2 − 0·1)²/(1·3·2·2) = 4/3, so V = √(4/3/4) = 0.57735.
  expect(train.cramersV).toBeCloseTo(Math.sqrt(1 / 3), 12);
  expect(report.groups.empty).toEqual([]);
  expect(
    report.groups.groups.find(({ label, values }) => label === "0" && values[0] === "1")!.counts,
  ).toEqual({ train: 0, val: 0, test: 1 });
});

test("without --cue-columns all columns of few values count, and the others are named", async () => {
  const report = await check(await waterbirds());
  expect(report.cues.map(({ cue }) => cue)).toContain("place");
});

test("columns may have any names", async () => {
  const base = await files("names", {
    "x/1.png": 1,
    "x/2.png": 2,
    "metadata.csv": "where,bird,part,sky\nx/1.png,gull,training,blue\nx/2.png,tern,validation,grey\n",
  });
  const report = await check(base, { image: "where", label: "bird", split: "part", cues: ["sky"] });
  expect(report).toMatchObject({
    ok: true,
    classNames: ["gull", "tern"],
    splits: { train: 1, val: 1, test: 0 },
  });
  expect(report.warnings.join("\n")).toMatch(/split test is empty[\s\S]*2 of 4 groups are empty/);
});

test.each([
  ["y", { image: "img_fillename" }, /no column "img_fillename"[\s\S]*did you mean "img_filename"/],
  ["y", { label: "bird" }, /no column "bird"[\s\S]*--label-column/],
  ["y", { split: "sqlit" }, /no column "sqlit"[\s\S]*did you mean "split"/],
  ["y", { cues: ["plaice"] }, /no column "plaice"[\s\S]*did you mean "place"/],
])("a wrong column name is answered with the right one (%s %j)", async (_, mapping, message) => {
  await expect(check(await waterbirds(), mapping)).rejects.toThrow(message);
});

test("a bad table names the line", async () => {
  await expect(check(await waterbirds("7,002/g.jpg,1\n"))).rejects.toThrow(
    /metadata.csv, line 8[\s\S]*expected: 6 values/,
  );
  await expect(check(await waterbirds('7,"002/g.jpg,1,0,0,x\n'))).rejects.toThrow(/the table cannot be read/);
  await expect(check(await waterbirds("7,001/a.jpg,NaN,0,0,x\n"))).rejects.toThrow(
    /lacks a label[\s\S]*row 7[\s\S]*"NaN"/,
  );
  const empty = await files("empty", { "metadata.csv": "" });
  await expect(check(empty)).rejects.toThrow(/the table is empty/);
  const headerOnly = await files("header", { "metadata.csv": "img_filename,y\n" });
  await expect(check(headerOnly)).rejects.toThrow(/has no rows/);
  const elsewhere = await files("elsewhere", { "metadata.csv": "img_filename,y\nnot/here.png,1\n" });
  await expect(check(elsewhere)).rejects.toThrow(/first image of the table is not there[\s\S]*not\/here.png/);
});

test("folders named by class are read as torchvision does", async () => {
  const base = await files("classes", {
    "train/cat/1.png": 1,
    "train/dog/2.jpg": 2,
    "val/cat/3.png": 3,
    "test/dog/4.png": 4,
    "train/.hidden.png": "x",
  });
  const report = await check(base);
  expect(report).toMatchObject({
    ok: true,
    format: "class-folders",
    classNames: ["cat", "dog"],
    splits: { train: 2, val: 1, test: 1 },
  });
});

test("a folder without anything says what would do", async () => {
  const base = await files("nothing", { "notes.txt": "hello" });
  await expect(check(base)).rejects.toThrow(/no dataset found[\s\S]*metadata.csv/);
  await expect(check(join(root, "missing"))).rejects.toThrow(/no such file or folder/);
});

test("broken images are reported by name, stop a conversion, or are skipped and listed", async () => {
  const good = await sharp({ create: { width: 12, height: 10, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const base = await files("broken", {
    "train/a/1.png": 1,
    "train/a/2.png": good.subarray(0, good.length - 30),
    "train/b/3.jpg": 3,
    "train/b/4.jpg": "this is no image",
    "train/b/5.png": 5,
  });
  const report = await check(base);
  expect(report.ok).toBe(false);
  expect(report.broken.map(({ image }) => image.split("/").at(-1))).toEqual(["2.png", "4.jpg"]);
  expect(report.broken[0]!.reason).toMatch(/truncated/);
  await expect(convert(base, "parquet", "broken-parquet")).rejects.toThrow(
    /cannot be read[\s\S]*2\.png[\s\S]*--skip-broken/,
  );
  const manifest = await convert(base, "parquet", "broken-parquet", true);
  expect(manifest.count).toBe(3);
  expect(manifest.skipped.map(({ image }) => image.split("/").at(-1))).toEqual(["2.png", "4.jpg"]);
  expect(manifest.image).toEqual({ height: 10, width: 12, channels: 3 });
});

test("images of several sizes convert, except to npz", async () => {
  const wide = await sharp({ create: { width: 30, height: 10, channels: 3, background: "blue" } })
    .png()
    .toBuffer();
  const base = await files("sizes", { "a/1.png": 1, "b/2.png": wide });
  expect((await check(base)).imageSizes).toHaveLength(2);
  expect((await convert(base, "webdataset", "sizes-tar")).image).toBeNull();
  expect((await check(join(root, "sizes-tar"))).ok).toBe(true);
  await expect(convert(base, "npz", "sizes-npz")).rejects.toThrow(/images of one size/);
});

test("the same picture in two splits is found", async () => {
  const base = await files("duplicates", {
    "train/a/1.png": 1,
    "train/b/2.png": 2,
    "test/a/3.png": 1,
    "train/a/4.png": 4,
    "train/a/5.png": 4,
  });
  const { duplicates, warnings } = await check(base);
  expect(duplicates).toMatchObject({ acrossSplits: 2, withinSplits: 2 });
  expect(new Set(duplicates.examples[0]!.map((path) => path.split("/").at(-1)))).toEqual(
    new Set(["1.png", "3.png"]),
  );
  expect(warnings.join("\n")).toMatch(/2 images appear in more than one split/);
});

test("interleaved splits are brought in order, and content does not depend on the format", async () => {
  const base = await waterbirds();
  const { dataset } = await openDataset(base, { cues: ["place"] });
  expect([...dataset.splits.values]).toEqual([0, 0, 0, 0, 1, 2]);
  expect(dataset.images.describe(5)).toMatch(/001\/b\.jpg$/);
  const hashes = [];
  for (const to of ["folder", "parquet", "webdataset", "npz"])
    hashes.push((await convert(base, to, `water-${to}`)).hash);
  expect(new Set(hashes).size).toBe(1);
});

test("an IDX pair is a dataset too", async () => {
  const images = Buffer.alloc(16 + 3 * 4, 7);
  images.set([0, 0, 8, 3, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 2]);
  const base = await files("idx", {
    "t-images-idx3-ubyte": images,
    "t-labels-idx1-ubyte": Buffer.from([0, 0, 8, 1, 0, 0, 0, 3, 1, 0, 1]),
  });
  const manifest = await convert(join(base, "t-images-idx3-ubyte"), "npz", "idx-npz");
  expect(manifest).toMatchObject({
    count: 3,
    image: { height: 2, width: 2, channels: 1 },
    classNames: ["0", "1"],
  });
});

let small: string;
beforeAll(async () => {
  const dataset = await datasets.get("colored-mnist").build({ trainPerEnvironment: 40 }, 5);
  for (const format of formats.entries) {
    await writeDataset(dataset, {
      out: join(root, "ours", format.name),
      format,
      encoding: format.encodings[0]!,
      force: false,
      workers: 0,
    });
  }
  small = join(root, "ours");
});

test("our shards and archives are readable without their dataset.json", async () => {
  const expected = await openDataset(join(small, "folder"));
  for (const format of ["parquet", "webdataset", "npz"]) {
    const bare = join(root, `bare-${format}`);
    cpSync(join(small, format), bare, { recursive: true });
    rmSync(join(bare, "dataset.json"));
    const { dataset, format: found } = await openDataset(bare);
    expect(found).toBe(format);
    expect(dataset.labels).toEqual(expected.dataset.labels);
    expect(dataset.splits.values).toEqual(expected.dataset.splits.values);
    expect(dataset.attributes.color!.values).toEqual(expected.dataset.attributes.color!.values);
    await dataset.images.close?.();
  }
});

test("DuckDB reads the Parquet, and its image bytes decode to our pixels", async () => {
  const connection = await (await DuckDBInstance.create()).connect();
  const table = `'${join(small, "parquet")}/data/*.parquet'`;
  const types = await connection.runAndReadAll(`DESCRIBE SELECT image, label, color FROM ${table}`);
  expect(types.getRows().map((row) => row[1])).toEqual([
    "STRUCT(bytes BLOB, path VARCHAR)",
    "BIGINT",
    "BIGINT",
  ]);
  const { dataset } = await openDataset(join(small, "folder"));
  const groups = await connection.runAndReadAll(`SELECT count(*) FROM ${table} WHERE label = color`);
  const agreeing = dataset.labels.filter((label, i) => dataset.attributes.color!.values[i] === label).length;
  expect(Number(groups.getRows()[0]![0])).toBe(agreeing);
  const train = `'${join(small, "parquet")}/data/train-00000-of-00001.parquet'`;
  const first = await connection.runAndReadAll(
    `SELECT image.bytes AS bytes, image.path AS path FROM ${train} LIMIT 1`,
  );
  const [blob, path] = first.getRows()[0] as unknown as [{ bytes: Uint8Array }, string];
  expect(path).toBe("train-000000.png");
  expect(new Uint8Array((await decodeImage(blob.bytes)).data)).toEqual(
    new Uint8Array((await dataset.images.pixels(0)).data),
  );
  connection.closeSync();
});

const python = (() => {
  try {
    execFileSync("python3", ["-c", "import numpy"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

test.runIf(python)("NumPy reads the npz, and what NumPy writes is read here, compressed or not", async () => {
  const script = `
import json, sys, numpy as np
d = np.load(sys.argv[1])
print(json.dumps({k: [str(d[k].dtype), list(d[k].shape), int(d[k].sum())] for k in d.files}))
for name, save in (("plain", np.savez), ("packed", np.savez_compressed)):
    save(sys.argv[2] + "/" + name + ".npz", x=d["images"][:, :, :, 0], y=np.array(["a", "bb"])[d["labels"]], color=d["color"].astype(np.int32))
`;
  const summary = execFileSync("python3", ["-c", script, join(small, "npz/dataset.npz"), root], {
    encoding: "utf8",
  });
  const arrays = JSON.parse(summary) as Record<string, [string, number[], number]>;
  const { dataset } = await openDataset(join(small, "npz"));
  const sum = (values: ArrayLike<number>) => Array.from(values).reduce((total, value) => total + value, 0);
  expect(arrays.images!.slice(0, 2)).toEqual(["uint8", [150, 28, 28, 3]]);
  expect(arrays.labels).toEqual(["int64", [150], sum(dataset.labels)]);
  expect(arrays.split).toEqual(["uint8", [150], sum(dataset.splits.values)]);
  expect(arrays.color).toEqual(["uint16", [150], sum(dataset.attributes.color!.values)]);
  let pixels = 0;
  for (let i = 0; i < 150; i++) pixels += sum((await dataset.images.pixels(i)).data);
  expect(arrays.images![2]).toBe(pixels);
  for (const name of ["plain", "packed"]) {
    const own = await openDataset(join(root, `${name}.npz`));
    expect(own.dataset.classNames).toEqual(["a", "bb"]);
    expect(own.dataset.labels).toEqual(dataset.labels);
    expect(own.dataset.images.shape).toEqual({ height: 28, width: 28, channels: 1 });
    const [grey, color] = [await own.dataset.images.pixels(9), await dataset.images.pixels(9)];
    expect([...grey.data]).toEqual([...color.data].filter((_, i) => i % 3 === 0));
    await own.dataset.images.close?.();
  }
  await dataset.images.close?.();
});
