/** An image tower with text embeddings behind it, as one graph: for gradients, it is a classifier like any. */

import { CuelabError } from "../../../core/errors.ts";
import type { StoredModel, StoredNode } from "../../../engine/onnx/decode-model.ts";
import type { StoredTensor } from "../../../engine/onnx/decode-tensor.ts";
import type { TextEmbeddings } from "./text-embeddings.ts";

/** logits = scale × cosine + bias. */
export interface LogitScale {
  scale: number;
  bias: number;
}

const named = (name: string) => `zero-shot/${name}`;
const [int64, float32] = [7, 1];

/** ReduceL2 was told its axes otherwise before. */
const axesAsInput = 18;

/** `image` is the graph's input of pictures, `output` its embeddings; what else it takes and gives is left out. */
export function withTextClasses(
  { graph, ...model }: StoredModel,
  { image, output }: { image: string; output: string },
  { rows, classes, width }: TextEmbeddings,
  { scale, bias }: LogitScale,
): StoredModel {
  const opset = model.opsets.get("") ?? 0;
  const add = (
    operator: string,
    inputs: string[],
    to: string,
    attributes: StoredNode["attributes"] = new Map(),
  ): StoredNode => ({
    name: named(to),
    operator,
    domain: "",
    inputs,
    outputs: [named(to)],
    attributes,
  });
  type Attribute = StoredNode["attributes"] extends ReadonlyMap<string, infer Value> ? Value : never;
  const told = (entries: Record<string, Attribute>) => new Map(Object.entries(entries));
  const one: Attribute = { kind: "number", value: 1 };
  const isInput = opset >= axesAsInput;
  const axes: Record<string, Attribute> = isInput ? {} : { axes: { kind: "numbers", value: [1] } };
  const nodes = [
    add("Flatten", [output], "embeddings", told({ axis: one })),
    add(
      "ReduceL2",
      [named("embeddings"), ...(isInput ? [named("axes")] : [])],
      "lengths",
      told({ keepdims: one, ...axes }),
    ),
    add("Div", [named("embeddings"), named("lengths")], "directions"),
    add("MatMul", [named("directions"), named("weight")], "products"),
    add("Add", [named("products"), named("bias")], "logits"),
  ];
  const weight = new Float32Array(rows.length);
  for (let code = 0; code < classes; code++)
    for (let k = 0; k < width; k++) weight[k * classes + code] = scale * rows[code * width + k]!;
  const tensors: StoredTensor[] = [
    { name: named("axes"), type: int64, shape: [1], listed: [1] },
    { name: named("weight"), type: float32, shape: [width, classes], listed: weight },
    { name: named("bias"), type: float32, shape: [classes], listed: new Float32Array(classes).fill(bias) },
  ];
  return {
    ...model,
    graph: {
      nodes: [...neededNodes(graph.nodes, output), ...nodes],
      initialisers: new Map([
        ...graph.initialisers,
        ...tensors.map((tensor) => [tensor.name, tensor] as const),
      ]),
      inputs: graph.inputs.filter(({ name }) => name === image),
      outputs: [{ name: named("logits"), type: float32, shape: ["batch", classes] }],
    },
  };
}

/** The text tower of one file is no part of it. */
function neededNodes(nodes: readonly StoredNode[], output: string): StoredNode[] {
  const needed = new Set([output]);
  const found: StoredNode[] = [];
  for (const node of nodes.toReversed()) {
    if (!node.outputs.some((name) => needed.has(name))) continue;
    found.push(node);
    for (const name of node.inputs) needed.add(name);
  }
  return found.reverse();
}

/** [count, width] as an image tower gives them → [count, classes]. */
export function cosineLogits(
  images: Float32Array,
  count: number,
  { rows, classes, width }: TextEmbeddings,
  { scale, bias }: LogitScale,
  where: string,
): Float32Array {
  if (images.length !== count * width) throw otherWidth(images.length / count, width, where);
  const logits = new Float32Array(count * classes);
  const own = new Float64Array(width);
  for (let i = 0; i < count; i++) {
    let squares = 0;
    for (let k = 0; k < width; k++) squares += images[i * width + k]! ** 2;
    const factor = scale / Math.sqrt(squares);
    for (let k = 0; k < width; k++) own[k] = factor * images[i * width + k]!;
    for (let code = 0, at = 0; code < classes; code++) {
      let sum = bias;
      for (let k = 0; k < width; k++, at++) sum += own[k]! * rows[at]!;
      logits[i * classes + code] = sum;
    }
  }
  return logits;
}

export function otherWidth(images: number, texts: number, where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "embeddings of images and of texts differ in length",
    where,
    expected:
      "both towers of one model, with their projections: outputs such as image_embeds and text_embeds",
    got: `${images} numbers for an image, ${texts} for a text`,
  });
}
