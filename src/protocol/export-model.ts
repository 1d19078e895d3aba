/** A run's network as an ONNX file that any runtime loads, with what it was trained on in its metadata. */

import type { Dataset } from "../core/dataset.ts";
import { State } from "../engine/state.ts";
import { exportNetwork } from "../models/export.ts";
import { models } from "../models/index.ts";
import type { PixelStatistics } from "../models/pixels.ts";
import type { RunSpec } from "./run-spec.ts";

export function exportModel(
  { model, method, data }: RunSpec,
  dataset: Dataset,
  weights: ReadonlyMap<string, Float32Array>,
  pixels: PixelStatistics | undefined,
): Uint8Array {
  const state = new State();
  for (const [name, values] of weights) state.set(name, values);
  return exportNetwork(models.get(model.name), state, {
    classNames: dataset.classNames,
    image: dataset.images.shape!,
    options: model.options,
    pixels,
    metadata: { method: method.name, trainedOn: data.identity },
  });
}
