/** Copies of WILDS datasets as WILDS unpacks them, in small: images by their tables, and labels for prediction files. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { evaluatePredictions } from "../src/audits/predictions/evaluate-predictions.ts";
import type { Dataset } from "../src/core/dataset.ts";
import { checkDataset } from "../src/formats/check-dataset.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { decodeRows } from "../src/pools/pool-table.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { cuelabHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
let picture: Buffer;

beforeAll(async () => {
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "plum" } })
    .png()
    .toBuffer();
});

/** Texts, and images where there is none. */
function folder(name: string, files: Record<string, string | undefined>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name, path)), { recursive: true });
    writeFileSync(join(root, name, path), text ?? picture);
  }
  return join(root, name);
}

/** File, class, split and attributes of each image. */
function rows({ images, labels, classNames, splits, attributes }: Dataset): string[] {
  return Array.from({ length: images.count }, (_, i) => {
    const values = Object.values(attributes).map(({ values, valueNames }) => valueNames[values[i]!]);
    const file = images.describe(i).split("/").at(-1);
    return [file, classNames[labels[i]!], splits.names[splits.values[i]!], ...values].join(" ");
  }).sort();
}

describe("Camelyon17", () => {
  const patch = (patient: string, node: number, x: number, y: number) =>
    `patches/patient_${patient}_node_${node}/patch_patient_${patient}_node_${node}_x_${x}_y_${y}.png`;
  // Numbered, patient, node, x, y, tumour, slide, centre, split: hospitals 1 and 2 are held out whatever the split says.
  const metadata = (extra = "") =>
    ",patient,node,x_coord,y_coord,tumor,slide,center,split\n" +
    `0,004,4,3328,21792,1,0,0,0\n1,010,4,3200,22272,0,1,0,1\n2,021,3,96,128,1,10,1,0\n3,040,1,64,32,0,20,2,0\n${extra}`;
  const copy = (name: string, extra = "") =>
    folder(name, {
      "metadata.csv": metadata(extra),
      [patch("004", 4, 3328, 21792)]: undefined,
      [patch("010", 4, 3200, 22272)]: undefined,
      [patch("021", 3, 96, 128)]: undefined,
      [patch("040", 1, 64, 32)]: undefined,
    });

  test("has its patches by patient, node and place, and hospitals held out", async () => {
    const { dataset, format, warnings } = await openDataset(copy("camelyon17_v1.0"));
    expect(format).toBe("wilds");
    expect(warnings.join()).toMatch(/read as Camelyon17 of WILDS/);
    expect(rows(dataset)).toEqual([
      "patch_patient_004_node_4_x_3328_y_21792.png tumor train 0 0",
      "patch_patient_010_node_4_x_3200_y_22272.png normal id_val 0 1",
      "patch_patient_021_node_3_x_96_y_128.png tumor val 1 10",
      "patch_patient_040_node_1_x_64_y_32.png normal test 2 20",
    ]);
    expect(dataset.classNames).toEqual(["normal", "tumor"]);
    expect(dataset.attributes.hospital!.role).toBe("other");
    expect(dataset.provenance).toMatchObject({ statisticsBy: "hospital", shiftedSplits: ["val", "test"] });
    const byFile = await openDataset(join(root, "camelyon17_v1.0", "metadata.csv"));
    expect(rows(byFile.dataset)).toEqual(rows(dataset));
  });

  test("says which patch is missing, and what a cell may hold", async () => {
    const report = await checkDataset(copy("lost", "4,004,4,1,1,0,0,0,0\n"), { mapping: {}, workers: 0 });
    expect(report.ok).toBe(false);
    expect(report.broken).toHaveLength(1);
    expect(report.broken[0]!.image).toMatch(/patch_patient_004_node_4_x_1_y_1\.png$/);
    await expect(openDataset(copy("odd", "4,004,4,1,1,0,0,7,0\n"))).rejects.toThrow(
      /column "center"[\s\S]*row 5[\s\S]*got: "7"/,
    );
    const bare = copy("bare");
    rmSync(join(bare, "patches"), { recursive: true });
    await expect(openDataset(bare)).rejects.toThrow(/first image[\s\S]*patches\/patient_004_node_4\/patch_/);
  });

  test("gives prediction files their classes and splits", async () => {
    const labels = join(copy("eval", "4,021,3,97,1,1,10,1,1\n5,021,3,98,1,0,11,1,0\n"), "metadata.csv");
    // Rows of hospital 1: tumour, tumour, normal; slides 10, 10, 11.
    writeFileSync(join(root, "camelyon17_split:val_seed:0_epoch:best_pred.csv"), "1\n0\n0\n");
    const report = await evaluatePredictions({
      tables: [join(root, "camelyon17_split:val_seed:0_epoch:best_pred.csv")],
      labels: [labels],
    });
    expect(report.split).toBe("val");
    expect(report.classes).toEqual(["normal", "tumor"]);
    expect(report.groups.map(({ name, n, accuracy }) => [name, n, accuracy])).toEqual([
      ["slide 10", 2, 0.5],
      ["slide 11", 1, 1],
    ]);
  });
});

describe("FMoW", () => {
  const header = "split,img_filename,img_path,category,country_code,timestamp,lat,lon,region";
  const countries =
    "name,alpha-2,alpha-3,region\nFrance,FR,FRA,Europe\nKenya,KE,KEN,Africa\nAntarctica,AQ,ATA,\n";
  const row = (split: string, category: string, country: string, time: string) =>
    `${split},a.jpg,b/c.jpg,${category},${country},${time},0,0,x\n`;
  const copy = (name: string, table: string, images: readonly number[]) =>
    folder(name, {
      "rgb_metadata.csv": `${header}\n${table}`,
      "country_code_mapping.csv": countries,
      ...Object.fromEntries(images.map((i) => [`images/rgb_img_${i}.png`, undefined])),
    });
  const table = [
    row("train", "zoo", "FRA", "2012-12-31T23:59:59Z"),
    row("train", "zoo", "FRA", "2013-01-01T00:00:00Z"),
    row("val", "airport", "KEN", "2009-05-01T10:00:00Z"),
    row("val", "airport", "ATA", "2015-05-01T10:00:00Z"),
    row("val", "airport", "XKX", "2016-05-01T10:00:00Z"),
    row("test", "stadium", "KEN", "2004-05-01T10:00:00Z"),
    row("test", "stadium", "KEN", "2014-05-01T10:00:00Z"),
    row("seq", "zoo", "FRA", "2004-05-01T10:00:00Z"),
    row("test", "zoo", "XKX", "2017-05-01T10:00:00Z"),
  ].join("");

  test("is cut by year, with images numbered over all rows and regions by country", async () => {
    const { dataset, warnings } = await openDataset(copy("fmow_v1.1", table, [0, 2, 3, 5, 8]));
    expect(rows(dataset)).toEqual([
      "rgb_img_0.png zoo train Europe 2012",
      "rgb_img_2.png airport id_val Africa 2009",
      "rgb_img_3.png airport val Other 2015",
      "rgb_img_5.png stadium id_test Africa 2004",
      "rgb_img_8.png zoo test Other 2017",
    ]);
    expect(dataset.classNames).toHaveLength(62);
    expect(dataset.classNames).toEqual([...dataset.classNames].sort());
    expect(dataset.provenance.statisticsBy).toBe("region");
    expect(warnings.join()).toMatch(/4 rows that are in none of them were left out/);
  });

  test.each([
    ["an unknown category", row("train", "airprot", "FRA", "2010-01-01"), /"category"[\s\S]*"airport"/],
    ["no date", row("train", "zoo", "FRA", "yesterday"), /"timestamp" holds no date[\s\S]*"yesterday"/],
    ["nothing of the official splits", row("seq", "zoo", "FRA", "2010-01-01"), /1 rows of none of them/],
    ["no image", row("train", "zoo", "FRA", "2010-01-01"), /images\/rgb_img_0\.png/],
  ])("is refused with %s", async (name, text, message) => {
    await expect(openDataset(copy(`fmow ${name}`, text, []))).rejects.toThrow(message);
  });

  test("needs its table of countries", async () => {
    const base = copy("nowhere", table, [0]);
    writeFileSync(join(base, "country_code_mapping.csv"), "name,code\nFrance,FRA\n");
    await expect(openDataset(base)).rejects.toThrow(/columns alpha-3 and region/);
    rmSync(join(base, "country_code_mapping.csv"));
    await expect(openDataset(base)).rejects.toThrow(/country_code_mapping\.csv/);
  });
});

test("iWildCam's images lie in one folder, and its camera traps are kept however many", async () => {
  const traps = Array.from({ length: 120 }, (_, i) => i);
  const lines = traps.map(
    (i) => `${i < 60 ? "train" : "test"},${900 + i},${i},s${i},${i},${i % 3},cam_${i}.jpg`,
  );
  const base = folder("iwildcam_v2.0", {
    "metadata.csv": `split,location,location_remapped,sequence,sequence_remapped,y,filename\n${lines.join("\n")}\n`,
    ...Object.fromEntries(traps.map((i) => [`train/cam_${i}.jpg`, undefined])),
  });
  const { dataset } = await openDataset(base);
  expect(dataset.attributes.location!.valueNames).toHaveLength(120);
  expect(dataset.classNames).toEqual(["0", "1", "2"]);
  expect(dataset.splits.values.filter((split) => split === 2)).toHaveLength(60);
  expect(dataset.images.describe(7)).toBe(join(base, "train", "cam_7.jpg"));
});

describe("CivilComments", () => {
  const identities = ["male", "female", "LGBTQ", "christian", "muslim", "other_religions", "black", "white"];
  const header = `,id,comment_text,split,toxicity,${identities.join(",")},identity_any`;
  let number = 0;
  const comment = (split: string, toxicity: number, shares: Record<string, number | string>) =>
    `${number},${number++},"words, ""quoted""\nand more",${split},${toxicity},` +
    `${identities.map((name) => shares[name] ?? 0).join(",")},1\n`;
  const table =
    comment("test", 0.2, { male: 1, black: 0.5 }) +
    comment("train", 0.9, { male: 0.8 }) +
    comment("test", 0.5, { male: 0.6, muslim: 0.4 }) +
    comment("test", 0.49, { muslim: 0.9, male: 0.1 }) +
    comment("val", 0.1, { white: 1 }) +
    comment("test", 0.7, { female: "" }) +
    comment("test", 0, { male: 1 });
  const labels = () =>
    join(folder("civil", { "all_data_with_identities.csv": `${header}\n${table}` }), tableName);
  const tableName = "all_data_with_identities.csv";
  const predictions = () => {
    const path = join(root, "civilcomments_split:test_seed:0_epoch:best_pred.csv");
    writeFileSync(path, "0\n0\n0\n1\n1\n");
    return path;
  };

  test("has sixteen overlapping groups, and the worst of them is told", async () => {
    const report = await evaluatePredictions({ tables: [predictions()], labels: [labels()] });
    // By hand, in the order of the test rows: classes 0 1 0 1 0, predictions 0 0 0 1 1, right yes no yes yes no.
    // Male are the first, second and last; black the first (half is a yes); muslim the third.
    const groups = Object.fromEntries(report.groups.map(({ name, n, accuracy }) => [name, [n, accuracy]]));
    expect(Object.keys(groups)).toHaveLength(16);
    expect(groups).toMatchObject({
      "class non-toxic, male yes": [2, 0.5],
      "class toxic, male yes": [1, 0],
      "class non-toxic, black yes": [1, 1],
      "class non-toxic, muslim yes": [1, 1],
      "class toxic, muslim yes": [0, null],
      "class toxic, female yes": [0, null],
    });
    expect(report.accuracy.samples).toBeCloseTo(3 / 5, 12);
    expect(report.worstGroup).toMatchObject({ name: "class toxic, male yes", accuracy: 0 });
  });

  test("counts its training rows, and takes other groups where they are asked for", async () => {
    const path = labels();
    const weighted = await evaluatePredictions({
      tables: [predictions()],
      labels: [path],
      trainCounts: path,
    });
    const train = (name: string) => weighted.groups.find((group) => group.name === name)!.train;
    expect([train("class toxic, male yes"), train("class non-toxic, male yes")]).toEqual([1, 0]);
    const asked = await evaluatePredictions({ tables: [predictions()], labels: [path], groups: ["male"] });
    expect(asked.groups.map(({ name, n }) => [name, n])).toEqual([
      ["male 0", 2],
      ["male 1", 3],
    ]);
  });

  test("is text, so it is no dataset of images; a share beyond one is refused", async () => {
    await expect(openDataset(dirname(labels()))).rejects.toThrow(/text, not images[\s\S]*cuelab eval/);
    const wrong = join(folder("wrong", { [tableName]: `${header}\n${comment("test", 2, {})}` }), tableName);
    const asked = evaluatePredictions({ tables: [predictions()], labels: [wrong] });
    await expect(asked).rejects.toThrow(/"toxicity" holds no share of readers[\s\S]*row 1[\s\S]*"2"/);
  });
});

describe("Waterbirds", () => {
  /** Its own header; 6 images a group and split, the bird's class as the redness of all pixels. */
  const copy = async () => {
    const made = join(root, "waterbird_complete95_forest2water2");
    mkdirSync(join(made, "001.Black_footed_Albatross"), { recursive: true });
    let table = "img_id,img_filename,y,split,place,place_filename\n";
    for (let i = 0; i < 72; i++) {
      const [y, place, split] = [i % 2, (i >> 1) % 2, Math.floor(i / 24)];
      const file = `001.Black_footed_Albatross/Bird_${i}_${59 + i}.jpg`;
      table += `${i + 1},${file},${y},${split},${place},/o/ocean/0000${i}.jpg\n`;
      const background = { r: y === 0 ? 40 : 200, g: 90 + i, b: place === 0 ? 60 : 180 };
      const jpeg = sharp({ create: { width: 8, height: 8, channels: 3, background } }).jpeg();
      writeFileSync(join(made, file), await jpeg.toBuffer());
    }
    writeFileSync(join(made, "metadata.csv"), table);
    return made;
  };
  let path: string;
  beforeAll(async () => {
    path = await copy();
  });

  test("has environments beside its splits: training, and validation with test", async () => {
    const { dataset, warnings } = await openDataset(path, { cues: ["place"] });
    const { environment } = dataset.attributes;
    expect(warnings.join()).toMatch(/read as Waterbirds: environment 0 is its training split/);
    expect(environment).toMatchObject({ valueNames: ["0", "1"], role: "other" });
    const pairs = Array.from(dataset.splits.values, (split, i) => `${split} ${environment!.values[i]}`);
    expect(new Set(pairs)).toEqual(new Set(["0 0", "1 1", "2 1"]));
    expect(dataset.splits.names).toEqual(["train", "val", "test"]);
    const report = await checkDataset(path, { mapping: { cues: ["place"] }, workers: 0 });
    expect(report).toMatchObject({ ok: true, splits: { train: 24, val: 24, test: 24 } });
    // What tells environments apart is no shortcut.
    expect(new Set(report.cues.map(({ cue }) => cue))).toEqual(new Set(["place"]));
  });

  test("a pool leaves out each environment in turn, and learns in both", async () => {
    const out = join(root, "pool");
    const size = ["--classifiers", "32", "--steps", "200", "--checkpoints", "1"];
    const kind = ["--families", "logistic", "--features", "pixels-1", "--vary", "training"];
    await cuelabHere("pool", "run", path, "--out", out, ...size, ...kind, "--workers", "1", "--quiet");
    const rows = await decodeRows(join(out, "accuracies.parquet"));
    expect(rows).toHaveLength(64);
    // The class is painted on the images, so most classifiers find it wherever they were trained.
    for (const left of ["0", "1"]) {
      const good = rows.filter((row) => row.test_env === left && Number(row[`env${left}_out_acc`]) > 0.9);
      expect(good.length).toBeGreaterThan(16);
    }
  });
});
