import { expect, test } from "vitest";
import { testRandom } from "../../test/engine/helpers.ts";
import { Executable } from "../engine/executable.ts";
import { crossEntropy, input, mean } from "../engine/expressions.ts";
import { interpret } from "../engine/interpret.ts";
import { State } from "../engine/state.ts";
import { sgd } from "../engine/training/optimisers.ts";
import { initialise } from "../engine/training/parameters.ts";
import { trainingStep } from "../engine/training/step.ts";
import { models } from "./index.ts";
import { Network, parseModelOptions, preparePixels } from "./model.ts";

const pixels = { mean: [0.5, 0.4, 0.3], deviation: [0.2, 0.25, 0.3] };

test.each([
  ["resnet18", [1, 224, 224, 3], 1000, 11_689_512],
  ["mnist-convnet", [1, 28, 28, 2], 2, 1216 + 128 + 73_856 + 256 + 2 * (147_584 + 256) + 258],
  ["biased-mnist-cnn", [1, 96, 96, 3], 10, 6 + 2432 + 9248 + 18_496 + 36_928 + 650],
  ["logistic-regression", [1, 28, 28, 2], 2, 3138],
])("%s on %s has the parameters that its layers add up to", (name, shape, classes, count) => {
  const network = new Network(models.get(name), { classes, mode: "train", pixels });
  expect(network.logits(input("images", shape, "byte")).shape).toEqual([1, classes]);
  expect(network.parameters.size).toBe(count);
});

test("ResNet-18's small stem keeps the resolution", () => {
  const network = new Network(models.get("resnet18"), {
    classes: 10,
    mode: "train",
    options: { stem: "small" },
  });
  expect(network.features(input("images", [2, 3, 32, 32])).shape).toEqual([2, 512]);
  expect(network.parameters.trained.find(({ name }) => name === "conv1.weight")!.tensor.shape).toEqual([
    64, 3, 3, 3,
  ]);
});

test("pixels are prepared as the network wants them", () => {
  const images = input("images", [1, 1, 2, 3], "byte");
  const feeds = { images: [255, 102, 0, 0, 51, 255] };
  const of = (kind: "raw" | "unit" | "standard") => [
    ...interpret([preparePixels(images, kind, pixels)], feeds)[0]!,
  ];
  expect(of("raw")).toEqual([255, 0, 102, 51, 0, 255]);
  expect(of("unit")[2]).toBeCloseTo(0.4, 12);
  expect(of("standard")[0]).toBeCloseTo((1 - 0.5) / 0.2, 12);
  expect(() => preparePixels(images, "standard")).toThrow(/mean and deviation of 3 channels/);
});

test("an option that a model does not have is refused", () => {
  const wrong = () =>
    new Network(models.get("small-cnn"), { classes: 2, mode: "train", options: { depth: 3 } });
  expect(wrong).toThrow(/model "small-cnn" has no option depth = 3[\s\S]*width \(number\)/);
});

test.each([
  "width=0",
  "width=-3",
  "width=0.5",
  "width=Infinity",
  "width=",
  "width=1e99",
  "dropout=1",
  "dropout=",
])("%s is refused by the mlp, which names the option", (text) => {
  const wrong = () => parseModelOptions(models.get("mlp"), [text]);
  expect(wrong).toThrow(`option ${text.split("=")[0]} of model "mlp" cannot be`);
});

test("options are numbers from 1 unless the model says otherwise", () => {
  expect(parseModelOptions(models.get("mlp"), ["dropout=0.5", "width=8"])).toEqual({
    width: 8,
    depth: 2,
    dropout: 0.5,
  });
});

test.each(models.names)(
  "%s learns a handful of byte images, and twice gives the same bytes",
  async (name) => {
    const shape = [6, 16, 16, 3];
    const images = input("images", shape, "byte");
    const labels = input("labels", [6], "int");
    const stream = testRandom("images");
    const feeds = {
      images: Uint8Array.from({ length: 6 * 16 * 16 * 3 }, () => Math.floor(stream.uniform() * 256)),
      labels: Int32Array.from([0, 1, 2, 0, 1, 2]),
    };
    const train = async () => {
      const network = new Network(models.get(name), { classes: 3, mode: "train", pixels });
      const loss = mean(crossEntropy(network.logits(images), labels));
      const optimiser = sgd({ momentum: 0.9 });
      const next = network.layers.updates;
      const step = trainingStep({ loss, parameters: network.parameters.trained, optimiser, next });
      const state = new State();
      initialise(network.parameters.all, state, testRandom);
      step.prepare(state);
      const executable = await Executable.compile(step.program);
      const losses: number[] = [];
      for (let i = 0; i < 12; i++) {
        const result = await executable.run(
          { ...feeds, ...step.scalars(i, 0.01) },
          { state, random: testRandom },
        );
        losses.push(result.loss![0]!);
      }
      await executable.close();
      return { losses, head: state.get(`${network.model.head}.weight`) };
    };
    const first = await train();
    expect(first.losses.at(-1)!).toBeLessThan(first.losses[0]!);
    const second = await train();
    expect(second.losses).toEqual(first.losses);
    expect(second.head).toEqual(first.head);
  },
);
