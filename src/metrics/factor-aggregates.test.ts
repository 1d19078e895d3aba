/** Worked by hand. */

import { expect, test } from "vitest";
import { classMeanOf } from "./class-mean.ts";
import { factorAggregates, hybridGains, meanOverSamples } from "./factor-aggregates.ts";

test("every class counts the same, and one without images counts not at all", () => {
  // Recalls 1/4, 1 and 1/2; over samples 4 of 7.
  const table = { labels: [0, 0, 0, 0, 1, 3, 3], predicted: [0, 1, 1, 1, 1, 3, 0] };
  expect(classMeanOf(table)).toBeCloseTo((0.25 + 1 + 0.5) / 3, 12);
  expect(classMeanOf(table, (i) => i >= 4)).toBeCloseTo(0.75, 12);
  expect(classMeanOf(table, () => false)).toBeNull();
});

test("the minimum is taken within a sample, before the mean", () => {
  const pairs = [
    { cue: "hue", sample: 0, accuracy: 0.2 },
    { cue: "scale", sample: 0, accuracy: 0.8 },
    { cue: "hue", sample: 1, accuracy: 0.6 },
    { cue: "scale", sample: 1, accuracy: 0.1 },
    { cue: "hue", sample: 2, accuracy: 0.5 },
  ];
  const samples = factorAggregates(pairs, ["hue", "scale"]);
  // Sample 2 lacks a cue.
  expect(samples.map(({ sample, minimum }) => [sample, minimum])).toEqual([
    [0, 0.2],
    [1, 0.1],
  ]);
  expect(samples.map(({ average }) => average)).toEqual([0.5, 0.35].map((each) => expect.closeTo(each, 12)));
  // 0.15, where the minimum of the cues' means is 0.4.
  expect(meanOverSamples(samples.map(({ minimum }) => minimum))!.mean).toBeCloseTo(0.15, 12);
  expect(() => factorAggregates([...pairs, pairs[0]!], ["hue"])).toThrow("two accuracies");
});

test("a gain is within its pair and sample", () => {
  const coupled = [
    { cue: "hue", sample: 0, accuracy: 0.5 },
    { cue: "hue", sample: 1, accuracy: 0.9 },
  ];
  const zero = [{ cue: "hue", sample: 0, accuracy: 0.1 }];
  expect(hybridGains(coupled, zero)).toEqual([{ cue: "hue", sample: 0, accuracy: 0.4 }]);
});

test("both forms of the error: 0, 0, 3 have the mean 1, deviations √2 and √3, and Student's t of 4.303", () => {
  const told = meanOverSamples([0, 0, 3])!;
  expect(told.populationError).toBeCloseTo(Math.sqrt(2 / 3), 12);
  expect(told.high! - told.mean).toBeCloseTo(4.30265, 4);
  expect(meanOverSamples([1])).toMatchObject({ populationError: 0, low: undefined });
  expect(meanOverSamples([])).toBeUndefined();
});
