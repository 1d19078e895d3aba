/** ONNX files as people have them, each run as onnxruntime's own Python runs it (`test/references/torch_odd_onnx.py`), or refused by name. */

import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type ModelWords, openModel } from "../src/training/asked/open-model.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { formulaImage } from "./helpers/formula-image.ts";
import { storedReference } from "./helpers/reference.ts";

const { torch, pictures, files } = storedReference<{
  torch: number[][];
  pictures: { side: number; count: number };
  files: Record<string, { output: string; rows: number[][] }>;
}>("torch_odd_onnx");

const root = temporaryFolder();
const stored = (name: string) => fileURLToPath(new URL(`references/odd-onnx/${name}.onnx`, import.meta.url));
const names = ["a", "b", "c", "d", "e"];

/** As the script rolls and darkens it. */
function picture(i: number): Uint8Array {
  const { side } = pictures;
  const { data } = formulaImage(side, side);
  const value = (y: number, x: number, c: number) =>
    data[3 * (y * side + ((x + side - ((3 * i) % side)) % side)) + c]!;
  return Uint8Array.from({ length: 3 * side * side }, (_, at) => {
    const [place, c] = [Math.floor(at / 3), at % 3];
    return Math.floor(value(Math.floor(place / side), place % side, c) / (i === 0 ? 1 : 1 + (i % 2)));
  });
}

const bytes = Buffer.concat(Array.from({ length: pictures.count }, (_, i) => picture(i)));

async function asked(words: ModelWords): Promise<number[][]> {
  const model = await openModel(words);
  const session = await model.open({ threads: 1 });
  try {
    const all = await session.logits(bytes, pictures.count);
    const width = all.length / pictures.count;
    return Array.from({ length: pictures.count }, (_, i) => [...all.subarray(i * width, (i + 1) * width)]);
  } finally {
    await session.close();
  }
}

function largestDifference(a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number {
  expect(a.map((row) => row.length)).toEqual(b.map((row) => row.length));
  return Math.max(...a.flatMap((row, i) => row.map((value, k) => Math.abs(value - b[i]![k]!))));
}

/** How far PyTorch's own logits may be: what 8 and 16 bits leave of numbers around one. */
const ofFloats: Record<string, number> = {
  qdq: 0.1,
  qlinear: 0.1,
  "dynamic-int8": 0.1,
  half: 0.01,
  "half-within": 0.01,
};

describe("run as it is", () => {
  test.each([
    ["plain", {}],
    ["batch-1", {}],
    ["batch-3", {}],
    ["open-sides", { size: 20 }],
    ["opset-9", {}],
    ["opset-new", {}],
    ["several", { output: "scores" }],
    ["unnamed", { output: "b" }],
    ["no-batch", {}],
    ["bytes-last", {}],
    ["floats-last", {}],
    ["external", {}],
    ["qdq", {}],
    ["qlinear", {}],
    ["dynamic-int8", {}],
    ["half-within", {}],
    ["half", {}],
  ] as const)("%s", async (name, words) => {
    const found = await asked({ model: stored(name), ...words });
    // Kernels of whole numbers may round one step otherwise in another version of the runtime.
    const exact =
      { qdq: 0.02, qlinear: 0.02, "dynamic-int8": 0.02, half: 0.005, "half-within": 0.005 }[name as string] ??
      2e-6;
    expect(largestDifference(found, files[name]!.rows)).toBeLessThan(exact);
    expect(largestDifference(found, torch)).toBeLessThan(ofFloats[name] ?? 2e-5);
  });

  test("several outputs: the row that is named as classes' are is taken without being told", async () => {
    expect((await openModel({ model: stored("several") })).output).toBe("scores");
  });

  test("probabilities become their logarithms, and one number is for the second of two classes", async () => {
    const logs = files.softmax!.rows.map((row) => row.map(Math.log));
    expect(largestDifference(await asked({ model: stored("softmax") }), logs)).toBeLessThan(1e-5);
    const alone = files.alone!.rows.map(([value]) => [0, value!]);
    expect(largestDifference(await asked({ model: stored("alone") }), alone)).toBeLessThan(1e-5);
  });
});

describe("refused by name", () => {
  test.each<[string, () => ModelWords, RegExp]>([
    [
      "two rows without usual names",
      () => ({ model: stored("unnamed") }),
      /several outputs[\s\S]*a \[batch, 12\]; b \[batch, 5\][\s\S]*--output/,
    ],
    [
      "a map instead of a row",
      () => ({ model: stored("map") }),
      /is a map[\s\S]*\[batch, 12, 5, 5\][\s\S]*--segmenter/,
    ],
    ["a map by name", () => ({ model: stored("several"), output: "map" }), /a map/],
    [
      "a classifier's list of maps",
      () => ({ model: stored("map-of-classes") }),
      /maps from classes[\s\S]*zipmap/,
    ],
    ["its label", () => ({ model: stored("map-of-classes"), output: "label" }), /whole numbers|labels/],
    [
      "external data that is not there",
      () => {
        mkdirSync(join(root, "alone"), { recursive: true });
        copyFileSync(stored("external"), join(root, "alone", "external.onnx"));
        return { model: join(root, "alone", "external.onnx") };
      },
      /external\.onnx\.data/,
    ],
    [
      "another number of classes",
      () => {
        writeFileSync(join(root, "names.txt"), names.slice(1).join("\n"));
        return { model: stored("plain"), classes: join(root, "names.txt") };
      },
      /another number of classes[\s\S]*5 classes/,
    ],
  ])("%s", async (_, words, message) => {
    await expect(asked(words())).rejects.toThrow(message);
  });

  test("gradients of quantised networks", async () => {
    const model = await openModel({ model: stored("qdq") });
    await expect(model.network!()).rejects.toThrow(/quantised numbers[\s\S]*in floats/);
  });
});
