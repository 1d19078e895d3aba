import { expect, test } from "vitest";
import type { Attribute } from "./dataset.ts";
import { randomStream } from "./random.ts";
import { shiftedSplits, splitShifts } from "./shifted-splits.ts";

const perSplit = 80;

/** Two classes in turn; in split s the cue agrees with the class where `agrees(s, i)` says so. */
function made(agrees: (split: number, image: number) => boolean, more: Record<string, Attribute> = {}) {
  const count = 3 * perSplit;
  const labels = Uint16Array.from({ length: count }, (_, i) => i % 2);
  const splits = Uint8Array.from({ length: count }, (_, i) => Math.floor(i / perSplit));
  const values = labels.map((label, i) => (agrees(splits[i]!, i) ? label : 1 - label));
  const cue: Attribute = { values, valueNames: ["p", "q"], role: "cue" };
  return {
    labels,
    classNames: ["a", "b"],
    splits: { names: ["train", "val", "test"], values: splits },
    attributes: { cue, ...more },
    provenance: {} as { shiftedSplits?: string[]; statisticsBy?: string },
  };
}

/** One of ten disagrees in training, one of two in the test split. */
const shifted = made((split, i) => Math.floor(i / 2) % (split === 2 ? 2 : 10) > 0);

test("a cue that goes with the class otherwise than in training shifts a split", () => {
  expect(splitShifts(shifted)).toEqual([
    { name: "val", shifted: false, why: "alike" },
    { name: "test", shifted: true, why: "cue" },
  ]);
});

test("what the dataset declares holds, either way", () => {
  const declared = { ...shifted, provenance: { shiftedSplits: ["val"] } };
  expect(splitShifts(declared)).toEqual([
    { name: "val", shifted: true, why: "declared" },
    { name: "test", shifted: false, why: "declared" },
  ]);
});

test("so does a value that training has not, such as an environment", () => {
  const alike = made((_, i) => Math.floor(i / 2) % 10 > 0);
  const values = alike.splits.values.map((split, i) => (split === 1 && i === perSplit + 3 ? 1 : 0));
  const site: Attribute = { values: Uint16Array.from(values), valueNames: ["x", "y"], role: "other" };
  const sited = { ...alike, attributes: { ...alike.attributes, site }, provenance: { statisticsBy: "site" } };
  expect(splitShifts(sited)).toEqual([
    { name: "val", shifted: true, why: "unseen" },
    { name: "test", shifted: false, why: "alike" },
  ]);
});

test("chance does not shift splits of one distribution, however small they are", () => {
  let wrong = 0;
  for (let draw = 0; draw < 200; draw++) {
    const random = randomStream(draw, "test/shifted").at(0);
    const size = 6 + random.integer(20);
    const data = made(() => random.boolean(0.8));
    // Only some of the images of the other splits are there.
    const kept = data.splits.values.map((split, i) => (split > 0 && i % perSplit >= size ? 3 : split));
    const small = { ...data, splits: { names: [...data.splits.names, "unused"], values: kept } };
    wrong += shiftedSplits(small).filter((name) => name !== "unused").length;
  }
  // 400 splits; three deviations of a mean of two half-normals are passed in about 1 of 100.
  expect(wrong).toBeLessThanOrEqual(8);
});
