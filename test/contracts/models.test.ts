/** What every network in the registry must do; large ones in their small form, and once in full. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { networkChecks, patterned, smallOptions, squares } from "../../src/contracts/networks.ts";
import { Executable } from "../../src/engine/executable.ts";
import { input } from "../../src/engine/expressions.ts";
import { RuntimeSession, toValue } from "../../src/engine/runtime.ts";
import { State } from "../../src/engine/state.ts";
import { exportNetwork } from "../../src/models/export.ts";
import { models } from "../../src/models/index.ts";
import { aliasesOf, Network } from "../../src/models/model.ts";
import { takeWeights } from "../../src/models/weights/take-weights.ts";
import { decodeSafetensors, encodeSafetensors } from "../../src/runs/safetensors.ts";
import { encodeWeights } from "../../src/training/weights.ts";
import { preparedAsTold } from "../helpers/told-pixels.ts";

const pixels = { mean: [0.5, 0.4, 0.3], deviation: [0.2, 0.25, 0.3] };
const classNames = ["cat", "dog", "ünïcode"];
const image = { height: 16, width: 16, channels: 3 };

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  const size = Math.max(1, ...Array.from(expected, Math.abs));
  for (let i = 0; i < expected.length; i++)
    expect(Math.abs(actual[i]! - expected[i]!) / size).toBeLessThan(tolerance);
}

describe.each(models.entries.map((model) => [model.name, model] as const))("%s", (_, model) => {
  test.each(networkChecks(model).map((check) => [check.name, check] as const))("%s", (_, check) =>
    check.run(),
  );

  test("through safetensors, under everybody's names, it gives the same logits", async () => {
    const options = smallOptions(model);
    const network = new Network(model, { classes: 3, mode: "evaluate", pixels, options });
    const logits = network.logits(input("images", [2, 16, 16, 3], "byte"));
    const executable = await Executable.compile({ outputs: { logits } });
    const run = async (values: ReadonlyMap<string, Float32Array>) => {
      const state = new State();
      for (const [name, data] of values) state.set(name, data);
      return (await executable.run({ images: squares(2, 16) }, { state })).logits!;
    };
    const all = network.parameters.all.map(({ name, tensor: { shape } }) => ({
      name,
      shape,
      data: patterned(name, shape),
    }));
    const expected = await run(new Map(all.map(({ name, data }) => [name, data])));
    for (const alias of Object.values(aliasesOf(model))) {
      const tensors = new Map(all.map(({ name, ...tensor }) => [alias(name), tensor]));
      expect(tensors.size).toBe(all.length);
      const file = decodeSafetensors(encodeSafetensors({ tensors, metadata: {} }), "memory");
      const taken = takeWeights(model, { options, classes: 3, image }, file, "memory");
      expect(await run(taken)).toEqual(expected);
    }
    await executable.close();
  });

  test("pixels prepared by what its file of weights says, and nothing else, give the exported network's logits", async () => {
    const options = smallOptions(model);
    const network = new Network(model, { classes: 3, mode: "evaluate", options });
    const logits = network.logits(input("images", [2, 3, 16, 16]));
    const weights = new Map(
      network.parameters.all.map(({ name, tensor }) => [name, patterned(name, tensor.shape)]),
    );
    const spec = { model: { name: model.name, options } };
    const file = encodeWeights(spec, { classNames, images: { shape: image } }, weights, pixels);
    const { tensors, metadata } = decodeSafetensors(file, "memory");
    const state = new State();
    for (const [name, { data }] of tensors) state.set(name, data);
    const executable = await Executable.compile({ outputs: { logits } });
    const told = await executable.run({ images: preparedAsTold(metadata, squares(2, 16)) }, { state });
    await executable.close();
    const session = await RuntimeSession.open(
      exportNetwork(model, state, { classNames, image, options, pixels }),
    );
    const own = await session.result({ images: toValue(squares(2, 16), [2, 16, 16, 3], "byte") }, "logits");
    await session.close();
    // Pixels are rounded to float32 once more, and sums taken in another order.
    expectClose(told.logits!, own.data as Float32Array, 1e-5);
  });
});

/** For 1000 classes at 224², as torchvision's documentation gives them; tiny and small as timm's. */
const published: [string, number][] = [
  ["resnet18", 11_689_512],
  ["resnet50", 25_557_032],
  ["wide-resnet50-2", 68_883_240],
  ["alexnet", 61_100_840],
  ["densenet121", 7_978_856],
  ["densenet161", 28_681_000],
  ["convnext-tiny", 28_589_128],
  ["vit-tiny", 5_717_416],
  ["vit-small", 22_050_664],
  ["vit-b16", 86_567_656],
];

test("every network that has a small form has its published count here", () => {
  const large = models.entries.filter((model) => model.small !== undefined).map(({ name }) => name);
  expect(published.map(([name]) => name)).toEqual(large);
});

describe.each(published)("%s in full, for 1000 classes at 224²", (name, count) => {
  test(`has ${count.toLocaleString("en")} parameters, and runs once, before and after export`, async () => {
    const model = models.get(name);
    const network = new Network(model, { classes: 1000, mode: "evaluate", pixels });
    const images = squares(1, 224);
    const logits = network.logits(input("images", [1, 224, 224, 3], "byte"));
    expect(network.parameters.size).toBe(count);
    const state = new State();
    for (const { name: key, tensor } of network.parameters.all) state.set(key, patterned(key, tensor.shape));
    const direct = await Executable.compile({ outputs: { logits } }, { threads: 2 });
    const expected = (await direct.run({ images }, { state })).logits!;
    await direct.close();
    const settings = {
      classNames: Array.from({ length: 1000 }, (_, i) => `class ${i}`),
      image: { height: 224, width: 224, channels: 3 },
      pixels,
    };
    const session = await RuntimeSession.open(exportNetwork(model, state, settings), { threads: 2 });
    const result = await session.result({ images: toValue(images, [1, 224, 224, 3], "byte") }, "logits");
    await session.close();
    const actual = result.data as Float32Array;
    expect(actual).toHaveLength(1000);
    expect(actual.every(Number.isFinite)).toBe(true);
    expectClose(actual, expected, 1e-4);
  });
});

/** Counts that torchvision prints (ConvNeXt-Base, ViT-B/32, ViT-L/16, ViT-H/14), reached by options. */
const byOptions: [string, string, Record<string, number | string>, number][] = [
  ["ConvNeXt-Base", "convnext-tiny", { width: 128, blocks: "3,3,27,3" }, 88_591_464],
  ["ViT-B/32", "vit-b16", { patch: 32 }, 88_224_232],
  ["ViT-L/16", "vit-b16", { width: 1024, depth: 24, heads: 16 }, 304_326_632],
  ["ViT-H/14", "vit-b16", { patch: 14, width: 1280, depth: 32, heads: 16 }, 632_045_800],
];

test.each(byOptions)("%s is %s with options, and docs/networks.md says so", (title, name, options, count) => {
  const network = new Network(models.get(name), { classes: 1000, mode: "evaluate", pixels, options });
  network.logits(input("images", [1, 224, 224, 3], "byte"));
  expect(network.parameters.size).toBe(count);
  const page = readFileSync(new URL("../../docs/networks.md", import.meta.url), "utf8");
  const words = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  const row = `| ${title} | \`${name}\` | ${words.join(" ")} | ${count.toLocaleString("en")} |`;
  expect(page).toContain(row);
});

test("the table of networks in the docs has every network, with its own numbers", () => {
  const page = readFileSync(new URL("../../docs/networks.md", import.meta.url), "utf8");
  const count = (n: number) => n.toLocaleString("en");
  for (const { name, small, defaults, paper, head } of models.entries) {
    const [classes, side] = small === undefined ? [10, 28] : [1000, 224];
    const network = new Network(models.get(name), { classes, mode: "evaluate" });
    network.logits(input("images", [1, 3, side, side]));
    const options = Object.entries(defaults).map(([key, value]) => `${key}=${value}`);
    const features = network.parameters.all.find((parameter) => parameter.name === `${head}.weight`)!.tensor
      .shape[1]!;
    const cells = [
      `\`${name}\``,
      count(network.parameters.size),
      count(features),
      options.join(" ") || "–",
      paper,
    ];
    expect(page).toContain(`| ${cells.join(" | ")} |\n`);
  }
});
