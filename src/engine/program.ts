/** A program: what to compute in one run, and how it changes the state. Written as one ONNX graph. */

import { CuelabError } from "../core/errors.ts";
import { Emitter, type EmitterOptions, onnxTypes, opset } from "./onnx/emitter.ts";
import { encodeModel } from "./onnx/protobuf.ts";
import { emitUndeliverable } from "./onnx/undeliverable.ts";
import { blockedDomain } from "./ops/convolution-blocked.ts";
import {
  checkSameShape,
  type InputAttributes,
  isConstant,
  isInput,
  isRandom,
  type RandomAttributes,
} from "./ops/sources.ts";
import { optimise } from "./optimise.ts";
import { type Tensor, topologicalOrder } from "./tensor.ts";

export interface Program {
  /** What a run returns, by name. */
  outputs: Readonly<Record<string, Tensor>>;
  /** The next value of state tensors, by name; others stay as they are. */
  next?: Readonly<Record<string, Tensor>>;
}

/** A value of the graph under the name it has there. */
interface NamedTensor<Node extends Tensor = Tensor> {
  name: string;
  node: Node;
}

/** An emitted program: the model's bytes and what its inputs and outputs stand for. */
export interface Emitted {
  model: Uint8Array;
  data: readonly NamedTensor<Tensor<InputAttributes>>[];
  state: readonly NamedTensor<Tensor<InputAttributes>>[];
  random: readonly NamedTensor<Tensor<RandomAttributes>>[];
  /** Graph output of each program output. */
  outputs: Readonly<Record<string, NamedTensor>>;
  /** Graph output of each state tensor that changes. */
  next: Readonly<Record<string, NamedTensor>>;
  nodeCount: number;
}

export interface EmitOptions extends EmitterOptions {
  /** Stored in the model's metadata. */
  metadata?: Readonly<Record<string, string>>;
  /** Leave the first length of data inputs and of outputs open, under this name. */
  freeBatch?: string;
  /** Give the graph's outputs the names that they have in the program. */
  keepNames?: boolean;
  /** For runs that write all results where they are told to, and need no copy of them. */
  uncopied?: boolean;
}

export function emitProgram(
  { outputs, next = {} }: Program,
  { metadata = {}, freeBatch, keepNames = false, uncopied = false, blockSize }: EmitOptions = {},
): Emitted {
  const results = optimise([...Object.values(outputs), ...Object.values(next)], {
    openBatch: freeBatch !== undefined,
  });
  const writer = new GraphWriter(results, { blockSize });
  const { data, state, random, emitter } = writer;
  checkNames([...data, ...state]);
  checkStates(next, state);
  const published = results.map((node, i) =>
    writer.publish(node, keepNames ? Object.keys(outputs)[i] : undefined),
  );

  const lengths = (node: Tensor) =>
    freeBatch === undefined ? node.shape : [freeBatch, ...node.shape.slice(1)];
  for (const { name, node } of data) {
    emitter.inputs.push({ name, type: onnxTypes[node.dtype], shape: lengths(node) });
  }
  for (const { name, node } of [...state, ...random]) {
    emitter.inputs.push({ name, type: onnxTypes[node.dtype], shape: node.shape });
  }
  for (const { name, node } of published) {
    emitter.outputs.push({ name, type: onnxTypes[node.dtype], shape: lengths(node) });
  }
  if (uncopied) emitUndeliverable(emitter);
  const count = Object.keys(outputs).length;
  const labelled = (keys: readonly string[], offset: number) =>
    Object.fromEntries(keys.map((key, i) => [key, published[offset + i]!]));
  return {
    model: encodeModel({
      nodes: emitter.nodes,
      initializers: emitter.initializers,
      inputs: emitter.inputs,
      outputs: emitter.outputs,
      opsets: blockSize === undefined ? { "": opset } : { "": opset, [blockedDomain]: 1 },
      metadata,
    }),
    data,
    state,
    random,
    outputs: labelled(Object.keys(outputs), 0),
    next: labelled(Object.keys(next), count),
    nodeCount: emitter.nodes.length,
  };
}

/** Writes all nodes of a graph and remembers what each is called. */
class GraphWriter {
  readonly emitter: Emitter;
  readonly data: NamedTensor<Tensor<InputAttributes>>[] = [];
  readonly state: NamedTensor<Tensor<InputAttributes>>[] = [];
  readonly random: NamedTensor<Tensor<RandomAttributes>>[] = [];
  readonly #names = new Map<Tensor, string>();
  readonly #published = new Set<string>();

  constructor(results: readonly Tensor[], options: EmitterOptions) {
    this.emitter = new Emitter(options);
    for (const node of topologicalOrder(results)) this.#names.set(node, this.#write(node));
  }

  #write(node: Tensor): string {
    if (isInput(node)) {
      const { name, role } = node.attributes;
      this[role].push({ name, node });
      return name;
    }
    if (isRandom(node)) {
      const name = `random_${this.random.length}`;
      this.random.push({ name, node });
      return name;
    }
    if (node.op.emit === undefined) {
      throw new CuelabError({ kind: "failure", what: `${node.toString()} has no ONNX form` });
    }
    const inputs = node.inputs.map((input) => this.#names.get(input)!);
    return node.op.emit(node, inputs, this.emitter);
  }

  /** A name under which the node can be an output: ONNX wants each made by a node, and each only once. */
  publish(node: Tensor, wanted?: string): NamedTensor {
    const inner = this.#names.get(node)!;
    if (wanted !== undefined) return { name: this.emitter.rename(inner, wanted), node };
    const given = isInput(node) || isRandom(node) || isConstant(node);
    const name = given || this.#published.has(inner) ? this.emitter.node("Identity", [inner]) : inner;
    this.#published.add(name);
    return { name, node };
  }
}

/** Inputs are found by name, so two different ones must not share it. Equal ones were merged before. */
function checkNames(inputs: readonly NamedTensor[]): void {
  const seen = new Map<string, Tensor>();
  for (const { name, node } of inputs) {
    const other = seen.get(name);
    if (other !== undefined) {
      throw new CuelabError({
        kind: "failure",
        what: `two different inputs are called "${name}"`,
        expected: "one shape, type and role for each name",
        got: `${other.toString()} ${other.dtype} and ${node.toString()} ${node.dtype}`,
      });
    }
    seen.set(name, node);
  }
}

function checkStates(next: Readonly<Record<string, Tensor>>, states: readonly NamedTensor[]): void {
  for (const { name, node } of states) {
    if (next[name] !== undefined) checkSameShape(`state "${name}"`, node.shape, next[name].shape);
  }
}
