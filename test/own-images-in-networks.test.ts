/** People's own images in `train` and `features extract`: names of columns, splits, channels and files that do not do. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import type { Dataset } from "../src/core/dataset.ts";
import { checkDataset } from "../src/formats/check-dataset.ts";
import { FeatureWriter } from "../src/runs/feature-writer.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);
const network =
  "--model resnet18 --model-set stem=small --model-set width=4 --model-set blocks=1,1,1,1".split(" ");
const quick = "--threads 1 --epochs 1".split(" ");

/** Sixteen images of noise in a table with these columns beside file and class. */
async function photos(
  folder: string,
  columns: string[],
  splits: string[],
  channels: 1 | 3 = 3,
): Promise<void> {
  mkdirSync(at(folder), { recursive: true });
  const rows = [["file_name", "y", "split", ...columns].join(",")];
  for (let i = 0; i < 16; i++) {
    const data = Uint8Array.from({ length: 8 * 8 * channels }, (_, k) => (i * 53 + k * (7 + (i % 2))) % 256);
    const image = sharp(data, { raw: { width: 8, height: 8, channels } });
    await image
      .toColourspace(channels === 1 ? "b-w" : "srgb")
      .png()
      .toFile(at(folder, `${i}.png`));
    const cells = columns.map((name) => `${name}${(i >> 2) % 2}`);
    rows.push([`${i}.png`, `class${i % 2}`, splits[(i >> 1) % splits.length]!, ...cells].join(","));
  }
  writeFileSync(at(folder, "metadata.csv"), `${rows.join("\n")}\n`);
}

/** Which names are taken is tested beside their list; these two are taken in different tables. */
const own = ["y_true", "label"];

beforeAll(async () => {
  for (const name of own) await photos(`of-${name}`, ["sky", name], ["train", "val"]);
  await photos("good", ["sky"], ["train", "val"]);
  await photos("tested", ["sky"], ["test"]);
  await photos("grey", ["sky"], ["train", "val"], 1);
  await photos("broken", ["sky"], ["train", "val"]);
  writeFileSync(at("broken", "3.png"), "no image");
  await jsonHere(["train", "--data", at("good"), ...network, ...quick, "--out", at("run")]);
});

test.each(own)("a cue named %s is refused before any work, and the check warns of it", async (name) => {
  const folder = `of-${name}`;
  const { warnings } = await checkDataset(at(folder), { mapping: {}, workers: 0 });
  expect(warnings).toContainEqual(expect.stringContaining(`rename ${name} before training`));
  const message = new RegExp(
    `cannot be named "${name}"[\\s\\S]*of-${name}[\\s\\S]*--cue-columns sky --to folder`,
  );
  const extracted = await ranHere([
    "features",
    "extract",
    "--data",
    at(folder),
    ...network,
    "--out",
    at("never"),
  ]);
  expect([extracted.code, extracted.stderr]).toEqual([3, expect.stringMatching(message)]);
  expect(extracted.stderr).not.toContain("features of resnet18");
  const trained = await ranHere([
    "train",
    "--data",
    at(folder),
    ...network,
    ...quick,
    "--out",
    at(`run-${name}`),
  ]);
  if (name === "label") {
    // A table of predictions calls the class y_true, so that label stays free.
    expect(trained.code).toBe(0);
    const { cues } = await jsonHere<{ cues: object }>(["eval", at(`run-${name}`)]);
    expect(Object.keys(cues)).toEqual(["sky", "label"]);
  } else {
    expect([trained.code, trained.stderr]).toEqual([3, expect.stringMatching(message)]);
    expect(trained.stderr).not.toContain("epoch 1");
  }
});

test("what the advice says works: the column left out, the rest can be trained on", async () => {
  const out = at("left-out");
  await jsonHere([
    "data",
    "convert",
    at("of-y_true"),
    "--cue-columns",
    "sky",
    "--to",
    "folder",
    "--out",
    out,
  ]);
  await jsonHere(["features", "extract", "--data", out, ...network, "--out", at("left-out-features")]);
});

test("features that were kept with such an attribute are not trained on", async () => {
  const dataset = {
    name: "old",
    images: { count: 2, shape: null },
    labels: Uint16Array.of(0, 1),
    classNames: ["a", "b"],
    splits: { names: ["train"], values: Uint8Array.of(0, 0) },
    attributes: { y_true: { values: Uint16Array.of(0, 1), valueNames: ["x", "y"], role: "cue" } },
    provenance: {
      title: "",
      description: "",
      generator: { name: "import", version: 1 },
      settings: {},
      seed: 0,
      license: "",
    },
  } as unknown as Dataset;
  const writer = await FeatureWriter.create(at("old"), dataset, 1, { force: false });
  await writer.write(Float32Array.of(0, 1));
  // As before it was kept how the network saw pixels.
  await writer.finish({ model: "mlp", options: {}, head: "head", weights: null, data: "" });
  const trained = await ranHere(["features", "train", at("old"), "--out", at("never")]);
  expect(trained.stderr).toMatch(/cannot be named "y_true"[\s\S]*rename the column/);
});

test("a test split alone has features, unless its own pixels are to be measured", async () => {
  const extract = (out: string, ...more: string[]) =>
    ranHere(["features", "extract", "--data", at("tested"), "--out", at(out), "-q", ...more]);
  expect((await extract("tested-run", at("run"))).code).toBe(0);
  expect((await extract("tested-half", ...network, "--pixels", "half")).code).toBe(0);
  expect((await extract("tested-mlp", "--model", "mlp")).code).toBe(0);
  const refused = await extract("never", ...network);
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringMatching(/no training images[\s\S]*--pixels/),
  ]);
  const layer = await ranHere(["features", "train", at("tested-run"), "--out", at("never")]);
  expect([layer.code, layer.stderr]).toEqual([3, expect.stringContaining("there are no training images")]);
});

test("features say which pixels and which seed they are of", async () => {
  const source = async (name: string, ...more: string[]) => {
    const out = at(`source-${name}`);
    await jsonHere(["features", "extract", "--data", at("good"), "--out", out, ...more]);
    return (JSON.parse(readFileSync(join(out, "features.json"), "utf8")) as { source: object }).source;
  };
  const half = { mode: "half", mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };
  expect(await source("half", ...network, "--pixels", "half", "--seed", "2")).toMatchObject({
    seed: 2,
    pixels: half,
  });
  const ofData = (await source("data", ...network)) as {
    seed: number;
    pixels: { mode: string; mean: number[] };
  };
  expect([ofData.seed, ofData.pixels.mode, ofData.pixels.mean.length]).toEqual([0, "data", 3]);
  expect(await source("mlp", "--model", "mlp")).toMatchObject({ pixels: { mode: "unit" } });
  const { about } = await jsonHere<{ about: { pixels: { mean: number[]; deviation: number[] } } }>([
    "weights",
    "show",
    at("run"),
  ]);
  const { mean, deviation } = about.pixels;
  const ofRun = await source("run", at("run"));
  expect(ofRun).toMatchObject({ pixels: { mode: "weights", mean, deviation } });
  expect(ofRun).not.toHaveProperty("seed");
});

test("images of one channel: ImageNet's pixels are refused with advice, and the advice works", async () => {
  const grey = (out: string, ...more: string[]) =>
    ranHere(["train", "--data", at("grey"), ...network, ...quick, "--out", at(out), ...more]);
  const refused = await grey("never-grey", "--pixels", "imagenet");
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/have 1 channel[\s\S]*try: give --pixels data .*--pixels half/),
  ]);
  for (const whose of ["data", "half"]) {
    const trained = await grey(`grey-${whose}`, "--pixels", whose);
    expect([trained.code, trained.stderr]).toEqual([0, expect.anything()]);
  }
});

test("a broken image: only commands that can skip it say so", async () => {
  const elsewhere = /cannot be read[\s\S]*3\.png[\s\S]*data convert <path> --skip-broken/;
  for (const command of [
    ["train", ...quick],
    ["features", "extract"],
  ]) {
    const { code, stderr } = await ranHere([
      ...command,
      "--data",
      at("broken"),
      ...network,
      "--out",
      at("never"),
    ]);
    expect([code, stderr]).toEqual([3, expect.stringMatching(elsewhere)]);
  }
  const converted = await ranHere(["data", "convert", at("broken"), "--to", "npz", "--out", at("never")]);
  expect(converted.stderr).toMatch(/or pass --skip-broken to leave/);
});
