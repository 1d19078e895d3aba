/**
 * Something done to a batch, a few images at a time. What lies between the images and the result is then small enough
 * for the processor's cache, and exists for those few images only.
 */

import { placeholder, writeInline } from "../inline.ts";
import { interpret } from "../interpret.ts";
import { type Emitter, onnxTypes } from "../onnx/emitter.ts";
import { sizeOf } from "../shapes.ts";
import { type Op, type Shape, Tensor } from "../tensor.ts";

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
  /** How many of the inputs come in parts; every part gets the others whole. */
  parted: number;
  body: Body;
}

const partShape = (shape: Shape, size: number) => [size, ...shape.slice(1)];

/** What the body makes of each part, in float64. */
function interpretParts(node: Tensor<PartsAttributes>, inputs: readonly Float64Array[]): Float64Array[] {
  const { size, parted, body } = node.attributes;
  const parts = node.inputs[0]!.shape[0]! / size;
  return Array.from({ length: parts }, (_, part) => {
    const feeds = inputs.map((data, i) =>
      i < parted ? data.subarray((part * data.length) / parts, ((part + 1) * data.length) / parts) : data,
    );
    return interpret([body.result], Object.fromEntries(feeds.entries()))[0]!;
  });
}

/**
 * A Scan of the body over the parts. A `total` is carried from part to part and added to; without it the results are
 * stacked: [parts, ...]. The body sees the whole inputs where they are, around it.
 */
function emitParts(
  node: Tensor<PartsAttributes>,
  inputs: readonly string[],
  emitter: Emitter,
  total?: string,
): string {
  const { size, parted, body } = node.attributes;
  const graph = emitter.child();
  const parts = node.inputs.slice(0, parted);
  const enter = (hint: string, { dtype }: Tensor, shape: Shape) => {
    const name = graph.fresh(hint);
    graph.inputs.push({ name, type: onnxTypes[dtype], shape });
    return name;
  };
  const before = total === undefined ? undefined : enter("total", body.result, body.result.shape);
  const names = parts.map((part, i) => enter(`part${i}`, part, partShape(part.shape, size)));
  const own = writeInline(body.result, [...names, ...inputs.slice(parted)], graph);
  const result = before === undefined ? own : graph.node("Add", [before, own]);
  graph.outputs.push({ name: result, type: "float", shape: body.result.shape });
  const stacked = parts.map(({ shape }, i) =>
    emitter.node("Reshape", [inputs[i]!, emitter.integers([-1, ...partShape(shape, size)])]),
  );
  const start = total === undefined ? [] : [total];
  return emitter.node("Scan", [...start, ...stacked], { num_scan_inputs: stacked.length, body: { graph } });
}

const sumOverPartsOp: Op<PartsAttributes> = {
  name: "sumOverParts",
  interpret(node, inputs) {
    const total = new Float64Array(sizeOf(node.shape));
    for (const own of interpretParts(node, inputs)) {
      for (const [i, value] of own.entries()) total[i]! += value;
    }
    return total;
  },
  emit(node, inputs, emitter) {
    const zero = emitter.node("Expand", [emitter.scalar(0), emitter.integers(node.shape)]);
    return emitParts(node, inputs, emitter, zero);
  },
};

const joinPartsOp: Op<PartsAttributes> = {
  name: "joinParts",
  interpret: (node, inputs) =>
    Float64Array.from(interpretParts(node, inputs).flatMap((own) => Array.from(own))),
  emit: (node, inputs, emitter) =>
    emitter.node("Reshape", [emitParts(node, inputs, emitter), emitter.integers(node.shape)]),
};

type Build = (parts: readonly Tensor[], whole: readonly Tensor[]) => Tensor;

function attributesOf(inputs: readonly Tensor[], whole: readonly Tensor[], size: number, build: Build) {
  const parts = inputs.map(({ shape, dtype }, i) => placeholder(i, { shape: partShape(shape, size), dtype }));
  const others = whole.map((tensor, i) => placeholder(inputs.length + i, tensor));
  return { size, parted: inputs.length, body: new Body(build(parts, others)) };
}

/** Σ build(part of each input), over parts of `size` images. For lowered graphs only, so it has no gradient. */
export function sumOverParts(inputs: readonly Tensor[], size: number, build: Build): Tensor {
  const attributes = attributesOf(inputs, [], size, build);
  return new Tensor(sumOverPartsOp, inputs, attributes, attributes.body.result.shape);
}

/** build(part of each input) for all parts, joined along the batch. For lowered graphs only, like the sum. */
export function joinParts(
  inputs: readonly Tensor[],
  whole: readonly Tensor[],
  size: number,
  build: Build,
): Tensor {
  const attributes = attributesOf(inputs, whole, size, build);
  const shape = partShape(attributes.body.result.shape, inputs[0]!.shape[0]!);
  return new Tensor(joinPartsOp, [...inputs, ...whole], attributes, shape);
}

/** The largest number of images up to `most` that a batch divides into. */
export function partSize(batch: number, most: number): number {
  const limit = Math.max(1, Math.min(batch, Math.floor(most)));
  return Array.from({ length: limit }, (_, i) => limit - i).find((size) => batch % size === 0)!;
}
