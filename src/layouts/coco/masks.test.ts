import { expect, test } from "vitest";
import { storedReference } from "../../../test/helpers/reference.ts";
import { boxOfMask } from "../../images/compose.ts";
import { countComponents, decodeSegmentation, unpackRuns } from "./masks.ts";

/** Made by numpy: test/references/coco_masks.py. */
const reference = storedReference<{
  polygons: { height: number; width: number; polygon: number[]; runs: number[] }[];
  masks: { rows: string[]; runs: number[]; packed: string; components: number }[];
}>("coco_masks");

function draw(mask: Uint8Array, width: number): string[] {
  return Array.from({ length: mask.length / width }, (_, y) =>
    Array.from(mask.subarray(y * width, (y + 1) * width), (value) => (value === 255 ? "#" : ".")).join(""),
  );
}

const square = (left: number, top: number, right: number, bottom: number) => [
  left,
  top,
  right,
  top,
  right,
  bottom,
  left,
  bottom,
];

test("runs go down columns and begin with background", () => {
  const mask = decodeSegmentation({ size: [3, 4], counts: [1, 2, 4, 1, 4] }, { height: 3, width: 4 }, "");
  // Pixels 1, 2 and 7 of the columns: rows 1 and 2 of column 0, row 1 of column 2.
  expect(draw(mask, 4)).toEqual(["....", "#.#.", "#..."]);
});

test("runs and packed runs decode to the masks that numpy encoded", () => {
  for (const { rows, runs, packed, components } of reference.masks) {
    const [height, width] = [rows.length, rows[0]!.length];
    expect(
      draw(decodeSegmentation({ size: [height, width], counts: runs }, { height, width }, ""), width),
    ).toEqual(rows);
    expect(unpackRuns(packed, "")).toEqual(runs);
    const mask = decodeSegmentation({ size: [height, width], counts: packed }, { height, width }, "");
    expect(draw(mask, width)).toEqual(rows);
    expect(countComponents(mask, width)).toBe(components);
  }
});

test("packed runs that the COCO API wrote", () => {
  // As quoted in the tests of a program in Rust that is compared with it.
  expect(unpackRuns("52203", "")).toEqual([5, 2, 2, 2, 5]);
  expect(unpackRuns("61X13mN000`0", "")).toEqual([6, 1, 40, 4, 5, 4, 5, 4, 21]);
  expect(unpackRuns("e75S10000000ST1", "")).toEqual([245, 5, 35, 5, 35, 5, 35, 5, 35, 5, 1190]);
});

test("polygons cover the pixels that the COCO API gives", () => {
  const area = (polygon: number[], side = 10) => {
    const mask = decodeSegmentation([polygon], { height: side, width: side }, "");
    return { area: mask.filter(Boolean).length, box: boxOfMask(mask, side) };
  };
  // The COCO API's areas of these boxes in 10 × 10 pixels.
  expect(area(square(0.5, 0.5, 2.5, 2.5))).toEqual({
    area: 4,
    box: { left: 1, top: 1, width: 2, height: 2 },
  });
  expect(area(square(1.2, 1.7, 4.5, 3.8)).area).toBe(8);
  expect(area(square(0, 0, 10, 10)).area).toBe(100);
});

test("small polygons worked out by hand", () => {
  const drawn = (...polygons: number[][]) =>
    draw(decodeSegmentation(polygons, { height: 4, width: 5 }, ""), 5);
  // Whole pixels are covered up to, and without, the far corner.
  expect(drawn(square(1, 1, 4, 3))).toEqual([".....", ".###.", ".###.", "....."]);
  // The middle of column 0 is crossed at row 0.5 on the way down, that of column 3 at 3.5.
  expect(drawn([0, 0, 4, 4, 0, 4])).toEqual(["#....", "##...", "###..", "####."]);
  // Two parts of one object; what lies beyond the border is cut off.
  expect(drawn(square(-2, 0, 1, 1), square(3, 2, 9, 9))).toEqual(["#....", ".....", "...##", "...##"]);
  // Where a polygon crosses itself, even and odd alternate.
  expect(drawn([...square(0, 0, 5, 4), 0, 0, ...square(1, 1, 4, 3), 1, 1])).toEqual([
    "#####",
    "#...#",
    "#...#",
    "#####",
  ]);
});

test("random polygons cover the pixels that numpy finds", () => {
  for (const { height, width, polygon, runs } of reference.polygons) {
    const ours = decodeSegmentation([polygon], { height, width }, "");
    const theirs = decodeSegmentation({ size: [height, width], counts: runs }, { height, width }, "");
    expect(draw(ours, width)).toEqual(draw(theirs, width));
  }
});

test("parts that touch at a corner are one", () => {
  const mask = Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255);
  expect(countComponents(mask, 3)).toBe(2);
  expect(countComponents(new Uint8Array(12), 3)).toBe(0);
  // The end of a row and the beginning of the next do not touch.
  expect(countComponents(Uint8Array.of(0, 0, 255, 0, 0, 0, 255, 0, 0), 3)).toBe(2);
});

test.each<[string, unknown, RegExp]>([
  [
    "runs that are too short",
    { size: [3, 4], counts: [1, 2, 4] },
    /wrong length[\s\S]*here[\s\S]*12 pixels: 3 × 4[\s\S]*got: 7/,
  ],
  ["runs that are too long", { size: [3, 4], counts: [1, 2, 40] }, /wrong length[\s\S]*got: 43/],
  ["a negative run", { size: [3, 4], counts: [14, -2] }, /no length[\s\S]*got: -2 at position 1/],
  ["packed runs of the wrong length", { size: [3, 4], counts: "52203" }, /wrong length[\s\S]*got: 16/],
  ["packed runs that end inside a number", { size: [3, 4], counts: "52X" }, /broken[\s\S]*end of the text/],
  ["packed runs with a strange character", { size: [3, 4], counts: "5 2" }, /broken[\s\S]*" " at position 1/],
  ["another size", { size: [4, 3], counts: [12] }, /another size[\s\S]*height 3, width 4[\s\S]*size \[4,3\]/],
  ["two points", [[1, 1, 2, 2]], /fewer than three points[\s\S]*here, polygon 1[\s\S]*got: \[1,1,2,2\]/],
  [
    "half a point",
    [
      [0, 0, 1, 1, 2, 2],
      [1, 1, 2, 2, 3, 3, 4],
    ],
    /no list of points[\s\S]*polygon 2/,
  ],
  ["no number", [[0, 0, 1, 1, 2, null]], /no list of points/],
  ["no polygons", [], /no mask[\s\S]*at least one polygon/],
  ["no segmentation", undefined, /no mask[\s\S]*where: here/],
])("%s is refused", (_, segmentation, message) => {
  expect(() => decodeSegmentation(segmentation, { height: 3, width: 4 }, "here")).toThrow(message);
});
