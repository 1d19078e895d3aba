/**
 * Logistic regression on stored features, as last-layer retraining needs it: the features are handed to the runtime
 * once, as they lie in memory, and every step reads them there.
 */

import { CuelabError } from "../../core/errors.ts";
import { Executable } from "../executable.ts";
import { abs, add, maximum, mul, sign, sub } from "../ops/elementwise.ts";
import { gather } from "../ops/indexing.ts";
import { transpose } from "../ops/layout.ts";
import { crossEntropy } from "../ops/losses.ts";
import { matmul } from "../ops/matmul.ts";
import { mean, sum } from "../ops/reductions.ts";
import { input } from "../ops/sources.ts";
import { State } from "../state.ts";
import { filled } from "./initialisers.ts";
import { sgd } from "./optimisers.ts";
import { initialise, Parameters } from "./parameters.ts";
import { trainingStep } from "./step.ts";

export interface LastLayerOptions {
  classes: number;
  steps: number;
  /** Learning rate of each step. */
  rate: (step: number) => number;
  momentum?: number;
  /** Adds ½·l2·‖weight‖² to the mean cross entropy; the bias is free. */
  l2?: number;
  /** Adds l1·Σ|weight|, by shrinking after each step, so that weights become exactly zero. */
  l1?: number;
  /** Rows of each step, all of one length; without it every step sees all rows. */
  rows?: (step: number) => Int32Array;
  threads?: number;
}

export interface LastLayer {
  /** [classes, features]. */
  weight: Float32Array;
  bias: Float32Array;
  /** Of each step, before it; without the L1 term. */
  losses: number[];
}

/** Features [samples, length of a row] and one label a row. The weights begin at zero: the problem is convex. */
export async function trainLastLayer(
  features: Float32Array,
  labels: Int32Array,
  { classes, steps, rate, momentum = 0, l2 = 0, l1 = 0, rows, threads = 1 }: LastLayerOptions,
): Promise<LastLayer> {
  const samples = labels.length;
  const width = features.length / samples;
  if (samples === 0 || !Number.isInteger(width)) {
    throw new CuelabError({
      kind: "failure",
      what: "features and labels do not fit",
      expected: "one row of features for each label",
      got: `${features.length} values and ${samples} labels`,
    });
  }
  const parameters = new Parameters();
  const weight = parameters.get("weight", [classes, width], filled(0));
  const bias = parameters.get("bias", [classes], filled(0));
  const all = { x: input("features", [samples, width]), labels: input("labels", [samples], "int") };
  const chosen = rows === undefined ? undefined : input("rows", [rows(0).length], "int");
  const x = chosen === undefined ? all.x : gather(all.x, chosen);
  const target = chosen === undefined ? all.labels : gather(all.labels, chosen);
  const error = mean(crossEntropy(add(matmul(x, transpose(weight)), bias), target));
  const loss = l2 === 0 ? error : add(error, mul(sum(mul(weight, weight)), l2 / 2));
  const training = trainingStep({
    loss,
    parameters: parameters.trained,
    optimiser: sgd({ momentum }),
  });
  const { program } = training;
  const moved = program.next!.weight!;
  const shrunk = mul(sign(moved), maximum(sub(abs(moved), mul(input("sgd.rate", []), l1)), 0));
  const next = l1 === 0 ? program.next! : { ...program.next, weight: shrunk };
  const state = new State();
  initialise(parameters.all, state, () => ({ uniform: () => 0, normal: () => 0 }));
  training.prepare(state);
  const executable = await Executable.compile({ ...program, next }, { threads });
  const losses: number[] = [];
  for (let step = 0; step < steps; step++) {
    const feeds = {
      features,
      labels,
      ...training.scalars(step, rate(step)),
      ...(rows && { rows: rows(step) }),
    };
    losses.push((await executable.run(feeds, { state })).loss![0]!);
  }
  await executable.close();
  return { weight: state.get("weight"), bias: state.get("bias"), losses };
}
