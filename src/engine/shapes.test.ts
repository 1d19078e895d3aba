import { expect, test } from "vitest";
import * as e from "./expressions.ts";

const x = (...shape: number[]) => e.input("x", shape);
const i = (...shape: number[]) => e.input("i", shape, "int");

test.each<[string, () => unknown, RegExp]>([
  ["add", () => e.add(x(2, 3), x(2, 4)), /add: shapes do not fit[\s\S]*\[2, 3\] and \[2, 4\]/],
  ["mul types", () => e.mul(x(2), i(2)), /mul[\s\S]*\[2\] float and \[2\] int/],
  ["matmul", () => e.matmul(x(2, 3), x(4, 5)), /matmul[\s\S]*\[2, 3\] float and \[4, 5\] float/],
  [
    "conv2d channels",
    () => e.conv2d(x(1, 3, 8, 8), x(4, 2, 3, 3)),
    /conv2d[\s\S]*\[1, 3, 8, 8\].*\[4, 2, 3, 3\]/,
  ],
  ["conv2d kernel", () => e.conv2d(x(1, 3, 2, 2), x(4, 3, 5, 5)), /a kernel that fits/],
  ["conv2d bias", () => e.conv2d(x(1, 3, 8, 8), x(4, 3, 3, 3), { bias: x(3) }), /a bias \[filters\]/],
  [
    "maxPool2d",
    () => e.maxPool2d(x(1, 1, 4, 4), { kernel: 2, padding: 2 }),
    /maxPool2d[\s\S]*exceeds the padding/,
  ],
  ["reshape", () => e.reshape(x(2, 3), [4, -1]), /reshape[\s\S]*\[2, 3\] and \[4, -1\]/],
  ["transpose", () => e.transpose(x(2, 3), [0, 0]), /transpose[\s\S]*an order of 2 axes, got 0, 0/],
  ["slice", () => e.slice(x(2, 3), [0, 2], [2, 2]), /slice[\s\S]*inside the tensor/],
  ["concat", () => e.concat([x(2, 3), x(3, 3)], 1), /concat[\s\S]*\[2, 3\] float and \[3, 3\] float/],
  ["sum axis", () => e.sum(x(2, 3), [2]), /sum[\s\S]*axes of a tensor of rank 2, got axes 2/],
  ["gather", () => e.gather(x(2, 3), x(2)), /gather[\s\S]*int indices/],
  ["crossEntropy", () => e.crossEntropy(x(4, 3), i(3)), /crossEntropy[\s\S]*\[4, 3\] float and \[3\] int/],
  ["meanByGroup", () => e.meanByGroup(x(4), i(3), 2), /sumByGroup[\s\S]*\[4\] float and \[3\] int/],
  ["groupNorm", () => e.groupNorm(x(1, 6, 2, 2), x(6), x(6), 4), /a multiple of 4 channels[\s\S]*6 channels/],
  ["where", () => e.where(x(2), x(2), x(2)), /where[\s\S]*a bool condition/],
  ["dropout", () => e.dropout(x(2), 1, "key"), /0 ≤ rate < 1/],
  ["grad of a vector", () => e.grad(x(2), []), /the loss must be one float/],
])("%s says what is wrong with which shapes", (_name, build, message) => {
  expect(build).toThrow(message);
});

test("grad names the parameter that the loss does not reach", () => {
  const used = e.stateInput("used", [2]);
  const unused = e.stateInput("unused", [3]);
  expect(() => e.grad(e.sum(used), [used, unused])).toThrow(/does not depend on "unused"/);
  expect(e.grad(e.sum(used), [unused], { unused: "zero" })[0]!.shape).toEqual([3]);
});
