/** Writes a foreign graph as our expressions, for images of one shape: constants are worked out, weights become parameters. */

import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { broadcastTo, constant, reshape, reshapeOpen, stretch } from "../../engine/expressions.ts";
import { interpret } from "../../engine/interpret.ts";
import type { StoredGraph, StoredNode } from "../../engine/onnx/decode-model.ts";
import { elementTypeOf, numbersOf, type StoredTensor } from "../../engine/onnx/decode-tensor.ts";
import { isConstant } from "../../engine/ops/sources.ts";
import { sizeOf } from "../../engine/shapes.ts";
import { type Shape, type Tensor, topologicalOrder } from "../../engine/tensor.ts";
import type { Layers } from "../layers.ts";
import { OperatorCall, type Surroundings } from "./call.ts";
import { constantOf } from "./operators/constants.ts";
import { operatorReaders } from "./operators/index.ts";

export interface TracedGraph {
  graph: StoredGraph;
  opset: number;
  /** Of weights among the parameters. */
  names: ReadonlyMap<string, string>;
  /** The images that the file is for alone, where it does not leave their number open. */
  fixedBatch: number | undefined;
}

export interface TraceOptions {
  layers: Layers;
  /** As the graph's input wants them. */
  images: Tensor;
  trainsBatchNorm: boolean;
  /** Shapes that the same graph asks for with a batch of another size, in the order of asking. */
  otherBatch?: readonly Shape[];
}

export class Trace implements Surroundings {
  readonly layers: Layers;
  readonly trainsBatchNorm: boolean;
  readonly opset: number;
  /** Everything that was written, by its name in the file. */
  readonly tensors = new Map<string, Tensor>();
  /** Shapes that were asked for. */
  readonly asked: Shape[] = [];
  readonly #traced: TracedGraph;
  readonly #images: Tensor;
  readonly #otherBatch: readonly Shape[] | undefined;

  constructor(traced: TracedGraph, { layers, images, trainsBatchNorm, otherBatch }: TraceOptions) {
    this.#traced = traced;
    this.opset = traced.opset;
    this.layers = layers;
    this.trainsBatchNorm = trainsBatchNorm;
    this.#images = images;
    this.#otherBatch = otherBatch;
    this.tensors.set(traced.graph.inputs[0]!.name, images);
  }

  /** Writes what the wanted values need. */
  run(wanted: readonly string[]): void {
    for (const node of neededNodes(this.#traced.graph, wanted)) this.#write(node);
  }

  value(name: string): Tensor {
    const known = this.tensors.get(name);
    if (known !== undefined) return known;
    const stored = this.#traced.graph.initialisers.get(name);
    if (stored === undefined)
      throw new CuelabError({ kind: "input", what: `nothing in the graph makes "${name}"` });
    const made = isWeight(stored) ? this.#parameter(stored, true) : constantOf(stored);
    this.tensors.set(name, made);
    return made;
  }

  numbers(name: string): ArrayLike<number> | undefined {
    const known = this.tensors.get(name);
    if (known !== undefined && isConstant(known)) return known.attributes.data;
    const stored = this.#traced.graph.initialisers.get(name);
    return stored === undefined ? undefined : numbersOf(stored);
  }

  statistic(name: string): Tensor | undefined {
    const stored = this.#traced.graph.initialisers.get(name);
    return stored !== undefined && isWeight(stored) ? this.#parameter(stored, false) : undefined;
  }

  reshape(x: Tensor, shape: Shape): Tensor {
    const axis = this.#batchAxis(shape);
    return axis === undefined ? reshape(x, shape) : reshapeOpen(x, shape, axis);
  }

  stretch(x: Tensor, shape: Shape): Tensor {
    const axis = this.#batchAxis(shape);
    return axis === undefined ? broadcastTo(x, shape) : stretch(x, shape, axis, this.#images);
  }

  forBatch(shape: Shape, fits: (shape: Shape) => boolean): Shape {
    const { fixedBatch } = this.#traced;
    const others = shape.with(0, this.#images.shape[0]!);
    return fixedBatch !== undefined && shape[0] === fixedBatch && !fits(shape) && fits(others)
      ? others
      : shape;
  }

  /** The axis that another number of images would make longer. */
  #batchAxis(shape: Shape): number | undefined {
    this.asked.push(shape);
    const other = this.#otherBatch?.[this.asked.length - 1];
    const varying = shape.flatMap((length, axis) =>
      other !== undefined && length !== other[axis] ? [axis] : [],
    );
    return varying.length === 1 ? varying[0] : undefined;
  }

  #parameter(stored: StoredTensor, trained: boolean): Tensor {
    const name = lookUp(this.#traced.names, stored.name);
    return this.layers.parameter(name, stored.shape, () => Float32Array.from(numbersOf(stored)), trained);
  }

  #write(node: StoredNode): void {
    const call = new OperatorCall(node, this);
    const results = read(call);
    const known = node.inputs.every((name) => name === "" || this.#isKnown(name));
    for (const [i, name] of node.outputs.entries()) {
      const result = results[i];
      if (result !== undefined && name !== "") this.tensors.set(name, known ? folded(call, result) : result);
    }
  }

  #isKnown(name: string): boolean {
    const tensor = this.tensors.get(name);
    if (tensor !== undefined) return isConstant(tensor);
    const stored = this.#traced.graph.initialisers.get(name);
    return stored !== undefined && !isWeight(stored);
  }
}

function read(call: OperatorCall): readonly Tensor[] {
  try {
    const result = lookUp(operatorReaders, call.node.operator)(call);
    return Array.isArray(result) ? (result as readonly Tensor[]) : [result as Tensor];
  } catch (cause) {
    if (cause instanceof CuelabError && cause.kind !== "failure") throw cause;
    const { expected, got = (cause as Error).message } = cause instanceof CuelabError ? cause.parts : {};
    throw call.fail({
      what: "does not fit what it is given",
      ...(expected !== undefined && { expected }),
      got: `${got.split("\n")[0]!}, from ${call.node.inputs.join(", ")}`,
      todo: "were the images of another size than the file is for? Else export it with an open batch",
      cause,
    });
  }
}

/** What follows from constants alone is one; a stretch to the batch does not. */
function folded(call: OperatorCall, tensor: Tensor): Tensor {
  const leaves = topologicalOrder([tensor]).filter(({ inputs }) => inputs.length === 0);
  if (isConstant(tensor) || !leaves.every(isConstant)) return tensor;
  call.requireSize(tensor.shape);
  return constant(interpret([tensor])[0]!, tensor.shape, tensor.dtype);
}

function neededNodes({ nodes }: StoredGraph, wanted: readonly string[]): StoredNode[] {
  const needed = new Set(wanted);
  const found: StoredNode[] = [];
  for (const node of nodes.toReversed()) {
    if (!node.outputs.some((name) => name !== "" && needed.has(name))) continue;
    found.push(node);
    for (const name of node.inputs) needed.add(name);
  }
  return found.reverse();
}

/** Buffers that are no weights, by the names that networks of torchvision and timm give them. */
const buffers = /(^|\.)(attn_mask|relative_coords_table|inv_freq|rope)$/;

/** Floats of more than one number; but for masks, which hold 0 and one large negative number. */
export function isWeight(stored: StoredTensor): boolean {
  if (elementTypeOf(stored.type)?.dtype !== "float" || sizeOf(stored.shape) < 2) return false;
  return !buffers.test(stored.name) && !isMask(stored);
}

function isMask(stored: StoredTensor): boolean {
  const values = numbersOf(stored);
  const first = values[0]!;
  const isOff = (value: number) => value <= -100;
  if (first !== 0 && !isOff(first)) return false;
  let off = false;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value !== 0 && !isOff(value)) return false;
    off ||= isOff(value);
  }
  return off;
}
