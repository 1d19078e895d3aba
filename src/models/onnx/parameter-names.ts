/** Names of a foreign graph's weights: those of the file, or where an exporter gave numbers, those of the layers that use them. */

import type { StoredGraph, StoredNode } from "../../engine/onnx/decode-model.ts";

/** What exporters call constants that they have worked out themselves. */
const numbered = /^(onnx::\w+|val|const|_to_copy|initializer)_?\d+$/;

/** Such as values are called in the graphs that we write, where a weight of that name would be taken for another. */
const emitted = /^\w+_\d+$/;

/** Role of an input of these operators, in the words of PyTorch. */
const roles: Readonly<Record<string, readonly string[]>> = {
  Conv: ["", "weight", "bias"],
  Gemm: ["", "weight", "bias"],
  BatchNormalization: ["", "weight", "bias", "running_mean", "running_var"],
  LayerNormalization: ["", "weight", "bias"],
};

export function parameterNames({ nodes, initialisers }: StoredGraph): Map<string, string> {
  const names = new Map([...initialisers.keys()].map((name) => [name, name]));
  const taken = new Set(names.keys());
  for (const node of nodes) {
    const layer = layerOf(node);
    if (layer === "") continue;
    for (const [i, name] of node.inputs.entries()) {
      if (!initialisers.has(name) || names.get(name) !== name || !numbered.test(name)) continue;
      const role = roles[node.operator]?.[i] ?? "weight";
      const better = `${layer}.${role || "weight"}`;
      if (taken.has(better)) continue;
      taken.add(better);
      names.set(name, better);
    }
  }
  for (const [key, name] of names) if (emitted.test(name)) names.set(key, `weights.${name}`);
  return names;
}

/** Of a node `/layer1/layer1.0/conv1/Conv` the module `layer1.0.conv1`: a part may repeat the one before it. */
function layerOf({ name }: StoredNode): string {
  if (!name.startsWith("/")) return "";
  const path: string[] = [];
  for (const part of name.split("/").slice(1, -1)) {
    if (part.startsWith(`${path.at(-1)}.`)) path.pop();
    path.push(part);
  }
  return path.join(".");
}
