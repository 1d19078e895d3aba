/** Data that people bring: tables, class folders, Hugging Face Parquet, other people's tar and npz files, IDX. */

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { DuckDBInstance } from "@duckdb/node-api";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { resetLimits, setLimits } from "../src/core/limits.ts";
import { datasets } from "../src/datasets/index.ts";
import { sealed, unsealed } from "../src/disk/vouched.ts";
import { checkDataset } from "../src/formats/check-dataset.ts";
import { convertDataset } from "../src/formats/convert-dataset.ts";
import { generalFormats } from "../src/formats/index.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { splitOfShard } from "../src/formats/shards.ts";
import { writeDataset } from "../src/formats/write-dataset.ts";
import { decodeImage } from "../src/images/codec.ts";
import { npyFile, npyHeader } from "../src/tables/npy.ts";
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
  const beside = await files("beside", { "scans/1.png": 1, "metadata.csv": "filename,y\n1.png,1\n" });
  await expect(check(beside)).rejects.toThrow(/it is in \S+beside\/scans: copy the table to there/);
});

test("a table whose classes are called otherwise says which columns there are", async () => {
  const base = await files("finding", {
    "1.png": 1,
    "2.png": 2,
    "metadata.csv": "filename,finding,view\n1.png,tuberculosis,PA\n2.png,none found,AP\n",
  });
  const { warnings } = await check(base);
  expect(warnings.join("\n")).toMatch(
    /if one of the columns finding, view has the class, name it with --label/,
  );
});

test("of more groups than can be counted, those with images are", async () => {
  const names = Array.from({ length: 60 }, (_, i) => `c${i}`);
  const rows = [1, 2, 3].map((i) => `${i}.png,${i % 2},${names.map(() => i % 2).join(",")}`);
  const table = `filename,y,${names.join(",")}\n${rows.join("\n")}\n`;
  const { warnings } = await check(
    await files("many-groups", { "1.png": 1, "2.png": 2, "3.png": 3, "metadata.csv": table }),
  );
  expect(warnings).toContain("all but 2 of 2.3e+18 groups are empty");
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
  expect(duplicates.within.map((pair) => pair.map((path) => path.split("/").at(-1)))).toEqual([
    ["4.png", "5.png"],
  ]);
  // 1.png and 3.png are both of class a.
  expect(duplicates).toMatchObject({ acrossClasses: 0, differing: [] });
  expect(new Set(duplicates.examples[0]!.map((path) => path.split("/").at(-1)))).toEqual(
    new Set(["1.png", "3.png"]),
  );
  expect(warnings.join("\n")).toMatch(/2 images appear in more than one split/);
});

test("the same picture with two classes is told", async () => {
  const base = await files("two-classes", { "a/1.png": 1, "b/2.png": 1, "a/3.png": 3 });
  const { duplicates, warnings } = await check(base);
  expect(duplicates).toMatchObject({ acrossSplits: 0, withinSplits: 2, acrossClasses: 2 });
  expect(warnings.join("\n")).toMatch(
    /2 images are there with more than one class, such as .*a\/1\.png = .*b\/2\.png/,
  );
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
    sources: [{ sha256: { "t-images-idx3-ubyte": createHash("sha256").update(images).digest("hex") } }],
  });
});

let small: string;
beforeAll(async () => {
  const dataset = await datasets.get("colored-mnist").build({ trainPerEnvironment: 40 }, 5);
  for (const format of generalFormats) {
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

/** Copies our dataset in a format, with changes to its dataset.json. */
function copyOfOurs(format: string, change: (manifest: Record<string, unknown>) => void = () => {}): string {
  const copy = join(root, `copy-${Math.random()}`);
  cpSync(join(small, format), copy, { recursive: true });
  const path = join(copy, "dataset.json");
  const manifest = unsealed(readFileSync(path, "utf8"), path);
  change(manifest);
  writeFileSync(path, sealed(manifest));
  return copy;
}

/** A table of two pictures, row by row with the picture's name left out. */
const table = (name: string, header: string, ...rows: string[]) => {
  const lines = rows.map((row, i) => `${i % 2}.png,${row}`);
  const text = `file_name,${header}\n${lines.join("\n")}\n`;
  return files(`table-${name}`, { "0.png": 1, "1.png": 2, "metadata.csv": text });
};

describe("splits of people's tables", () => {
  test.each(["../../etc", "a/b", "a b", "-x", "__proto__", "0.5", "7", "é"])(
    "%j is no split",
    async (split) => {
      const base = await table(`split-${Math.random()}`, "y,split", "0,train", `1,${split}`);
      const failure = await check(base).catch((cause: unknown) => cause);
      expect(failure).toMatchObject({ kind: "input" });
      expect(String(failure)).toMatch(/cannot be a split[\s\S]*metadata\.csv, row 2[\s\S]*letters, digits/);
      expect(String(failure)).toContain(`got: ${JSON.stringify(split)}`);
    },
  );

  test("an empty cell is named by its row", async () => {
    const base = await table("split-empty", "y,split", "0,train", "1,");
    await expect(check(base)).rejects.toThrow(/"split" lacks a split[\s\S]*row 2[\s\S]*got: nothing/);
  });

  test("a column of many values is probably another", async () => {
    const rows = Array.from({ length: 256 }, (_, i) => `0,s${i}`);
    await expect(check(await table("split-many", "y,split", ...rows))).rejects.toThrow(
      /is this the split column\?[\s\S]*256 distinct/,
    );
    const fits = await openDataset(await table("split-most", "y,split", ...rows.slice(0, 252)));
    expect(fits.dataset.splits.names).toHaveLength(255);
    expect(new Set(fits.dataset.splits.values).size).toBe(252);
  });

  test("columns beyond what codes can hold are refused, not cut", async () => {
    const rows = Array.from({ length: 65_537 }, (_, i) => `${i},s${i}`);
    const base = await table("overflow", "y,split", ...rows);
    await expect(openDataset(base)).rejects.toThrow(/is this the label column\?/);
    await expect(openDataset(base, { label: "split", split: "y" })).rejects.toThrow(
      /is this the label column/,
    );
    const second = await table("overflow-split", "y,split", ...rows.map((row) => row.replace(/^\d+/, "0")));
    await expect(openDataset(second)).rejects.toThrow(/is this the split column\?[\s\S]*more than 65536/);
  });

  test("names of one's own go through all formats to the same hash", async () => {
    const rows = ["0,fold1", "1,my-split", "0,fold0", "1,fold1", "0,my-split", "1,validation"];
    const base = await table("folds", "y,split", ...rows);
    const hashes = new Set<string>();
    for (const { name } of generalFormats) {
      hashes.add((await convert(base, name, `folds-${name}`)).hash);
      const { dataset } = await openDataset(join(root, `folds-${name}`));
      expect(dataset.splits.names).toEqual(["train", "val", "test", "fold1", "my-split", "fold0"]);
      expect([...dataset.splits.values]).toEqual([1, 3, 3, 4, 4, 5]);
      await dataset.images.close?.();
      for (const { name: next } of generalFormats) {
        hashes.add((await convert(join(root, `folds-${name}`), next, `folds-${name}-${next}`)).hash);
      }
    }
    expect(hashes.size).toBe(1);
  });
});

test.each([
  ["fold0-00000-of-00003.parquet", "fold0"],
  ["my-split-00012-of-00013.parquet", "my-split"],
  ["my-split-000001.tar", "my-split"],
  ["a-000000-000001.tar", "a-000000"],
  ["train-00000-of-00001-1f2e3d.parquet", "train"],
  ["test.parquet", "test"],
  ["0001.parquet", "train"],
])("the shard %s belongs to the split %s", (name, split) => {
  expect(splitOfShard(`/some/where/${name}`)).toBe(split);
});

test("columns named like what every JavaScript object has are columns like others", async () => {
  const base = await table("names-of-objects", "y,constructor,toString", "0,a,c", "1,b,c");
  const manifest = await convert(base, "webdataset", "names-of-objects-tar");
  expect(manifest.attributes.map(({ name }) => name)).toEqual(["constructor", "toString"]);
  const report = await checkDataset(base, { mapping: {}, by: "constructor", workers: 0 });
  expect(report.cues.map(({ slice }) => slice)).toContain("constructor b");
});

test.each(["y", "label", "labels", "image", "images", "a/b", "a\\b", "..", "x\ty", "__proto__"])(
  "no format takes an attribute named %j",
  async (name) => {
    const base = await table(`clash-${Math.random()}`, `bird,"${name}"`, "0,a", "1,b");
    const to = {
      out: join(root, "clash"),
      mapping: { label: "bird" },
      skipBroken: false,
      force: false,
      workers: 0,
    };
    for (const format of generalFormats.map((format) => format.name)) {
      await expect(convertDataset(base, { ...to, to: format })).rejects.toThrow(
        /cannot be named[\s\S]*leave it out with --cue-columns, or rename the column/,
      );
    }
    expect(existsSync(join(root, "clash"))).toBe(false);
  },
);

test("without training images it is unknown which value goes with a class", async () => {
  const held = await check(await table("untrained", "y,split,sky", "0,test,blue", "1,test,grey"));
  expect(held.cues).toMatchObject([{ slice: "test", agreement: null }]);
  expect(held.warnings).toContain("no training images: P(agrees) unknown");
  const partly = await check(await table("untrained-1", "y,split,sky", "0,train,blue", "1,test,grey"));
  expect(partly.warnings.join("\n")).toMatch(/no training images: P\(agrees\) unknown for 1$/m);
});

test.each(["folder", "webdataset"])(
  "a changed %s dataset is not converted as if it were sound",
  async (format) => {
    const copy = copyOfOurs(format, (manifest) => {
      manifest.hash = `sha256:${"0".repeat(64)}`;
    });
    const failure = await convert(copy, "npz", `changed-${format}`).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ kind: "input" });
    expect(String(failure)).toMatch(/not what its dataset.json says[\s\S]*data check/);
    expect(existsSync(join(root, `changed-${format}`))).toBe(false);
  },
);

describe("what is asked of a dataset must be there", () => {
  test("an attribute to tell statistics apart by", async () => {
    const asking = checkDataset(join(small, "npz"), { mapping: {}, by: "enviroment", workers: 0 });
    await expect(asking).rejects.toMatchObject({ kind: "usage" });
    const inherited = checkDataset(join(small, "npz"), { mapping: {}, by: "constructor", workers: 0 });
    await expect(inherited).rejects.toThrow(/no attribute "constructor"/);
    await expect(asking).rejects.toThrow(/no attribute "enviroment"[\s\S]*color[\s\S]*"environment"/);
  });

  test("cues of a dataset of ours can be chosen, and nothing else", async () => {
    const ours = join(small, "npz");
    const report = await check(ours, { cues: ["environment"] });
    expect(new Set(report.cues.map(({ cue }) => cue))).toEqual(new Set(["environment"]));
    expect(report.problems).toEqual([]);
    await expect(check(ours, { cues: ["colour"] })).rejects.toThrow(/no attribute "colour"[\s\S]*"color"/);
    for (const mapping of [{ label: "color" }, { image: "x" }, { split: "x" }, { tableName: "x.csv" }]) {
      const failure = await check(ours, mapping).catch((cause: unknown) => cause);
      expect(failure).toMatchObject({ kind: "usage" });
      expect(String(failure)).toMatch(/only --cue-columns applies/);
    }
    const options = { to: "folder", skipBroken: false, force: false, workers: 0 };
    const out = join(root, "other-cues");
    const converted = await convertDataset(ours, { ...options, out, mapping: { cues: ["environment"] } });
    expect(converted.attributes.filter(({ role }) => role === "cue").map(({ name }) => name)).toEqual([
      "environment",
    ]);
  });

  test.each(["y", "split"])("the column %s is no cue", async (name) => {
    const failure = await check(await waterbirds(), { cues: ["place", name] }).catch(
      (cause: unknown) => cause,
    );
    expect(failure).toMatchObject({ kind: "usage" });
    expect(String(failure)).toMatch(/column and cannot be a cue/);
  });
});

test("two columns with one name, and a first row that is too short", async () => {
  const twins = await table("twins", "y,sky,sky", "0,a,b");
  await expect(check(twins)).rejects.toThrow(/two columns "sky"[\s\S]*line 1/);
  const ragged = await files("ragged", { "metadata.csv": "file_name,y,sky\n0.png,1\n" });
  await expect(check(ragged)).rejects.toThrow(/line 2\n {2}expected: 3 values, as in the header/);
});

describe("class folders", () => {
  test("the class is the first folder, and deeper images count for it", async () => {
    const base = await files("deep", {
      "train/cat/1.png": 1,
      "train/cat/indoor/2.png": 2,
      "train/dog/3.png": 3,
      "train/stray.png": 4,
      "stray.png": 5,
    });
    const report = await check(base);
    expect(report).toMatchObject({ classNames: ["cat", "dog"], count: 3 });
    expect(report.warnings.join("\n")).toMatch(/2 images lie outside any class folder[^\n]*stray\.png/);
  });

  test("one table among them does not make them splits", async () => {
    const base = await files("one-table", {
      "cat/1.png": 1,
      "cat/metadata.csv": "file_name,y\n1.png,0\n",
      "dog/2.png": 2,
    });
    expect(await check(base)).toMatchObject({ format: "class-folders", classNames: ["cat", "dog"] });
  });

  test("links to folders are followed if asked, but not in circles", async () => {
    const base = await files("links", { "elsewhere/1.png": 1, "set/dog/2.png": 2 });
    symlinkSync(join(base, "elsewhere"), join(base, "set/cat"));
    symlinkSync(join(base, "elsewhere"), join(base, "set/tiger"));
    symlinkSync(join(base, "set"), join(base, "set/dog/again"));
    setLimits({ followLinks: true });
    const { dataset } = await openDataset(join(base, "set")).finally(resetLimits);
    expect(dataset.classNames).toEqual(["cat", "dog", "tiger"]);
    expect(dataset.images.count).toBe(3);
  });
});

describe("a dataset of ours that was tampered with", () => {
  test("a missing table is a problem, a missing shard an error", async () => {
    const folder = copyOfOurs("folder");
    rmSync(join(folder, "val/metadata.csv"));
    expect((await check(folder)).problems).toEqual(["val/metadata.csv is missing"]);
    writeFileSync(join(folder, "val/metadata.csv"), "changed");
    expect((await check(folder)).problems).toEqual(["val/metadata.csv has changed since it was written"]);
    const parquet = copyOfOurs("parquet");
    rmSync(join(parquet, "data/val-00000-of-00001.parquet"));
    const failure = await check(parquet).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ kind: "input" });
    expect(String(failure)).toMatch(/data\/val-00000-of-00001\.parquet is missing/);
  });

  test("its dataset.json must make sense", async () => {
    const classValues = copyOfOurs("npz", (manifest) => {
      (manifest.attributes as { classValues: number[] }[])[0]!.classValues = [0, 9];
    });
    await expect(check(classValues)).rejects.toThrow(
      /damaged[\s\S]*attributes\.0\.classValues: names a value/,
    );
    const format = copyOfOurs("npz", (manifest) => {
      manifest.format = "zarr";
    });
    const failure = await check(format).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ kind: "input" });
    expect(String(failure)).toMatch(/unknown format[\s\S]*dataset\.json[\s\S]*"zarr"/);
  });

  test.runIf(process.seteuid !== undefined)("what may not be read is said to be so", async () => {
    const base = await files("forbidden", { "closed/1.png": 1, "ours/dataset.json": "{}" });
    chmodSync(root, 0o755);
    chmodSync(join(base, "closed"), 0);
    chmodSync(join(base, "ours/dataset.json"), 0);
    const isRoot = process.getuid?.() === 0;
    // Nothing is closed to root.
    if (isRoot) process.seteuid!(65_534);
    try {
      for (const path of ["closed", "ours", "closed/1.png"]) {
        const failure = await openDataset(join(base, path)).catch((cause: unknown) => cause);
        expect(failure, path).toMatchObject({ kind: "input" });
        expect(String(failure)).toMatch(/not allowed to read/);
      }
    } finally {
      if (isRoot) process.seteuid!(0);
      chmodSync(join(base, "closed"), 0o755);
    }
  });
});

/** An archive of arrays as `np.savez` would write it. */
async function npzOf(name: string, arrays: Record<string, Buffer>): Promise<string> {
  const zip = new ZipFile();
  for (const [array, bytes] of Object.entries(arrays))
    zip.addBuffer(bytes, `${array}.npy`, { compress: false });
  zip.end();
  writeFileSync(join(root, name), await buffer(zip.outputStream));
  return join(root, name);
}

describe("people's npz files", () => {
  const images = Buffer.concat([npyHeader("|u1", [3, 2, 2]), Buffer.alloc(12, 5)]);
  const labels = npyFile(Uint8Array.of(0, 1, 1), "|u1");

  test("labels that do not fit are answered with both shapes", async () => {
    const short = npyFile(Uint8Array.of(0, 1), "|u1");
    await expect(openDataset(await npzOf("short.npz", { images, labels: short }))).rejects.toThrow(
      /expected: shape \(3,\)\n {2}got: shape \(2,\)/,
    );
    const oneHot = Buffer.concat([npyHeader("|u1", [3, 2]), Buffer.alloc(6)]);
    await expect(openDataset(await npzOf("hot.npz", { images, labels: oneHot }))).rejects.toThrow(
      /expected: shape \(3,\)\n {2}got: shape \(3, 2\)[\s\S]*labels\.argmax\(axis=1\)/,
    );
  });

  test("floats get the line that turns them to bytes", async () => {
    const floats = Buffer.concat([npyHeader("<f4", [3, 2, 2]), Buffer.alloc(48)]);
    await expect(openDataset(await npzOf("floats.npz", { images: floats, labels }))).rejects.toThrow(
      '(images * 255).astype("uint8")',
    );
  });

  test("further arrays that cannot be attributes are named and left out", async () => {
    const path = await npzOf("extras.npz", {
      images,
      labels,
      complex: Buffer.concat([npyHeader("<c8", [3]), Buffer.alloc(24)]),
      masks: Buffer.concat([npyHeader("|u1", [3, 2]), Buffer.alloc(6)]),
      noise: Buffer.from("this is no array"),
      sky: npyFile(Uint8Array.of(4, 4, 7), "|u1"),
    });
    const { dataset, ignoredColumns } = await openDataset(path);
    expect(Object.keys(dataset.attributes)).toEqual(["sky"]);
    expect(ignoredColumns.map(({ name }) => name).sort()).toEqual(["complex", "masks", "noise"]);
    await dataset.images.close?.();
  });
});

describe("where tables keep their images", () => {
  test("the first known column whose file is there counts", async () => {
    const { dataset } = await openDataset(join(small, "folder/train/metadata.csv"));
    expect(dataset.images.describe(0)).toBe(join(small, "folder/train/000000.png"));
    expect(Object.keys(dataset.attributes)).not.toContain("img_filename");
    expect((await openDataset(join(small, "folder/train"))).dataset.images.count).toBe(dataset.images.count);
  });

  test("absolute paths are taken as they are", async () => {
    const there = await files("absolute/pictures", { "1.png": 1, "2.png": 2 });
    const base = await files("absolute/table", {
      "metadata.csv": `path,y\n${join(there, "1.png")},0\n${join(there, "2.png")},1\n`,
    });
    expect(await check(base)).toMatchObject({ ok: true, count: 2 });
    expect((await convert(base, "npz", "absolute-npz")).count).toBe(2);
  });

  test("tables in the folders of the splits are one dataset", async () => {
    const bare = join(root, "split-tables");
    cpSync(join(small, "folder"), bare, { recursive: true });
    for (const name of ["metadata.csv", "dataset.json"]) rmSync(join(bare, name));
    const [ours, theirs] = [await openDataset(join(small, "folder")), await openDataset(bare)];
    expect(theirs.format).toBe("table");
    expect(theirs.dataset.splits).toEqual(ours.dataset.splits);
    expect(theirs.dataset.labels).toEqual(ours.dataset.labels);
    expect(Object.keys(theirs.dataset.attributes)).toEqual(Object.keys(ours.dataset.attributes));
    expect(await theirs.dataset.images.pixels(149)).toEqual(await ours.dataset.images.pixels(149));
    rmSync(join(bare, "test/metadata.csv"));
    expect((await openDataset(bare)).warnings).toEqual([
      "the folder test has no metadata.csv and was left out",
    ]);
    writeFileSync(join(bare, "val/metadata.csv"), "file_name,y\n000000.png,1\n");
    await expect(openDataset(bare)).rejects.toThrow(/tables of the splits have different columns/);
  });
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

test("photographs that lie on their side are turned upright, counted, and written so", async () => {
  const lying = await sharp({ create: { width: 12, height: 10, channels: 3, background: "#c04040" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const path = await files("phone", { "dog/1.jpg": lying, "dog/2.jpg": 3, "panda/1.jpg": 5 });
  const report = await check(path);
  expect(report.turned).toBe(1);
  expect(report.imageSizes).toContainEqual({ height: 12, width: 10, channels: 3, count: 1 });
  const { dataset } = await openDataset(path);
  const { width, height } = await dataset.images.pixels(0);
  expect([width, height]).toEqual([10, 12]);
  await convertDataset(path, {
    to: "folder",
    encoding: "png",
    out: join(root, "upright"),
    skipBroken: false,
    mapping: {},
    force: false,
    workers: 0,
  });
  const again = await check(join(root, "upright"));
  expect(again).toMatchObject({ turned: 0, ok: true });
  expect(again.imageSizes).toContainEqual({ height: 12, width: 10, channels: 3, count: 1 });
});

test("ids and the like are no cues: they are left out by name", async () => {
  const rows = Array.from({ length: 12 }, (_, i) => `${i}.jpg,${i % 2},patient-${i},${i % 3}`);
  const pictures = Object.fromEntries(rows.map((_, i) => [`${i}.jpg`, i]));
  const path = await files("ids", {
    ...pictures,
    "metadata.csv": ["img_filename,y,patient,ward", ...rows].join("\n"),
  });
  const report = await check(path);
  expect(report.ignoredColumns).toEqual([
    {
      name: "patient",
      reason: expect.stringMatching(/^nearly unique, as ids are: 12 distinct values in 12 rows/),
    },
  ]);
  expect(report.cues.map(({ cue }) => cue)).toEqual(["ward"]);
  expect(report.cues[0]!.pValue).toBeGreaterThan(0.05);
  // Who names it knows better.
  expect((await check(path, { cues: ["patient"] })).cues.map(({ cue }) => cue)).toEqual(["patient"]);
});
