/** How stored bytes become what a network takes, and the same told to those who have its weights but none of our code. */

import { CuelabError } from "../core/errors.ts";
import { cast, constant, div, mul, sub, type Tensor, transpose } from "../engine/expressions.ts";
import { formatShape } from "../engine/shapes.ts";

/** What a network wants to see: bytes as they are, divided by 255, or with mean 0 and deviation 1 by channel. */
export type PixelKind = "raw" | "unit" | "standard";

/** Mean and deviation of each channel in units of 0–1. */
export interface PixelStatistics {
  mean: readonly number[];
  deviation: readonly number[];
}

/** A network takes (byte / scale − mean) / deviation, by channel, in this layout. */
export interface ToldPixels extends PixelStatistics {
  scale: number;
  layout: typeof layout;
}

const layout = "[batch, channels, height, width]";
const mostOfByte = 255;

/** Statistics matter to a network that standardises, and to no other. */
export function tellPixels(kind: PixelKind, channels: number, statistics?: PixelStatistics): ToldPixels {
  const all = (value: number) => Array<number>(channels).fill(value);
  if (kind !== "standard")
    return { scale: kind === "raw" ? 1 : mostOfByte, mean: all(0), deviation: all(1), layout };
  if (statistics?.mean.length !== channels || statistics.deviation.length !== channels) {
    throw new CuelabError({
      kind: "failure",
      what: "this network standardises its pixels",
      expected: `mean and deviation of ${channels} channels`,
      got: statistics === undefined ? "no statistics" : `${statistics.mean.length} means`,
    });
  }
  const { mean, deviation } = statistics;
  return { scale: mostOfByte, mean, deviation, layout };
}

/** Pixels from 0 to 1, channels first, as a network wants them: as `tellPixels` says. */
export function prepareUnit(pixels: Tensor, kind: PixelKind, statistics?: PixelStatistics): Tensor {
  const channels = pixels.shape[1]!;
  const { scale, mean, deviation } = tellPixels(kind, channels, statistics);
  if (kind !== "standard") return scale === 1 ? mul(pixels, mostOfByte) : pixels;
  const perChannel = (values: readonly number[]) => constant(values, [1, channels, 1, 1]);
  return div(sub(pixels, perChannel(mean)), perChannel(deviation));
}

/** Byte images, channels innermost, as the floats that a network wants, channels first: as `tellPixels` says. */
export function preparePixels(images: Tensor, kind: PixelKind, statistics?: PixelStatistics): Tensor {
  if (images.shape.length !== 4) {
    throw new CuelabError({
      kind: "failure",
      what: "images have the wrong shape",
      expected: "bytes [batch, rows, columns, channels]",
      got: formatShape(images.shape),
    });
  }
  const channels = images.shape[3]!;
  const { scale, mean, deviation } = tellPixels(kind, channels, statistics);
  const raw = cast(transpose(images, [0, 3, 1, 2]), "float");
  if (kind === "raw") return raw;
  if (kind === "unit") return mul(raw, 1 / scale);
  const perChannel = (values: readonly number[]) =>
    constant(
      values.map((value) => scale * value),
      [1, channels, 1, 1],
    );
  return div(sub(raw, perChannel(mean)), perChannel(deviation));
}
