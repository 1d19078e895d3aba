/** Paints one image: background, distractors, texture, digit, each over the one before. */

import { digitMasker } from "./digits.ts";
import type { Variable } from "./factors.ts";
import { glyphPixels, glyphs } from "./glyphs.ts";
import type { Color, Palette } from "./palette.ts";
import { shapes } from "./shapes.ts";

/** Heights and widths that images can have. */
export const canvasSizes = [96, 64, 48] as const;
export type CanvasSize = (typeof canvasSizes)[number];

/** What one image shows: places in the palette's lists, in the lists of shapes and glyphs, and a cell from 0 to 8. */
export type Factors = Readonly<Record<Variable, number>>;

/** Makes the bytes of an image (rows first, RGB) from a 28×28 digit and the seven factors. */
export type Renderer = (grey: Uint8Array, factors: Factors) => Uint8Array;

/** All lengths on the full canvas of 96 pixels; smaller ones have them in proportion, rounded to whole pixels. */
const full = { canvas: 96, cell: 32, shape: 16, anchors: [6, 22, 38, 54, 70, 86] };

export function createRenderer(canvas: CanvasSize, palette: Palette): Renderer {
  const scale = canvas / full.canvas;
  const cellSize = Math.floor(full.cell * scale);
  const cells = Array.from({ length: 9 }, (_, cell) => ({
    x: Math.round((cell % 3) * full.cell * scale),
    y: Math.round(Math.floor(cell / 3) * full.cell * scale),
  }));
  const at = (x: number, y: number) => 3 * (y * canvas + x);

  const backgrounds = palette.background.map((color) => plain(canvas, color));
  const shapeSize = Math.round(full.shape * scale);
  const inset = Math.floor((cellSize - shapeSize) / 2);
  // For each shape, the bytes at which its pixels begin in each cell.
  const shapeBytes = shapes.map(({ draw }) => {
    const { ink } = draw(shapeSize);
    const pixels = [...ink.keys()].filter((i) => ink[i] === 1);
    return cells.map(({ x, y }) =>
      Int32Array.from(pixels, (i) => at(x + inset + (i % shapeSize), y + inset + Math.floor(i / shapeSize))),
    );
  });
  const anchors = full.anchors.map((anchor) => Math.round(anchor * scale));
  const textureBytes = glyphs.map((glyph) => {
    const pixels = glyphPixels(glyph, canvas);
    const inside = (position: number) => position >= 0 && position < canvas;
    return Int32Array.from(
      anchors.flatMap((top) =>
        anchors.flatMap((left) =>
          pixels
            .filter(([x, y]) => inside(left + x) && inside(top + y))
            .map(([x, y]) => at(left + x, top + y)),
        ),
      ),
    );
  });
  const digitBytes = cells.map(({ x, y }) =>
    Int32Array.from({ length: cellSize ** 2 }, (_, i) =>
      at(x + (i % cellSize), y + Math.floor(i / cellSize)),
    ),
  );
  const maskDigit = digitMasker(cellSize);
  const ink = new Uint16Array(cellSize ** 2);

  return (grey, factors) => {
    const data = backgrounds[factors.backgroundColor]!.slice();
    const distractor = palette.distractor[factors.distractorColor]!;
    const byCell = shapeBytes[factors.distractorShape]!;
    for (let cell = 0; cell < 9; cell++) {
      if (cell !== factors.digitPosition) paint(data, byCell[cell]!, distractor);
    }
    paint(data, textureBytes[factors.texture]!, palette.texture[factors.textureColor]!);
    const inkCount = maskDigit(grey, ink);
    const [red, green, blue] = palette.digit[factors.digitColor]!;
    const cellBytes = digitBytes[factors.digitPosition]!;
    for (let i = 0; i < inkCount; i++) {
      const byte = cellBytes[ink[i]!]!;
      data[byte] = red;
      data[byte + 1] = green;
      data[byte + 2] = blue;
    }
    return data;
  };
}

function paint(data: Uint8Array, bytes: Int32Array, [red, green, blue]: Color): void {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    data[byte] = red;
    data[byte + 1] = green;
    data[byte + 2] = blue;
  }
}

function plain(canvas: number, color: Color): Uint8Array {
  return Uint8Array.from({ length: 3 * canvas ** 2 }, (_, i) => color[i % 3]!);
}
