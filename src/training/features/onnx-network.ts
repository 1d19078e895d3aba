/** An ONNX model that people bring, as a network whose features are wanted. */

import type { ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { OnnxModel } from "../../engine/onnx-model.ts";
import { chosenPixels } from "../weights.ts";
import { type FeatureNetwork, type Shown, usualBatch } from "./feature-network.ts";

/** Its output `features`, or its first one. Refuses what does not fit the images. */
export async function openOnnxNetwork(
  path: string,
  { shape, batch: wantedBatch = usualBatch, threads = 1 }: Shown,
): Promise<FeatureNetwork> {
  const model = await OnnxModel.open(path, { output: "features", threads });
  try {
    const { height, width: columns, channels } = shape;
    const isByte = model.input.type === "uint8";
    const wanted = isByte ? [height, columns, channels] : [channels, height, columns];
    const [rows, ...sides] = model.input.shape;
    // Free sizes are told as texts or negative numbers.
    const isFree = (size: number | string | undefined) => typeof size === "string" || (size ?? 0) <= 0;
    const fits = sides.length === 3 && sides.every((size, i) => isFree(size) || size === wanted[i]);
    if (!fits) throw onnxMisfit(path, `${model.input.type} [${model.input.shape.join(", ")}]`, shape);
    if (!isByte && channels !== 3) throw onnxMisfit(path, "float images of 3 channels, as ImageNet's", shape);
    const batch = isFree(rows) ? wantedBatch : Number(rows);
    const dims = [batch, ...wanted];
    const planes = isByte ? undefined : new Float32Array(batch * channels * height * columns);
    const run = async (images: Uint8Array) => {
      if (planes !== undefined) standardised(images, channels, height * columns, planes);
      return model.run(planes ?? images, dims);
    };
    const { length } = await run(new Uint8Array(batch * height * columns * channels));
    return { width: length / batch, batch, run, close: () => model.close() };
  } catch (cause) {
    await model.close();
    throw cause;
  }
}

/** Bytes, channels innermost, as floats, channels first, with ImageNet's mean and deviation. */
function standardised(images: Uint8Array, channels: number, pixels: number, planes: Float32Array): void {
  const { mean, deviation } = chosenPixels("imagenet")!;
  for (let from = 0, image = 0; from < images.length; image++) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      for (let c = 0; c < channels; c++)
        planes[(image * channels + c) * pixels + pixel] = (images[from++]! / 255 - mean[c]!) / deviation[c]!;
    }
  }
}

export function onnxMisfit(path: string, takes: string, shape: ImageShape): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the images do not fit this extractor",
    where: path,
    expected: takes,
    got: sizeText(shape),
  });
}

export function sizeText({ height, width, channels }: ImageShape): string {
  return `images of ${height} × ${width} with ${channels} channel${channels === 1 ? "" : "s"}`;
}
