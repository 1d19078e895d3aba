/** The tiny classifiers' fit against scikit-learn's `RidgeClassifier`, and their accuracy by hand. */

import { expect, test } from "vitest";
import { storedReference } from "../../../../test/helpers/reference.ts";
import { fitRidge } from "./ridge.ts";
import { balancedAccuracy, tinyClassifier } from "./tiny-classifiers.ts";

const { ridge } = storedReference<{
  ridge: { alpha: number; features: number[]; labels: number[]; scores: number[]; predicted: number[] };
}>("discover");

test("scores and classes are scikit-learn's, with classes that weigh the same", () => {
  const rows = Array.from({ length: 40 }, (_, i) => i);
  const data = { features: Float32Array.from(ridge.features), width: 4, labels: ridge.labels, classes: 3 };
  const { scores, predict } = fitRidge(data, rows, ridge.alpha);
  for (let i = 0; i < 20; i++) {
    // Features are floats here, and doubles there.
    for (const [label, score] of scores(40 + i).entries())
      expect(score).toBeCloseTo(ridge.scores[3 * i + label]!, 5);
    expect(predict(40 + i)).toBe(ridge.predicted[i]);
  }
});

test("accuracy is the mean over classes; its interval goes by clusters", () => {
  // Of class 0 three of four, of class 1 one of two: (0.75 + 0.5) / 2.
  const [right, labels] = [
    [1, 1, 1, 0, 1, 0],
    [0, 0, 0, 0, 1, 1],
  ];
  const alone = balancedAccuracy(right, labels, 3, [0, 1, 2, 3, 4, 5]);
  expect(alone.accuracy).toBe(0.625);
  expect(alone.guessing).toBe(0.5);
  // A hundred copies of each image in one cluster tell no more than the image did.
  const copies = (values: readonly number[]) =>
    values.flatMap((value) => Array.from({ length: 100 }, () => value));
  const clustered = balancedAccuracy(copies(right), copies(labels), 3, copies([0, 1, 2, 3, 4, 5]));
  expect(clustered.low).toBeCloseTo(alone.low, 12);
  const free = balancedAccuracy(
    copies(right),
    copies(labels),
    3,
    copies(right).map((_, i) => i),
  );
  expect(free.low).toBeGreaterThan(clustered.low + 0.2);
  // A perfect one still has an interval: Wilson's of four of four begins at 4 / (4 + 1.96²).
  expect(balancedAccuracy([1, 1, 1, 1], [0, 0, 1, 1], 2, [0, 1, 2, 3]).low).toBeCloseTo(
    4 / (4 + 1.96 ** 2),
    4,
  );
});

test("what goes with the class is learnt, and noise is not", async () => {
  const labels = Array.from({ length: 200 }, (_, i) => i % 2);
  const task = {
    labels,
    classes: 2,
    folds: Uint8Array.from(labels, (_, i) => Math.floor(i / 2) % 5),
    clusters: labels.map((_, i) => i),
  };
  const input = (value: (i: number) => number) => ({
    name: "",
    description: "",
    width: 1,
    features: Float32Array.from(labels, (_, i) => value(i)),
  });
  expect(
    (await tinyClassifier(
      input((i) => labels[i]! + (i % 7) / 10),
      task,
    ))!.accuracy,
  ).toBe(1);
  const noise = (await tinyClassifier(
    input((i) => ((i * 7919) % 101) / 101),
    task,
  ))!;
  expect(noise.low).toBeLessThan(0.5);
  expect(noise.high).toBeGreaterThan(0.5);
});
