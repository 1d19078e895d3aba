/** A file of somebody's network with an ensemble in place of its last layer: heads, and how much each is worth for an image. */

import { withNodes } from "../../engine/onnx/replace-nodes.ts";
import type { FoundHead } from "./head.ts";

/** `weight` is [width, inputs]. */
export interface PlainLayer {
  weight: ArrayLike<number>;
  bias: ArrayLike<number>;
}

/** Σ_k softmax(worth(f))_k · head_k(f), of products, a sum and a softmax alone: they mean the same in all versions of ONNX. */
export function withEnsemble(
  model: Uint8Array,
  { stored, features, classes, inputs }: FoundHead,
  { heads, worth }: { heads: readonly PlainLayer[]; worth: PlainLayer },
): Uint8Array {
  const count = heads.length;
  const all = count * classes;
  const column = (layers: readonly PlainLayer[], width: number) =>
    Float32Array.from({ length: inputs * layers.length * width }, (_, i) => {
      const [row, place] = [Math.floor(i / (layers.length * width)), i % (layers.length * width)];
      return layers[Math.floor(place / width)]!.weight[(place % width) * inputs + row]!;
    });
  const initializer = (name: string, shape: number[], data: ArrayLike<number>) =>
    ({ name: `repaired.${name}`, type: "float", shape, data }) as const;
  const isOf = (rows: number, columns: number, holds: (row: number, column: number) => boolean) =>
    Float32Array.from({ length: rows * columns }, (_, i) =>
      Number(holds(Math.floor(i / columns), i % columns)),
    );
  const last = stored.bias?.output ?? stored.weight.output;
  const node = (operator: string, taken: readonly string[], output: string, axis?: number) => ({
    operator,
    inputs: taken.map((name) => (name === features ? name : `repaired.${name}`)),
    output: output === last ? last : `repaired.${output}`,
    ...(axis !== undefined && { axis }),
  });
  return withNodes(model, {
    without: [stored.weight.output, last],
    nodes: [
      node("MatMul", [features, "heads.weight"], "heads.product"),
      node("Add", ["heads.product", "heads.bias"], "heads"),
      node("MatMul", [features, "worth.weight"], "worth.product"),
      node("Add", ["worth.product", "worth.bias"], "worth.logits"),
      node("Softmax", ["worth.logits"], "worth", 1),
      node("MatMul", ["worth", "spread"], "worth.spread"),
      node("Mul", ["heads", "worth.spread"], "weighed"),
      node("MatMul", ["weighed", "gather"], last),
    ],
    initializers: [
      initializer("heads.weight", [inputs, all], column(heads, classes)),
      initializer(
        "heads.bias",
        [all],
        heads.flatMap(({ bias }) => Array.from(bias)),
      ),
      initializer("worth.weight", [inputs, count], column([worth], count)),
      initializer("worth.bias", [count], Array.from(worth.bias)),
      initializer(
        "spread",
        [count, all],
        isOf(count, all, (head, place) => Math.floor(place / classes) === head),
      ),
      initializer(
        "gather",
        [all, classes],
        isOf(all, classes, (place, of) => place % classes === of),
      ),
    ],
  });
}
