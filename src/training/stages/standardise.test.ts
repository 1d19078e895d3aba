import { expect, test } from "vitest";
import {
  gather,
  input,
  matmul,
  mul,
  reshape,
  stateInput,
  stopGradient,
  sum,
  transpose,
} from "../../engine/expressions.ts";
import { layersOverFeatures } from "./feature-layers.ts";
import { featureScale, scaled, scaledLayers, unscaledLayers } from "./standardise.ts";

const features = Float32Array.of(1, 10, 5, 3, 10, 5, 5, 40, 5);
const layer = ["head.weight"];
const logits = (rows: Float32Array, weights: ReadonlyMap<string, Float32Array>) =>
  [0, 1, 2].flatMap((row) =>
    [0, 1].map((k) =>
      [0, 1, 2].reduce(
        (sum, j) => sum + rows[3 * row + j]! * weights.get("head.weight")![3 * k + j]!,
        weights.get("head.bias")![k]!,
      ),
    ),
  );

test("mean 0 and deviation 1; a feature that never changes is left where it is", async () => {
  const { mean, deviation } = await featureScale(() => [features], 3, 3);
  // However the rows come.
  const apart = await featureScale(() => [features.subarray(0, 3), features.subarray(3)], 3, 3);
  expect(apart).toEqual({ mean, deviation });
  // By hand: means 3, 20 and 5; mean squares 8/3 and 200.
  expect([...mean].map((value) => Number(value.toFixed(9)))).toEqual([3, 20, 5]);
  expect([...deviation].map((value) => value ** 2).map((value) => Number(value.toFixed(9)))).toEqual([
    2.666666667, 200, 1,
  ]);
});

test("a layer over scaled features and the same layer over features as they are say the same, both ways round", async () => {
  const scale = await featureScale(() => [features], 3, 3);
  const weights = new Map([
    ["head.weight", Float32Array.of(1, -2, 3, 0.5, 4, -1)],
    ["head.bias", Float32Array.of(0.25, -3)],
    ["other", Float32Array.of(7)],
  ]);
  const over = logits(scaled(Float32Array.from(features), 3, scale), weights);
  const direct = unscaledLayers(weights, layer, scale);
  // Float32 numbers of up to 40.
  for (const [i, logit] of logits(features, direct).entries()) expect(logit).toBeCloseTo(over[i]!, 4);
  expect(direct.get("other")).toBe(weights.get("other"));
  const back = scaledLayers(direct, layer, scale);
  for (const name of ["head.weight", "head.bias"])
    for (const [i, value] of back.get(name)!.entries()) expect(value).toBeCloseTo(weights.get(name)![i]!, 4);
});

test("what is no linear layer over the features is refused", async () => {
  const scale = await featureScale(() => [features], 3, 3);
  const odd = ["branch/lens"];
  expect(() => unscaledLayers(new Map([["branch/lens", Float32Array.of(1, 2, 3)]]), odd, scale)).toThrow(
    /standardises features trains "branch\/lens"/,
  );
  const [x, lens] = [input("features", [4, 3]), stateInput("branch/lens", [3])];
  expect(() => layersOverFeatures([sum(mul(x, lens))], [{ name: "branch/lens", tensor: lens }])).toThrow(
    /more with them than linear layers do/,
  );
});

test("layers over features are found in the loss, however rows are chosen and heads are kept", () => {
  const x = input("features", [5, 3]);
  const weights = stateInput("heads.weight", [7, 6]);
  const [split, bias] = [stateInput("split.weight", [1, 3]), stateInput("bias.weight", [2, 7])];
  const [codes, places] = [input("bias", [4], "int"), input("chosen", [4], "int")];
  const rows = gather(x, places);
  const chosen = reshape(gather(weights, codes), [4, 2, 3]);
  const logits = reshape(matmul(chosen, reshape(rows, [4, 3, 1])), [4, 2]);
  const beside = transpose(gather(bias, codes, 1));
  const side = matmul(stopGradient(rows), transpose(split));
  const found = layersOverFeatures(
    [sum(mul(logits, beside)), sum(side)],
    [
      { name: "heads.weight", tensor: weights },
      { name: "bias.weight", tensor: bias },
      { name: "split.weight", tensor: split },
    ],
  );
  expect(found.toSorted()).toEqual(["heads.weight", "split.weight"]);
});
