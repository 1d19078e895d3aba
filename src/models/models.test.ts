import { expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import { input } from "../engine/expressions.ts";
import { interpret } from "../engine/interpret.ts";
import { adaptiveAveragePool } from "./adaptive-average-pool.ts";
import { models } from "./index.ts";
import { Layers } from "./layers.ts";
import { checkImageSize, Network, parseModelOptions } from "./model.ts";
import { preparePixels } from "./pixels.ts";
import { checkFrozen } from "./weights/frozen.ts";

const pixels = { mean: [0.5, 0.4, 0.3], deviation: [0.2, 0.25, 0.3] };

test.each([
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

test.each([
  ["resnet50", "stem=tiny", "imagenet or small"],
  ["resnet50", "blocks=1,2,3", "four whole numbers"],
  ["densenet121", "blocks=1,2,0,1", "four whole numbers"],
  ["densenet121", "blocks=1,2,,1", "four whole numbers"],
  ["convnext-tiny", "stochasticDepth=1", "from 0 to below 1"],
])("%s refuses %s", (name, text, expected) => {
  const wrong = () => parseModelOptions(models.get(name), [text]);
  expectError(wrong, "usage", `option ${text.split("=")[0]} of model "${name}" cannot be`, expected);
});

test.each([
  ["alexnet", {}, 62, "63 rows and columns or more", "stem=small"],
  ["densenet121", {}, 28, "29 rows and columns or more", "stem=small"],
  ["convnext-tiny", { stem: "small" }, 15, "16 rows and columns or more", "another network"],
  ["vit-tiny", {}, 40, "no multiple of patch", "patch=<n> with one of: 1, 2, 4, 5, 8"],
  ["vit-tiny", { width: 50 }, 32, "no multiple of heads", "1, 2, 5"],
])("%s %o refuses images of %i pixels, and says what to do", (name, options, side, what, todo) => {
  const network = new Network(models.get(name), { classes: 2, mode: "train", options });
  expectError(() => network.logits(input("images", [1, 3, side, side])), "usage", what, todo);
});

test("where weights give the stem, larger images are the way out", () => {
  const check = (given: boolean, stem: string) => () =>
    checkImageSize(models.get("alexnet"), { stem }, { height: 14, width: 14 }, { stemIsGiven: () => given });
  expectError(check(true, "imagenet"), "usage", "too small", "--set size=<n>", "do not fit stem=small");
  expectError(check(false, "imagenet"), "usage", "give --model-set stem=small");
  expectError(check(true, "small"), "usage", "choose another network, or larger images");
});

test.each([
  [
    "vit-tiny",
    { depth: 2 },
    "encoder.layers, encoder.layers.encoder_layer_0, encoder.layers.encoder_layer_1, ",
  ],
  ["resnet18", { blocks: "1,1,1,1" }, "conv1, bn1, layer1.0, layer2.0, layer3.0, layer4.0, fc"],
  ["densenet121", { blocks: "1,1,1,1" }, "features.denseblock1, features.transition1, "],
])("%s offers single blocks to freeze", (name, options, expected) => {
  const network = new Network(models.get(name), { classes: 2, mode: "train", options });
  network.logits(input("images", [1, 3, 32, 32]));
  expectError(() => checkFrozen(["enc"], network), "usage", "whole ones: ", expected);
});

test.each([
  ["alexnet", {}, 63],
  ["alexnet", { stem: "small" }, 15],
  ["densenet121", {}, 29],
  ["densenet121", { stem: "small" }, 8],
  ["convnext-tiny", {}, 32],
])("%s %o takes images of %i pixels, the smallest it says it can", (name, options, side) => {
  const network = new Network(models.get(name), { classes: 2, mode: "train", options });
  expect(network.logits(input("images", [1, 3, side, side])).shape).toEqual([1, 2]);
});

test("stochastic depth leaves out whole images' branches, and keeps the mean", () => {
  const layers = new Layers({ mode: "train" });
  const branch = input("branch", [4, 1, 1, 2]);
  const drawn = [0.1, 0.9, 0.2, 0.5];
  const source = () => {
    let i = 0;
    return { uniform: () => drawn[i++]!, normal: () => 0 };
  };
  const [result] = interpret(
    [layers.stochasticDepth("block", branch, 0.2)],
    { branch: [8, 8, 8, 8, 8, 8, 8, 8] },
    source,
  );
  expect([...result!]).toEqual([0, 0, 10, 10, 10, 10, 10, 10]);
  expect(new Layers({ mode: "evaluate" }).stochasticDepth("block", branch, 0.2)).toBe(branch);
});

test("adaptive average pooling cuts as PyTorch does", () => {
  // torch.nn.functional.adaptive_avg_pool2d(torch.arange(1., 16).reshape(1, 1, 3, 5), 2)
  const x = input("x", [1, 1, 3, 5]);
  const [result] = interpret([adaptiveAveragePool(x, 2)], { x: Array.from({ length: 15 }, (_, i) => i + 1) });
  expect([...result!]).toEqual([4.5, 6.5, 9.5, 11.5]);
});
