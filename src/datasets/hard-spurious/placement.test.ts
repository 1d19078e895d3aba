/** Sizes and places by hand. */

import { expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { objectExtent, placeObject } from "./placement.ts";

test("squares have the size whatever the object's shape", () => {
  expect(objectExtent({ height: 300, width: 20 }, 84, "square", 224)).toEqual({ height: 84, width: 84 });
});

test("with the aspect preserved the shortest side has the size, unless the longest would leave the canvas", () => {
  // 100 × 150 at 56: 56 × 84.
  expect(objectExtent({ height: 100, width: 150 }, 56, "preserve", 224)).toEqual({ height: 56, width: 84 });
  // 300 × 100 at 84 would be 252 × 84: 224 × 74.67 instead.
  expect(objectExtent({ height: 300, width: 100 }, 84, "preserve", 224)).toEqual({ height: 224, width: 75 });
  // Just fitting: 200 × 100 at 112 is 224 × 112.
  expect(objectExtent({ height: 100, width: 200 }, 112, "preserve", 224)).toEqual({
    height: 112,
    width: 224,
  });
});

test("centre, corners, anywhere", () => {
  const random = randomStream(0, "test").at(0);
  const extent = { height: 56, width: 84 };
  expect(placeObject(extent, "centre", "top-right", 224, random)).toMatchObject({ top: 84, left: 70 });
  expect(placeObject(extent, "corner", "top-right", 224, random)).toMatchObject({ top: 0, left: 140 });
  expect(placeObject(extent, "corner", "bottom-left", 224, random)).toMatchObject({ top: 168, left: 0 });
  const places = Array.from({ length: 400 }, () => placeObject(extent, "anywhere", "random", 224, random));
  const tops = places.map(({ top }) => top);
  const lefts = places.map(({ left }) => left);
  // All 169 rows and 141 columns are possible; that 400 draws miss the outer tenth on a side has probability 0.9^400.
  expect(Math.min(...tops)).toBeLessThan(17);
  expect(Math.max(...tops)).toBeGreaterThan(151);
  expect(Math.max(...tops)).toBeLessThanOrEqual(168);
  expect(Math.max(...lefts)).toBeGreaterThan(126);
  expect(Math.max(...lefts)).toBeLessThanOrEqual(140);
});
