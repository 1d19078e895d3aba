/** Parts of the pictures on a data card: a canvas with fonts of our own, text that fits, images with hard pixels. */

import type { Canvas, SKRSContext2D } from "@napi-rs/canvas";
import type { Pixels } from "../../core/dataset.ts";
import { oneLine } from "../../core/shown-text.ts";
import { copyToRgba } from "../../images/codec.ts";
import { canvasWithFont, fontFamilies } from "../../images/font.ts";

export const ink = {
  text: "#1a1c22",
  quiet: "#666b78",
  line: "#d8dae2",
  bar: "#4a63d2",
  barBack: "#eceef5",
  paper: "#ffffff",
};

export async function createSheet(width: number, height: number): Promise<SKRSContext2D> {
  const { createCanvas } = await canvasWithFont();
  const context = createCanvas(width, height).getContext("2d");
  context.fillStyle = ink.paper;
  context.fillRect(0, 0, width, height);
  context.imageSmoothingEnabled = false;
  return context;
}

interface TextStyle {
  size: number;
  weight?: number;
  color?: string;
  /** Longer text ends in an ellipsis. */
  width?: number;
}

export function drawText(context: SKRSContext2D, text: string, x: number, y: number, style: TextStyle): void {
  const shown = shortened(oneLine(text.slice(0, longest + 1)), (words) => fits(context, words, style));
  context.font = fontOf(style);
  context.fillStyle = style.color ?? ink.text;
  context.fillText(shown, x, y);
}

/** No sheet has room for more, and to measure the text of a book takes as long as to read it. */
const longest = 1000;

/** As much of the beginning as fits, with an ellipsis; found by halves, since each try is measured. */
export function shortened(text: string, fitting: (text: string) => boolean): string {
  if (text.length <= 1 || fitting(text)) return text;
  const beginning = (length: number) => `${text.slice(0, length).trimEnd()}…`;
  const fitsAt = (length: number) => length < text.length - 1 && fitting(beginning(length));
  let [fit, tooLong] = [0, text.length - 1];
  while (tooLong - fit > 1) {
    const middle = Math.floor((fit + tooLong) / 2);
    if (fitsAt(middle)) fit = middle;
    else tooLong = middle;
  }
  // Letters can be narrower together than the first of them before an ellipsis.
  return beginning([fit + 3, fit + 2, fit + 1].find(fitsAt) ?? fit);
}

export function fits(context: SKRSContext2D, text: string, style: TextStyle): boolean {
  context.font = fontOf(style);
  if (text.length > longest) return false;
  return style.width === undefined || context.measureText(text).width <= style.width;
}

function fontOf({ weight, size }: TextStyle): string {
  return `${weight ?? 400} ${size}px ${fontFamilies}`;
}

export function drawLine(context: SKRSContext2D, x: number, y: number, length: number): void {
  context.fillStyle = ink.line;
  context.fillRect(x, y, length, 1);
}

export function drawImage(context: SKRSContext2D, pixels: Pixels, x: number, y: number, tile: number): void {
  const image = context.createImageData(pixels.width, pixels.height);
  copyToRgba(pixels.data, pixels.channels, image.data);
  const scale = tile / Math.max(pixels.width, pixels.height);
  const [width, height] = [Math.round(pixels.width * scale), Math.round(pixels.height * scale)];
  const small = newCanvas(context, pixels.width, pixels.height);
  small.getContext("2d").putImageData(image, 0, 0);
  context.imageSmoothingEnabled = scale < 1;
  context.drawImage(small, x + (tile - width) / 2, y + (tile - height) / 2, width, height);
}

function newCanvas(context: SKRSContext2D, width: number, height: number): Canvas {
  const Constructor = context.canvas.constructor as new (width: number, height: number) => Canvas;
  return new Constructor(width, height);
}
