/**
 * The watermark of ImageNet-W (Li et al. 2023, Appendix A.2): a line of white, half transparent text over an image that
 * is already resized and cropped. Its line begins and its ascender lies where Pillow's `ImageDraw.text` would have them.
 */

import type { ImageShape, Pixels } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { contents, type WatermarkContent } from "./contents.ts";
import { type TextMask, textMask } from "./text-mask.ts";

export interface Watermark extends WatermarkContent {
  /** In pixels; by the image's size where it is left open. */
  fontSize?: number | undefined;
  /** Top left corner of the line, as parts of the image's width and height. */
  x: number;
  y: number;
  /** Opacity, from 0 to 255. */
  alpha: number;
}

export const imageNetW: Watermark = { ...contentOf("chinese"), x: 0.01, y: 0.4, alpha: 128 };

/** A content of the paper's Table 8. */
export function contentOf(name: keyof typeof contents): WatermarkContent {
  const { text, typeface } = contents[name];
  return { text, typeface };
}

/** Sizes that the paper gives, by the side of a square image; all others follow its rule of ⌊side / 6.22⌋. */
const givenSizes: ReadonlyMap<number, number> = new Map([
  [224, 36],
  [384, 62],
  [512, 82],
  [518, 84],
]);

/** For an image that is not square, by its shorter side. */
export function watermarkSize({ height, width }: Pick<ImageShape, "height" | "width">): number {
  const side = Math.min(height, width);
  return givenSizes.get(side) ?? Math.floor(side / 6.22);
}

/** Throws for numbers that make no watermark, before any image is read. */
export function checkWatermark({ fontSize, x, y, alpha }: Omit<Watermark, keyof WatermarkContent>): void {
  const refuse = (what: string, expected: string, got: number) => {
    throw new CuelabError({ kind: "usage", what, expected, got: String(got) });
  };
  if (!Number.isInteger(alpha) || alpha < 0 || alpha > 255) {
    refuse("a watermark's alpha is out of range", "a whole number from 0 to 255", alpha);
  }
  for (const [name, part] of Object.entries({ x, y })) {
    if (part >= 0 && part <= 1) continue;
    refuse(`a watermark's ${name} is out of range`, "a part of the image from 0 to 1", part);
  }
  if (fontSize !== undefined && (!Number.isInteger(fontSize) || fontSize < 1)) {
    refuse("a watermark's font size is out of range", "a whole number of pixels", fontSize);
  }
}

/** A copy of an image with the watermark. */
export function addWatermark(image: Pixels, watermark: Watermark): Pixels {
  const { mask, left, top } = placeWatermark(image, watermark);
  const marked = { ...image, data: Uint8Array.from(image.data) };
  stamp(marked.data, image, mask, left, top, watermark.alpha);
  return marked;
}

/** Share of the text's ink that an image's border cuts off. */
export function cutShare(shape: ImageShape, watermark: Watermark): number {
  const { mask, left, top } = placed(shape, watermark);
  return 1 - inkWithin(shape, mask, left, top);
}

/** Less than this of the ink within the image is no watermark any more. */
const leastInk = 0.5;

function placeWatermark(shape: ImageShape, watermark: Watermark) {
  checkImage(shape);
  const found = placed(shape, watermark);
  const within = inkWithin(shape, found.mask, found.left, found.top);
  if (within >= leastInk) return found;
  const { mask } = found;
  throw new CuelabError({
    kind: "input",
    what: "the watermark does not fit its image",
    expected: `at least half of its ink within ${shape.width} × ${shape.height} pixels`,
    got: `${Math.round(100 * within)}% of it, of a text of ${mask.width} × ${mask.height} pixels`,
    todo: "choose a smaller font size, a shorter text or another place",
  });
}

function placed(shape: ImageShape, { text, typeface, fontSize, x, y }: Watermark) {
  const mask = textMask(text, typeface, fontSize ?? watermarkSize(shape));
  // To the nearest pixel; a half goes to the right, and up, as Pillow's does.
  const [column, row] = [Math.floor(x * shape.width + 0.5), Math.ceil(y * shape.height - 0.5)];
  return { mask, left: column + mask.left, top: row + mask.top };
}

/** Smaller ones leave text of less than four pixels. */
const leastSide = 25;

/** Throws for an image that no watermark can go on. */
export function checkImage({ height, width, channels }: ImageShape): void {
  const refuse = (what: string, expected: string, got: string) => {
    throw new CuelabError({ kind: "input", what, expected, got });
  };
  if (channels !== 1 && channels !== 3) {
    const what = "a watermark is white, which red and green alone cannot be";
    refuse(what, "grey or RGB images", `${channels} channels`);
  }
  if (Math.min(height, width) < leastSide) {
    const expected = `at least ${leastSide} pixels of height and width`;
    refuse("the image is too small for a watermark", expected, `${width} × ${height}`);
  }
}

/** Paints white over bytes in place, as far as the mask lies within the image. */
export function stamp(
  data: Uint8Array,
  { height, width, channels }: ImageShape,
  mask: TextMask,
  left: number,
  top: number,
  alpha: number,
): void {
  const [firstRow, endRow] = [Math.max(0, -top), Math.min(mask.height, height - top)];
  const [firstColumn, endColumn] = [Math.max(0, -left), Math.min(mask.width, width - left)];
  for (let row = firstRow; row < endRow; row++) {
    let to = ((top + row) * width + left + firstColumn) * channels;
    for (let column = firstColumn; column < endColumn; column++, to += channels) {
      const coverage = mask.coverage[row * mask.width + column]!;
      if (coverage === 0) continue;
      // The layer of text has whole opacities, and is then laid over the image, rounded once more.
      const opacity = Math.round((alpha * coverage) / 255);
      for (let channel = to; channel < to + channels; channel++) {
        data[channel] = Math.round((data[channel]! * (255 - opacity)) / 255 + opacity);
      }
    }
  }
}

function inkWithin({ height, width }: ImageShape, mask: TextMask, left: number, top: number): number {
  if (left >= 0 && top >= 0 && left + mask.width <= width && top + mask.height <= height) return 1;
  let [within, all] = [0, 0];
  mask.coverage.forEach((coverage, at) => {
    const [row, column] = [top + Math.floor(at / mask.width), left + (at % mask.width)];
    all += coverage;
    if (row >= 0 && row < height && column >= 0 && column < width) within += coverage;
  });
  return within / all;
}
