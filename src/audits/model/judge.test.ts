/** Flips, gaps and verdicts of made answers, worked by hand. */

import { expect, test } from "vitest";
import { judgeVariants } from "./judge.ts";
import { addAnswers, emptyTally, softmaxRows } from "./tally.ts";

/** Probabilities of two classes from that of the first. */
const two = (first: number) => Float32Array.of(first, 1 - first);

/** So often an image of class 0 is seen as these three probabilities of class 0: plain, changed, control. */
function tallyOf(...kinds: readonly [times: number, plain: number, changed: number, control: number][]) {
  const tally = emptyTally(2);
  let index = 0;
  for (const [times, plain, changed, control] of kinds)
    for (let i = 0; i < times; i++)
      addAnswers(tally, {
        index: index++,
        wanted: 0,
        plain: two(plain),
        changed: two(changed),
        control: two(control),
      });
  return tally;
}

test("flips, accuracies, probabilities and what is said instead", () => {
  const tally = tallyOf([6, 0.9, 0.9, 0.9], [2, 0.8, 0.3, 0.7], [1, 0.75, 0.25, 0.25], [1, 0.25, 0.75, 0.25]);
  expect(tally.right).toEqual({ plain: 9, changed: 7, control: 8 });
  expect(tally.flips).toEqual({
    changed: { lost: 3, won: 1 },
    lessControl: { lost: 2, won: 1 },
    control: { lost: 1, won: 0 },
  });
  // (2 × −0.5 + −0.5 + 0.5) / 10 and (2 × −0.4 + 0 + 0.5) / 10.
  expect(tally.probability.changed.mean).toBeCloseTo(-0.1, 6);
  expect(tally.probability.lessControl.mean).toBeCloseTo(-0.03, 6);
  expect([...tally.pushed]).toEqual([1, 3]);
  expect([...tally.pushedByControl]).toEqual([0, 1]);
  // The one that its control turns as well is not shown, nor is the one that was wrong before.
  expect(tally.seen.map(({ index }) => index)).toEqual([6, 7]);
});

test("reliance, none and cannot be told", () => {
  const reliance = tallyOf([60, 0.9, 0.9, 0.9], [40, 0.9, 0.1, 0.9]);
  const ofBoth = tallyOf([60, 0.9, 0.9, 0.9], [40, 0.9, 0.1, 0.1]);
  const none = tallyOf([400, 0.9, 0.9, 0.9]);
  const few = tallyOf([10, 0.9, 0.9, 0.9]);
  const { variants } = judgeVariants([reliance, ofBoth, none, few], { margin: 0.03, alpha: 0.05 });
  // What the control costs as well is no reliance: (1 − 1) / 102 = 0 is at most a third of a standard error above −0.03.
  expect(variants.map(({ verdict }) => verdict)).toEqual([
    "reliance",
    "cannot be told",
    "none",
    "cannot be told",
  ]);
  expect(variants[0]!.gaps.lessControl.difference).toBeCloseTo(-0.4, 12);
});

test("an intervention that helps is no reliance, and a control that hurts more is none", () => {
  const helped = tallyOf([300, 0.9, 0.9, 0.9], [100, 0.1, 0.9, 0.1]);
  const hurt = tallyOf(
    [300, 0.9, 0.9, 0.9],
    [100, 0.9, 0.1, 0.9].map(Number) as [number, number, number, number],
  );
  const { variants } = judgeVariants([helped, hurt], { margin: 0.03, alpha: 0.05 });
  expect(variants.map(({ verdict }) => verdict)).toEqual(["none", "reliance"]);
});

test("verdicts are of a family: what one alone would show, twenty others take away", () => {
  const weak = tallyOf([186, 0.9, 0.9, 0.9], [14, 0.9, 0.1, 0.9]);
  const silent = Array.from({ length: 20 }, () => tallyOf([200, 0.9, 0.9, 0.9]));
  const options = { margin: 0.03, alpha: 0.05 };
  // (1 − 15) / 202 = −0.0693, error √((16/202 − 0.0048) / 202) = 0.0192: z = −2.05, p = 0.02.
  expect(judgeVariants([weak], options).variants[0]!.reliance).toBeCloseTo(0.0204, 3);
  expect(judgeVariants([weak], options).variants[0]!.verdict).toBe("reliance");
  expect(judgeVariants([weak, ...silent], options).variants[0]!.verdict).toBe("cannot be told");
});

test("logits become probabilities, row by row", () => {
  const rows = softmaxRows(Float32Array.of(0, Math.log(3), 1000, 1000), 2);
  expect([...rows]).toEqual([expect.closeTo(0.25, 6), expect.closeTo(0.75, 6), 0.5, 0.5]);
});
