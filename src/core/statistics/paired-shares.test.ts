/** Worked by hand from Bonett and Price 2012: one trial is added to either kind of trials that differ. */

import { expect, test } from "vitest";
import { randomStream } from "../random.ts";
import { pairedShares } from "./paired-shares.ts";

test("one trial won and four lost of twenty", () => {
  const found = pairedShares({ won: 1, lost: 4, n: 20 });
  // (2 − 5) / 22 = −0.13636; √((7/22 − 0.13636²) / 22) = √(0.299587 / 22) = 0.116694; 1.959964 × 0.116694 = 0.228717.
  expect(found.difference).toBeCloseTo(-0.15, 12);
  expect(found.low).toBeCloseTo(-0.13636 - 0.22872, 4);
  expect(found.high).toBeCloseTo(-0.13636 + 0.22872, 4);
  // (−0.13636 + 0.03) / 0.116694 = −0.91145, and Φ(−0.91145) = 0.18103.
  expect(found.fallsMore(0.03)).toBeCloseTo(0.18103, 4);
  expect(found.fallsMore(0.03) + found.fallsLess(0.03)).toBeCloseTo(1, 12);
});

test("where no trial differs, the interval still has a width", () => {
  const { difference, low, high } = pairedShares({ won: 0, lost: 0, n: 20 });
  // √((2/22) / 22) = 0.064282.
  expect(difference).toBe(0);
  expect(high).toBeCloseTo(1.959964 * 0.064282, 4);
  expect(low).toBe(-high);
});

test("of 2,000 samples whose shares are equal, the interval leaves out 0 in about 5%", () => {
  const random = randomStream(3, "paired-shares").at(0);
  let missed = 0;
  for (let k = 0; k < 2000; k++) {
    let [won, lost] = [0, 0];
    for (let i = 0; i < 60; i++) {
      const u = random.uniform();
      if (u < 0.15) won++;
      else if (u < 0.3) lost++;
    }
    const { low, high } = pairedShares({ won, lost, n: 60 });
    if (low > 0 || high < 0) missed++;
  }
  // Discrete and a little careful: between 2% and 6.5%.
  expect(missed / 2000).toBeGreaterThan(0.02);
  expect(missed / 2000).toBeLessThan(0.065);
});

test("counts that cannot be are refused", () => {
  expect(() => pairedShares({ won: 3, lost: 3, n: 5 })).toThrow(/no such paired counts/);
});
