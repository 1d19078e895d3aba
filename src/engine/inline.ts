/** Writes expressions into a graph that is being emitted: as more of its nodes, or as the body of one that repeats. */

import { CuelabError } from "../core/errors.ts";
import type { Emitter } from "./onnx/emitter.ts";
import { input, isInput } from "./ops/sources.ts";
import { optimise } from "./optimise.ts";
import { type Tensor, topologicalOrder } from "./tensor.ts";

/** Stands for the i-th input of the op that is being emitted. */
export function placeholder(i: number, { shape, dtype }: Pick<Tensor, "shape" | "dtype">): Tensor {
  return input(`${i}`, shape, dtype);
}

/** Adds the nodes of an expression of placeholders, whose values are `names`, and returns its own name. */
export function writeInline(result: Tensor, names: readonly string[], emitter: Emitter): string {
  const written = new Map<Tensor, string>();
  const [optimised] = optimise([result]) as [Tensor];
  for (const node of topologicalOrder([optimised])) {
    if (isInput(node)) {
      written.set(node, names[Number(node.attributes.name)]!);
    } else if (node.op.emit === undefined) {
      throw new CuelabError({ kind: "failure", what: `${node.toString()} has no ONNX form` });
    } else {
      const inputs = node.inputs.map((value) => written.get(value)!);
      written.set(node, node.op.emit(node, inputs, emitter));
    }
  }
  return written.get(optimised)!;
}
