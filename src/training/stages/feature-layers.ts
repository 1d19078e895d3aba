/** Which of a stage's parameters are linear layers over the features themselves: those that scaling the features changes. */

import { CuelabError } from "../../core/errors.ts";
import { type Tensor, topologicalOrder } from "../../engine/tensor.ts";
import type { Parameter } from "../../engine/training/parameters.ts";

/** What takes rows as they are: chosen, put together, or in another shape. */
const carrying = new Set([
  "broadcastTo",
  "cast",
  "concat",
  "gather",
  "reshape",
  "scaleGradient",
  "slice",
  "stopGradient",
  "stretch",
  "transpose",
]);

const products = new Set(["matmul", "project"]);

/** Rows of a batch, as the stage's feeds call them. */
const ofFeatures = /(^|\/)(features$|view\/)/;

/** Names of their weights. Whatever else is done with features that are scaled could not be undone, and is an error. */
export function layersOverFeatures(
  losses: readonly Tensor[],
  parameters: readonly Pick<Parameter, "name" | "tensor">[],
): string[] {
  const byTensor = new Map(parameters.map(({ name, tensor }) => [tensor, name]));
  // What rows of features, or a parameter's numbers, have become without being computed with.
  const carried = new Map<Tensor, { features: boolean; weights: string[] }>();
  const found = new Set<string>();
  for (const node of topologicalOrder(losses)) {
    const name = byTensor.get(node);
    const own = inputNameOf(node);
    const inputs = node.inputs.map((each) => carried.get(each));
    if (name !== undefined) carried.set(node, { features: false, weights: [name] });
    else if (own !== undefined) carried.set(node, { features: ofFeatures.test(own), weights: [] });
    else if (carrying.has(node.op.name))
      carried.set(node, {
        features: inputs.some((input) => input?.features === true),
        weights: inputs.flatMap((input) => input?.weights ?? []),
      });
    else if (inputs.some((input) => input?.features === true)) {
      const weights = inputs.flatMap((input) => input?.weights ?? []);
      if (!products.has(node.op.name) || weights.length === 0) throw notLinear(node);
      for (const weight of weights) found.add(weight);
    }
  }
  return [...found];
}

function inputNameOf({ op, attributes }: Tensor): string | undefined {
  return op.name === "input" ? (attributes as { name: string }).name : undefined;
}

function notLinear({ op }: Tensor): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "features are standardised, and the method does more with them than linear layers do",
    expected: "linear layers over the features alone: only these can be put back into units of the features",
    got: op.name,
    todo: "give --no-standardise",
  });
}
