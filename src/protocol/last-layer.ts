/** Logistic regression over features, full batch or in mini batches, with L1 and L2: one graph a step. */

import { randomStream } from "../core/random.ts";
import { Executable } from "../engine/executable.ts";
import {
  abs,
  add,
  crossEntropy,
  gather,
  input,
  matmul,
  maximum,
  mean,
  mul,
  sign,
  stateInput,
  sub,
  sum,
  type Tensor,
  transpose,
} from "../engine/expressions.ts";
import { State } from "../engine/state.ts";
import { filled } from "../engine/training/initialisers.ts";
import { adam, sgd } from "../engine/training/optimisers.ts";
import { constantSchedule, cosineSchedule } from "../engine/training/schedules.ts";
import { trainingStep } from "../engine/training/step.ts";

export interface LastLayerOptions {
  classes: number;
  optimiser: "adam" | "sgd";
  rate: number;
  /** Of sgd. */
  momentum: number;
  schedule: "constant" | "cosine";
  epochs: number;
  /** Rows a step; all of them where it is not given. */
  batchSize?: number;
  /** Added to the mean loss: l1·Σ|w| + l2/2·Σw², over weights and not biases. */
  l1: number;
  l2: number;
  seed: number;
  threads: number;
}

export interface LastLayer {
  /** [classes, width] */
  weight: Float32Array;
  bias: Float32Array;
}

export interface LastLayerData {
  /** [rows, width] */
  features: Float32Array;
  width: number;
  labels: Int32Array;
}

/** The present layer is good until the next epoch. */
export type AfterEpoch = (epoch: number, loss: number, layer: LastLayer) => Promise<void> | void;

/** Begins at zero: the problem is convex, so where it begins decides nothing but the time it takes. */
export async function trainLastLayer(
  { features, width, labels }: LastLayerData,
  options: LastLayerOptions,
  afterEpoch: AfterEpoch = () => {},
): Promise<LastLayer> {
  const { classes, epochs, seed, threads, l1, l2, rate, momentum } = options;
  const rows = labels.length;
  const batchSize = Math.min(options.batchSize ?? rows, rows);
  const stepsPerEpoch = Math.floor(rows / batchSize);
  const weight = stateInput("weight", [classes, width]);
  const bias = stateInput("bias", [classes]);
  // All rows are fed without a copy; a mini batch is taken out of them within the graph.
  const whole = { features: input("features", [rows, width]), labels: input("labels", [rows], "int") };
  const chosen = input("chosen", [batchSize], "int");
  const batch =
    batchSize === rows
      ? whole
      : { features: gather(whole.features, chosen), labels: gather(whole.labels, chosen) };
  const logits = add(matmul(batch.features, transpose(weight)), bias);
  const loss = add(mean(crossEntropy(logits, batch.labels)), mul(sum(mul(weight, weight)), l2 / 2));
  const parameter = (name: string, tensor: Tensor) => ({ name, tensor, initial: filled(0), trained: true });
  const step = trainingStep({
    loss,
    parameters: [parameter("weight", weight), parameter("bias", bias)],
    optimiser: options.optimiser === "adam" ? adam() : sgd({ momentum }),
  });
  const next = { ...step.program.next };
  // At rest the velocity is the gradient / (1 − momentum), so the threshold is scaled alike.
  if (l1 > 0) next.weight = shrink(next.weight!, mul(input("sgd.rate", []), l1 / (1 - momentum)));
  const state = new State();
  state.set("weight", new Float32Array(classes * width));
  state.set("bias", new Float32Array(classes));
  step.prepare(state);
  const executable = await Executable.compile({ ...step.program, next }, { threads });
  const schedule =
    options.schedule === "cosine" ? cosineSchedule(epochs * stepsPerEpoch) : constantSchedule();
  const layer = () => ({ weight: state.get("weight"), bias: state.get("bias") });
  try {
    for (let epoch = 0; epoch < epochs; epoch++) {
      const order = batchSize === rows ? undefined : randomStream(seed, "order").at(epoch).permutation(rows);
      let total = 0;
      for (let i = 0; i < stepsPerEpoch; i++) {
        const global = epoch * stepsPerEpoch + i;
        const feeds = {
          features,
          labels,
          ...(order && { chosen: Int32Array.from(order.subarray(i * batchSize, (i + 1) * batchSize)) }),
          ...step.scalars(global, rate * schedule(global)),
        };
        total += (await executable.run(feeds, { state })).loss![0]!;
      }
      await afterEpoch(epoch, total / stepsPerEpoch + l1 * absoluteSum(state.get("weight")), layer());
    }
    return layer();
  } finally {
    await executable.close();
  }
}

/** The proximal step of L1: towards zero by the threshold, and exactly zero within it. */
function shrink(x: Tensor, threshold: Tensor): Tensor {
  return mul(sign(x), maximum(sub(abs(x), threshold), 0));
}

function absoluteSum(values: Float32Array): number {
  return values.reduce((total, value) => total + Math.abs(value), 0);
}

/** [rows, classes], row by row. */
export async function applyLastLayer(
  features: Float32Array,
  width: number,
  { weight, bias }: LastLayer,
  threads: number,
): Promise<Float32Array> {
  const rows = features.length / width;
  const logits = add(
    matmul(input("features", [rows, width]), transpose(stateInput("weight", [bias.length, width]))),
    stateInput("bias", [bias.length]),
  );
  const executable = await Executable.compile({ outputs: { logits } }, { threads });
  try {
    const state = new State();
    state.set("weight", weight);
    state.set("bias", bias);
    return (await executable.run({ features }, { state })).logits as Float32Array;
  } finally {
    await executable.close();
  }
}
