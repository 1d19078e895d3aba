/** The last linear layer of a foreign graph: what stands before it are the features, and another may take its place. */

import type { StoredGraph, StoredNode } from "../../engine/onnx/decode-model.ts";
import { numbersOf } from "../../engine/onnx/decode-tensor.ts";
import type { NodeInput } from "../../engine/onnx/rewire.ts";

export interface FoundHead {
  /** Before `.weight` and `.bias` among the parameters. */
  name: string;
  /** Name of its input in the graph. */
  features: string;
  classes: number;
  inputs: number;
  /** [classes, inputs]. */
  weight(): Float32Array;
  bias(): Float32Array;
  /** Where both stand in the file, and how it keeps the weight. */
  stored: { weight: NodeInput; bias: NodeInput | undefined; transposed: boolean; alpha: number };
}

/** What may stand behind it and changes no order of classes, or only the shape. */
const behind = new Set([
  "Softmax",
  "LogSoftmax",
  "Sigmoid",
  "Identity",
  "Dropout",
  "Flatten",
  "Reshape",
  "Squeeze",
  "Cast",
]);

/** Undefined where something else comes last. */
export function findHead(
  graph: StoredGraph,
  output: string,
  names: ReadonlyMap<string, string>,
): FoundHead | undefined {
  const producers = new Map(graph.nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const isStored = (name: string | undefined) => name !== undefined && graph.initialisers.has(name);
  let bias: { name: string; at: NodeInput } | undefined;
  for (let node = producers.get(output); node !== undefined; ) {
    const { operator, inputs } = node;
    if (operator === "Gemm" || operator === "MatMul") {
      const plain = number(node, "transA", 0) === 0 && number(node, "beta", 1) === 1;
      const own = { output: node.outputs[0]!, input: 2 };
      // A product without a bias may be given one.
      const shift = inputs[2] ? { name: inputs[2], at: own } : bias;
      return isStored(inputs[1]) && plain
        ? headOf(
            graph,
            node,
            shift ?? (operator === "Gemm" ? { name: undefined, at: own } : undefined),
            names,
          )
        : undefined;
    }
    const shift = operator === "Add" ? inputs.find(isStored) : undefined;
    if (shift !== undefined && bias === undefined) {
      bias = { name: shift, at: { output: node.outputs[0]!, input: inputs.indexOf(shift) } };
      node = producers.get(inputs.find((name) => name !== shift) ?? "");
    } else node = behind.has(operator) ? producers.get(inputs[0]!) : undefined;
  }
  return undefined;
}

function headOf(
  { initialisers }: StoredGraph,
  node: StoredNode,
  bias: { name: string | undefined; at: NodeInput } | undefined,
  names: ReadonlyMap<string, string>,
): FoundHead | undefined {
  const weight = initialisers.get(node.inputs[1]!)!;
  const isTransposed = number(node, "transB", 0) === 1;
  const [rows, columns] = weight.shape as [number, number];
  const [classes, inputs] = isTransposed ? [rows, columns] : [columns, rows];
  const shift = bias?.name === undefined ? undefined : initialisers.get(bias.name);
  if (weight.shape.length !== 2 || (bias?.name !== undefined && shift?.shape.join() !== `${classes}`))
    return undefined;
  const alpha = number(node, "alpha", 1);
  return {
    name: freeName(names.get(weight.name)!, names),
    features: node.inputs[0]!,
    classes,
    inputs,
    weight() {
      const values = numbersOf(weight);
      return Float32Array.from({ length: classes * inputs }, (_, i) => {
        const [row, column] = [Math.floor(i / inputs), i % inputs];
        return alpha * values[isTransposed ? i : column * classes + row]!;
      });
    },
    stored: {
      weight: { output: node.outputs[0]!, input: 1 },
      bias: bias?.at,
      transposed: isTransposed,
      alpha,
    },
    bias: () => (shift === undefined ? new Float32Array(classes) : Float32Array.from(numbersOf(shift))),
  };
}

/** As the file calls the layer, or `head`. */
function freeName(weight: string, names: ReadonlyMap<string, string>): string {
  if (weight.endsWith(".weight")) return weight.slice(0, -".weight".length);
  const taken = new Set(names.values());
  return taken.has("head.weight") || taken.has("head.bias") ? "new-head" : "head";
}

function number({ attributes }: StoredNode, name: string, otherwise: number): number {
  const found = attributes.get(name);
  return found?.kind === "number" ? found.value : otherwise;
}
