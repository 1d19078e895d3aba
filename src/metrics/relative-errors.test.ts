/** mDE against Li et al. 2023, Table 19: six accuracies and the mean domain error of seventeen networks. */

import { expect, test } from "vitest";
import { table19 } from "../published/li-2023.ts";
import { emptyTally } from "./counts.ts";
import { meanRelativeError } from "./relative-errors.ts";

/**
 * AlexNet's, in per cent. The paper does not print them. Seventeen printed rows and six numbers leave nothing to choose: solved for by
 * least squares they are these within what rounding leaves open (0.4 points).
 */
const alexNet = {
  clipart: 84.01,
  infograph: 95.072,
  painting: 79.08,
  quickdraw: 99.745,
  sketch: 91.189,
  real: 54.887,
};
const domains = Object.keys(alexNet) as (keyof typeof alexNet)[];

test.each(table19)("$method, $network", (row) => {
  const all = domains.map((of) => {
    const tally = { ...emptyTally(), count: 10_000, correct: Math.round(100 * row[of]) };
    return { of, parts: [{ ...tally, reference: alexNet[of] / 100 }] };
  });
  const { value, interval } = meanRelativeError(all);
  // Half of its last digit, and what rounding the accuracies adds.
  expect(Math.abs(100 * value! - row.mde)).toBeLessThan(0.0051 + 0.0051);
  expect(interval!.low).toBeLessThan(value!);
  expect(interval!.high).toBeGreaterThan(value!);
});

test("mCE: errors of a corruption's severities are added up before they are divided", () => {
  const part = (wrong: number, reference: number) => ({
    ...emptyTally(),
    count: 10,
    correct: 10 - wrong,
    reference,
  });
  const all = [
    { of: "fog", parts: [part(1, 0.2), part(5, 0.8)] },
    { of: "blur", parts: [part(9, 0.6)] },
  ];
  expect(meanRelativeError(all).value).toBeCloseTo((0.6 / 1 + 0.9 / 0.6) / 2, 12);
  expect(
    meanRelativeError([...all, { of: "snow", parts: [{ ...emptyTally(), reference: 0.5 }] }]).value,
  ).toBeNull();
});
