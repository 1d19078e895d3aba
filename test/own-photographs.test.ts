/** A folder of photographs as people have them, from the folder to predictions: sizes, splits, names, kinds of files. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import type { Dataset } from "../src/core/dataset.ts";
import { checkDataset } from "../src/formats/check-dataset.ts";
import { convertDataset } from "../src/formats/convert-dataset.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { showCheck } from "../src/formats/show-check.ts";
import { fitted } from "../src/images/fit.ts";
import type { ColumnMapping } from "../src/layouts/column-mapping.ts";
import { describeTrainingData } from "../src/training/data-book.ts";
import { openTrainingData } from "../src/training/training-data.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);

/** A picture of its own for every number, in a shape of its own. */
function photo(i: number, format: "jpeg" | "png" = "jpeg"): Promise<Buffer> {
  const background = { r: (i * 53) % 256, g: (i * 91) % 256, b: (i * 17) % 256 };
  const picture = sharp({ create: { width: 20 + (i % 5), height: 16 + (i % 3), channels: 3, background } });
  return (format === "png" ? picture.png() : picture.jpeg()).toBuffer();
}

async function put(path: string, content: string | Buffer): Promise<void> {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), content);
}

const check = (folder: string, mapping: ColumnMapping = {}) =>
  checkDataset(at(folder), { mapping, workers: 0 });
const open = async (folder: string, mapping: ColumnMapping = {}) =>
  (await openDataset(at(folder), mapping)).dataset;

/** The split of each file, by its name. */
function splitsByFile({ images, splits }: Dataset): Map<string, string> {
  return new Map(Array.from(splits.values, (code, i) => [images.source!(i), splits.names[code]!] as const));
}

beforeAll(async () => {
  for (let i = 0; i < 60; i++) await put(`photos/${i % 2 === 0 ? "cat" : "dog"}/${i}.jpg`, await photo(i));
});

describe("kinds of files", () => {
  test("are told by content, and what is not read is counted by kind", async () => {
    await put("kinds/a/2.jpg", await photo(2));
    await put("kinds/a/3.heic", await photo(3));
    await put("kinds/a/5.jfif", await photo(5));
    await put("kinds/a/6", await photo(6));
    await put("kinds/b/7.png", await photo(7, "png"));
    await put("kinds/b/IMG_1.HEIC", Buffer.from("\0\0\0\x18ftypheic\0\0\0\0heicmif1"));
    await put("kinds/b/IMG_2.heic", Buffer.from("\0\0\0\x18ftypmif1\0\0\0\0mif1heic"));
    await put("kinds/b/notes.txt", "of no use");
    await put("kinds/b/._7.png", "clutter");
    await put("kinds/b/.hidden/8.jpg", await photo(8));
    await put("kinds/b/Thumbs.db", "clutter");
    await put("kinds/c/raw.dng", Buffer.from("II*\0 and so on"));
    mkdirSync(at("kinds/d/e"), { recursive: true });
    const { count, unread, warnings, classNames, ok } = await check("kinds");
    expect({ count, classNames, ok }).toEqual({ count: 5, classNames: ["a", "b"], ok: true });
    expect(unread).toEqual([
      { kind: ".heic", count: 2, example: "b/IMG_1.HEIC", todo: "convert to JPEG" },
      { kind: ".dng", count: 1, example: "c/raw.dng", todo: "convert to JPEG" },
      { kind: ".txt", count: 1, example: "b/notes.txt" },
    ]);
    expect(warnings).toContain("not read: 2 .heic (convert to JPEG), 1 .dng (convert to JPEG), 1 .txt");
    expect(warnings).toContain("no images in c/ and d/");
  });

  test("a copy has the endings that its files deserve", async () => {
    const options = { to: "folder", out: at("kinds-copy"), skipBroken: false, force: false, workers: 0 };
    await convertDataset(at("kinds"), { ...options, mapping: {} });
    const rows = readFileSync(at("kinds-copy/metadata.csv"), "utf8").trim().split("\n");
    expect(rows[0]).toBe("img_filename,y,split,file_name,source_file");
    expect(rows.slice(1).map((row) => row.split(",").slice(3).join(" "))).toEqual(
      [
        "train/0.jpg a/2.jpg",
        "train/1.jpg a/3.heic",
        "train/2.jpg a/5.jfif",
        "train/3.jpg a/6",
        "train/4.png b/7.png",
      ].map((row) => row.replace(/train\/(\d)/, "train/00000$1")),
    );
    await expect(
      convertDataset(at("kinds"), { ...options, mapping: {}, force: true }).then(({ count }) => count),
    ).resolves.toBe(5);
  });

  test("an answer in a sentence ends the check", async () => {
    const sections = showCheck(await check("photos"));
    expect(sections.at(-1)!.facts!.at(-1)).toEqual([
      "verdict",
      "ok: all 60 images can be read; sizes differ, so train with --size 224 or the like; none are kept for measuring, so train with --split 0.8,0.1,0.1",
    ]);
  });
});

describe("one size", () => {
  test.each(["crop", "pad", "stretch"] as const)("by %s, of every image as it is read", async (fit) => {
    const [whole, sized] = [await open("photos"), await open("photos", { prepared: { size: 12, fit } })];
    expect(sized.images.shape).toEqual({ height: 12, width: 12, channels: 3 });
    for (const i of [0, 7, 59])
      expect((await sized.images.pixels(i)).data).toEqual(fitted(await whole.images.pixels(i), 12, fit).data);
  });

  test("is part of what data is, as are shares", async () => {
    const identities = new Set<string>();
    const path = at("photos");
    const words = [{}, { size: 12 }, { size: 13 }, { size: 12, fit: "pad" as const }, { split: [0.5, 0.5] }];
    for (const more of words) identities.add((await describeTrainingData({ path, ...more })).identity);
    expect(identities.size).toBe(words.length);
    expect(await describeTrainingData({ path, size: 12 })).toMatchObject({ size: 12, fit: "crop" });
    expect((await describeTrainingData({ path, size: 12, fit: "crop" })).identity).toBe(
      (await describeTrainingData({ path, size: 12 })).identity,
    );
  });

  test("a copy has it, and says so", async () => {
    const mapping = { prepared: { size: 12, split: [0.6, 0.2, 0.2] } };
    const options = { to: "npz", out: at("sized"), skipBroken: false, force: false, workers: 0, mapping };
    const { image, settings, splits } = await convertDataset(at("photos"), options);
    expect(image).toEqual({ height: 12, width: 12, channels: 3 });
    expect(settings).toEqual({ size: 12, fit: "crop", split: [0.6, 0.2, 0.2] });
    expect(Math.min(...Object.values(splits))).toBeGreaterThan(0);
    const copy = await open("sized");
    expect(splitsByFile(copy)).toEqual(splitsByFile(await open("photos", mapping)));
    await copy.images.close?.();
  });
});

describe("shares", () => {
  const shares = { prepared: { split: [0.6, 0.2, 0.2] } };

  test("are those that were asked for, about", async () => {
    const counts = [0, 0, 0];
    for (const code of (await open("photos", shares)).splits.values) counts[code]!++;
    // Binomial: 60 images at 0.6 have a deviation of 3.8, at 0.2 of 3.1; four of them.
    expect(Math.abs(counts[0]! - 36)).toBeLessThan(16);
    expect(Math.abs(counts[1]! - 12)).toBeLessThan(13);
  });

  test("adding and removing files moves none, and copies stay together", async () => {
    const before = splitsByFile(await open("photos", shares));
    cpSync(at("photos"), at("grown"), { recursive: true });
    for (let i = 100; i < 130; i++) await put(`grown/cat/${i}.jpg`, await photo(i));
    cpSync(at("photos/dog/1.jpg"), at("grown/dog/copy of 1.jpg"));
    rmSync(at("grown/cat/0.jpg"));
    const after = splitsByFile(await open("grown", shares));
    expect(after.size).toBe(60 + 30 + 1 - 1);
    for (const [file, split] of before) if (file !== "cat/0.jpg") expect(after.get(file), file).toBe(split);
    expect(after.get("dog/copy of 1.jpg")).toBe(after.get("dog/1.jpg"));
  });

  test("--stratify: exactly those of every class; one more file moves two at most", async () => {
    const exact = { prepared: { ...shares.prepared, stratify: true as const } };
    const { labels, splits, classNames } = await open("photos", exact);
    for (const label of classNames.keys()) {
      const counts = [0, 0, 0];
      for (const [i, code] of splits.values.entries()) if (labels[i] === label) counts[code]!++;
      expect(counts).toEqual([18, 6, 6]);
    }
    const before = splitsByFile(await open("photos", exact));
    for (const i of [200, 201, 202, 203]) {
      cpSync(at("photos"), at(`one-more-${i}`), { recursive: true });
      await put(`one-more-${i}/cat/new.jpg`, await photo(i));
      const after = splitsByFile(await open(`one-more-${i}`, exact));
      const moved = [...before].filter(([file, split]) => after.get(file) !== split);
      expect(moved.length).toBeLessThanOrEqual(2);
    }
  });

  test("--split-by: nobody is in two splits, whoever is added", async () => {
    const rows = Array.from(
      { length: 60 },
      (_, i) => `${i % 2 === 0 ? "cat" : "dog"}/${i}.jpg,${i % 2},p${i >> 1}`,
    );
    cpSync(at("photos"), at("patients"), { recursive: true });
    await put("patients/metadata.csv", `file_name,y,patient\n${rows.join("\n")}\n`);
    const by = { prepared: { split: [0.5, 0.25, 0.25], splitBy: "patient" } };
    const { splits, attributes, images } = await open("patients", by);
    const { values, valueNames } = attributes.patient!;
    expect(valueNames).toHaveLength(30);
    expect(attributes.patient!.role).toBe("other");
    const splitsOf = new Map<number, Set<number>>();
    for (const [i, patient] of values.entries())
      splitsOf.set(patient, (splitsOf.get(patient) ?? new Set()).add(splits.values[i]!));
    expect([...splitsOf.values()].every(({ size }) => size === 1)).toBe(true);
    expect(new Set(splits.values).size).toBe(3);
    expect(images.count).toBe(60);
    await expect(open("patients", { prepared: { ...by.prepared, splitBy: "patent" } })).rejects.toThrow(
      'did you mean "patient"?',
    );
  });

  test("refused: data that is divided already, shares that do not sum, options without effect", async () => {
    await put("divided/train/a/1.jpg", await photo(1));
    await put("divided/test/a/2.jpg", await photo(2));
    await expect(open("divided", shares)).rejects.toThrow("divided into splits already");
    await expect(open("photos", { prepared: { split: [0.8, 0.8] } })).rejects.toThrow(
      "numbers that sum to 1",
    );
    await expect(open("photos", { prepared: { fit: "pad" } })).rejects.toThrow(
      "--fit has no effect without --size",
    );
    const both = { split: [0.5, 0.5], stratify: true as const, splitBy: "y" };
    await expect(open("photos", { prepared: both })).rejects.toThrow("cannot be told both");
    await expect(describeTrainingData({ name: "colored-mnist", size: 12 })).rejects.toThrow(
      '"size" is for images of your own',
    );
  });
});

describe("tables", () => {
  test("the only one beside folders is used where it fits, and named where it does not", async () => {
    await put("beside/a/1.jpg", await photo(1));
    await put("beside/b/2.jpg", await photo(2));
    await put("beside/photos.csv", "Bild;Art;Kamera\na/1.jpg;Tier;iPhone\nb/2.jpg;Kein Tier;Canon\n");
    const { warnings, classNames } = await check("beside");
    expect(classNames).toEqual(["a", "b"]);
    expect(warnings).toContain(
      "photos.csv is here and was not used: give --image-column and --label-column if it is about the images",
    );
    expect(warnings.filter((text) => text.startsWith("not read"))).toEqual([]);
    const named = await check("beside", { image: "Bild", label: "Art" });
    expect(named.classNames).toEqual(["Kein Tier", "Tier"]);
    expect(named.groups.attributes).toEqual(["Kamera"]);
    await put("beside/photos.csv", "path\tlabel\na/1.jpg\tx\nb/2.jpg\ty\n");
    expect(await check("beside")).toMatchObject({ classNames: ["x", "y"], format: "table" });
    await put("beside/other.csv", "path,label\na/1.jpg,x\n");
    expect((await check("beside")).warnings.join()).toContain(
      "other.csv, photos.csv are here and were not used",
    );
    await expect(check("beside", { label: "Art" })).rejects.toThrow("several tables lie here");
  });

  test("from Windows and macOS: backslashes, composed and decomposed letters, decimal commas", async () => {
    await put(`names/zebra/${"größe".normalize("NFD")}.jpg`, await photo(1));
    await put(`names/${"Vögel".normalize("NFC")}/2.jpg`, await photo(2));
    const rows = [
      `zebra\\${"größe".normalize("NFC")}.jpg;zebra;train;36,6`,
      `${"Vögel".normalize("NFD")}\\2.jpg;bird;test;37`,
    ];
    await put("names/metadata.csv", `\ufefffile_name;label;split;heat\n${rows.join("\n")}\n`);
    const report = await check("names");
    expect(report).toMatchObject({ ok: true, count: 2, splits: { train: 1, test: 1 } });
    expect((await open("names")).attributes.heat!.valueNames).toEqual(["36.6", "37"]);
  });

  test("a misspelt split is no split of its own", async () => {
    await put("misspelt/1.jpg", await photo(1));
    await put("misspelt/2.jpg", await photo(2));
    await put("misspelt/metadata.csv", "file_name,label,split\n1.jpg,a,train\n2.jpg,b,tset\n");
    await expect(open("misspelt")).rejects.toThrow(/looks misspelt[\s\S]*did you mean "test"\?/);
    await put("misspelt/metadata.csv", "file_name,label,split\n1.jpg,a,train\n2.jpg,b,test2\n");
    expect((await open("misspelt")).splits.names).toContain("test2");
  });
});

describe("images that nobody has labelled", () => {
  test("can be looked at, and not be trained on", async () => {
    for (let i = 0; i < 3; i++) await put(`bare/${i}.jpg`, await photo(i));
    const report = await check("bare");
    expect(report).toMatchObject({ ok: true, count: 3, format: "images" });
    expect(report.warnings).toContain("nobody has labelled the images: nothing can go with the class");
    await expect(open("bare")).rejects.toThrow(/3 images outside any class folder[\s\S]*nobody has said/);
    const { out } = await jsonHere<{ out: string }>(["data", "preview", at("bare"), "--out", at("bare.png")]);
    expect((await sharp(out).metadata()).width).toBeGreaterThan(100);
  });
});

describe("from the folder to predictions", () => {
  const quick = "--model small-cnn --model-set width=4 --epochs 1 --threads 1".split(" ");

  test("what cannot be trained on says which option makes it so", async () => {
    const different = await ranHere(["train", "--data", at("photos"), ...quick, "--out", at("R0")]);
    expect(different.stderr).toContain("give --size 224");
    const unmeasured = ["train", "--data", at("photos"), "--size", "12", ...quick, "--out", at("R1")];
    const { code, stderr } = await ranHere(unmeasured);
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--split 0.8,0.1,0.1"),
    });
  });

  test("a table with columns of its own names is trained on as it stands", async () => {
    const rows = Array.from(
      { length: 60 },
      (_, i) => `${i % 2 === 0 ? "cat" : "dog"}\\${i}.jpg;${i % 3};${i % 2}`,
    );
    cpSync(at("photos"), at("tabled"), { recursive: true });
    await put("tabled/photos.csv", `Bild;Art;Ort\n${rows.join("\n")}\n`);
    const columns = ["--image-column", "Bild", "--label-column", "Art", "--cue-columns", "Ort"];
    const ready = ["--size", "8", "--split", "0.6,0.2,0.2"];
    const train = ["train", "--data", at("tabled"), ...columns, ...ready, ...quick, "--out", at("RT")];
    await jsonHere(train);
    const { data } = JSON.parse(readFileSync(at("RT/spec.json"), "utf8")) as { data: object };
    expect(data).toMatchObject({ columns: { image: "Bild", label: "Art", cues: ["Ort"] } });
    const said = ["predict", at("RT"), "--data", at("tabled"), ...columns, "--out", at("t.csv")];
    expect((await jsonHere<{ images: number }>(said)).images).toBe(60);
    expect(readFileSync(at("t.csv"), "utf8").split("\n")[1]).toMatch(/^cat\/0\.jpg,[012],/);
    await put("tabled/\u001b[31m.jpg", "");
    const hostile = ["predict", at("RT"), "--data", at("tabled"), "--no-labels", "--skip-broken"];
    const { stderr } = await ranHere([...hostile, "--out", at("h.csv")]);
    expect(stderr).toContain("�[31m.jpg: the file is empty");
    expect(stderr).not.toContain("\u001b[31m.jpg");
    const byName = ["train", "--data", "colored-mnist", "--label-column", "Art", ...quick, "--out", at("RN")];
    expect((await ranHere(byName)).stderr).toContain('"columns" is for images of your own');
  });

  test("a run, then new photographs as they are: the same preparation, their own names", async () => {
    const data = ["--data", at("photos"), "--size", "12", "--fit", "pad", "--split", "0.6,0.2,0.2"];
    await jsonHere(["train", ...data, ...quick, "--out", at("R")]);
    const spec = JSON.parse(readFileSync(at("R/spec.json"), "utf8")) as { data: object };
    expect(spec.data).toMatchObject({ size: 12, fit: "pad", split: [0.6, 0.2, 0.2] });
    expect(readFileSync(at("R/model.onnx")).includes("pad to squares of 12 pixels")).toBe(true);
    await ranHere(["eval", at("R"), "--report", at("R.html")]);
    const page = readFileSync(at("R.html"), "utf8");
    expect(page).toMatch(/<img[^>]*data:image[\s\S]*(cat|dog)\/\d+\.jpg/);
    await put("new/IMG 1, müde.jpg", await photo(300));
    await put("new/two", await photo(301));
    const told = await jsonHere<{ images: number }>([
      "predict",
      at("R"),
      "--data",
      at("new"),
      "--out",
      at("p.csv"),
    ]);
    expect(told.images).toBe(2);
    const [header, ...rows] = readFileSync(at("p.csv"), "utf8").trim().split("\n");
    expect(header).toBe("source_file,predicted,probability,split,prob_cat,prob_dog");
    expect(rows[0]).toMatch(/^"IMG 1, müde\.jpg",(cat|dog),0\.\d{6},test,0\.\d{6},0\.\d{6}$/);
    expect(rows[1]).toMatch(/^two,/);
    const [, predicted, sure, , cat, dog] = rows[1]!.split(",");
    expect(Number(cat) + Number(dog)).toBeCloseTo(1, 5);
    expect(Number(sure)).toBe(Math.max(Number(cat), Number(dog)));
    expect(predicted).toBe(Number(cat) > Number(dog) ? "cat" : "dog");
    const again = [
      "predict",
      at("R"),
      "--data",
      at("photos"),
      "--split",
      "0.6,0.2,0.2",
      "--out",
      at("q.csv"),
    ];
    const { accuracy } = await jsonHere<{ accuracy: { slice: string; accuracy: number }[] }>(again);
    const { accuracy: measured } = JSON.parse(readFileSync(at("R/results.json"), "utf8")) as {
      accuracy: typeof accuracy;
    };
    const test = (rows: { slice: string; accuracy: number }[]) =>
      rows.find(({ slice }) => slice === "test")!.accuracy;
    expect(test(accuracy)).toBe(test(measured));
    expect((await ranHere(["eval", at("q.csv"), "--split", "test"])).code).toBe(0);
  });
});

test("a run is never one of other photographs than its plan names", async () => {
  for (const i of [1, 2, 3, 4]) await put(`changing/${i % 2 ? "cat" : "dog"}/${i}.jpg`, await photo(i));
  const planned = await describeTrainingData({ path: at("changing"), size: 16 });
  const opened = await openTrainingData(planned, { unchanged: true });
  expect(opened.images.count).toBe(4);
  const changed = /not what it was when this run was planned[\s\S]*give the command again/;
  await put("changing/cat/5.jpg", await photo(5));
  await expect(openTrainingData(planned, { unchanged: true })).rejects.toThrow(changed);
  rmSync(at("changing/cat/5.jpg"));
  // A table that says more of the same images makes other data of them, too.
  const rows = [1, 2, 3, 4].map((i) => `${i % 2 ? "cat" : "dog"}/${i}.jpg,${i % 2 ? "cat" : "dog"},${i < 3}`);
  await put("changing/metadata.csv", ["file_name,label,indoors", ...rows].join("\n"));
  await expect(openTrainingData(planned, { unchanged: true })).rejects.toThrow(changed);
  rmSync(at("changing/metadata.csv"));
  expect((await openTrainingData(planned, { unchanged: true })).images.count).toBe(4);
});
