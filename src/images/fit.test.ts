/** Photographs of any shape as squares, against Pillow, bit for bit. */

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { formulaImage } from "../../test/helpers/formula-image.ts";
import { storedReference } from "../../test/helpers/reference.ts";
import { type Fit, fitted } from "./fit.ts";

interface FitCase {
  height: number;
  width: number;
  size: number;
  fit: Fit;
  sha256: string;
}

test.each(storedReference<FitCase[]>("pil_fit"))(
  "$width × $height to $size by $fit",
  ({ height, width, size, fit, sha256 }) => {
    const { data, ...shape } = fitted(formulaImage(height, width), size, fit);
    expect(shape).toEqual({ height: size, width: size, channels: 3 });
    expect(createHash("sha256").update(data).digest("hex")).toBe(sha256);
  },
);

test("grey becomes colour, and the longest image keeps a line of pixels", () => {
  const grey = { data: Uint8Array.of(10, 20, 30, 40), height: 2, width: 2, channels: 1 };
  expect([...fitted(grey, 2, "crop").data]).toEqual([10, 10, 10, 20, 20, 20, 30, 30, 30, 40, 40, 40]);
  const long = { data: new Uint8Array(300).fill(7), height: 1, width: 100, channels: 3 };
  const { data } = fitted(long, 4, "pad");
  expect([...data].filter((value) => value === 7)).toHaveLength(4 * 3);
});
