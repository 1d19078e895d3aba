/**
 * Many small classifiers trained at once. All see the same batch, so that their first layers are one matrix product;
 * each has its own rate, penalties, visible features, targets and weights, as one entry of a vector. Their losses are
 * added, and since no classifier's weights are in another's loss, each gets the gradient that it would get alone.
 */

import { Executable } from "../engine/executable.ts";
import {
  add,
  argmax,
  cast,
  constant,
  div,
  equal,
  input,
  logSoftmax,
  matmul,
  maximum,
  mul,
  neg,
  oneHot,
  relu,
  reshape,
  type Shape,
  sign,
  stateInput,
  sum,
  type Tensor,
  transpose,
} from "../engine/expressions.ts";
import { State } from "../engine/state.ts";
import { adam, withL2 } from "../engine/training/optimisers.ts";
import { type TrainingStep, trainingStep } from "../engine/training/step.ts";

export const batchedFamilies = ["logistic", "mlp"] as const;
export type BatchedFamily = (typeof batchedFamilies)[number];

/** What one classifier of a batch has to itself. */
export interface Member {
  rate: number;
  /** weightDecay/2·Σw² + l1·Σ|w| beside the mean loss, by its gradient; biases are left alone. */
  weightDecay: number;
  l1: number;
}

export interface BatchedOptions {
  family: BatchedFamily;
  members: readonly Member[];
  /** Features an image. */
  width: number;
  classes: number;
  batchSize: number;
  /** Hidden units of each member, for family mlp. */
  hidden?: number;
  /** [width, members]: 1 where a member sees the feature, else 0. */
  visible: Float32Array;
  threads: number;
}

/** Images to measure on, in parts that are counted apart. */
export interface MeasuredImages {
  /** [images, width] */
  features: Float32Array;
  labels: Int32Array;
  /** [parts, images]: 1 where the image belongs to the part. */
  parts: Float32Array;
}

/** Where a parameter's members lie along its axes, so that a vector of one number a member fits. */
interface BatchedParameter {
  name: string;
  tensor: Tensor;
  /** One number a member → what multiplies the parameter. */
  spread: (values: readonly number[]) => Tensor;
  penalised: boolean;
  /** Which of its entries may change; undefined for all. */
  mask?: Tensor;
}

interface BatchedNetwork {
  parameters: BatchedParameter[];
  /** [rows, width] → [rows, members, classes] */
  logits: (features: Tensor) => Tensor;
}

/** Sum of weights below which a batch holds nothing for a member. */
const nothing = 1e-6;

export class BatchedClassifiers {
  readonly state = new State();
  readonly #options: BatchedOptions;
  readonly #network: BatchedNetwork;
  readonly #training: TrainingStep;
  readonly #step: Executable;
  #measure: { executable: Executable; measured: MeasuredImages } | undefined;
  #steps = 0;

  private constructor(
    options: BatchedOptions,
    network: BatchedNetwork,
    training: TrainingStep,
    step: Executable,
  ) {
    this.#options = options;
    this.#network = network;
    this.#training = training;
    this.#step = step;
  }

  /** `initial` has every parameter by name: weight and bias, or inner, innerBias, outer and outerBias. */
  static async create(
    options: BatchedOptions,
    initial: Readonly<Record<string, Float32Array>>,
  ): Promise<BatchedClassifiers> {
    const network = options.family === "logistic" ? logistic(options) : perceptron(options);
    const training = trainingOf(options, network);
    const step = await Executable.compile(training.program, { threads: options.threads });
    const made = new BatchedClassifiers(options, network, training, step);
    for (const { name } of network.parameters) made.state.set(name, initial[name]!);
    training.prepare(made.state);
    return made;
  }

  /** One step of Adam. features [batch, width], targets and weights [batch, members]. */
  async step(features: Float32Array, targets: Int32Array, weights: Float32Array): Promise<void> {
    // Rates are in the graph, one a member.
    const scalars = this.#training.scalars(this.#steps++, 1);
    await this.#step.run({ features, targets, weights, ...scalars }, { state: this.state });
  }

  /** How many images of each part each member gets right: [parts, members]. */
  async countCorrect(measured: MeasuredImages): Promise<Float32Array> {
    if (this.#measure?.measured !== measured) {
      await this.#measure?.executable.close();
      const executable = await Executable.compile(measuringProgram(this.#options, this.#network, measured), {
        threads: this.#options.threads,
      });
      this.#measure = { executable, measured };
    }
    const { features, labels, parts } = measured;
    const { correct } = await this.#measure.executable.run(
      { features, labels, parts },
      { state: this.state },
    );
    return correct as Float32Array;
  }

  async close(): Promise<void> {
    await this.#step.close();
    await this.#measure?.executable.close();
  }
}

function logistic({ members, width, classes, visible }: BatchedOptions): BatchedNetwork {
  const columns = members.length * classes;
  const weight = stateInput("weight", [width, columns]);
  const bias = stateInput("bias", [columns]);
  const spread = (values: readonly number[]) => vector(repeated(values, classes), [columns]);
  return {
    parameters: [
      {
        name: "weight",
        tensor: weight,
        spread,
        penalised: true,
        mask: constant(repeated(visible, classes), [width, columns]),
      },
      { name: "bias", tensor: bias, spread, penalised: false },
    ],
    logits: (features) =>
      reshape(add(matmul(features, weight), bias), [features.shape[0]!, members.length, classes]),
  };
}

/** One hidden layer. The first layers of all are one product; the second ones are small and go side by side. */
function perceptron({ members, width, classes, visible, hidden = 1 }: BatchedOptions): BatchedNetwork {
  const columns = members.length * hidden;
  const inner = stateInput("inner", [width, columns]);
  const innerBias = stateInput("innerBias", [columns]);
  const outer = stateInput("outer", [members.length, hidden, classes]);
  const outerBias = stateInput("outerBias", [members.length, 1, classes]);
  const along = (values: readonly number[]) => vector(repeated(values, hidden), [columns]);
  const across = (values: readonly number[]) => vector(values, [members.length, 1, 1]);
  return {
    parameters: [
      {
        name: "inner",
        tensor: inner,
        spread: along,
        penalised: true,
        mask: constant(repeated(visible, hidden), [width, columns]),
      },
      { name: "innerBias", tensor: innerBias, spread: along, penalised: false },
      { name: "outer", tensor: outer, spread: across, penalised: true },
      { name: "outerBias", tensor: outerBias, spread: across, penalised: false },
    ],
    logits: (features) => {
      const rows = features.shape[0]!;
      const units = relu(add(matmul(features, inner), innerBias));
      const apart = transpose(reshape(units, [rows, members.length, hidden]), [1, 0, 2]);
      return transpose(add(matmul(apart, outer), outerBias), [1, 0, 2]);
    },
  };
}

function trainingOf(
  { members, width, classes, batchSize }: BatchedOptions,
  network: BatchedNetwork,
): TrainingStep {
  const weights = input("weights", [batchSize, members.length]);
  const targets = oneHot(input("targets", [batchSize, members.length], "int"), classes);
  const logits = network.logits(input("features", [batchSize, width]));
  const entropy = neg(sum(mul(logSoftmax(logits), targets), [2])); // [batch, members]
  const losses = div(sum(mul(entropy, weights), [0]), maximum(sum(weights, [0]), nothing));
  const { parameters } = network;
  const of = new Map(parameters.map((parameter) => [parameter.tensor, parameter]));
  const rates = members.map(({ rate }) => rate);
  return trainingStep({
    loss: sum(losses),
    parameters,
    optimiser: adam({ rates: new Map(parameters.map(({ tensor, spread }) => [tensor, spread(rates)])) }),
    slope: (tensor, gradient) => {
      const { mask, penalised, spread } = of.get(tensor)!;
      const slope = mask === undefined ? gradient : mul(gradient, mask);
      return penalised ? add(slope, penaltySlope(tensor, members, spread)) : slope;
    },
  });
}

/**
 * L2 as in the engine's Adam, a decay a member. L1 is another thing than that of last layers, whose proximal step makes
 * weights exactly zero and is for gradient descent: its slope goes through Adam's moments like the loss's, so that weights
 * come near zero and stay there to and fro. Here it is one of many ways in which classifiers differ, and nobody counts zeros.
 */
function penaltySlope(
  tensor: Tensor,
  members: readonly Member[],
  spread: BatchedParameter["spread"],
): Tensor {
  const towardsZero = mul(sign(tensor), spread(members.map(({ l1 }) => l1)));
  return withL2(tensor, towardsZero, spread(members.map(({ weightDecay }) => weightDecay)));
}

function measuringProgram(
  { members, width }: BatchedOptions,
  network: BatchedNetwork,
  { labels, parts }: MeasuredImages,
) {
  const rows = labels.length;
  const logits = network.logits(input("features", [rows, width]));
  const told = reshape(argmax(logits, 2), [rows, members.length]);
  const right = cast(equal(told, reshape(input("labels", [rows], "int"), [rows, 1])), "float");
  return { outputs: { correct: matmul(input("parts", [parts.length / rows, rows]), right) } };
}

/** Each value so many times in a row. */
function repeated(values: ArrayLike<number>, times: number): Float32Array {
  return Float32Array.from({ length: values.length * times }, (_, i) => values[Math.floor(i / times)]!);
}

function vector(values: ArrayLike<number>, shape: Shape): Tensor {
  return constant(Float32Array.from(values), shape);
}
