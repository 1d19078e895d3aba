/** A run's model as an ONNX file that any runtime loads, with what it was trained on in its metadata. */

import type { Dataset } from "../core/dataset.ts";
import { lookUp } from "../core/look-up.ts";
import { input } from "../engine/expressions.ts";
import type { Weights } from "../methods/method.ts";
import { exportPrediction } from "../models/export.ts";
import { tellPixels } from "../models/pixels.ts";
import type { RunSpec } from "./run-spec.ts";
import type { MethodData } from "./stages/method-data.ts";
import type { RunNetwork } from "./stages/run-network.ts";
import { predictionOf } from "./stages/run-network.ts";

export interface ExportedRun {
  spec: RunSpec;
  dataset: Dataset;
  data: MethodData;
  network: RunNetwork;
  pixels: Parameters<typeof tellPixels>[2];
}

/** What the run itself predicts, heads and all: from stored bytes to logits, features and what else the method shows. */
export function exportModel(
  { spec, dataset, data, network, pixels }: ExportedRun,
  weights: Weights,
): Uint8Array {
  const { height, width, channels } = dataset.images.shape!;
  const images = input("images", [1, height, width, channels], "byte");
  const { logits, features, shown } = predictionOf(network, data, images, "images");
  const { model } = network;
  return exportPrediction(
    { logits, ...(features && { features }), ...shown },
    (name) => lookUp(weights, name),
    {
      model: model.name,
      classNames: dataset.classNames,
      pixels: tellPixels(model.pixels, channels, pixels),
      metadata: { method: spec.method.name, trainedOn: spec.data.identity, ...preparationLine(spec) },
    },
  );
}

/** How images are made ready before the model sees them, for programs that do so themselves. */
function preparationLine({ data: { size, fit = "crop" } }: RunSpec): { preparation?: string } {
  if (size === undefined) return {};
  const how = {
    crop: "shorter side resized, middle cut out",
    pad: "longer side resized, rest black",
    stretch: "both sides resized",
  }[fit];
  return {
    preparation: `upright RGB, ${fit} to squares of ${size} pixels: ${how}; bilinear with anti-aliasing, as Pillow`,
  };
}
