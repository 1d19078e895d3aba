/** `cuelab embed` within this process, on features made up for it: page, JSON, files, and what it refuses. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { cuelabHere as cuelab } from "../../../test/helpers/in-process.ts";
import type { Dataset } from "../../core/dataset.ts";
import { randomStream } from "../../core/random.ts";
import { FeatureWriter } from "../../runs/feature-writer.ts";

const root = temporaryFolder();
const features = join(root, "features");
const count = 80;

/** Half val, half test; the features are the cue. */
beforeAll(async () => {
  const random = randomStream(0, "test").at(0);
  const draw = (p: number) => (random.boolean(p) ? 1 : 0);
  const labels = Uint16Array.from({ length: count }, () => draw(0.5));
  const cue = labels.map((label, i) => (draw(i < count / 2 ? 0.9 : 0.1) === 1 ? label : 1 - label));
  const dataset = {
    name: "made up",
    images: { count, shape: null },
    labels,
    classNames: ["cat", "dog"],
    attributes: {
      place: { values: cue, valueNames: ["indoors", "outdoors"], role: "cue" },
      camera: { values: labels.map(() => draw(0.5)), valueNames: ["old", "new"], role: "other" },
      x: { values: labels, valueNames: ["left", "right"], role: "other" },
    },
    splits: {
      names: ["train", "val", "test"],
      values: Uint8Array.from({ length: count }, (_, i) => (i < count / 2 ? 1 : 2)),
    },
    provenance: {
      title: "made up",
      description: "features that are a cue",
      generator: { name: "test", version: 1 },
      settings: {},
      seed: 0,
      sources: [],
      license: "none",
      skipped: [],
    },
  } as unknown as Dataset;
  const writer = await FeatureWriter.create(features, dataset, 3, { force: false });
  await writer.write(
    Float32Array.from({ length: count * 3 }, (_, i) =>
      i % 3 === 0 ? 20 * cue[Math.floor(i / 3)]! + random.normal() : random.normal(),
    ),
  );
  await writer.finish({ model: "mlp", options: {}, head: "head", weights: null, data: "made up" });
});

test("numbers by class and by cue", async () => {
  const words = ["embed", features, "--no-umap", "--neighbours", "5"];
  const page = await cuelab(...words);
  expect(page).toMatch(/images +40 of val, to which all is fitted, and 40 of test/);
  const { labels } = JSON.parse(await cuelab(...words, "--json"));
  expect(labels.map(({ name }: { name: string }) => name)).toEqual(["class", "place"]);
  expect(labels[1].agreement.share).toBe(1);
  expect(labels[1].silhouette.ood.components).toBeGreaterThan(labels[0].silhouette.ood.components);
  expect(page).toContain(labels[1].silhouette.ood.components.toFixed(3));
});

test("other parts and other attributes", async () => {
  const words = [
    "--no-umap",
    "--neighbours",
    "3",
    "--cues",
    "camera",
    "--id",
    "camera=old",
    "--ood",
    "camera=new",
  ];
  const report = JSON.parse(await cuelab("embed", features, ...words, "--json"));
  expect(report.points.id + report.points.ood).toBe(count);
  expect(report.labels[1]).toMatchObject({ name: "camera", agreement: { share: 0, chance: 0 } });
});

test("a folder of points and figures", async () => {
  const out = join(root, "out");
  await cuelab("embed", features, "--neighbours", "5", "--out", out);
  const lines = readFileSync(join(out, "points.csv"), "utf8").trim().split("\n");
  expect(lines.length).toBe(1 + count);
  expect(lines[1]).toMatch(/^0,id,-?[\d.]+,-?[\d.]+,(cat|dog),(in|out)doors$/);
  expect(readFileSync(join(out, "figures/place.svg"), "utf8")).toMatch(/outdoors/);
  expect(readFileSync(join(out, "figures/class.png")).subarray(1, 4).toString()).toBe("PNG");
});

test.each([
  [["--ood", "tests"], /no part of the images is called "tests"/],
  [["--id", "camera=newer"], /such as place=indoors, camera=old/],
  [["--id", "train"], /too few in-distribution images/],
  [["--cues", "weather"], /no attribute "weather"/],
  [
    ["--cues", "x", "--out", join(root, "never")],
    /cannot be named "x"[\s\S]*image, part, x, y, class[\s\S]*--cues/,
  ],
  [["--points", "1"], /whole number from 2/],
])("refuses %j", async (words, message) => {
  await expect(cuelab("embed", features, "--no-umap", ...words)).rejects.toThrow(message);
});

test("a folder that is neither is refused", async () => {
  await expect(cuelab("embed", root)).rejects.toThrow(/no folder of features/);
});
