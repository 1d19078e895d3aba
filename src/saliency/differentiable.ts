/** What methods that follow gradients share: the network they need, and the number that they differentiate. */

import { CuelabError } from "../core/errors.ts";
import { input, mul, sum, type Tensor } from "../engine/expressions.ts";
import type { DifferentiableNetwork, SeenExpressions, SeenNetwork, SeenTarget } from "./saliency-method.ts";

export function differentiable({ gradients, name }: SeenNetwork, method: string): DifferentiableNetwork {
  if (gradients !== undefined) return gradients;
  throw new CuelabError({
    kind: "usage",
    what: `${method} follows gradients, and there are none of ${name}`,
    expected: "a network whose ONNX graph can be read",
    todo: "use methods that need logits alone: occlusion, rise",
  });
}

/** [batch]: of each image the logit, or the part of its features, that its row of `rows` asks for. */
export function asked({ logits, features }: SeenExpressions, of: SeenTarget, name: string): Tensor {
  const values = of === "logits" ? logits : features;
  if (values === undefined)
    throw new CuelabError({
      kind: "usage",
      what: `${name} has no features that a linear layer takes`,
      expected: "a network that ends in a linear layer",
    });
  return sum(mul(values, input("rows", values.shape)), [1]);
}
