import { expect, test } from "vitest";
import { normaliseHistogram } from "./index.ts";

test("an image worked by hand", () => {
  // Counts 1, 2, 1, 4 of greys 10, 20, 30, 200: sums beyond the darkest 0, 2, 3, 7 of 7, times 255 / 7.
  const grey = Uint8Array.of(200, 10, 20, 200, 30, 20, 200, 200);
  expect([...normaliseHistogram(grey)]).toEqual([255, 0, 73, 255, 109, 73, 255, 255]);
});

test("a flat image stays one grey, and normalising twice changes nothing", () => {
  expect([...normaliseHistogram(Uint8Array.of(7, 7, 7))]).toEqual([0, 0, 0]);
  const once = normaliseHistogram(Uint8Array.from({ length: 1000 }, (_, i) => (i * i) % 97));
  expect(normaliseHistogram(once)).toEqual(once);
});
