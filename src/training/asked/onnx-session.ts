/** A network from an ONNX file, run as it is: batches of the file's own length, and images as the file wants them. */

import type { ImageShape } from "../../core/dataset.ts";
import { OnnxModel, type OnnxModelOptions } from "../../engine/onnx-model.ts";
import type { OnnxInput } from "../../models/onnx/image-input.ts";
import type { ModelSession } from "./asked-model.ts";
import { asLogits, type OutputKind } from "./output-kind.ts";
import { byteTables, channelOrder, type InputPixels } from "./preparation.ts";

export interface OnnxRun extends OnnxModelOptions {
  path: string;
  /** Of networks that lie in no file. */
  bytes?: Uint8Array | undefined;
  input: Pick<OnnxInput, "layout" | "kind" | "batch">;
  image: ImageShape;
  pixels: InputPixels;
  outputs: OutputKind;
}

export async function openOnnxSession({
  path,
  bytes,
  input,
  image,
  pixels,
  outputs,
  ...options
}: OnnxRun): Promise<ModelSession> {
  const model = await OnnxModel.open(path, options, bytes);
  const { height, width, channels } = image;
  const size = height * width * channels;
  const dims = input.layout === "NCHW" ? [channels, height, width] : [height, width, channels];
  const fill =
    input.kind === "bytes" ? bytesInto(image, input.layout, pixels) : floatsInto(image, input.layout, pixels);
  let buffer: Uint8Array | Float32Array = new Uint8Array(0);
  /** The last image again, where there are too few. */
  const run = async (images: Uint8Array, batch: number) => {
    if (buffer.length !== batch * size)
      buffer = input.kind === "bytes" ? new Uint8Array(batch * size) : new Float32Array(batch * size);
    for (let i = 0; i < batch; i++) {
      const from = Math.min(i * size, images.length - size);
      fill(images.subarray(from, from + size), buffer, i * size);
    }
    return asLogits(await model.run(buffer, [batch, ...dims]), batch, outputs);
  };
  return {
    async logits(images, count) {
      const { batch } = input;
      if (batch === undefined || batch === count) return run(images.subarray(0, count * size), count);
      let all: Float32Array | undefined;
      for (let start = 0; start < count; start += batch) {
        const used = Math.min(batch, count - start);
        const rows = await run(images.subarray(start * size, (start + used) * size), batch);
        const classes = rows.length / batch;
        all ??= new Float32Array(count * classes);
        all.set(rows.subarray(0, used * classes), start * classes);
      }
      return all!;
    },
    close: () => model.close(),
  };
}

type Fill = (image: Uint8Array, into: Uint8Array | Float32Array, at: number) => void;

function floatsInto(
  { height, width, channels }: ImageShape,
  layout: OnnxInput["layout"],
  pixels: InputPixels,
): Fill {
  const tables = byteTables(pixels);
  const order = channelOrder(pixels, channels);
  const places = height * width;
  const [step, next] = layout === "NCHW" ? [1, places] : [channels, 1];
  return (image, into, start) => {
    for (let c = 0; c < channels; c++) {
      const table = tables[c]!;
      for (
        let place = 0, from = order[c]!, at = start + c * next;
        place < places;
        place++, from += channels, at += step
      )
        into[at] = table[image[from]!]!;
    }
  };
}

function bytesInto(image: ImageShape, layout: OnnxInput["layout"], pixels: InputPixels): Fill {
  if (layout === "NHWC" && pixels.order !== "bgr") return (bytes, into, at) => into.set(bytes, at);
  const plain = {
    ...pixels,
    factor: 1,
    mean: pixels.mean.map(() => 0),
    deviation: pixels.deviation.map(() => 1),
  };
  return floatsInto(image, layout, plain);
}
