/**
 * Exporters keep weights of equal values once. Layers that happen to begin alike, as biases of zeros do, must not stay so when
 * they are trained: each gets its own.
 */

import type { StoredGraph, StoredNode } from "../../engine/onnx/decode-model.ts";
import { numbersOf, type StoredTensor } from "../../engine/onnx/decode-tensor.ts";
import { isWeight } from "./trace.ts";

export function untied(graph: StoredGraph): StoredGraph {
  const initialisers = new Map(graph.initialisers);
  const named = graph.nodes.filter(({ operator, inputs, outputs }) => {
    const source = operator === "Identity" ? initialisers.get(inputs[0]!) : undefined;
    if (source === undefined) return true;
    initialisers.set(outputs[0]!, { ...source, name: outputs[0]! });
    return false;
  });
  const used = new Set<string>();
  const uniform = new Set([...initialisers.values()].filter(isUniform).map(({ name }) => name));
  const nodes = named.map((node) => {
    const inputs = node.inputs.map((name) => {
      if (!uniform.has(name)) return name;
      if (!used.has(name)) {
        used.add(name);
        return name;
      }
      const own = ownName(node, name, initialisers);
      initialisers.set(own, { ...initialisers.get(name)!, name: own });
      return own;
    });
    return { ...node, inputs };
  });
  return { ...graph, nodes, initialisers };
}

/** Weights of one value: what somebody has trained and shared on purpose is none. */
function isUniform(stored: StoredTensor): boolean {
  if (!isWeight(stored)) return false;
  const values = numbersOf(stored);
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}

/** After the node's own weight where it has one. */
function ownName(
  { inputs, operator }: StoredNode,
  name: string,
  taken: ReadonlyMap<string, StoredTensor>,
): string {
  const weight =
    operator === "BatchNormalization" ? undefined : inputs.find((each) => each.endsWith(".weight"));
  const wanted = weight !== undefined && weight !== name ? weight.replace(/weight$/, "bias") : name;
  if (!taken.has(wanted)) return wanted;
  for (let i = 2; ; i++) if (!taken.has(`${wanted}.${i}`)) return `${wanted}.${i}`;
}
