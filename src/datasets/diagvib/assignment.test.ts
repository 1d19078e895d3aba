import fc from "fast-check";
import { expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { apportion, assign } from "./assignment.ts";

test("apportioned counts add up and are within one of their share", () => {
  fc.assert(
    fc.property(
      fc.nat(100_000),
      fc.array(fc.double({ min: 0, max: 10, noNaN: true }), { minLength: 1, maxLength: 12 }),
      (count, weights) => {
        const total = weights.reduce((a, b) => a + b, 0);
        fc.pre(total > 1e-6);
        const counts = apportion(count, weights);
        expect(counts.reduce((a, b) => a + b, 0)).toBe(count);
        for (const [i, n] of counts.entries())
          expect(Math.abs(n - (count * weights[i]!) / total)).toBeLessThan(1 + 1e-6);
      },
    ),
  );
  // By hand: 10 in proportions 1 : 1 : 1 is 3⅓ each; the first gets the one that is left.
  expect(apportion(10, [1, 1, 1])).toEqual([4, 3, 3]);
  expect(apportion(14_580, [0.95 / 3, 0.025 / 3, 0.025 / 3])).toEqual([13_851, 365, 364]);
});

test("free variables are equally frequent within each joint combination", () => {
  const joint = { sizes: [2, 2], share: ([a, b]: readonly number[]) => (a === b ? 0.5 : 0) };
  const rows = assign(2 * (3 * 6 + 4), joint, [2, 3], randomStream(1, "test"));
  const counts = new Map<string, number>();
  for (let i = 0; i < rows.length; i += 4) {
    const key = rows.subarray(i, i + 4).join("");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  expect(counts.size).toBe(12);
  // Three full rounds of six, and a fourth of four.
  expect([...counts.values()].sort((a, b) => a - b)).toEqual([3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4]);
  expect([...counts.keys()].every((key) => key[0] === key[1])).toBe(true);
});
