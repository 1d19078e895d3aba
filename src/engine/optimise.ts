/** Prepares expressions for emission: lowers ops, folds small constants, and makes equal nodes one. */

import { interpret } from "./interpret.ts";
import { constant, isConstant } from "./ops/sources.ts";
import { sizeOf } from "./shapes.ts";
import { type LowerOptions, Tensor, topologicalOrder } from "./tensor.ts";

/** Larger constants are computed at run time: a fill costs less than a model file that holds it. */
const largestFolded = 4096;

/** Equivalent tensors in which nothing is computed twice. What they do not need is not there any more. */
export function optimise(outputs: readonly Tensor[], options: LowerOptions = { openBatch: false }): Tensor[] {
  const optimiser = new GraphOptimiser(options);
  return outputs.map((output) => optimiser.of(output));
}

class GraphOptimiser {
  readonly #options: LowerOptions;
  readonly #results = new Map<Tensor, Tensor>();
  readonly #unique = new Map<string, Tensor>();
  readonly #lowered = new Map<string, Tensor>();
  readonly #numbers = new Map<object, number>();

  constructor(options: LowerOptions) {
    this.#options = options;
  }

  of(output: Tensor): Tensor {
    for (const node of topologicalOrder([output])) {
      if (this.#results.has(node)) continue;
      const result = this.#simplify(node);
      this.#results.set(node, result);
      this.#results.set(result, result);
    }
    return this.#results.get(output)!;
  }

  #simplify(node: Tensor): Tensor {
    const inputs = node.inputs.map((input) => this.#results.get(input)!);
    const changed = inputs.some((input, i) => input !== node.inputs[i]);
    const rebuilt = changed ? new Tensor(node.op, inputs, node.attributes, node.shape, node.dtype) : node;
    if (rebuilt.op.lower === undefined) return this.#share(foldConstant(rebuilt));
    // Equal nodes are lowered once: what they are lowered to need not be recognisable as equal.
    const key = this.#keyOf(rebuilt);
    const known = this.#lowered.get(key);
    if (known !== undefined) return known;
    const lowered = rebuilt.op.lower(rebuilt, this.#options);
    const result = lowered === undefined ? this.#share(foldConstant(rebuilt)) : this.of(lowered);
    this.#lowered.set(key, result);
    return result;
  }

  #share(node: Tensor): Tensor {
    const key = this.#keyOf(node);
    const known = this.#unique.get(key);
    if (known !== undefined) return known;
    this.#unique.set(key, node);
    return node;
  }

  #keyOf(node: Tensor): string {
    const attributes = isConstant(node)
      ? this.#keyOfData(node.attributes.data)
      : JSON.stringify(node.attributes, exactNumbers);
    const inputs = node.inputs.map((input) => this.#numberOf(input));
    return `${node.op.name}|${node.dtype}|${node.shape.join()}|${attributes}|${inputs.join()}`;
  }

  #keyOfData(data: Float64Array): string {
    return data.length <= largestFolded ? Array.from(data, exact).join() : `#${this.#numberOf(data)}`;
  }

  #numberOf(item: object): number {
    const known = this.#numbers.get(item);
    if (known !== undefined) return known;
    this.#numbers.set(item, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

/** JSON has no infinities and no NaN, and neither it nor `join` tells −0 from 0. */
function exactNumbers(_key: string, value: unknown): unknown {
  return typeof value === "number" ? `n${exact(value)}` : value;
}

function exact(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

function foldConstant(node: Tensor): Tensor {
  const foldable =
    node.inputs.length > 0 && node.inputs.every(isConstant) && sizeOf(node.shape) <= largestFolded;
  return foldable ? constant(interpret([node])[0]!, node.shape, node.dtype) : node;
}
