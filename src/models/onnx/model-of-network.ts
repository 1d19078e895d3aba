/** A network that people bring as ONNX, as one that is trained, evaluated and exported like ours. */

import { basename } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import type { Tensor } from "../../engine/expressions.ts";
import type { LinearLayerOptions } from "../layers.ts";
import { defineModel, type Model, type ModelOptions, type OptionRule } from "../model.ts";
import { onnxModelName } from "./model-name.ts";
import type { OnnxNetwork } from "./network.ts";

const oneOf = (...words: readonly string[]): OptionRule => ({
  expected: words.join(" or "),
  fits: (value) => words.includes(String(value)),
});

const usual = { head: "stored", batchNorm: "frozen", size: "stored", features: "" };

export function modelOfNetwork(network: OnnxNetwork): Model {
  const { head, input, opset, producer } = network;
  return defineModel({
    name: onnxModelName(network.path),
    description: `${basename(network.path)}: ONNX, opset ${opset}, by ${producer || "somebody"}; its weights are what it begins with`,
    paper: "–",
    pixels: input.kind === "bytes" ? "raw" : "standard",
    usualPixels: "imagenet",
    defaults: usual,
    rules: {
      head: oneOf("stored", "fresh"),
      batchNorm: oneOf("frozen", "trained"),
      size: oneOf("stored", "any"),
    },
    head: head?.name ?? "head",
    headInitial: (options) => headInitial(network, options),
    features(layers, images, { batchNorm, features, size }) {
      if (size === "stored") checkSize(network, images);
      const named = features === "" ? {} : { features };
      return network.features(images, { layers, trainBatchNorm: batchNorm === "trained", ...named });
    },
  }) as Model;
}

/** The file's own last layer, or one as PyTorch's begin. */
function headInitial(network: OnnxNetwork, options: ModelOptions): LinearLayerOptions {
  const { head } = network;
  const isAnother = options.features !== "" && options.features !== head?.features;
  if (head === undefined || isAnother || options.head === "fresh") return {};
  const { classes, inputs } = head;
  return {
    initial: (shape) => {
      if (shape[0] === classes && shape[1] === inputs) return head.weight();
      throw new CuelabError({
        kind: "usage",
        what: "the network tells other classes apart than the data has",
        where: network.path,
        expected: `${shape[0]} classes`,
        got: `${classes}`,
        todo: "begin its last layer anew with --fresh-head",
      });
    },
    initialBias: () => head.bias(),
  };
}

/** Of another size many networks compute something, and few what they were trained for. */
function checkSize({ input, path }: OnnxNetwork, { shape }: Tensor): void {
  const wanted = [input.channels, input.height, input.width];
  const got = shape.slice(1);
  if (wanted.every((length, i) => length === undefined || length === got[i])) return;
  const text = wanted.map((length) => length ?? "any").join(" × ");
  throw new CuelabError({
    kind: "usage",
    what: "the images have another size than the network is for",
    where: path,
    expected: `${text} (channels, rows, columns)`,
    got: got.join(" × "),
    todo: `give --size ${input.height ?? got[1]}, or --model-set size=any where the network takes any`,
  });
}
