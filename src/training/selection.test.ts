import { expect, test } from "vitest";
import type { Dataset } from "../core/dataset.ts";
import { checkSelection, describeSelection, type Selection, scoreOf } from "./selection.ts";

/** Training has 6 landbirds on land, 2 on water, 1 waterbird on land, 3 on water; validation has images 12 to 19. */
const places = [0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1];
const labels = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1];
const dataset = {
  name: "birds",
  labels: Uint16Array.from(labels),
  classNames: ["land", "water"],
  splits: { names: ["train", "val"], values: Uint8Array.from(labels, (_, i) => (i < 12 ? 0 : 1)) },
  attributes: { place: { values: Uint16Array.from(places), valueNames: ["land", "water"], role: "cue" } },
} as unknown as Dataset;

/** Of the four groups right: 3 of 3, 0 of 1, 1 of 1, 2 of 3. */
const said = [0, 0, 0, 1, 1, 1, 1, 0];
const predictions = {
  indices: Uint32Array.from(said, (_, row) => 12 + row),
  logits: Float32Array.from(said.flatMap((label) => (label === 0 ? [2, 0] : [0, 2]))),
};
const rule = (by: Selection["by"], alpha?: number): Selection => ({
  by,
  groups: by === "val-loss" || by === "val-accuracy" ? [] : ["place"],
  ...(alpha === undefined ? {} : { alpha }),
});

test("each rule's score, worked out by hand", () => {
  const score = (by: Selection["by"], alpha?: number) => scoreOf(rule(by, alpha), dataset, predictions);
  expect(score("val-accuracy")).toBeCloseTo(6 / 8, 12);
  expect(score("val-unbiased")).toBeCloseTo((1 + 0 + 1 + 2 / 3) / 4, 12);
  expect(score("val-worst-group")).toBe(0);
  // Training groups of 6, 2, 1, 3; the second is got wrong.
  expect(score("val-alpha", 1)).toBeCloseTo((6 + 1 + 3 * (2 / 3)) / 12, 12);
  expect(score("val-alpha", 0)).toBeCloseTo(score("val-unbiased"), 12);
  expect(score("val-alpha", -1)).toBeCloseTo((1 / 6 + 1 + 2 / 3 / 3) / (1 / 6 + 1 / 2 + 1 + 1 / 3), 12);
  // Right: log(1 + e⁻²); wrong: that plus 2.
  expect(score("val-loss")).toBeCloseTo(-(Math.log(1 + Math.exp(-2)) + (2 * 2) / 8), 6);
});

test("the rule and the labels that it takes are told", () => {
  expect(describeSelection(rule("val-loss"))).toEqual({
    rule: "validation loss",
    labels: "class on validation",
  });
  expect(describeSelection(rule("val-alpha", 0.5)).labels).toBe(
    "class on validation, place on validation, place on training",
  );
});

test.each([
  [{ by: "val-alpha", groups: [] }, /needs an α/],
  [{ by: "val-loss", groups: [], alpha: 1 }, /α has no effect/],
  [{ by: "val-accuracy", groups: ["place"] }, /groups have no effect/],
  [{ by: "val-unbiased", groups: ["sky"] }, /no attribute "sky"[\s\S]*place/],
  [{ by: "val-unbiased", groups: ["place", "place"] }, /"place" is named twice/],
] as const)("%j is refused", (selection, message) => {
  expect(() => checkSelection(selection as unknown as Selection, dataset)).toThrow(message);
});

test("the class is part of every group: it may be named, and changes nothing", () => {
  for (const groups of [
    ["class", "place"],
    ["place", "class"],
  ]) {
    const named: Selection = { by: "val-unbiased", groups };
    checkSelection(named, dataset);
    expect(scoreOf(named, dataset, predictions)).toBe(scoreOf(rule("val-unbiased"), dataset, predictions));
    expect(describeSelection(named)).toEqual(describeSelection(rule("val-unbiased")));
  }
  const alone: Selection = { by: "val-worst-group", groups: ["class"] };
  checkSelection(alone, dataset);
  // Three of four of either class.
  expect(scoreOf(alone, dataset, predictions)).toBe(3 / 4);
});

test("without validation images there is nothing to select by", () => {
  const training = { ...dataset, splits: { names: ["train", "val"], values: new Uint8Array(20) } };
  expect(() => checkSelection(rule("val-loss"), training)).toThrow(/no validation images/);
});
