import { expect, test } from "vitest";
import { pointsCell } from "./section.ts";

test("points have their sign, and what rounds to nothing has none", () => {
  const texts = [0.01, -0.01, 0.0003, -0.0003, 0, null].map((share) => pointsCell(share).text);
  expect(texts).toEqual(["+1.0", "-1.0", "0.0", "0.0", "0.0", "–"]);
});
