/** A program: what to compute in one run, and how it changes the state. Written as one ONNX graph. */

import { CuelabError } from "../core/errors.ts";
import { Emitter, onnxTypes, opset } from "./onnx/emitter.ts";
import { encodeModel } from "./onnx/protobuf.ts";
import {
  checkSameShape,
  type InputAttributes,
  isConstant,
  isInput,
  isRandom,
  type RandomAttributes,
} from "./ops/sources.ts";
import { optimise } from "./optimise.ts";
import { sizeOf } from "./shapes.ts";
import { type Tensor, topologicalOrder } from "./tensor.ts";

export interface Program {
  /** What a run returns, by name. */
  outputs: Readonly<Record<string, Tensor>>;
  /** The next value of state tensors, by name; others stay as they are. */
  next?: Readonly<Record<string, Tensor>>;
}

/** An emitted program: the model's bytes and what its inputs and outputs stand for. */
export interface Emitted {
  model: Uint8Array;
  data: readonly Tensor<InputAttributes>[];
  state: readonly Tensor<InputAttributes>[];
  random: readonly { name: string; node: Tensor<RandomAttributes> }[];
  /** Graph output of each program output. */
  outputs: Readonly<Record<string, { name: string; node: Tensor }>>;
  /** Graph output of each state tensor that changes. */
  next: Readonly<Record<string, string>>;
  nodeCount: number;
}

export function emitProgram({ outputs, next = {} }: Program): Emitted {
  const wanted = [...Object.values(outputs), ...Object.values(next)];
  const results = optimise(wanted);
  const order = topologicalOrder(results);
  const emitter = new Emitter();
  const names = new Map<Tensor, string>();
  const inputs: Pick<Emitted, "data" | "state"> & {
    data: Tensor<InputAttributes>[];
    state: Tensor<InputAttributes>[];
  } = {
    data: [],
    state: [],
  };
  const random: { name: string; node: Tensor<RandomAttributes> }[] = [];
  for (const node of order) {
    if (isInput(node)) {
      names.set(node, node.attributes.name);
      inputs[node.attributes.role].push(node);
    } else if (isRandom(node)) {
      const name = `random_${random.length}`;
      names.set(node, name);
      random.push({ name, node });
    } else {
      names.set(node, emitNode(node, names, emitter));
    }
  }
  checkNames([...inputs.data, ...inputs.state]);
  checkStates(next, inputs.state);

  const taken = new Set<string>();
  const publish = (node: Tensor): string => {
    const inner = names.get(node)!;
    const given = isInput(node) || isRandom(node) || isConstant(node);
    const name = given || taken.has(inner) ? emitter.node("Identity", [inner]) : inner;
    taken.add(name);
    emitter.outputs.push({ name, type: onnxTypes[node.dtype], shape: node.shape });
    return name;
  };
  const published = results.map(publish);
  for (const node of [...inputs.data, ...inputs.state, ...random.map((item) => item.node)]) {
    emitter.inputs.push({ name: names.get(node)!, type: onnxTypes[node.dtype], shape: node.shape });
  }
  const outputNames = Object.keys(outputs);
  return {
    model: encodeModel({ ...partsOf(emitter), opsets: { "": opset } }),
    ...inputs,
    random,
    outputs: Object.fromEntries(
      outputNames.map((name, i) => [name, { name: published[i]!, node: results[i]! }]),
    ),
    next: Object.fromEntries(Object.keys(next).map((name, i) => [name, published[outputNames.length + i]!])),
    nodeCount: emitter.nodes.length,
  };
}

function emitNode(node: Tensor, names: ReadonlyMap<Tensor, string>, emitter: Emitter): string {
  if (node.op.emit === undefined) {
    throw new CuelabError({ kind: "failure", what: `${node.toString()} has no ONNX form` });
  }
  if (sizeOf(node.shape) === 0) {
    throw new CuelabError({
      kind: "failure",
      what: `${node.toString()} is empty`,
      expected: "at least one element",
    });
  }
  return node.op.emit(
    node,
    node.inputs.map((input) => names.get(input)!),
    emitter,
  );
}

export function partsOf({ nodes, initializers, inputs, outputs }: Emitter) {
  return { nodes, initializers, inputs, outputs };
}

/** Inputs are found by name, so two different ones must not share it. Equal ones were merged before. */
function checkNames(inputs: readonly Tensor<InputAttributes>[]): void {
  const seen = new Map<string, Tensor>();
  for (const input of inputs) {
    const { name } = input.attributes;
    const other = seen.get(name);
    if (other !== undefined) {
      throw new CuelabError({
        kind: "failure",
        what: `two different inputs are called "${name}"`,
        expected: "one shape, type and role for each name",
        got: `${other.toString()} ${other.dtype} and ${input.toString()} ${input.dtype}`,
      });
    }
    seen.set(name, input);
  }
}

function checkStates(
  next: Readonly<Record<string, Tensor>>,
  states: readonly Tensor<InputAttributes>[],
): void {
  for (const state of states) {
    const { name } = state.attributes;
    if (next[name] !== undefined) checkSameShape(`state "${name}"`, state.shape, next[name].shape);
  }
}
