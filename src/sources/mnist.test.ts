import { expect, test } from "vitest";
import { mnist } from "./mnist.ts";

test("the official parts have their published sizes and class counts", async () => {
  const counts = async (part: "train" | "test") => {
    const { labels, count, height, width } = await mnist(part);
    expect([height, width]).toEqual([28, 28]);
    const perDigit = Array.from({ length: 10 }, () => 0);
    for (const label of labels) perDigit[label]!++;
    expect(perDigit.reduce((sum, n) => sum + n, 0)).toBe(count);
    return perDigit;
  };
  // The class counts that every description of MNIST gives.
  expect(await counts("train")).toEqual([5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]);
  expect(await counts("test")).toEqual([980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]);
});

test("the first training digit is the well-known five", async () => {
  const { labels, image } = await mnist("train");
  expect(labels[0]).toBe(5);
  const mean = (await mnist("train")).image(0).reduce((sum, value) => sum + value, 0) / 784;
  expect(mean).toBeCloseTo(35.108418, 5);
  expect(image(0)[5 * 28 + 12]).toBe(3);
});

test("a package that lost its files is named", async () => {
  await expect(mnist("train", "/nowhere")).rejects.toThrow(
    /cannot read the IDX file[\s\S]*train-images-idx3-ubyte/,
  );
});
