/** Shares of a watermark's ink that views leave, where it is known beforehand how much that is. */

import { expect, test } from "vitest";
import { type Dataset, standardSplits } from "../core/dataset.ts";
import { imageNetW } from "../images/watermark/watermark.ts";
import { resolveUse } from "../views/resolve-use.ts";
import type { ViewUse } from "../views/view.ts";
import { type InkQuestion, survivingInk } from "./surviving-ink.ts";

const shape = { height: 64, width: 64, channels: 3 };
/** Grey images of two classes. */
const grey: Dataset = {
  name: "grey",
  images: {
    count: 8,
    shape,
    describe: String,
    pixels: () => ({ data: new Uint8Array(64 * 64 * 3).fill(60), ...shape }),
  },
  labels: Uint16Array.of(0, 1, 0, 1, 0, 1, 0, 1),
  classNames: ["a", "b"],
  attributes: {},
  splits: { names: standardSplits, values: new Uint8Array(8) },
  provenance: {
    title: "Grey",
    description: "Grey.",
    generator: { name: "grey", version: 1 },
    settings: {},
    seed: 0,
    sources: [],
    license: "none",
    skipped: [],
  },
};

const ask: InkQuestion = { watermark: imageNetW, indices: [0, 1], draws: 4, mean: [60, 60, 60], seed: 1 };
const ink = (use: ViewUse, question: Partial<InkQuestion> = {}) =>
  survivingInk(grey, resolveUse(use), { ...ask, ...question });

test.each(["original", "flip", "grey"])("%s leaves all of it", async (view) => {
  // Rounding a grey of equal channels changes nothing.
  expect(await ink({ view })).toBe(1);
});

test("an erased image has none, and half of erased images half", async () => {
  const all = { scale: [1, 1], aspect: [1, 1] };
  expect(await ink({ view: "erase", with: { ...all, probability: 1 } })).toBe(0);
  const half = await ink({ view: "erase", with: { ...all, probability: 0.5 } }, { draws: 100 });
  // 200 draws of a half: four standard deviations are 0.14.
  expect(Math.abs(half - 0.5)).toBeLessThan(0.14);
});

test("mixup with α so large that it blends half and half leaves half, where the partner is another", async () => {
  // The shuffled batch of eight pairs the image with itself in one of eight: (7 · 1/2 + 1) / 8.
  const share = await ink({ view: "mixup", with: { alpha: 1e6 } }, { draws: 100 });
  expect(Math.abs(share - 0.5625)).toBeLessThan(0.05);
});
