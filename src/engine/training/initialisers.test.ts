import { expect, test } from "vitest";
import { testRandom } from "../../../test/engine/helpers.ts";
import { State } from "../state.ts";
import {
  heNormal,
  heUniform,
  type Initialiser,
  torchBias,
  torchWeight,
  xavierNormal,
  xavierUniform,
} from "./initialisers.ts";
import { initialise, Parameters } from "./parameters.ts";

const shape = [64, 32, 3, 3];
const fanIn = 288;
const fanOut = 576;

test.each<[string, Initialiser, number]>([
  ["He normal", heNormal(), 2 / fanIn],
  ["He normal, fan out", heNormal("fanOut"), 2 / fanOut],
  ["He uniform", heUniform(), 2 / fanIn],
  ["Xavier uniform", xavierUniform(), 2 / (fanIn + fanOut)],
  ["Xavier normal", xavierNormal(), 2 / (fanIn + fanOut)],
  ["PyTorch", torchWeight(), 1 / (3 * fanIn)],
])("%s has its variance", (_name, initial, variance) => {
  const values = initial(shape, testRandom("weights"));
  const measured = values.reduce((total, value) => total + value * value, 0) / values.length;
  // 18,432 draws: the variance's standard error is about 1%.
  expect(Math.abs(measured / variance - 1)).toBeLessThan(0.04);
});

test("PyTorch's bias is bounded by its weight's fan", () => {
  const values = torchBias(shape)([64], testRandom("bias"));
  expect(Math.max(...values.map(Math.abs))).toBeLessThanOrEqual(1 / Math.sqrt(fanIn));
});

test("each parameter has its own stream, whatever the order", () => {
  const parameters = new Parameters();
  parameters.get("a", [2, 3], heNormal());
  parameters.get("b", [2, 3], heNormal());
  const [forward, backward] = [new State(), new State()];
  initialise(parameters.all, forward, testRandom);
  initialise(parameters.all.reverse(), backward, testRandom);
  expect(forward.get("a")).toEqual(backward.get("a"));
  expect(forward.get("a")).not.toEqual(forward.get("b"));
  expect(() => parameters.get("a", [3, 2], heNormal())).toThrow(
    /"a" is used with two shapes[\s\S]*\[2, 3\][\s\S]*\[3, 2\]/,
  );
});
