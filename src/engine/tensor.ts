/** A symbolic, immutable tensor: an operation, its inputs and the shape of what it will compute. */

import type { Emitter } from "./onnx/emitter.ts";

/** `byte` exists so that images can enter a graph as they are stored; everything else computes on floats. */
export type DType = "float" | "int" | "bool" | "byte";
export type Shape = readonly number[];
/** Kept as plain JSON values, so that equal attributes can be recognised. */
export type Attributes = object;

export class Tensor<A extends Attributes = Attributes> {
  readonly op: Op<A>;
  readonly inputs: readonly Tensor[];
  readonly attributes: A;
  readonly shape: Shape;
  readonly dtype: DType;

  constructor(op: Op<A>, inputs: readonly Tensor[], attributes: A, shape: Shape, dtype: DType = "float") {
    this.op = op;
    this.inputs = inputs;
    this.attributes = attributes;
    this.shape = shape;
    this.dtype = dtype;
  }

  toString(): string {
    return `${this.op.name}[${this.shape.join(", ")}]`;
  }
}

export interface LowerOptions {
  /** The first length of the data is not known: it must not be folded into others. */
  openBatch: boolean;
}

/** What an operation means, how it is differentiated and how it is written as ONNX. */
export interface Op<A extends Attributes = Attributes> {
  readonly name: string;
  /**
   * Gradient of each input, given that of the output; undefined where none flows. It is made of tensors again,
   * so it can itself be differentiated. An op without this method passes no gradient on.
   */
  gradient?(node: Tensor<A>, outputGradient: Tensor): readonly (Tensor | undefined)[];
  /** The reference meaning, in float64; booleans are 0 and 1. */
  interpret(node: Tensor<A>, inputs: readonly Float64Array[]): Float64Array;
  /** The same in simpler ops, where the runtime is better served by them. Used instead of `emit`. */
  lower?(node: Tensor<A>, options: LowerOptions): Tensor | undefined;
  /** Adds ONNX nodes and returns the name of their result. */
  emit?(node: Tensor<A>, inputs: readonly string[], emitter: Emitter): string;
}

/** The nodes that `outputs` need, each after its inputs. Without recursion: graphs can be deep. */
export function topologicalOrder(outputs: Iterable<Tensor>): Tensor[] {
  const order: Tensor[] = [];
  const seen = new Set<Tensor>();
  const stack: { node: Tensor; next: number }[] = [];
  for (const output of outputs) {
    if (!seen.has(output)) stack.push({ node: output, next: 0 });
    seen.add(output);
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const input = top.node.inputs[top.next++];
      if (input === undefined) {
        order.push(top.node);
        stack.pop();
      } else if (!seen.has(input)) {
        seen.add(input);
        stack.push({ node: input, next: 0 });
      }
    }
  }
  return order;
}
