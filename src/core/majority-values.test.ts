import { expect, test } from "vitest";
import { majorityValues } from "./majority-values.ts";

test("the most frequent value in training, none where two are level or nothing was trained", () => {
  expect(
    majorityValues([
      [5, 0, 9],
      [4, 4, 1],
      [0, 0, 0],
    ]),
  ).toEqual([
    { value: 2, why: "frequent" },
    { value: undefined, why: "tie" },
    { value: undefined, why: "unknown" },
  ]);
});

test("a declaration holds against chance, and loses against training that shows another value", () => {
  // Three deviations of 100 fair throws are 30: 64 to 36 is chance, 66 to 34 is not.
  const declared = [0, 0, 0, undefined];
  expect(
    majorityValues(
      [
        [36, 64],
        [34, 66],
        [0, 0],
        [1, 2],
      ],
      declared,
    ),
  ).toEqual([
    { value: 0, why: "declared" },
    { value: 1, why: "contradicted" },
    { value: 0, why: "declared" },
    { value: 1, why: "frequent" },
  ]);
  expect(majorityValues([[0, 50, 50]], [0])).toEqual([{ value: undefined, why: "contradicted" }]);
});
