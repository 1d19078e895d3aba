import { expect, test } from "vitest";
import { colorNames, namedColors, paletteOf } from "./palette.ts";

test("the published lists: texture is 255 less the digit, background a quarter of it, distractors reversed", () => {
  const { digit, distractor, texture, background } = paletteOf("paper");
  expect(digit[0]).toEqual([0, 0, 255]);
  expect(digit[7]).toEqual([255, 0, 128]);
  // By hand for class 7: 255 − (255, 0, 128) = (0, 255, 127); a quarter, cut down: (0, 63, 31).
  expect(texture[7]).toEqual([0, 255, 127]);
  expect(background[7]).toEqual([0, 63, 31]);
  expect(distractor[0]).toEqual([128, 255, 0]);
  expect(distractor[9]).toEqual([0, 0, 255]);
});

test("the published colours have names in words, others are written as #rrggbb", () => {
  const { digit, texture, background } = paletteOf("paper");
  expect(colorNames(digit).join()).toBe(
    "blue,green,red,cyan,yellow,magenta,spring green,rose,orange,chartreuse",
  );
  expect(colorNames(texture).join()).toBe(
    "yellow,magenta,cyan,red,blue,green,rose,spring green,azure,violet",
  );
  expect(colorNames(background)[9]).toBe("dark violet");
  expect(colorNames(paletteOf("muted").digit)).toEqual(namedColors.muted);
});

test("names stay apart where two colours are a step from one another", () => {
  const close = ["#ff7f00", "#ff8000", ...namedColors.paper.slice(0, 8)];
  const names = colorNames(paletteOf(close).digit);
  expect(names).toEqual(close);
});

test.each([
  [["#0000ff"], /1 colours/],
  [["red", ...namedColors.paper.slice(1)], /got: "red"/],
  [["#00f", ...namedColors.paper.slice(1)], /got: "#00f"/],
  [["#00ff01", ...namedColors.paper.slice(1)], /#00ff01 and #00ff00, whose backgrounds are both #3f003f/],
])("%j is refused with what would do", (colors, message) => {
  expect(() => paletteOf(colors)).toThrow(message);
  expect(() => paletteOf(colors)).toThrow(/ten colours as #rrggbb/);
});
