/** Puts values in the place of inputs: what turns trained state into the constants of an exported model. */

import { checkFed, constant, isInput } from "./ops/sources.ts";
import { Tensor, topologicalOrder } from "./tensor.ts";

/** The same outputs with each state tensor replaced by its present value. */
export function bindState(outputs: readonly Tensor[], lookUp: (name: string) => Float32Array): Tensor[] {
  const bound = new Map<Tensor, Tensor>();
  for (const node of topologicalOrder(outputs)) {
    const inputs = node.inputs.map((input) => bound.get(input)!);
    if (isInput(node) && node.attributes.role === "state") {
      const value = lookUp(node.attributes.name);
      checkFed(node.attributes.name, node.shape, value.length);
      bound.set(node, constant(value, node.shape));
    } else {
      const changed = inputs.some((input, i) => input !== node.inputs[i]);
      bound.set(node, changed ? new Tensor(node.op, inputs, node.attributes, node.shape, node.dtype) : node);
    }
  }
  return outputs.map((output) => bound.get(output)!);
}
