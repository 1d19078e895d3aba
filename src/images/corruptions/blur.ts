/** Gaussian blur and coarse pixels (Hendrycks & Dietterich 2019), in proportion to the image where they were given for 224 pixels. */

import type { Pixels } from "../../core/dataset.ts";
import { type Severity, severityOf } from "./severity.ts";

/** Deviations in pixels, at 224. */
const deviations = [1, 2, 3, 4, 6];
const givenAt = 224;
/** How far the kernel reaches, in deviations, as SciPy's. */
const reach = 4;

/** What is left of each side. */
const sizes = [0.6, 0.5, 0.4, 0.3, 0.25];

export function blur(image: Pixels, severity: Severity): Pixels {
  const scale = Math.min(image.height, image.width) / givenAt;
  return gaussianBlur(image, severityOf(deviations, severity) * scale);
}

/** Along rows, then along columns; beyond the border its last pixel goes on. */
function gaussianBlur({ data, ...shape }: Pixels, deviation: number): Pixels {
  const { height, width, channels } = shape;
  const kernel = kernelOf(deviation);
  const radius = (kernel.length - 1) / 2;
  const along = new Float64Array(data.length);
  const blurred = new Uint8Array(data.length);
  const within = (place: number, length: number) => Math.min(length - 1, Math.max(0, place));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < channels; c++) {
        let sum = 0;
        for (let k = -radius; k <= radius; k++)
          sum += kernel[k + radius]! * data[(y * width + within(x + k, width)) * channels + c]!;
        along[(y * width + x) * channels + c] = sum;
      }
  for (let y = 0; y < height; y++)
    for (let at = 0; at < width * channels; at++) {
      let sum = 0;
      for (let k = -radius; k <= radius; k++)
        sum += kernel[k + radius]! * along[within(y + k, height) * width * channels + at]!;
      blurred[y * width * channels + at] = Math.trunc(sum + 1e-9);
    }
  return { ...shape, data: blurred };
}

function kernelOf(deviation: number): Float64Array {
  const radius = Math.trunc(reach * deviation + 0.5);
  const kernel = Float64Array.from({ length: 2 * radius + 1 }, (_, k) =>
    Math.exp(-0.5 * ((k - radius) / deviation) ** 2),
  );
  const total = kernel.reduce((sum, weight) => sum + weight, 0);
  return kernel.map((weight) => weight / total);
}

/** Shrunk by averages over boxes, and enlarged again without smoothing. */
export function pixelate(image: Pixels, severity: Severity): Pixels {
  const share = severityOf(sizes, severity);
  const { data, height, width, channels } = image;
  const [rows, columns] = [height, width].map((side) => Math.max(1, Math.trunc(side * share))) as [
    number,
    number,
  ];
  const coarse = new Uint8Array(data.length);
  const down = edges(height, rows);
  const across = edges(width, columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      for (let c = 0; c < channels; c++) {
        let [sum, weights] = [0, 0];
        eachWithin(down[row]!, down[row + 1]!, (y, tall) => {
          eachWithin(across[column]!, across[column + 1]!, (x, wide) => {
            sum += tall * wide * data[(y * width + x) * channels + c]!;
            weights += tall * wide;
          });
        });
        coarse[(row * columns + column) * channels + c] = Math.floor(sum / weights + 0.5);
      }
  const result = new Uint8Array(data.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [row, column] = [
        Math.floor(((y + 0.5) * rows) / height),
        Math.floor(((x + 0.5) * columns) / width),
      ];
      const from = (row * columns + column) * channels;
      result.set(coarse.subarray(from, from + channels), (y * width + x) * channels);
    }
  return { ...image, data: result };
}

function edges(length: number, parts: number): number[] {
  return Array.from({ length: parts + 1 }, (_, i) => (i * length) / parts);
}

/** Pixels whose middle lies between, as Pillow's box filter counts them. */
function eachWithin(from: number, to: number, visit: (at: number, weight: number) => void): void {
  const [first, end] = [Math.trunc(from + 0.5), Math.trunc(to + 0.5)];
  for (let at = first; at < end; at++) visit(at, 1);
}
