/** What becomes of a picture before a model sees it: its size, and the numbers that its bytes are. */

import type { Dataset, ImageShape } from "../../core/dataset.ts";
import { withSteps } from "../../images/change-dataset.ts";
import type { PictureSteps } from "../../images/model-picture.ts";
import type { AskedModel } from "./asked-model.ts";

export interface ModelPreparation {
  /** Of pictures of all sizes; undefined where those that come are of the right one. */
  picture?: PictureSteps | undefined;
  pixels: InputPixels;
  /** Each part in words, and who says so. */
  said: readonly SaidPart[];
}

/** The network takes (byte × factor − mean) / deviation, each by channel in the network's own order. */
export interface InputPixels {
  order: "rgb" | "bgr" | "grey";
  factor: number;
  mean: readonly number[];
  deviation: readonly number[];
}

export interface SaidPart {
  part: "size" | "pixels" | "channels";
  how: string;
  /** Such as a file; `assumed` where nobody says it. */
  from: string;
}

/** Bytes as they are. */
export function bytesAsTheyAre(channels: number): InputPixels {
  return {
    order: channels === 1 ? "grey" : "rgb",
    factor: 1,
    mean: Array<number>(channels).fill(0),
    deviation: Array<number>(channels).fill(1),
  };
}

/** For each channel of the network, which of the image's it is. */
export function channelOrder({ order }: InputPixels, channels: number): number[] {
  const given = Array.from({ length: channels }, (_, c) => c);
  return order === "bgr" ? given.reverse() : given;
}

/** The dataset as the model takes it: every image brought to its size, where it says how. */
export function inSizeOf({ takes, preparation }: AskedModel, dataset: Dataset): Dataset {
  if (preparation?.picture === undefined || "features" in takes) return dataset;
  const isAssumed = preparation.said.some(({ part, from }) => part === "size" && from === assumed);
  // Who has brought pictures to the network's size has made them ready.
  if (isAssumed && sameShape(dataset.images.shape, takes.image)) return dataset;
  return withSteps(dataset, [{ kind: "model-picture", how: preparation.picture }]);
}

export const assumed = "assumed";

/** Of `(byte × factor − mean) / deviation` for each of the 256 bytes, by channel of the network. */
export function byteTables({ factor, mean, deviation }: InputPixels): Float32Array[] {
  return mean.map((middle, c) =>
    Float32Array.from({ length: 256 }, (_, byte) => (byte * factor - middle) / deviation[c]!),
  );
}

/** Bytes [images, rows, columns, channels] → floats [images, channels, rows, columns]: what expressions of the network take. */
export function networkInput(
  images: Uint8Array,
  { height, width, channels }: ImageShape,
  pixels: InputPixels,
  into = new Float32Array(images.length),
): Float32Array {
  const tables = byteTables(pixels);
  const places = height * width;
  for (const [c, from] of channelOrder(pixels, channels).entries()) {
    const table = tables[c]!;
    for (let start = 0; start < images.length; start += places * channels)
      for (
        let at = start + c * places, read = start + from, end = at + places;
        at < end;
        at++, read += channels
      )
        into[at] = table[images[read]!]!;
  }
  return into;
}

function sameShape(a: ImageShape | null, b: ImageShape): boolean {
  return a !== null && a.height === b.height && a.width === b.width && a.channels === b.channels;
}
