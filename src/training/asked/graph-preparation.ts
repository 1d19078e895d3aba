/** What a graph itself tells of the pixels that it wants: ONNX's own metadata, how it begins, and the range that it was quantised for. */

import type { StoredGraph, StoredModel, StoredNode } from "../../engine/onnx/decode-model.ts";
import { numbersOf, type StoredTensor } from "../../engine/onnx/decode-tensor.ts";
import type { InputRange } from "./preparation-words.ts";

export interface GraphSays {
  range?: InputRange;
  order?: "rgb" | "bgr";
  from: string;
}

/** Words of ONNX's standard for metadata of image models. */
const nominalRanges: Readonly<Record<string, InputRange>> = {
  NominalRange_0_255: "bytes",
  Normalized_0_1: "unit",
  Normalized_1_1: "half",
};

export function saidByGraph(
  { graph, metadata }: Pick<StoredModel, "graph" | "metadata">,
  input: string,
): GraphSays {
  const named = nominalRanges[metadata.get("Image.NominalPixelRange") ?? ""];
  const format = metadata.get("Image.BitmapPixelFormat") ?? "";
  const order = format.startsWith("Bgr") ? "bgr" : format.startsWith("Rgb") ? "rgb" : undefined;
  const range = named ?? rangeByBeginning(graph, input);
  const from = named === undefined ? "how the graph begins" : "the file's metadata";
  return { ...(range && { range }), ...(order && { order }), from };
}

/** Standardised pixels are a few units wide: from that, and from what the graph does to its input first, follows the input's range. */
function rangeByBeginning(graph: StoredGraph, input: string): InputRange | undefined {
  const slope = firstSlope(graph, input);
  if (slope === undefined) return undefined;
  const isWidth = (width: number) => width >= 0.9 && width <= 8;
  if (isWidth(slope * 255)) return "bytes";
  return slope !== 1 && isWidth(slope) ? "unit" : undefined;
}

/** By how much it multiplies the first channel before anything else; undefined where it begins with something else. */
function firstSlope(graph: StoredGraph, input: string): number | undefined {
  let [name, slope, changed] = [input, 1, false];
  for (;;) {
    const nodes = graph.nodes.filter(({ inputs }) => inputs.includes(name));
    const [node] = nodes;
    if (nodes.length !== 1 || node === undefined) break;
    const factor = factorOf(graph, node, name);
    if (factor === undefined) break;
    slope *= factor;
    changed ||= node.operator !== "Cast" && node.operator !== "Identity" && node.operator !== "Transpose";
    name = node.outputs[0]!;
  }
  return changed ? Math.abs(slope) : undefined;
}

function factorOf(graph: StoredGraph, { operator, inputs }: StoredNode, from: string): number | undefined {
  if (["Cast", "Identity", "Transpose"].includes(operator)) return 1;
  const other = inputs.find((name) => name !== from) ?? "";
  const constant = constantOf(graph, other);
  if (inputs.length !== 2 || constant === undefined) return undefined;
  if (operator === "Sub" || operator === "Add") return 1;
  if (operator === "Mul") return constant;
  return operator === "Div" && inputs[0] === from ? 1 / constant : undefined;
}

/** The first number of a constant with one a channel, or one alone. */
function constantOf({ initialisers, nodes }: StoredGraph, name: string): number | undefined {
  const node = nodes.find(({ operator, outputs }) => operator === "Constant" && outputs.includes(name));
  const held = node?.attributes.get("value");
  const tensor: StoredTensor | undefined =
    initialisers.get(name) ?? (held?.kind === "tensor" ? held.value : undefined);
  if (tensor === undefined || tensor.external !== undefined) return undefined;
  const values = numbersOf(tensor);
  return values.length >= 1 && values.length <= 4 ? values[0] : undefined;
}
