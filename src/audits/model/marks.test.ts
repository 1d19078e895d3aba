/** The null of the search for classes: how often it errs, what it finds, and its smallest p-value by hand. */

import { expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { findMarkedClasses } from "./find-classes.ts";
import { MarkSums, swapTest } from "./marks.ts";

test("four gains in one direction come about in one of 16 ways", async () => {
  const { adjusted, gains } = await swapTest(Float32Array.of(0.1, 0.2, 0.3, 0.4), 4, {
    random: randomStream(1, "swaps").at(0),
    flips: 20_000,
  });
  expect(gains[0]).toBeCloseTo(0.25, 6);
  expect(adjusted[0]).toBeGreaterThan(0.056);
  expect(adjusted[0]).toBeLessThan(0.069);
});

test("where plain and marked are exchangeable, the first of 24 columns has p < 0.05 in about 5% of cases", async () => {
  const stream = randomStream(2, "swap-null");
  const [draws, images, columns] = [400, 30, 24];
  let errors = 0;
  for (let draw = 0; draw < draws; draw++) {
    const random = stream.at(draw);
    // Columns of an image go together, as classes do whose probabilities add up to one.
    const gains = new Float32Array(images * columns);
    for (let i = 0; i < images; i++) {
      const common = random.normal();
      for (let c = 0; c < columns; c++) gains[i * columns + c] = common * ((c % 3) - 1) + random.normal();
    }
    const { adjusted } = await swapTest(gains, images, { random, flips: 199 });
    if (Math.min(...adjusted) < 0.05) errors++;
  }
  // 95% of such counts lie between 12 and 29 where the rate is 5%.
  expect(errors).toBeGreaterThanOrEqual(8);
  expect(errors).toBeLessThanOrEqual(33);
});

/** Three classes, two marks: the second adds 0.3 to class "b", as does its control by `control`. */
function sumsOf(control: number): MarkSums {
  const sums = new MarkSums(50, 3, 2);
  const plain = Float32Array.of(0.4, 0.3, 0.3);
  for (let i = 0; i < 50; i++)
    for (const mark of [0, 1]) {
      const to = (gain: number) => Float32Array.of(0.4 - gain, 0.3 + gain, 0.3);
      const wobble = 0.01 * ((i % 5) - 2);
      sums.add(i, mark, {
        index: i,
        wanted: i % 3,
        plain,
        changed: to(mark === 1 ? 0.3 + wobble : wobble),
        control: to(mark === 1 ? control : 0),
      });
    }
  return sums;
}

const options = {
  classNames: ["a", "b", "c"],
  marks: ["first", "second"],
  threshold: 0.1,
  alpha: 0.05,
  flips: 499,
  seed: 0,
};

test("the class that a mark speaks for comes first, with its gain less its control's", async () => {
  const { classes, pValue } = await findMarkedClasses(sumsOf(0.05), options);
  expect(classes[0]).toMatchObject({ class: "b", mark: "second", found: true });
  expect(classes[0]!.gain).toBeCloseTo(0.3, 5);
  expect(classes[0]!.lessControl.value).toBeCloseTo(0.25, 5);
  expect(classes[0]!.probability).toBeCloseTo(0.3, 5);
  // 17 of the 50 images are of class b, and all were taken for a before.
  expect(classes[0]!.accuracyGapInClass).toBe(1);
  expect(pValue).toBe(1 / 500);
  expect(classes.filter(({ found }) => found)).toHaveLength(1);
});

test("what its control adds as well speaks for nothing", async () => {
  const { classes, pValue } = await findMarkedClasses(sumsOf(0.28), options);
  expect(classes[0]).toMatchObject({ class: "b", found: false });
  expect(pValue).toBe(1);
});
