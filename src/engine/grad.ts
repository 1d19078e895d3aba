/** Reverse-mode differentiation: gradients are expressions again, so they can be differentiated themselves. */

import { CuelabError } from "../core/errors.ts";
import { add } from "./ops/elementwise.ts";
import { full, isInput, zeros } from "./ops/sources.ts";
import { sizeOf } from "./shapes.ts";
import { type Tensor, topologicalOrder } from "./tensor.ts";

export interface GradOptions {
  /** What a parameter gets that the loss does not depend on. An error unless said otherwise. */
  unused?: "error" | "zero";
}

/** The gradient of a scalar loss with respect to each of `parameters`, in their order. */
export function grad(
  loss: Tensor,
  parameters: readonly Tensor[],
  { unused = "error" }: GradOptions = {},
): Tensor[] {
  if (sizeOf(loss.shape) !== 1 || loss.dtype !== "float") {
    throw new CuelabError({
      kind: "failure",
      what: "grad: the loss must be one float",
      expected: "a tensor with a single element; take its sum or mean",
      got: `${loss.toString()} ${loss.dtype}`,
    });
  }
  const order = topologicalOrder([loss]);
  const active = dependents(order, new Set(parameters));
  const gradients = new Map<Tensor, Tensor>([[loss, full(loss.shape, 1)]]);
  for (const node of order.reverse()) {
    const dy = gradients.get(node);
    if (dy === undefined || !active.has(node) || node.op.gradient === undefined) continue;
    const parts = node.op.gradient(node, dy);
    for (const [i, part] of parts.entries()) {
      const input = node.inputs[i]!;
      if (part === undefined || !active.has(input)) continue;
      const sofar = gradients.get(input);
      gradients.set(input, sofar === undefined ? part : add(sofar, part));
    }
  }
  return parameters.map((parameter) => {
    const gradient = gradients.get(parameter);
    if (gradient !== undefined) return gradient;
    if (unused === "zero") return zeros(parameter.shape);
    throw new CuelabError({
      kind: "failure",
      what: `grad: the loss does not depend on ${nameOf(parameter)}`,
      expected: "a path from the parameter to the loss that gradients can flow along",
      todo: 'leave the parameter out, or pass { unused: "zero" }',
    });
  });
}

/** The nodes that lie on a path from a parameter, parameters included. */
function dependents(order: readonly Tensor[], parameters: ReadonlySet<Tensor>): Set<Tensor> {
  const active = new Set<Tensor>();
  for (const node of order) {
    if (parameters.has(node) || node.inputs.some((input) => active.has(input))) active.add(node);
  }
  return active;
}

function nameOf(parameter: Tensor): string {
  return isInput(parameter) ? `"${parameter.attributes.name}"` : parameter.toString();
}
