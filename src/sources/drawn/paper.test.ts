import * as library from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import type { ObjectDrawing } from "./drawing.ts";
import { cutDrawing } from "./paper.ts";

/** A disc of that diameter somewhere on a sheet of one by one. */
const disc = (diameter: number): ObjectDrawing => ({
  width: 1,
  height: 1,
  draw: (pen) => {
    pen.fillStyle = "rgb(200, 100, 50)";
    pen.beginPath();
    pen.arc(0.5, 0.5, diameter / 2, 0, 2 * Math.PI);
    pen.fill();
  },
});

describe("the longest side is exact", () => {
  test.each([16, 33, 64, 128])("at %s pixels, even where the sheet is larger than its drawing", (side) => {
    for (const diameter of [1, 0.97, 0.8, 0.51]) {
      const { width, height } = cutDrawing(library, disc(diameter), side);
      expect(Math.max(width, height)).toBe(side);
    }
  });
});

test("a disc keeps its area and, to its very edge, its colour", () => {
  const { mask, data } = cutDrawing(library, disc(1), 64);
  let [area, furthest] = [0, 0];
  mask.forEach((value, at) => {
    if (value === 0) return;
    area++;
    for (const [channel, wanted] of [200, 100, 50].entries()) {
      furthest = Math.max(furthest, Math.abs(data[3 * at + channel]! - wanted));
    }
  });
  // Colours of half transparent pixels are stored in half as many steps.
  expect(furthest).toBeLessThanOrEqual(1);
  // π r², with the 0.3 pixels by which drawings are longer than their side.
  expect(Math.abs(area / (Math.PI * 32.15 ** 2) - 1)).toBeLessThan(0.01);
});

test("an empty drawing is refused", () => {
  expect(() => cutDrawing(library, { width: 1, height: 1, draw: () => {} }, 16)).toThrow(/nothing was drawn/);
});
