/** A run's two programs over one state: the training step, and the network as it is evaluated. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
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
  delayed,
  type Schedule,
  stepSchedule,
  warmUp,
} from "../engine/training/schedules.ts";
import { type TrainingStep, trainingStep } from "../engine/training/step.ts";
import { methods } from "../methods/index.ts";
import type { Batch, Method } from "../methods/method.ts";
import { models } from "../models/index.ts";
import { Network, type PixelStatistics } from "../models/model.ts";
import { checkFrozen, frozenLayers } from "../models/weights/frozen.ts";
import { mixings } from "./augmentations.ts";
import { MethodState } from "./method-state.ts";
import type { RunSpec } from "./run-spec.ts";

export interface RunPrograms {
  step: TrainingStep;
  evaluate: Program;
  state: State;
  /** Names of what the trained network consists of: weights and running statistics. */
  weights: string[];
  rate: (step: number) => number;
  /** Whether labels of partners are fed. */
  mixes: boolean;
}

export interface ProgramOptions {
  batchSize: number;
  stepsPerEpoch: number;
  pixels: PixelStatistics;
  /** First values of parameters; the others begin at random. */
  weights?: ReadonlyMap<string, Float32Array>;
  /** Instead of the one that the spec names, such as one that is in no registry. */
  method?: Method;
}

export function buildPrograms(
  spec: RunSpec,
  dataset: Dataset,
  { batchSize, stepsPerEpoch, pixels, weights, method = methods.get(spec.method.name) }: ProgramOptions,
): RunPrograms {
  const { height, width, channels } = dataset.images.shape!;
  const images = input("images", [batchSize, height, width, channels], "byte");
  const labels = input("labels", [batchSize], "int");
  const mixes = spec.augment.some((name) => name in mixings);
  const model = models.get(spec.model.name);
  const shared = { classes: dataset.classNames.length, options: spec.model.options, pixels };
  const freeze = spec.freeze ?? [];
  const network = new Network(model, { ...shared, mode: "train", frozen: frozenLayers(freeze, model.head) });
  const config = resolveSettings(method.settings, spec.method.settings);
  const batch: Batch = {
    images,
    labels,
    losses: mixes ? mixedLosses(labels, batchSize) : (logits) => crossEntropy(logits, labels),
  };
  const own = new MethodState();
  const { loss, next = {} } = method.build({ network, batch, config, state: own.declare });
  checkFrozen(freeze, network);
  const step = trainingStep({
    loss,
    parameters: network.parameters.trained,
    optimiser: optimiserOf(spec.optimiser),
    next: { ...network.layers.updates, ...own.renamed(next) },
    ...(spec.clipNorm === undefined ? {} : { clipNorm: spec.clipNorm }),
    ...(spec.averageDecay === undefined ? {} : { averageDecay: spec.averageDecay }),
  });
  const state = new State();
  const fresh = network.parameters.all.filter(({ name }) => !weights?.has(name));
  initialise(fresh, state, (key) => randomStream(spec.seed, key).at(0));
  for (const [name, values] of weights ?? []) state.set(name, values);
  step.prepare(state);
  own.initialise(state);
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
  const steps = epochs * stepsPerEpoch;
  if (warmUpSteps >= steps) {
    throw new CuelabError({
      kind: "usage",
      what: "the warm-up would never end",
      expected: `less than the ${steps} steps of this run (${epochs} epochs of ${stepsPerEpoch})`,
      got: `${warmUpSteps} steps`,
      todo: "lower --warm-up or raise --epochs",
    });
  }
  // The cosine begins where the warm-up ends; milestones are epochs of the whole run, wherever that is.
  const main: Record<typeof name, () => Schedule> = {
    constant: constantSchedule,
    cosine: () => delayed(warmUpSteps, cosineSchedule(steps - warmUpSteps)),
    step: () =>
      stepSchedule(
        milestones.map((epoch) => epoch * stepsPerEpoch),
        factor,
      ),
  };
  const scheduled = main[name]();
  const risen = warmUpSteps > 0 ? warmUp(warmUpSteps) : constantSchedule();
  return (step) => optimiser.rate * risen(step) * scheduled(step);
}
