/** `cuelab repair` from end to end: the file that comes out, run by a bare runtime, says what the answer tells. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as ort from "onnxruntime-node";
import { beforeAll, expect, test } from "vitest";
import type { LayerRepair } from "../src/audits/repair/answer.ts";
import { parted } from "../src/audits/repair/parts.ts";
import type { Dataset } from "../src/core/dataset.ts";
import { groupsOf } from "../src/core/grouping.ts";
import { randomStream } from "../src/core/random.ts";
import { datasets } from "../src/datasets/index.ts";
import { input } from "../src/engine/expressions.ts";
import { State } from "../src/engine/state.ts";
import { initialise } from "../src/engine/training/parameters.ts";
import { exportNetwork } from "../src/models/export.ts";
import { models } from "../src/models/index.ts";
import { Network } from "../src/models/model.ts";
import { cuelab } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const model = join(root, "random.onnx");
const data =
  "--data colored-mnist --set size=14 --set trainPerEnvironment=400 --set environments=0.1,0.5 --set labelNoise=0 --data-seed 2";
let dataset: Dataset;

/** A network that was never trained: its features tell colours and something of shapes, and its head says neither. */
beforeAll(async () => {
  const definition = datasets.get("colored-mnist");
  const settings = { size: 14, trainPerEnvironment: 400, environments: [0.1, 0.5], labelNoise: 0 };
  dataset = await definition.build(definition.settings.parse(settings), 2);
  const options = { width: 32 };
  const network = new Network(models.get("small-cnn"), { classes: 2, mode: "evaluate", options });
  network.logits(input("images", [1, 14, 14, 3], "byte"));
  const state = new State();
  initialise(network.parameters.all, state, (key) => randomStream(3, key).at(0));
  const image = { height: 14, width: 14, channels: 3 };
  const { classNames } = dataset;
  writeFileSync(model, exportNetwork(models.get("small-cnn"), state, { classNames, image, options }));
});

async function repaired(name: string, words: string) {
  const out = join(root, `${name}.onnx`);
  const given = `${data} --resize 14 --threads 1 --batch-size 32 --json -q ${words}`.split(" ");
  const { code, stdout, stderr } = await cuelab(["repair", model, ...given, "--out", out]);
  return { code, stderr, out, answer: JSON.parse(stdout) as LayerRepair & { out?: string; card?: string } };
}

/** Outputs of a bare runtime, which knows nothing of us. */
async function said(file: string, images: readonly number[]): Promise<number[]> {
  const pixels = new Uint8Array(images.length * 14 * 14 * 3);
  for (const [n, i] of images.entries()) pixels.set((await dataset.images.pixels(i)).data, n * 14 * 14 * 3);
  const session = await ort.InferenceSession.create(file);
  const [name] = session.inputNames;
  const { logits } = await session.run({
    [name!]: new ort.Tensor("uint8", pixels, [images.length, 14, 14, 3]),
  });
  const values = logits!.data as Float32Array;
  await session.release();
  return images.map((_, n) => Number(values[2 * n + 1]! > values[2 * n]!));
}

test("a head fitted to groups comes back in the file, with a card, and does there what is told of it", async () => {
  const { code, answer, out, stderr } = await repaired(
    "linear",
    "--method-set strengths=10 --method-set refits=2",
  );
  expect(answer.chosen).toMatchObject({ method: "dfr", kind: "linear", toldGroups: true });
  expect(answer.fileError).toBeLessThan(1e-4);
  expect(Object.values(answer.parts).reduce((a, b) => a + b, 0)).toBe(dataset.images.count);
  expect(code, stderr).toBe(answer.verdict === "improved" ? 0 : 1);
  expect(existsSync(out)).toBe(answer.verdict === "improved");
  if (answer.verdict !== "improved") throw new Error(`nothing improved: ${answer.reason}`);
  const card = readFileSync(answer.card!, "utf8");
  for (const words of [
    "# A network with another last layer",
    answer.worst,
    "its last layer: now one linear layer",
  ])
    expect(card).toContain(words);
  // The parts again, from the seed alone: where nothing belongs together, images are their own clusters.
  expect(answer.clusters.units).toBe(answer.clusters.images);
  const clusters = Uint32Array.from(dataset.labels.keys());
  const split = parted(dataset, { groups: ["color"], clusters, seed: 0 });
  const images = [...dataset.labels.keys()].filter((i) => split.splits.values[i] === 3);
  const { codes } = groupsOf(split, { by: ["class", "color"] });
  for (const [when, file] of [
    ["before", model],
    ["after", out],
  ] as const) {
    const predicted = await said(file, images);
    for (const [code_, own] of answer.changes.entries()) {
      const rows = [...images.keys()].filter((n) => codes[images[n]!] === code_);
      const right = rows.filter((n) => predicted[n] === dataset.labels[images[n]!]).length;
      expect(right / rows.length).toBeCloseTo(own[when].value, 10);
    }
  }
}, 120_000);

test("Last Layer Ensemble comes back as an ensemble in the graph", async () => {
  const { answer } = await repaired("ensemble", "--method last-layer-ensemble --views grey");
  expect(answer.chosen).toMatchObject({ kind: "ensemble", heads: 2 });
  expect(answer.fileError).toBeLessThan(1e-3);
}, 120_000);

test("a layer that is hardly allowed any weight helps nobody: no file, and a code that says so", async () => {
  const { code, answer, out } = await repaired("none", "--method-set strengths=0.0001 --method-set refits=1");
  expect(answer.verdict).toBe("nothing improved");
  expect(code).toBe(1);
  expect(existsSync(out)).toBe(false);
}, 120_000);
