/** What is told of answers that look as if pictures were made ready in another way than the model knows, and of which nothing is told. */

import { expect, test } from "vitest";
import type { Dataset } from "../../core/dataset.ts";
import type { AskedModel } from "./asked-model.ts";
import { OutputWatch } from "./output-watch.ts";
import { assumed, bytesAsTheyAre } from "./preparation.ts";

const classNames = ["a", "b", "c"];
const images = 60;
const labels = Uint16Array.from({ length: images }, (_, i) => i % 3);
const dataset = { classNames, labels } as unknown as Dataset;
const model: AskedModel = {
  name: "m.onnx",
  classNames,
  takes: { image: { height: 8, width: 8, channels: 3 } },
  preparation: {
    pixels: bytesAsTheyAre(3),
    said: [{ part: "pixels", how: "ImageNet's mean and deviation", from: assumed }],
  },
  digest: "",
  open: async () => Promise.reject(new Error("nobody asks")),
};

/** `of` gives the logits of an image. */
function told(of: (i: number) => readonly number[], labelled = true): string {
  const logits = Float32Array.from(Array.from({ length: images }, (_, i) => of(i)).flat());
  const indices = Uint32Array.from({ length: images }, (_, i) => i);
  const predicted = Uint16Array.from(indices, (i) => {
    const own = [...logits.subarray(3 * i, 3 * i + 3)];
    return own.indexOf(Math.max(...own));
  });
  const watch = new OutputWatch();
  watch.add({ indices, logits });
  return watch.remarks({ indices, predicted, dataset, labelled }, model).join("\n");
}

const peak = (at: number, height: number) => [0, 1, 2].map((k) => (k === at ? height : 0));
const right = (i: number) => i % 3;
/** By no rule of the labels. */
const anyOf = (i: number) => (i * i + Math.floor(i / 7)) % 3;

test("constant answers", () => {
  expect(told(() => [0.2, 0.1, 0])).toMatch(
    /says the same of every image: does it see them at all\?; assumed was pixels: ImageNet/,
  );
});

test("one class for all, though answers differ", () => {
  expect(told((i) => [3 + i / 50, 0, i / 100])).toMatch(/every image is said to be "a"; assumed was/);
});

test("saturated inputs: answers that are as sure as can be, and not right", () => {
  expect(told((i) => peak(anyOf(i), 400 + i))).toMatch(
    /as sure as can be \(100\.0% above 0\.9999\)[\s\S]*far larger than it knows; assumed was/,
  );
  expect(told((i) => peak(anyOf(i), 400 + i), false)).toMatch(/as sure as can be/);
});

test("accuracy near chance", () => {
  expect(told((i) => peak(anyOf(i), 1 + i / 100))).toMatch(
    /is not surely above what one class alone would give \(33\.3%\)[\s\S]*assumed was/,
  );
});

test("logits that are no numbers", () => {
  expect(told((i) => (i === 4 ? [Number.NaN, 0, 0] : peak(right(i), 2)))).toMatch(
    /1 images have logits that are no numbers/,
  );
});

test("nothing of a model that is right, however sure it is", () => {
  expect(told((i) => peak(right(i), 2 + i / 100))).toBe("");
  expect(told((i) => peak(right(i), 400 + i))).toBe("");
});
