/** What every network in the registry must do; large ones in their small form, and once in full. */

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { Executable } from "../../src/engine/executable.ts";
import { crossEntropy, input, mean } from "../../src/engine/expressions.ts";
import { Session, toValue } from "../../src/engine/runtime.ts";
import { sizeOf } from "../../src/engine/shapes.ts";
import { State } from "../../src/engine/state.ts";
import { adam } from "../../src/engine/training/optimisers.ts";
import { initialise } from "../../src/engine/training/parameters.ts";
import { trainingStep } from "../../src/engine/training/step.ts";
import { exportNetwork } from "../../src/models/export.ts";
import { models } from "../../src/models/index.ts";
import { aliasesOf, type Model, type ModelOptions, Network } from "../../src/models/model.ts";
import { takeWeights } from "../../src/models/weights/take-weights.ts";
import { encodeWeights } from "../../src/protocol/weights.ts";
import { decodeSafetensors, encodeSafetensors } from "../../src/store/safetensors.ts";
import { testRandom } from "../engine/helpers.ts";
import { preparedAsTold } from "../helpers/told-pixels.ts";

const pixels = { mean: [0.5, 0.4, 0.3], deviation: [0.2, 0.25, 0.3] };
const classNames = ["cat", "dog", "ünïcode"];
const image = { height: 16, width: 16, channels: 3 };

/** Squares in random colours: unlike noise they do not look the same to a network that averages over all places. */
function bytes(images: number, side: number): Uint8Array {
  const stream = testRandom("images");
  const cell = side / 4;
  const colours = Array.from({ length: images * 48 }, () => Math.floor(stream.uniform() * 256));
  return Uint8Array.from({ length: images * side * side * 3 }, (_, i) => {
    const [pixel, channel] = [Math.floor(i / 3), i % 3];
    const [row, column] = [Math.floor(pixel / side) % side, pixel % side];
    const square = Math.floor(row / cell) * 4 + Math.floor(column / cell);
    return colours[(Math.floor(pixel / side / side) * 16 + square) * 3 + channel]!;
  });
}

function smallOptions(model: Model): ModelOptions {
  return (model.small ?? {}) as ModelOptions;
}

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance: number): void {
  const size = Math.max(1, ...Array.from(expected, Math.abs));
  for (let i = 0; i < expected.length; i++)
    expect(Math.abs(actual[i]! - expected[i]!) / size).toBeLessThan(tolerance);
}

describe.each(models.entries.map((model) => [model.name, model] as const))("%s", (_, model) => {
  test("learns a handful of byte images by heart, and twice gives the same bytes", async () => {
    const images = input("images", [6, 16, 16, 3], "byte");
    const labels = input("labels", [6], "int");
    const feeds = { images: bytes(6, 16), labels: Int32Array.from([0, 1, 2, 0, 1, 2]) };
    const train = async (steps: number) => {
      const network = new Network(model, { classes: 3, mode: "train", pixels, options: smallOptions(model) });
      const loss = mean(crossEntropy(network.logits(images), labels));
      const next = network.layers.updates;
      const step = trainingStep({ loss, parameters: network.parameters.trained, optimiser: adam(), next });
      const state = new State();
      initialise(network.parameters.all, state, testRandom);
      step.prepare(state);
      const executable = await Executable.compile(step.program);
      const losses: number[] = [];
      for (let i = 0; i < steps && !isLearned(losses); i++) {
        // Another key each step, so that dropout leaves out something else.
        const random = (key: string) => testRandom(`${key} ${i}`);
        const run = await executable.run({ ...feeds, ...step.scalars(i, 0.003) }, { state, random });
        losses.push(run.loss![0]!);
      }
      await executable.close();
      return { losses, head: state.get(`${model.head}.weight`) };
    };
    // Most need 20 to 60; the mean over normalised groups leaves mnist-convnet little to tell images apart by.
    const { losses } = await train(400);
    expect(isLearned(losses), `${losses[0]} … ${losses.at(-1)}`).toBe(true);
    const [first, second] = [await train(5), await train(5)];
    expect(first.losses).toEqual(losses.slice(0, 5));
    expect(second).toEqual(first);
  });

  test("through safetensors, under everybody's names, it gives the same logits", async () => {
    const options = smallOptions(model);
    const network = new Network(model, { classes: 3, mode: "evaluate", pixels, options });
    const logits = network.logits(input("images", [2, 16, 16, 3], "byte"));
    const executable = await Executable.compile({ outputs: { logits } });
    const run = async (values: ReadonlyMap<string, Float32Array>) => {
      const state = new State();
      for (const [name, data] of values) state.set(name, data);
      return (await executable.run({ images: bytes(2, 16) }, { state })).logits!;
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

  test("exported and reloaded it gives the same logits, at any batch size", async () => {
    const options = smallOptions(model);
    const network = new Network(model, { classes: 3, mode: "evaluate", pixels, options });
    network.logits(input("images", [1, 16, 16, 3], "byte"));
    const state = new State();
    // Not as training begins: heads of zeros would hide all that comes before them.
    for (const { name, tensor } of network.parameters.all) state.set(name, patterned(name, tensor.shape));
    const session = await Session.open(exportNetwork(model, state, { classNames, image, options, pixels }));
    for (const batch of [1, 5]) {
      const shape = [batch, 16, 16, 3];
      const images = bytes(batch, 16);
      const direct = await Executable.compile({
        outputs: { logits: network.logits(input("images", shape, "byte")) },
      });
      const expected = (await direct.run({ images }, { state })).logits!;
      await direct.close();
      const logits = await session.result({ images: toValue(images, shape, "byte") }, "logits");
      expect(logits.dims).toEqual([batch, 3]);
      // Sums of float32 in another order.
      expectClose(logits.data as Float32Array, expected, 1e-5);
      expect(new Set(expected).size).toBe(expected.length);
    }
    await session.close();
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
    const told = await executable.run({ images: preparedAsTold(metadata, bytes(2, 16)) }, { state });
    await executable.close();
    const session = await Session.open(exportNetwork(model, state, { classNames, image, options, pixels }));
    const own = await session.result({ images: toValue(bytes(2, 16), [2, 16, 16, 3], "byte") }, "logits");
    await session.close();
    // Pixels are rounded to float32 once more, and sums taken in another order.
    expectClose(told.logits!, own.data as Float32Array, 1e-5);
  });
});

function isLearned(losses: readonly number[]): boolean {
  return losses.length > 5 && losses.at(-1)! < 0.1 * losses[0]!;
}

/** Quick to make, and of a size that keeps activations alive: a random start of 86 million weights takes seconds. */
function patterned(name: string, shape: readonly number[]): Float32Array {
  const values = new Float32Array(sizeOf(shape));
  const scale = shape.length > 1 ? Math.sqrt(3 / (values.length / shape[0]!)) : 0.1;
  const centre = shape.length === 1 && /weight$|var$/.test(name) ? 1 : 0;
  let mixed = 12345 + name.length;
  for (let i = 0; i < values.length; i++) {
    mixed = (Math.imul(mixed, 1664525) + 1013904223) | 0;
    values[i] = centre + (mixed / 2 ** 31) * scale;
  }
  return values;
}

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
    const images = bytes(1, 224);
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
    const session = await Session.open(exportNetwork(model, state, settings), { threads: 2 });
    const result = await session.result({ images: toValue(images, [1, 224, 224, 3], "byte") }, "logits");
    await session.close();
    const actual = result.data as Float32Array;
    expect(actual).toHaveLength(1000);
    expect(actual.every(Number.isFinite)).toBe(true);
    expectClose(actual, expected, 1e-4);
  });
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
