/** How a network wants its pictures: as options say, else files beside it, else the network itself; and what is assumed. */

import type { ImageShape } from "../../core/dataset.ts";
import type { StoredModel } from "../../engine/onnx/decode-model.ts";
import type { OnnxInput } from "../../models/onnx/image-input.ts";
import { chosenPixels } from "../weights.ts";
import { assumed, bytesAsTheyAre, type ModelPreparation } from "./preparation.ts";

export interface PreparationWords {
  /** Rows and columns, of networks that take images of any. */
  size?: number | undefined;
}

export interface PreparedOnnx {
  path: string;
  input: OnnxInput;
  model: StoredModel;
}

const usualSide = 224;

export async function preparationFor(
  { input }: PreparedOnnx,
  { size }: PreparationWords,
): Promise<{ image: ImageShape; preparation: ModelPreparation }> {
  const height = input.height ?? size ?? usualSide;
  const width = input.width ?? size ?? usualSide;
  const image = { height, width, channels: input.channels ?? 3 };
  const shorter = Math.floor(Math.min(height, width) / 0.875);
  const pixels =
    input.kind === "bytes" || image.channels !== 3
      ? bytesAsTheyAre(image.channels)
      : { order: "rgb" as const, factor: 1 / 255, ...chosenPixels("imagenet")! };
  return {
    image,
    preparation: {
      picture: {
        resize: { shorter },
        filter: "triangle",
        crop: { height, width },
        middle: "even",
        grey: image.channels === 1,
      },
      pixels,
      said: [
        {
          part: "size",
          how: `shorter side to ${shorter}, middle of ${height} × ${width}, bilinear`,
          from: assumed,
        },
        {
          part: "pixels",
          how: input.kind === "bytes" ? "bytes" : "ImageNet's mean and deviation",
          from: assumed,
        },
      ],
    },
  };
}
