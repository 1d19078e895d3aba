/** A network of somebody's as ONNX, from the file to a fine-tuned one, and what the docs say of it. */

import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Executable } from "../src/engine/executable.ts";
import { input } from "../src/engine/expressions.ts";
import { OnnxModel } from "../src/engine/onnx-model.ts";
import { State } from "../src/engine/state.ts";
import { initialise } from "../src/engine/training/parameters.ts";
import { Network } from "../src/models/model.ts";
import { modelOfNetwork } from "../src/models/onnx/model-of-network.ts";
import { readOnnxNetwork } from "../src/models/onnx/network.ts";
import { operatorFamilies } from "../src/models/onnx/operators/index.ts";
import { testRandom } from "./engine/helpers.ts";
import { ranHere } from "./helpers/in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "cuelab-onnx-"));
const stored = (name: string) => fileURLToPath(new URL(`references/onnx/${name}.onnx`, import.meta.url));

test("train --model their.onnx --fresh-head fine-tunes it, and what it exports is read again", async () => {
  const theirs = join(folder, "Their net.onnx");
  copyFileSync(stored("resnet-legacy"), theirs);
  const out = join(folder, "R");
  const data = ["--data", "colored-mnist", "--set", "trainPerEnvironment=20", "--model", theirs];
  const settings = ["--model-set", "size=any", "--pixels", "half", "--steps", "1", "--batch-size", "8"];
  const kept = await ranHere(["train", ...data, ...settings, "--out", out]);
  expect(kept.code).not.toBe(0);
  expect(kept.stderr).toMatch(/other classes[\s\S]*--fresh-head/);
  const { code, stderr } = await ranHere(["train", ...data, ...settings, "--fresh-head", "--out", out]);
  expect(stderr).not.toMatch(/error/i);
  expect(code).toBe(0);
  const path = join(out, "model.onnx");
  const again = await readOnnxNetwork(path);
  expect(again.input).toMatchObject({ kind: "bytes", layout: "NHWC" });
  const { height, width, channels } = again.input as { height: number; width: number; channels: number };
  const pixels = Float32Array.from({ length: 3 * height * width * channels }, (_, i) => (i * 37) % 256);
  const { logits, layers } = again.build(input("images", [3, channels, height, width]));
  const state = new State();
  initialise(layers.parameters.all, state, testRandom);
  const program = await Executable.compile({ outputs: { logits } });
  const got = (await program.run({ images: planes(pixels, channels) }, { state })).logits!;
  await program.close();
  const runtime = await OnnxModel.open(path, { output: "logits" });
  const expected = await runtime.run(Uint8Array.from(pixels), [3, height, width, channels]);
  await runtime.close();
  for (const [i, value] of expected.entries()) expect(got[i]).toBeCloseTo(value, 4);
}, 120_000);

/** Channels first. */
function planes(pixels: Float32Array, channels: number): Float32Array {
  const places = pixels.length / 3 / channels;
  return pixels.map((_, i) => {
    const [image, channel, place] = [
      Math.floor(i / channels / places),
      Math.floor(i / places) % channels,
      i % places,
    ];
    return pixels[(image * places + place) * channels + channel]!;
  });
}

test("batch normalisation keeps the file's statistics, or learns where it is told to", async () => {
  const model = modelOfNetwork(await readOnnxNetwork(stored("densenet-legacy")));
  const moved = (batchNorm: string) => {
    const network = new Network(model, { classes: 5, mode: "train", options: { batchNorm } });
    network.logits(input("images", [2, 3, 32, 32]));
    return Object.keys(network.layers.updates);
  };
  expect(moved("frozen")).toEqual([]);
  expect(moved("trained")).toContain("features.denseblock1.denselayer1.norm1.running_mean");
});

test("the table of operators in docs is what is read", () => {
  const page = readFileSync(new URL("../docs/networks.md", import.meta.url), "utf8");
  const rows = Object.entries(operatorFamilies).map(
    ([family, readers]) => `| ${family} | ${Object.keys(readers).toSorted().join(", ")} |`,
  );
  expect(page).toContain(rows.join("\n"));
});
