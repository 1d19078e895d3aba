import { expect, test } from "vitest";
import { coloursNamed } from "./named-colours.ts";

test("series that are called by colours get them, also dark and light ones", () => {
  expect(coloursNamed(["red", "Blue", "#0072B2"])).toEqual(["#d62728", "#1f3fd0", "#0072b2"]);
  // 0.55 · (0xd9, 0xb8, 0) = (119.35, 101.2, 0); 0.55 · 0x7f + 0.45 · 255 = 184.6.
  expect(coloursNamed(["dark yellow", "light-grey"])).toEqual(["#776500", "#b9b9b9"]);
});

test.each([[["red", "urban"]], [["grey", "gray"]], [["very dark red", "red"]], [["constructor"]]])(
  "%j are no colours of their own",
  (names) => {
    expect(coloursNamed(names)).toBeUndefined();
  },
);
