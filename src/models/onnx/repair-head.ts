/** A file of somebody's network with another last layer of the same size: nothing else of it changes. */

import { CuelabError } from "../../core/errors.ts";
import { type Rewiring, rewired } from "../../engine/onnx/rewire.ts";
import type { FoundHead } from "./head.ts";

/** `weight` is [classes, inputs], as `FoundHead` has it. */
export function withHead(
  model: Uint8Array,
  { stored, classes, inputs }: FoundHead,
  { weight, bias }: { weight: ArrayLike<number>; bias: ArrayLike<number> },
): Uint8Array {
  const { weight: at, bias: biasAt, transposed, alpha } = stored;
  if (biasAt === undefined)
    throw new CuelabError({
      kind: "input",
      what: "the network's last layer is a product without a bias, which a repair would need",
      expected: "a last layer with a bias, as Gemm has it or Add behind MatMul",
    });
  const data = Float32Array.from({ length: classes * inputs }, (_, i) => {
    const [row, column] = transposed
      ? [Math.floor(i / inputs), i % inputs]
      : [i % classes, Math.floor(i / classes)];
    return weight[row * inputs + column]! / alpha;
  });
  const changes: Rewiring[] = [
    { at, name: "repaired.weight", shape: transposed ? [classes, inputs] : [inputs, classes], data },
    { at: biasAt, name: "repaired.bias", shape: [classes], data: Float32Array.from(bias) },
  ];
  return rewired(model, changes);
}
