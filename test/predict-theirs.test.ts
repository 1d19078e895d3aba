/** `cuelab predict` with networks of others: their preparation, their classes, any batch, and what is told when it looks wrong. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { encodePng } from "../src/images/png.ts";
import { openModel } from "../src/training/asked/open-model.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { formulaImage } from "./helpers/formula-image.ts";
import { ranHere } from "./helpers/in-process.ts";

// As it is built: batches are made by a thread.
const built = join(import.meta.dirname, "../dist/src/training/predict-data.js");
const { predictData } = (await import(built)) as typeof import("../src/training/predict-data.ts");
const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);
const stored = (name: string) => fileURLToPath(new URL(`references/onnx/${name}.onnx`, import.meta.url));
const resnet = stored("resnet-legacy");
const names = ["background", "cat", "dog", "car", "tree"];

beforeAll(() => {
  for (const [c, name] of ["cat", "dog"].entries()) {
    mkdirSync(at("photos", name), { recursive: true });
    for (let i = 0; i < 25; i++) {
      const image = formulaImage(40 + ((5 * i) % 21), 37 + ((7 * i) % 17));
      for (let k = 0; k < image.data.length; k += 3) image.data[k] = (image.data[k]! + 40 * i + 90 * c) % 256;
      writeFileSync(at("photos", name, `${i}.png`), encodePng(image));
    }
  }
  writeFileSync(at("names.txt"), `${names.join("\n")}\n`);
});

const ask = (options: string[], out: string) =>
  ranHere(["predict", resnet, "--data", at("photos"), ...options, "--out", at(out)]);

test("what is assumed is told, and so is that nothing is known of classes", async () => {
  const { code, stderr } = await ask(["--classes", at("names.txt")], "a.csv");
  expect(stderr).toMatch(/size: shorter side to 36, bilinear, middle of 32 × 32 \(assumed\)/);
  expect(stderr).toMatch(/pixels: ImageNet's mean and deviation \(assumed\)/);
  expect(code).toBe(0);
  const unnamed = await ask([], "never.csv");
  expect(unnamed.stderr).toMatch(/another number of classes[\s\S]*5[\s\S]*--classes/);
  expect(unnamed.code).toBe(3);
});

test("a file beside the model says how, options overrule it, and each is named", async () => {
  const config = {
    input_size: [3, 32, 32],
    mean: [0.5, 0.5, 0.5],
    std: [0.5, 0.5, 0.5],
    crop_pct: 1,
    interpolation: "bicubic",
  };
  mkdirSync(at("hub"), { recursive: true });
  writeFileSync(at("hub", "model.onnx"), readFileSync(resnet));
  writeFileSync(at("hub", "config.json"), JSON.stringify({ pretrained_cfg: config }));
  const said = async (words: object) =>
    (await openModel({ model: at("hub", "model.onnx"), ...words })).preparation!.said;
  expect(await said({})).toEqual([
    { part: "size", how: "shorter side to 32, bicubic, middle of 32 × 32", from: "config.json" },
    { part: "pixels", how: "from -1 to 1", from: "config.json" },
  ]);
  expect(await said({ resize: 50, range: "bytes", order: "bgr" })).toEqual([
    { part: "size", how: "shorter side to 50, bicubic, middle of 32 × 32", from: "options" },
    { part: "pixels", how: "from 0 to 255", from: "options" },
    { part: "channels", how: "blue first", from: "options" },
  ]);
  await expect(openModel({ model: resnet, preparation: "torchvision:resnet50" })).rejects.toThrow(
    /another size[\s\S]*32 × 32[\s\S]*224 × 224/,
  );
  await expect(openModel({ model: resnet, preparation: "torchvision:resnet5" })).rejects.toThrow(
    /no weights "resnet5"/,
  );
});

test("classes are those of transformers' config in the folder above onnx, unless it made them up", async () => {
  mkdirSync(at("exported", "onnx"), { recursive: true });
  const model = at("exported", "onnx", "model.onnx");
  writeFileSync(model, readFileSync(resnet));
  const said = async (labels: string[]) => {
    writeFileSync(
      at("exported", "config.json"),
      JSON.stringify({ id2label: Object.fromEntries(labels.entries()) }),
    );
    return openModel({ model });
  };
  const named = await said(names);
  expect(named.classNames).toEqual(names);
  expect(named.remarks).toContain("classes: 5 names (config.json)");
  expect((await said(names.map((_, k) => `LABEL_${k}`))).classNames).toBeUndefined();
  expect((await said(names.slice(1))).classNames).toBeUndefined();
});

test("a subset leaves the other logits away; groups win where their class wins", async () => {
  writeFileSync(at("some.txt"), "dog\ncat\n");
  writeFileSync(at("groups.json"), JSON.stringify({ animal: ["cat", 2], thing: ["car", "tree"] }));
  const data = { data: { path: at("photos"), labels: "none" as const }, labelled: false };
  const all = (await predictData({ model: resnet, classes: at("names.txt") }, data))!;
  const some = (await predictData(
    { model: resnet, classes: at("names.txt"), subset: at("some.txt") },
    data,
  ))!;
  const groups = (await predictData(
    { model: resnet, classes: at("names.txt"), superclasses: at("groups.json") },
    data,
  ))!;
  expect(some.dataset.classNames).toEqual(["cat", "dog"]);
  expect(groups.dataset.classNames).toEqual(["animal", "thing", "other classes"]);
  const groupOf = [2, 0, 0, 1, 1];
  for (const row of all.indices.keys()) {
    const [own, two] = [
      all.logits.subarray(5 * row, 5 * row + 5),
      some.logits.subarray(2 * row, 2 * row + 2),
    ];
    expect([...two]).toEqual([own[1], own[2]]);
    expect(groups.predicted[row]).toBe(groupOf[all.predicted[row]!]);
  }
});

test("classes of the data meet the model's by id, by number and by a map", async () => {
  writeFileSync(
    at("ids.json"),
    JSON.stringify({
      0: ["n00000001", "a"],
      1: ["n00000002", "b"],
      2: ["cat", "c"],
      3: ["dog", "d"],
      4: ["n00000005", "e"],
    }),
  );
  const byId = (await predictData(
    { model: resnet, classes: at("ids.json") },
    { data: { path: at("photos") } },
  ))!;
  expect(new Set(byId.dataset.labels)).toEqual(new Set([2, 3]));
  writeFileSync(at("map.csv"), "cat,tree\ndog,car\n");
  const mapped = (await predictData(
    { model: resnet, classes: at("names.txt") },
    { data: { path: at("photos") }, labelMap: at("map.csv") },
  ))!;
  expect(new Set(mapped.dataset.labels)).toEqual(new Set([4, 3]));
});

test("a prediction that was stopped goes on, and ends with the same bytes", async () => {
  const words = { model: resnet, classes: at("names.txt") };
  const asked = { data: { path: at("photos") }, batchSize: 8 };
  for (const ending of ["parquet", "csv"]) {
    await predictData(words, { ...asked, out: at(`whole.${ending}`) });
    const parted = { ...asked, out: at(`parted.${ending}`) };
    let images = 0;
    const first = await predictData(words, {
      ...parted,
      onEvaluation: (done) => {
        ({ images } = done);
      },
      shouldStop: () => images >= 16,
    });
    expect(first).toBeUndefined();
    const remarks: string[] = [];
    const second = await predictData(words, { ...parted, onRemark: (text) => remarks.push(text) });
    expect(remarks).toContain("goes on behind 16 images that were predicted before");
    expect(second!.predicted.length).toBe(50);
    expect(readFileSync(at(`parted.${ending}`)).equals(readFileSync(at(`whole.${ending}`)))).toBe(true);
  }
});

test("what looks wrong is told", async () => {
  const told = async (words: object) => {
    const remarks: string[] = [];
    const asked = { model: resnet, classes: at("names.txt"), ...words };
    await predictData(asked, { data: { path: at("photos") }, onRemark: (text) => remarks.push(text) });
    return remarks.join("\n");
  };
  expect(await told({})).toMatch(
    /not surely above what one class alone would give \(50\.0%\)[\s\S]*assumed was size/,
  );
  expect(await told({ range: "unit", mean: [0, 0, 0], deviation: [1e9, 1e9, 1e9] })).toMatch(
    /says the same of every image/,
  );
  expect(await told({ range: "bytes", mean: [0, 0, 0], deviation: [1e-4, 1e-4, 1e-4] })).toMatch(
    /as sure as can be|is said to be/,
  );
});

test.each([
  [["--output", "nothing"], /no output "nothing"/],
  [["--classes", "absent.txt"], /absent\.txt/],
  [["--subset", "unknown.txt"], /no class "zebra"/],
])("%j is refused", async (options, message) => {
  writeFileSync(at("unknown.txt"), "zebra\ncat\n");
  const placed = options.map((word) => (word.endsWith(".txt") ? at(word) : word));
  const classes = options[0] === "--classes" ? [] : ["--classes", at("names.txt")];
  const { code, stderr } = await ask([...classes, ...placed], "never.parquet");
  expect(stderr).toMatch(message);
  expect(code).not.toBe(0);
});

test("a run takes no preparation, and says so", async () => {
  mkdirSync(at("folder"), { recursive: true });
  await expect(openModel({ model: at("folder"), resize: 9 })).rejects.toThrow(
    /--resize has no effect with a run/,
  );
});

test("an audit of a model makes pictures ready as predict does, and says how", async () => {
  const words = ["--data", at("photos"), "--classes", at("names.txt"), "--resize", "40", "--range", "bytes"];
  const audit = ["audit", "model", resnet, ...words, "--set", "interventions=colour", "--json"];
  const { code, stdout, stderr } = await ranHere(audit);
  expect(stderr).toMatch(/size: shorter side to 40, .*\(options\)[\s\S]*pixels: from 0 to 255 \(options\)/);
  expect(code).toBe(0);
  expect(JSON.stringify(JSON.parse(stdout))).toMatch(/grey/);
  const idle = await ranHere(["audit", "embedding", at("photos"), "--resize", "40"]);
  expect(idle.stderr).toMatch(/options about a model have no effect here[\s\S]*--resize/);
  expect(idle.code).toBe(2);
});
