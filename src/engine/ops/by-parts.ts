/**
 * A sum over the batch, a few images at a time. What lies between the images and the sum is then small enough for the
 * processor's cache, and exists for those few images only.
 */

import { placeholder, writeInline } from "../inline.ts";
import { interpret } from "../interpret.ts";
import { onnxTypes } from "../onnx/emitter.ts";
import { sizeOf } from "../shapes.ts";
import { type Op, Tensor } from "../tensor.ts";

/** An expression of placeholders. Two are never recognised as equal: comparing them costs more than it gains. */
class Body {
  static #count = 0;
  readonly result: Tensor;
  readonly #number = Body.#count++;

  constructor(result: Tensor) {
    this.result = result;
  }

  toJSON(): number {
    return this.#number;
  }
}

interface PartsAttributes {
  /** Images in a part. */
  size: number;
  body: Body;
}

const sumOverPartsOp: Op<PartsAttributes> = {
  name: "sumOverParts",
  interpret(node, inputs) {
    const { size, body } = node.attributes;
    const total = new Float64Array(sizeOf(node.shape));
    const parts = node.inputs[0]!.shape[0]! / size;
    for (let part = 0; part < parts; part++) {
      const feeds = inputs.map((data) =>
        data.subarray((part * data.length) / parts, ((part + 1) * data.length) / parts),
      );
      const [own] = interpret([body.result], Object.fromEntries(feeds.entries()));
      for (const [i, value] of own!.entries()) total[i]! += value;
    }
    return total;
  },
  emit(node, inputs, emitter) {
    const { size, body } = node.attributes;
    const graph = emitter.child();
    const partShape = ({ shape }: Tensor) => [size, ...shape.slice(1)];
    const names = node.inputs.map((tensor, i) => {
      const name = graph.fresh(`part${i}`);
      graph.inputs.push({ name, type: onnxTypes[tensor.dtype], shape: partShape(tensor) });
      return name;
    });
    graph.outputs.push({ name: writeInline(body.result, names, graph), type: "float", shape: node.shape });
    const stacked = node.inputs.map((tensor, i) =>
      emitter.node("Reshape", [inputs[i]!, emitter.integers([-1, ...partShape(tensor)])]),
    );
    const results = emitter.node("Scan", stacked, { num_scan_inputs: stacked.length, body: { graph } });
    return emitter.node("ReduceSum", [results, emitter.integers([0])], { keepdims: 0 });
  },
};

/** Σ build(part of each input), over parts of `size` images. For lowered graphs only, so it has no gradient. */
export function sumOverParts(
  inputs: readonly Tensor[],
  size: number,
  build: (parts: readonly Tensor[]) => Tensor,
): Tensor {
  const parts = inputs.map(({ shape, dtype }, i) =>
    placeholder(i, { shape: [size, ...shape.slice(1)], dtype }),
  );
  const result = build(parts);
  return new Tensor(sumOverPartsOp, inputs, { size, body: new Body(result) }, result.shape);
}
