/** A run's two programs over one state: the training step, and the network as it is evaluated. */

import type { Dataset } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { resolveSettings } from "../core/settings.ts";
import { add, crossEntropy, input, mul, sub, type Tensor } from "../engine/expressions.ts";
import type { Program } from "../engine/program.ts";
import { State } from "../engine/state.ts";
import { adam, adamw, type Optimiser, sgd } from "../engine/training/optimisers.ts";
import { initialise } from "../engine/training/parameters.ts";
import {
  constantSchedule,
  cosineSchedule,
  type Schedule,
  stepSchedule,
  warmUp,
} from "../engine/training/schedules.ts";
import { type TrainingStep, trainingStep } from "../engine/training/step.ts";
import { methods } from "../methods/index.ts";
import type { Batch } from "../methods/method.ts";
import { models } from "../models/index.ts";
import { Network, type PixelStatistics } from "../models/model.ts";
import { mixings } from "./augmentations.ts";
import type { RunSpec } from "./run-spec.ts";

export interface RunPrograms {
  step: TrainingStep;
  evaluate: Program;
  state: State;
  /** Names of what the trained network consists of: weights and running statistics. */
  weights: string[];
  rate(step: number): number;
  /** Whether labels of partners are fed. */
  mixes: boolean;
}

export interface ProgramOptions {
  batchSize: number;
  stepsPerEpoch: number;
  pixels: PixelStatistics;
}

export function buildPrograms(
  spec: RunSpec,
  dataset: Dataset,
  { batchSize, stepsPerEpoch, pixels }: ProgramOptions,
): RunPrograms {
  const { height, width, channels } = dataset.images.shape!;
  const images = input("images", [batchSize, height, width, channels], "byte");
  const labels = input("labels", [batchSize], "int");
  const mixes = spec.augment.some((name) => name in mixings);
  const model = models.get(spec.model.name);
  const shared = { classes: dataset.classNames.length, options: spec.model.options, pixels };
  const network = new Network(model, { ...shared, mode: "train" });
  const method = methods.get(spec.method.name);
  const config = resolveSettings(method.settings, spec.method.settings);
  const batch: Batch = {
    images,
    labels,
    losses: mixes ? mixedLosses(labels, batchSize) : (logits) => crossEntropy(logits, labels),
  };
  const { loss, next = {} } = method.build({ network, batch, config });
  const step = trainingStep({
    loss,
    parameters: network.parameters.trained,
    optimiser: optimiserOf(spec.optimiser),
    next: { ...network.layers.updates, ...next },
    ...(spec.clipNorm === undefined ? {} : { clipNorm: spec.clipNorm }),
    ...(spec.averageDecay === undefined ? {} : { averageDecay: spec.averageDecay }),
  });
  const state = new State();
  initialise(network.parameters.all, state, (key) => randomStream(spec.seed, key).at(0));
  step.prepare(state);
  const evaluated = new Network(model, { ...shared, mode: "evaluate" });
  return {
    step,
    evaluate: { outputs: { logits: evaluated.logits(images) } },
    state,
    weights: evaluated.parameters.all.map(({ name }) => name),
    rate: rateOf(spec, stepsPerEpoch),
    mixes,
  };
}

/** Each image's own share of the loss goes to its label, the rest to its partner's. */
function mixedLosses(labels: Tensor, batchSize: number): Batch["losses"] {
  const partnerLabels = input("partnerLabels", [batchSize], "int");
  const shares = input("shares", [batchSize]);
  return (logits) =>
    add(mul(shares, crossEntropy(logits, labels)), mul(sub(1, shares), crossEntropy(logits, partnerLabels)));
}

function optimiserOf({ name, weightDecay, momentum, nesterov }: RunSpec["optimiser"]): Optimiser {
  switch (name) {
    case "adam":
      return adam({ weightDecay });
    case "adamw":
      return adamw({ weightDecay });
    case "sgd":
      return sgd({ weightDecay, momentum, nesterov });
    default:
      return name satisfies never;
  }
}

function rateOf({ optimiser, schedule, epochs }: RunSpec, stepsPerEpoch: number): (step: number) => number {
  const { name, milestones, factor, warmUpSteps } = schedule;
  const main: Record<typeof name, () => Schedule> = {
    constant: constantSchedule,
    cosine: () => cosineSchedule(Math.max(1, epochs * stepsPerEpoch - warmUpSteps)),
    step: () =>
      stepSchedule(
        milestones.map((epoch) => epoch * stepsPerEpoch),
        factor,
      ),
  };
  const scheduled = warmUpSteps > 0 ? warmUp(warmUpSteps, main[name]()) : main[name]();
  return (step) => optimiser.rate * scheduled(step);
}
