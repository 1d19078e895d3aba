import { expect, test } from "vitest";
import { storedReference } from "../../../test/helpers/reference.ts";
import type { Pixels } from "../../core/dataset.ts";
import { randomStream } from "../../core/random.ts";
import { contentNames, contents, ownContent } from "./contents.ts";
import { addRandomWatermark } from "./random-watermark.ts";
import { textMask } from "./text-mask.ts";
import { addWatermark, checkWatermark, cutShare, imageNetW, watermarkSize } from "./watermark.ts";

const grey = 60;

function flat(height: number, width = height, channels = 3): Pixels {
  return { data: new Uint8Array(height * width * channels).fill(grey), height, width, channels };
}

const brightest = ({ data }: Pixels) => data.reduce((most, value) => Math.max(most, value), 0);

/** What a watermark adds to each row and column, and the box of all that it changes: left, top, right, bottom. */
function added({ data, height, width, channels }: Pixels) {
  const zeros = (length: number) => Array.from({ length }, () => 0);
  const [rows, columns] = [zeros(height), zeros(width)];
  for (let at = 0; at < height * width; at++) {
    const more = data[at * channels]! - grey;
    rows[Math.floor(at / width)]! += more;
    columns[at % width]! += more;
  }
  const extent = (sums: number[]) => [
    sums.findIndex((sum) => sum > 0),
    1 + sums.findLastIndex((sum) => sum > 0),
  ];
  const [[left, right], [top, bottom]] = [extent(columns), extent(rows)];
  return { rows, columns, box: [left!, top!, right!, bottom!] };
}

/** Made by test/references/pil_watermark.py. */
const pillow =
  storedReference<
    Record<string, { box: number[]; brightest: number; inside: number; rows: number[]; columns: number[] }>
  >("pil_watermark");

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const difference = (a: readonly number[], b: readonly number[]) =>
  sum(a.map((value, i) => Math.abs(value - b[i]!))) / sum(b);

test.each(contentNames)("%s lies where Pillow draws it, is as large, and as bright", (name) => {
  const { text, typeface } = contents[name];
  const marked = addWatermark(flat(224), { ...imageNetW, text, typeface });
  const { rows, columns, box } = added(marked);
  const reference = pillow[name]!;
  // Other hinting of the same outlines moves an edge by at most one pixel; ImageNet-W's own text has the same box.
  box.forEach((edge, i) => {
    expect(Math.abs(edge - reference.box[i]!)).toBeLessThanOrEqual(name === "chinese" ? 0 : 1);
  });
  expect(brightest(marked)).toBe(reference.brightest);
  // Skia's and FreeType's coverage differ by some percent in sum.
  expect(Math.abs(sum(rows) / sum(reference.rows) - 1)).toBeLessThan(0.05);
  expect(difference(rows, reference.rows)).toBeLessThan(0.1);
  if (name === "chinese") expect(difference(columns, reference.columns)).toBeLessThan(0.05);
});

test("white at alpha 128 over grey 60 is 158 inside of strokes, in every channel", () => {
  // 60 · 127 / 255 + 128 = 157.88
  for (const channels of [1, 3]) {
    const marked = addWatermark(flat(224, 224, channels), imageNetW);
    const inside = marked.data.filter((value) => value === 158).length / channels;
    expect(inside).toBeGreaterThan(300);
    expect(brightest(marked)).toBe(158);
    const first = marked.data.filter((_, at) => at % channels === 0);
    const spread = Uint8Array.from(marked.data, (_, at) => first[Math.floor(at / channels)]!);
    expect(Buffer.compare(marked.data, spread)).toBe(0);
  }
  expect(brightest(addWatermark(flat(224), { ...imageNetW, alpha: 255 }))).toBe(255);
  expect(added(addWatermark(flat(224), { ...imageNetW, alpha: 0 })).box).toEqual([-1, -1, 0, 0]);
});

test("the image that is given stays as it is", () => {
  const image = flat(224);
  addWatermark(image, imageNetW);
  expect(new Set(image.data)).toEqual(new Set([grey]));
});

test.each([
  [224, 36],
  [384, 62],
  [512, 82],
  [518, 84],
  // ⌊side / 6.22⌋: 41.16, 48.23, 10.29
  [256, 41],
  [300, 48],
  [64, 10],
])("an image of %d pixels gets a font of %d", (side, size) => {
  expect(watermarkSize({ height: side, width: side })).toBe(size);
  expect(watermarkSize({ height: side, width: side + 50 })).toBe(size);
  // Six characters of one em each, from a hundredth of the width: the paper's sizes fit.
  expect(cutShare({ height: side, width: side, channels: 3 }, imageNetW)).toBe(0);
});

test("a character without a glyph is an error that names it, never a box", () => {
  expect(() => ownContent("捷径\u{1F47E}")).toThrow(/no glyph for "👾" \(U\+1F47E\)/);
  // The Chinese face has no Hangul, and a control character has no glyph anywhere.
  expect(() => textMask("지", "serif-sc", 36)).toThrow(
    /Noto Serif SC ExtraLight: no glyph for "지" \(U\+C9C0\)/,
  );
  expect(() => ownContent("a\nb")).toThrow(/U\+000A/);
  expect(() => ownContent("  ")).toThrow(/no text/);
});

test("a text of one's own gets the first typeface that draws all of it", () => {
  expect(ownContent("捷径").typeface).toBe("serif-sc");
  expect(ownContent("지름길").typeface).toBe("serif-kr");
  expect(ownContent("الاختصار").typeface).toBe("naskh-arabic");
});

test("Arabic letters are joined, from right to left", () => {
  const word = textMask("بيت", "naskh-arabic", 36);
  const alone = Array.from("بيت").map((letter) => textMask(letter, "naskh-arabic", 36).advance);
  // Initial and medial forms are much narrower than the isolated ones with their bowls.
  expect(word.advance).toBeLessThan(0.75 * sum(alone));
  // Teh, the last letter, keeps its wide bowl at the left end; it has its dots above, where beh has one below.
  const { coverage, width, height } = word;
  const ink = (fromRow: number, toRow: number, fromColumn: number, toColumn: number) => {
    let total = 0;
    for (let row = fromRow; row < toRow; row++) {
      for (let column = fromColumn; column < toColumn; column++) total += coverage[row * width + column]!;
    }
    return total;
  };
  const third = Math.floor(height / 3);
  expect(ink(0, third, 0, width >> 1)).toBeGreaterThan(ink(0, third, width >> 1, width));
  expect(ink(height - third, height, width >> 1, width)).toBeGreaterThan(
    ink(height - third, height, 0, width >> 1),
  );
});

test("what cannot be is refused: alpha, place, size, channels, tiny images, text that does not fit", () => {
  expect(() => checkWatermark({ x: 0, y: 0, alpha: 256 })).toThrow(/alpha.*\n.*0 to 255/);
  expect(() => checkWatermark({ x: 0, y: 1.2, alpha: 1 })).toThrow(/watermark's y/);
  expect(() => checkWatermark({ x: 0, y: 0, alpha: 1, fontSize: 0 })).toThrow(/font size/);
  expect(() => addWatermark(flat(64, 64, 2), imageNetW)).toThrow(/red and green alone/);
  expect(() => addWatermark(flat(24), imageNetW)).toThrow(/too small/);
  expect(() => addWatermark(flat(224), { ...imageNetW, fontSize: 80 })).toThrow(/does not fit/);
  // Seven katakana of one em are wider than 224: the last is cut, as the paper's own must have been.
  const japanese = { ...imageNetW, text: contents.japanese.text, typeface: contents.japanese.typeface };
  const cut = cutShare({ height: 224, width: 224, channels: 3 }, japanese);
  expect(cut).toBeGreaterThan(0.02);
  expect(cut).toBeLessThan(0.2);
});

test("random watermarks follow their stream, vary in place, size and content, and stay within the image", () => {
  const draw = (index: number) => {
    const image = flat(96, 128);
    addRandomWatermark(image.data, image, randomStream(5, "test").at(index));
    return image;
  };
  const images = Array.from({ length: 40 }, (_, i) => draw(i));
  expect(draw(7).data).toEqual(images[7]!.data);
  const boxes = images.map((image) => added(image).box as [number, number, number, number]);
  expect(new Set(boxes.map(([left]) => left)).size).toBeGreaterThan(10);
  expect(new Set(boxes.map(([, top]) => top)).size).toBeGreaterThan(20);
  expect(new Set(boxes.map(([, top, , bottom]) => bottom - top)).size).toBeGreaterThan(5);
  expect(new Set(images.map(({ data }) => Buffer.from(data).toString("base64"))).size).toBe(40);
  // Characters of an em each are whole, but for the end of lines that are longer than the image.
  expect(Math.min(...boxes.map(([, top]) => top))).toBeGreaterThanOrEqual(0);
  for (const [left, , right] of boxes) expect(right - left).toBeLessThanOrEqual(128);
});
