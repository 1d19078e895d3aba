/** A trained network as plain inference ONNX, for any runtime: standard ops of opset 18, open batch, told by its metadata. */

import { bindState } from "../engine/bind.ts";
import type { Tensor } from "../engine/expressions.ts";
import { input } from "../engine/expressions.ts";
import { emitProgram } from "../engine/program.ts";
import type { State } from "../engine/state.ts";
import { type Model, type ModelOptions, Network } from "./model.ts";
import { type PixelStatistics, type ToldPixels, tellPixels } from "./pixels.ts";

export interface ExportOptions {
  classNames: readonly string[];
  image: { height: number; width: number; channels: number };
  options?: ModelOptions;
  pixels?: PixelStatistics | undefined;
  /** More lines for the metadata, such as a run's id. */
  metadata?: Readonly<Record<string, string>>;
}

/**
 * Input `images`: uint8 [batch, height, width, channels], as images are stored; normalisation is inside the graph.
 * Outputs `logits` [batch, classes] and `features` [batch, features].
 */
export function exportNetwork(model: Model, state: State, settings: ExportOptions): Uint8Array {
  const { classNames, image, options = {}, pixels, metadata = {} } = settings;
  const network = new Network(model, {
    classes: classNames.length,
    mode: "evaluate",
    options,
    pixels,
  });
  const features = network.features(input("images", [1, image.height, image.width, image.channels], "byte"));
  return exportPrediction({ logits: network.head(features), features }, (name) => state.get(name), {
    model: model.name,
    classNames,
    pixels: tellPixels(model.pixels, image.channels, pixels),
    metadata,
  });
}

export interface ExportedPrediction {
  model: string;
  classNames: readonly string[];
  /** What the graph does to stored bytes. */
  pixels: ToldPixels;
  metadata?: Readonly<Record<string, string>>;
}

/** Outputs over the input `images`, by name, with the values that their weights have. */
export function exportPrediction(
  outputs: Readonly<Record<string, Tensor>>,
  lookUp: (name: string) => Float32Array,
  { model, classNames, pixels, metadata = {} }: ExportedPrediction,
): Uint8Array {
  const bound = bindState(Object.values(outputs), lookUp);
  const emitted = emitProgram(
    { outputs: Object.fromEntries(Object.keys(outputs).map((name, i) => [name, bound[i]!])) },
    {
      freeBatch: "batch",
      keepNames: true,
      metadata: {
        model,
        classNames: JSON.stringify(classNames),
        input: "images: uint8 [batch, height, width, channels], 0 to 255",
        preprocessing: JSON.stringify({ insideGraph: true, ...pixels }),
        ...metadata,
      },
    },
  );
  return emitted.model;
}
