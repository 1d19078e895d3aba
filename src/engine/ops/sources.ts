/** Tensors that are given rather than computed: inputs, state, constants and random numbers. */

import { CuelabError } from "../../core/errors.ts";
import { formatShape, sameShape, sizeOf } from "../shapes.ts";
import { type DType, type Op, type Shape, Tensor } from "../tensor.ts";

/** Whatever can stand where a float tensor is expected. */
export type TensorLike = Tensor | number;

export interface InputAttributes {
  name: string;
  /** `data` is fed at every run; `state` is kept between runs. */
  role: "data" | "state";
}

const inputOp: Op<InputAttributes> = { name: "input", interpret: notComputed };

/** A tensor that is fed under `name` at every run. */
export function input(name: string, shape: Shape, dtype: DType = "float"): Tensor {
  return new Tensor(inputOp, [], { name, role: "data" }, shape, dtype);
}

/** A tensor that lives between runs under `name`: a parameter, a moment, a running statistic. */
export function stateInput(name: string, shape: Shape): Tensor {
  return new Tensor(inputOp, [], { name, role: "state" }, shape);
}

export interface ConstantAttributes {
  data: Float64Array;
}

const constantOp: Op<ConstantAttributes> = {
  name: "constant",
  interpret: (node) => node.attributes.data,
  emit: (node, _inputs, emitter) => emitter.constant(node.attributes.data, node.shape, node.dtype),
};

export function constant(data: ArrayLike<number>, shape: Shape, dtype: DType = "float"): Tensor {
  if (data.length !== sizeOf(shape)) {
    throw new CuelabError({
      kind: "failure",
      what: "constant: the number of values does not fit the shape",
      expected: `${sizeOf(shape)} values for ${formatShape(shape)}`,
      got: `${data.length} values`,
    });
  }
  return new Tensor(constantOp, [], { data: Float64Array.from(data) }, shape, dtype);
}

export function scalar(value: number): Tensor {
  return constant([value], []);
}

export function full(shape: Shape, value: number): Tensor {
  return constant(new Float64Array(sizeOf(shape)).fill(value), shape);
}

export function zeros(shape: Shape): Tensor {
  return full(shape, 0);
}

export function toTensor(value: TensorLike): Tensor {
  return typeof value === "number" ? scalar(value) : value;
}

/** The one value that a constant holds everywhere, or undefined. */
export function constantValue(tensor: Tensor): number | undefined {
  if (!isConstant(tensor)) return undefined;
  const { data } = tensor.attributes;
  const first = data[0];
  return data.length <= 4096 && data.every((value) => value === first) ? first : undefined;
}

export function isConstant(tensor: Tensor): tensor is Tensor<ConstantAttributes> {
  return tensor.op.name === constantOp.name;
}

export function isInput(tensor: Tensor): tensor is Tensor<InputAttributes> {
  return tensor.op.name === inputOp.name;
}

/** The name under which an input or a piece of state is known. */
export function nameOfInput(tensor: Tensor): string {
  if (isInput(tensor)) return tensor.attributes.name;
  throw new CuelabError({ kind: "failure", what: `${tensor.toString()} is computed, and has no name` });
}

export interface RandomAttributes {
  /** Names the stream of numbers: two nodes with one name, distribution and shape hold the same numbers. */
  key: string;
  distribution: "uniform" | "normal";
}

/**
 * Random numbers are drawn outside of the graph, from (seed, key, step), and fed to it. So they are the same on
 * every device and in the interpreter, and a checkpoint needs nothing but the step.
 */
const randomOp: Op<RandomAttributes> = { name: "random", interpret: notComputed };

/** Uniform on [0, 1), drawn anew at every run. */
export function randomUniform(key: string, shape: Shape): Tensor {
  return new Tensor(randomOp, [], { key, distribution: "uniform" }, shape);
}

/** Standard normal, drawn anew at every run. */
export function randomNormal(key: string, shape: Shape): Tensor {
  return new Tensor(randomOp, [], { key, distribution: "normal" }, shape);
}

export function isRandom(tensor: Tensor): tensor is Tensor<RandomAttributes> {
  return tensor.op.name === randomOp.name;
}

/** A stream of random numbers, such as `randomStream(seed, key).at(step)` gives. */
export interface NumberStream {
  uniform(): number;
  normal(): number;
}
/** Opens the stream of a key for the present run. */
export type RandomSource = (key: string) => NumberStream;

/** Draws the numbers of a random node, in row-major order. */
export function drawRandom<Target extends Float32Array | Float64Array>(
  node: Tensor<RandomAttributes>,
  source: RandomSource | undefined,
  target: Target,
): Target {
  const { key, distribution } = node.attributes;
  if (source === undefined) {
    throw new CuelabError({
      kind: "failure",
      what: `random numbers "${key}" are needed but no random source was given`,
      expected: "a function from key to a stream of numbers",
    });
  }
  const stream = source(`${key}/${distribution}`);
  for (let i = 0; i < target.length; i++) target[i] = stream[distribution]();
  return target;
}

/** Refuses a fed value whose length is wrong. */
export function checkFed(name: string, shape: Shape, length: number): void {
  if (length === sizeOf(shape)) return;
  throw new CuelabError({
    kind: "failure",
    what: `input "${name}" has the wrong size`,
    expected: `${sizeOf(shape)} values for ${formatShape(shape)}`,
    got: `${length} values`,
  });
}

/** Refuses a tensor of another shape than the one it replaces. */
export function checkSameShape(what: string, expected: Shape, got: Shape): void {
  if (sameShape(expected, got)) return;
  throw new CuelabError({
    kind: "failure",
    what: `${what} changes its shape`,
    expected: formatShape(expected),
    got: formatShape(got),
  });
}

function notComputed(node: Tensor): Float64Array {
  throw new CuelabError({ kind: "failure", what: `${node.toString()} is fed, not computed` });
}
