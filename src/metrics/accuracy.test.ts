import { expect, test } from "vitest";
import { accuracyOf } from "./accuracy.ts";

const table = { labels: [0, 1, 1, 0, 1], predicted: [0, 1, 0, 0, 0] };

test("share of right answers, with Wilson's interval", () => {
  const { count, accuracy, low, high } = accuracyOf("all", table);
  expect([count, accuracy]).toEqual([5, 0.6]);
  // Wilson for 3 of 5: (0.6 + z²/10 ± z·√(0.24/5 + z²/100)) / (1 + z²/5) with z = 1.959964.
  expect(low).toBeCloseTo(0.2307, 4);
  expect(high).toBeCloseTo(0.8824, 4);
});

test("a slice, and an empty slice that is no zero", () => {
  expect(accuracyOf("ones", table, (i) => table.labels[i] === 1)).toMatchObject({
    count: 3,
    accuracy: 1 / 3,
  });
  expect(accuracyOf("none", table, () => false)).toEqual({
    slice: "none",
    count: 0,
    accuracy: null,
    low: null,
    high: null,
  });
});
