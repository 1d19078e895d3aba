/**
 * Last layers over 100,000 × 512 features, as `cuelab features train` does them: seconds of full-batch and mini-batch training,
 * and of the whole command with its process.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { FeatureWriter } from "../dist/src/runs/feature-writer.js";

const [rows, width, classes] = [100_000, 512, 10];
const folder = mkdtempSync(join(tmpdir(), "last-layer-"));
const program = resolve(import.meta.dirname, "../dist/program/main.js");

const features = new Float32Array(rows * width);
let mixed = 1;
for (let i = 0; i < features.length; i++) {
  mixed = (Math.imul(mixed, 1664525) + 1013904223) | 0;
  features[i] = mixed / 2 ** 31;
}
const labels = Uint16Array.from({ length: rows }, (_, row) => {
  const first = features.subarray(row * width, row * width + classes);
  return first.indexOf(Math.max(...first));
});
const dataset = {
  name: "drawn",
  images: { count: rows, shape: null, describe: String },
  labels,
  classNames: Array.from({ length: classes }, (_, k) => `class ${k}`),
  attributes: {},
  splits: {
    names: ["train", "val", "test"],
    values: Uint8Array.from(labels, (_, i) => (i % 20 === 0 ? 1 : 0)),
  },
  provenance: {
    title: "",
    description: "",
    generator: { name: "bench", version: 1 },
    settings: {},
    seed: 0,
    sources: [],
    license: "",
    skipped: [],
  },
};
const writer = await FeatureWriter.create(join(folder, "features"), dataset, width, { force: true });
await writer.write(features);
await writer.finish({ model: "none", options: {}, head: "fc", weights: null, data: "drawn" });

for (const settings of [
  "--batch-size full --lr 0.05 --epochs 100",
  "--batch-size full --optimiser sgd --lr 1 --l1 0.001 --epochs 100",
  "--lr 0.01 --epochs 20",
]) {
  const start = performance.now();
  const words = `features train features ${settings} --l2 0.0001 --out run --force --quiet --json`.split(" ");
  const { accuracy } = JSON.parse(
    execFileSync("node", [program, ...words], { cwd: folder, encoding: "utf8" }),
  );
  const seconds = (performance.now() - start) / 1000;
  process.stdout.write(
    `${JSON.stringify({ rows, width, settings, seconds, accuracy: accuracy[0].accuracy })}\n`,
  );
}
rmSync(folder, { recursive: true });
