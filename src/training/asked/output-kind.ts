/** What the numbers are that a network gives, and how they become logits: by the last node of its graph. */

import type { StoredGraph } from "../../engine/onnx/decode-model.ts";

/**
 * `probabilities` of classes that exclude each other become their logarithms, whose softmax they are; `shares`, one for each class
 * by itself, their log-odds. `alone`: one number an image, for the second of two classes.
 */
export interface OutputKind {
  numbers: "logits" | "probabilities" | "shares";
  alone: boolean;
}

const numbersBy: Readonly<Record<string, OutputKind["numbers"]>> = {
  Softmax: "probabilities",
  QLinearSoftmax: "probabilities",
  Sigmoid: "shares",
  QLinearSigmoid: "shares",
};

/** What may stand behind and changes no value. */
const behind = /^(Identity|Cast|Flatten|Reshape|Squeeze|Transpose|DequantizeLinear|QuantizeLinear|Dropout)$/;

export function numbersOfOutput({ nodes }: StoredGraph, output: string): OutputKind["numbers"] {
  let name = output;
  for (let left = nodes.length; left > 0; left--) {
    const node = nodes.find(({ outputs }) => outputs.includes(name));
    if (node === undefined) return "logits";
    const found = numbersBy[node.operator];
    if (found !== undefined) return found;
    if (!behind.test(node.operator)) return "logits";
    name = node.inputs[0] ?? "";
  }
  return "logits";
}

/** Below it a float's logarithm is no number. */
const least = 1e-37;

export function asLogits(values: Float32Array, rows: number, { numbers, alone }: OutputKind): Float32Array {
  const logits =
    numbers === "logits" ? values : values.map(numbers === "probabilities" && !alone ? logOf : oddsOf);
  if (!alone) return logits;
  return Float32Array.from({ length: 2 * rows }, (_, i) => (i % 2 === 0 ? 0 : logits[(i - 1) / 2]!));
}

const logOf = (share: number) => Math.log(Math.max(share, least));

const oddsOf = (share: number) => logOf(share) - logOf(1 - share);
