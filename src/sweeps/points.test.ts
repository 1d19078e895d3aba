import { expect, test } from "vitest";
import { gridPoints, merged, randomPoints, withPoint } from "./points.ts";

test("a grid has every combination, the last key changing fastest", () => {
  expect(gridPoints({ "optimiser.rate": [1, 2], epochs: [3, 4] })).toEqual([
    { "optimiser.rate": 1, epochs: 3 },
    { "optimiser.rate": 1, epochs: 4 },
    { "optimiser.rate": 2, epochs: 3 },
    { "optimiser.rate": 2, epochs: 4 },
  ]);
  expect(gridPoints({})).toEqual([{}]);
});

test("random points stay in their ranges, depend on the seed alone, and a longer search begins like a shorter one", () => {
  const ranges = {
    rate: { log: [1e-5, 1e-2] as [number, number] },
    width: { of: [8, 16] },
    share: { between: [2, 3] as [number, number] },
  };
  const points = randomPoints(ranges, 200, 4);
  expect(randomPoints(ranges, 50, 4)).toEqual(points.slice(0, 50));
  expect(randomPoints(ranges, 50, 5)).not.toEqual(points.slice(0, 50));
  for (const { rate, width, share } of points) {
    expect(rate).toBeGreaterThanOrEqual(1e-5);
    expect(rate).toBeLessThanOrEqual(1e-2);
    expect([8, 16]).toContain(width);
    expect(share).toBeGreaterThanOrEqual(2);
    expect(share).toBeLessThan(3);
  }
  // Evenly in the logarithm: a third below 1e-4, within three standard errors.
  const below = points.filter(({ rate }) => (rate as number) < 1e-4).length / 200;
  expect(Math.abs(below - 1 / 3)).toBeLessThan(3 * Math.sqrt(2 / 9 / 200));
});

test("points and entries go into a copy of the spec", () => {
  const base = { method: { name: "erm", settings: { a: 1 } }, epochs: 2 };
  expect(withPoint(base, { "method.settings.b": 2, "optimiser.rate": 3 })).toEqual({
    method: { name: "erm", settings: { a: 1, b: 2 } },
    epochs: 2,
    optimiser: { rate: 3 },
  });
  expect(merged(base, { method: { settings: { a: [5] } }, epochs: 9 })).toEqual({
    method: { name: "erm", settings: { a: [5] } },
    epochs: 9,
  });
  expect(base).toEqual({ method: { name: "erm", settings: { a: 1 } }, epochs: 2 });
});
