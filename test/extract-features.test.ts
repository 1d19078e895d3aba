/** Features of anybody's ONNX file, of changed images, and of an extraction that was stopped: against what the network itself says. */

import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { encodePng } from "../src/images/png.ts";
import type { FeatureSet } from "../src/runs/feature-folder.ts";
import { fingerprint, temporaryFolder } from "./helpers/files.ts";
import { formulaImage } from "./helpers/formula-image.ts";

// As it is built: batches are made by a thread.
const dist = (path: string) => import(join(import.meta.dirname, "../dist/src", path));
const { extractFromOnnx } = (await dist(
  "training/features/asked-source.js",
)) as typeof import("../src/training/features/asked-source.ts");
const { extractFeatures } = (await dist(
  "training/features/extract-features.js",
)) as typeof import("../src/training/features/extract-features.ts");
const { extractionFromWords } = (await dist(
  "training/features/extraction-words.js",
)) as typeof import("../src/training/features/extraction-words.ts");
const { parseViews } = (await dist(
  "training/features/view-parts.js",
)) as typeof import("../src/training/features/view-parts.ts");
const { readFeatures, readFeatureHead } = (await dist(
  "runs/feature-folder.js",
)) as typeof import("../src/runs/feature-folder.ts");
const { openView } = (await dist("runs/feature-views.js")) as typeof import("../src/runs/feature-views.ts");
const { predictData } = (await dist(
  "training/predict-data.js",
)) as typeof import("../src/training/predict-data.ts");

const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);
const stored = (name: string) => fileURLToPath(new URL(`references/onnx/${name}.onnx`, import.meta.url));
const names = ["one", "two", "three", "four", "five"];

beforeAll(() => {
  for (const [c, name] of names.entries()) {
    mkdirSync(at("photos", name), { recursive: true });
    for (let i = 0; i < 5; i++) {
      const image = formulaImage(32, 32);
      for (let k = 0; k < image.data.length; k += 3) image.data[k] = (image.data[k]! + 40 * i + 50 * c) % 256;
      writeFileSync(at("photos", name, `${i}.png`), encodePng(image));
    }
  }
});

const ask = (name: string, layer?: string) => ({
  model: { model: stored(name) },
  data: { path: at("photos") },
  layer,
  batchSize: 10,
  threads: 1,
});

/** features · weightᵀ + bias */
async function byHead(folder: string): Promise<Float32Array> {
  const set = await readFeatures(folder);
  const head = (await readFeatureHead(folder, set))!;
  const { features, width } = set;
  const classes = head.bias.length;
  return Float32Array.from({ length: (features.length / width) * classes }, (_, at) => {
    const [row, k] = [Math.floor(at / classes), at % classes];
    let sum = head.bias[k]!;
    for (let j = 0; j < width; j++) sum += features[row * width + j]! * head.weight[k * width + j]!;
    return sum;
  });
}

test.each(["resnet-legacy", "vit-legacy", "swin-dynamo", "mobilenet-v3-legacy"])(
  "%s: what stands before its last layer is found, and with that layer gives the file's own logits",
  async (name) => {
    const said = (await predictData(stored(name), { data: { path: at("photos") }, threads: 1 }))!;
    const out = at(name);
    const { head, images } = await extractFromOnnx(ask(name), { out, force: false });
    expect([head, images]).toEqual([true, 25]);
    const logits = await byHead(out);
    expect(logits.length).toBe(said.logits.length);
    // The same sums in another order.
    const scale = Math.max(...said.logits.map(Math.abs));
    for (const [i, logit] of said.logits.entries())
      expect(Math.abs(logits[i]! - logit)).toBeLessThan(2e-5 * scale);
  },
);

test("numbers of 16 bits are the same to half of their last digit; a layer can be named", async () => {
  await extractFromOnnx(ask("resnet-legacy"), { out: at("halves"), force: false, type: "float16" });
  const [exact, halves] = [await readFeatures(at("resnet-legacy")), await readFeatures(at("halves"))];
  for (const [i, value] of exact.features.entries())
    expect(Math.abs(halves.features[i]! - value)).toBeLessThanOrEqual(
      Math.max(2 ** -25, Math.abs(value) * 2 ** -11),
    );
  await extractFromOnnx(ask("resnet-legacy", exact.source.layer), { out: at("named"), force: false });
  expect((await readFeatures(at("named"))).features).toEqual(exact.features);
  const wrong = (layer: string) =>
    extractFromOnnx(ask("resnet-legacy", layer), { out: at("never"), force: false });
  await expect(wrong("nothing")).rejects.toThrow(/has no value "nothing"/);
  await expect(wrong("/layer3/layer3.0/Add_output_0")).rejects.toThrow(/no row of numbers an image/);
});

const world = (more: object = {}) => ({
  data: "urban-cars",
  set: ["size=64", "count.train=20", "count.val=4", "count.test=4"],
  model: "logistic-regression",
  modelSet: [],
  batchSize: 8,
  threads: 1,
  ...more,
});
const views = () => parseViews(["background-swap", "mixup", "crop+flip"], ["mixup.alpha=0.5"]);

const extract = async (out: string, more: object = {}) =>
  extractFeatures(await extractionFromWords(world({ views: ["mixup"] })), {
    out: at(out),
    force: false,
    views: views(),
    copies: 2,
    ...more,
  });

const viewOf = (set: FeatureSet, folder: string, name: string) =>
  openView(at(folder), set.views.find((view) => view.name === name)!, {
    width: set.width,
    type: set.type,
    count: set.dataset.images.count,
    most: Number.POSITIVE_INFINITY,
  });

test("views are of the images that their rows name: pixels themselves are the features here", async () => {
  expect(await extract("viewed")).toMatchObject({ images: 28, viewed: 3 * 2 * 20, head: false });
  const set = await readFeatures(at("viewed"));
  const { width } = set;
  const own = (image: number) => set.features.subarray(image * width, (image + 1) * width);
  const mixed = await viewOf(set, "viewed", "mixup");
  const rowOf = (view: typeof mixed, row: number) =>
    (view.features as Float32Array).subarray(row * width, (row + 1) * width);
  const partners = new Set<number>();
  for (let row = 0; row < 40; row++) {
    const [image, partner] = [mixed.rows[3 * row]!, mixed.rows[3 * row + 1]!];
    const share = mixed.shares[2 * row + 1]!;
    if (image !== partner) partners.add(partner);
    // Bytes are rounded after they are mixed.
    for (let k = 0; k < width; k += 97)
      expect(
        Math.abs(rowOf(mixed, row)[k]! - share * own(image)[k]! - (1 - share) * own(partner)[k]!),
      ).toBeLessThan(0.51 / 255);
  }
  expect(partners.size).toBeGreaterThan(10);
  for (const copy of [0, 1]) {
    const images = Array.from({ length: 20 }, (_, i) => mixed.rows[3 * (20 * copy + i)]!);
    // Each once, and not in the dataset's order, in which neighbours are of one group.
    expect(images.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
    expect(images).not.toEqual(images.toSorted((a, b) => a - b));
  }
  const swapped = await viewOf(set, "viewed", "background-swap");
  expect([...swapped.rows].filter((_, i) => i % 3 === 0)).toEqual(
    Array.from({ length: 40 }, (_, i) => i % 20),
  );
  // The car in the middle stays, what is around it does not, and another copy has another background.
  const differs = (a: ArrayLike<number>, b: ArrayLike<number>) =>
    Array.from(a).filter((x, i) => Math.abs(x - b[i]!) > 0.02).length / width;
  let others = 0;
  for (let image = 0; image < 20; image++) {
    const share = differs(rowOf(swapped, image), own(image));
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.97);
    if (differs(rowOf(swapped, image), rowOf(swapped, 20 + image)) > 0.1) others++;
  }
  expect(others).toBeGreaterThan(5);
});

test.each([1, 5, 9])("stopped after %i batches, it goes on to the same bytes", async (stopAfter) => {
  const out = `stopped-${stopAfter}`;
  const stop = new AbortController();
  let batches = -1;
  const stopped = extract(out, {
    signal: stop.signal,
    onProgress: () => {
      if (++batches === stopAfter) stop.abort();
    },
  });
  await expect(stopped).rejects.toThrow(/abort/);
  expect(readdirSync(root)).not.toContain(out);
  const [kept] = readdirSync(root).filter((name) => name.startsWith(`.${out}.`));
  // As a kill in the middle of a write leaves them.
  for (const file of readdirSync(at(kept!)).filter((name) => name.endsWith(".npy")))
    if (stopAfter % 2 === 1) appendFileSync(at(kept!, file), "half a row");
  // As one between the last files leaves them.
  if (stopAfter === 9) writeFileSync(at(kept!, "examples.parquet"), "of an earlier process");
  const remarks: string[] = [];
  let first: number | undefined;
  await extract(out, {
    onRemark: (text: string) => remarks.push(text),
    onProgress: (done: number) => {
      first ??= done;
    },
  });
  expect(remarks.join()).toMatch(/goes on behind \d+ rows/);
  expect(first).toBeGreaterThan(0);
  expect(fingerprint(at(out))).toEqual(fingerprint(at("viewed")));
  expect(readdirSync(root).filter((name) => name.startsWith(`.${out}.`))).toEqual([]);
});

test("what was kept of another extraction is not gone on with", async () => {
  const stop = new AbortController();
  const stopped = extract("other", {
    signal: stop.signal,
    onProgress: (done: number) => done > 8 && stop.abort(),
  });
  await expect(stopped).rejects.toThrow(/abort/);
  const remarks: string[] = [];
  await extract("other", { type: "float16", onRemark: (text: string) => remarks.push(text) });
  expect(remarks).toEqual([]);
  expect(readdirSync(root).filter((name) => name.startsWith(".other."))).toEqual([]);
});
