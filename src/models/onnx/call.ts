/** One node of a foreign graph as its reader sees it: inputs as tensors, attributes, and what the graph around it knows. */

import { CuelabError, type ErrorParts } from "../../core/errors.ts";
import { LimitExceeded, requireLimit } from "../../core/limits.ts";
import type { StoredNode } from "../../engine/onnx/decode-model.ts";
import type { StoredTensor } from "../../engine/onnx/decode-tensor.ts";
import { sizeOf } from "../../engine/shapes.ts";
import type { Shape, Tensor } from "../../engine/tensor.ts";
import type { Layers } from "../layers.ts";

/** What readers of operators may ask of the graph that a node is in. */
export interface Surroundings {
  readonly layers: Layers;
  /** Whether batch normalisation learns, where its layer does. */
  readonly trainsBatchNorm: boolean;
  readonly opset: number;
  value(name: string): Tensor;
  /** Values that do not depend on images or weights; undefined where they do. */
  numbers(name: string): ArrayLike<number> | undefined;
  /** The name that a weight has among the parameters, and keeps it from being trained. */
  statistic(name: string): Tensor | undefined;
  reshape(x: Tensor, shape: Shape): Tensor;
  stretch(x: Tensor, shape: Shape): Tensor;
  /** Lengths that a graph for a fixed number of images writes down, for as many as there are. */
  forBatch(shape: Shape, fits: (shape: Shape) => boolean): Shape;
}

export class OperatorCall {
  readonly node: StoredNode;
  readonly around: Surroundings;

  constructor(node: StoredNode, around: Surroundings) {
    this.node = node;
    this.around = around;
  }

  get opset(): number {
    return this.around.opset;
  }

  has(i: number): boolean {
    return (this.node.inputs[i] ?? "") !== "";
  }

  input(i: number): Tensor {
    if (!this.has(i)) throw this.fail({ what: "misses an input", expected: `input ${i}` });
    return this.around.value(this.node.inputs[i]!);
  }

  get inputs(): Tensor[] {
    return this.node.inputs.map((_, i) => this.input(i));
  }

  /** Of an input that must be known when the graph is read. */
  numbers(i: number): number[] {
    const found = this.has(i) ? this.around.numbers(this.node.inputs[i]!) : undefined;
    if (found !== undefined) return Array.from(found);
    throw this.fail({
      what: "wants to know an input that depends on the images",
      expected: `constant values for input ${i} ("${this.node.inputs[i] ?? ""}")`,
      todo: "export the network for images of one size, leaving only the batch open",
    });
  }

  optionalNumbers(i: number): number[] | undefined {
    return this.has(i) ? this.numbers(i) : undefined;
  }

  number(name: string, otherwise: number): number {
    const found = this.node.attributes.get(name);
    return found?.kind === "number" ? found.value : otherwise;
  }

  list(name: string): readonly number[] | undefined {
    const found = this.node.attributes.get(name);
    return found?.kind === "numbers" ? found.value : undefined;
  }

  text(name: string, otherwise: string): string {
    const found = this.node.attributes.get(name);
    return found?.kind === "text" ? found.value : otherwise;
  }

  tensor(name: string): StoredTensor | undefined {
    const found = this.node.attributes.get(name);
    return found?.kind === "tensor" ? found.value : undefined;
  }

  /** An input in newer operator sets, an attribute of the same meaning in older ones. */
  listOrInput(name: string, i: number): readonly number[] | undefined {
    return this.has(i) ? this.numbers(i) : this.list(name);
  }

  /** Keeps the batch apart, however large it is. */
  reshape(x: Tensor, shape: Shape): Tensor {
    return this.around.reshape(x, shape);
  }

  /** Before so many numbers are made of a few. */
  requireSize(shape: Shape): void {
    try {
      requireLimit("unpacked", 8 * sizeOf(shape));
    } catch (cause) {
      if (!(cause instanceof LimitExceeded)) throw cause;
      throw this.fail({ what: "makes too much of too little", got: cause.message });
    }
  }

  /** Says of which node it is. */
  fail(parts: Omit<ErrorParts, "kind" | "where">): CuelabError {
    const { name, operator, outputs } = this.node;
    const title = name || outputs[0] || "";
    return new CuelabError({
      kind: "input",
      ...parts,
      what: `node "${title}" (${operator}, opset ${this.opset}) ${parts.what}`,
    });
  }
}

/** Makes the results of one node. */
export type OperatorReader = (call: OperatorCall) => Tensor | readonly Tensor[];

/** Operators by name. */
export type OperatorFamily = Readonly<Record<string, OperatorReader>>;

export function positiveAxis(axis: number, rank: number): number {
  return axis < 0 ? axis + rank : axis;
}
