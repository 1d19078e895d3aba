/** A trained network as plain inference ONNX: bytes in, logits out, for any ONNX runtime. */

import type { Dataset } from "../core/dataset.ts";
import { constant, input, type Shape, type Tensor } from "../engine/expressions.ts";
import { emitProgram } from "../engine/program.ts";
import { Parameters } from "../engine/training/parameters.ts";
import { models } from "../models/index.ts";
import { Network, type PixelStatistics } from "../models/model.ts";
import type { RunSpec } from "./run-spec.ts";

export function exportModel(
  spec: RunSpec,
  dataset: Dataset,
  weights: ReadonlyMap<string, Float32Array>,
  pixels: PixelStatistics,
): Uint8Array {
  const { height, width, channels } = dataset.images.shape!;
  const model = models.get(spec.model.name);
  const network = new Network(model, {
    classes: dataset.classNames.length,
    options: spec.model.options,
    pixels,
    mode: "evaluate",
    parameters: new FixedParameters(weights),
  });
  const images = input("images", [1, height, width, channels], "byte");
  const { model: bytes } = emitProgram(
    { outputs: { logits: network.logits(images) } },
    {
      freeBatch: "batch",
      metadata: {
        class_names: JSON.stringify(dataset.classNames),
        input: `images: uint8 [batch, ${height}, ${width}, ${channels}], values 0 to 255, channels last`,
        preprocessing: JSON.stringify({ inGraph: true, pixels: model.pixels, ...pixels }),
        network: spec.model.name,
        method: spec.method.name,
        trained_on: spec.data.identity,
      },
    },
  );
  return bytes;
}

/** Parameters that are constants: the weights go into the file. */
class FixedParameters extends Parameters {
  readonly #weights: ReadonlyMap<string, Float32Array>;

  constructor(weights: ReadonlyMap<string, Float32Array>) {
    super();
    this.#weights = weights;
  }

  override get(name: string, shape: Shape): Tensor {
    return constant(this.#weights.get(name)!, shape);
  }
}
