/** Class by one cue at a time: numbers in parts, sentences that read well for one cue and for several. */

import { expect, test } from "vitest";
import type { Attribute, Dataset } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { checkedCues, cueSentences, groupsByCue, inTrainingParts } from "./checked-cues.ts";

const images = 60;

function attribute(values: readonly string[]): Attribute {
  const valueNames = [...new Set(values)];
  return { role: "cue", valueNames, values: Uint16Array.from(values, (value) => valueNames.indexOf(value)) };
}

/** Only what is counted. */
function dataset(attributes: Record<string, Attribute>): Dataset {
  const labels = Uint16Array.from({ length: images }, (_, i) => i % 2);
  const splits = { names: ["train", "test"], values: Uint8Array.from(labels, (_, i) => (i < 40 ? 0 : 1)) };
  return { labels, classNames: ["cat", "dog"], splits, attributes } as unknown as Dataset;
}

test("many numbers are counted in the parts in which they are judged", () => {
  const random = randomStream(0, "temperatures").at(0);
  const temperature = attribute(Array.from({ length: images }, () => (36 + 4 * random.uniform()).toFixed(2)));
  const [counted] = groupsByCue(inTrainingParts(dataset({ temperature })));
  expect(counted!.attributes).toEqual(["temperature"]);
  expect(counted!.groups).toHaveLength(8);
  const parts = [...new Set(counted!.groups.map(({ values }) => values[0]!))];
  expect(parts).toHaveLength(4);
  for (const part of parts) expect(part).toMatch(/^3\d\.\d\d to (3\d\.\d\d|40\.00)$/);
  const [{ normalisedMutualInformation: shared, agreement }] = checkedCues(dataset({ temperature })) as [
    ReturnType<typeof checkedCues>[number],
  ];
  // Each number by itself would tell 40 images of two classes apart: a third of all information, and few agree.
  expect(shared).toBeLessThan(0.1);
  expect(agreement).toBeGreaterThan(0.2);
  const total = counted!.groups.reduce((sum, { counts }) => sum + counts.train! + counts.test!, 0);
  expect(total).toBe(images);
});

test("what most images share leaves fewer parts, and none without images", () => {
  const dose = attribute(Array.from({ length: images }, (_, i) => (i % 4 === 0 ? String(i) : "0")));
  const [counted] = groupsByCue(inTrainingParts(dataset({ dose })));
  const occupied = counted!.groups.filter(({ counts }) => counts.train! + counts.test! > 0);
  const parts = (groups: typeof occupied) => new Set(groups.map(({ values }) => values[0]));
  expect(parts(counted!.groups).size).toBeLessThan(4);
  expect(parts(occupied)).toEqual(parts(counted!.groups));
});

test("one cue alone is adjusted for nothing", () => {
  const coin = attribute(Array.from({ length: images }, (_, i) => (i % 3 === 0 ? "heads" : "tails")));
  const alone = cueSentences(checkedCues(dataset({ coin })));
  expect(alone).toEqual([expect.stringMatching(/no more than chance would in train \(p [\d.]+\)$/)]);
  const two = cueSentences(checkedCues(dataset({ coin, again: coin })));
  expect(two[0]).toMatch(/adjusted for 2 cues\)$/);
});

test("three cues and more that go with nothing are one sentence, below those that go with the class", () => {
  const coin = attribute(Array.from({ length: images }, (_, i) => (i % 3 === 0 ? "heads" : "tails")));
  const side = attribute(Array.from({ length: images }, (_, i) => (i % 2 === 0 ? "left" : "right")));
  const said = cueSentences(checkedCues(dataset({ coin, again: coin, side, third: coin })));
  expect(said).toEqual([
    expect.stringMatching(/^side: of (cat|dog), 100.0% have/),
    expect.stringMatching(
      /^coin, again, third: each goes with the class no more than chance would in train \(p 1\.000, adjusted for 4 cues\)$/,
    ),
  ]);
});

test("what has no value is called so", () => {
  const camera = attribute(Array.from({ length: images }, (_, i) => (i % 2 === 0 ? "" : "Canon")));
  expect(cueSentences(checkedCues(dataset({ camera })))[0]).toMatch(/^camera: of cat, 100.0% have \(none\);/);
});
