/** A run's programs over one state: the updates of a training step, and the network as it is evaluated. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { randomStream } from "../core/random.ts";
import { resolveSettings } from "../core/settings.ts";
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
import { methods } from "../methods/index.ts";
import type { Method } from "../methods/method.ts";
import { models } from "../models/index.ts";
import { Network } from "../models/model.ts";
import type { PixelStatistics } from "../models/pixels.ts";
import { checkFrozen, frozenLayers } from "../models/weights/frozen.ts";
import { mixings } from "./augmentations.ts";
import { Branches } from "./branches.ts";
import { MethodBatch } from "./method-batch.ts";
import { MethodState } from "./method-state.ts";
import { type TrainingPass, trainingPasses } from "./passes.ts";
import { lengthOf, type RunSpec } from "./run-spec.ts";
import type { Sampler } from "./samplers.ts";

export interface RunPrograms {
  /** Run one after the other on every batch. */
  passes: TrainingPass[];
  evaluate: Program;
  state: State;
  /** Names of what the trained network consists of: weights and running statistics. */
  weights: string[];
  rate: (step: number) => number;
  /** Which training images a batch holds. */
  sampler: Sampler;
  /** What is fed for a batch beside its images. */
  feeds: MethodBatch["feeds"];
  /** What people should know of how the method meets these data. */
  notes: string[];
}

export interface ProgramOptions {
  batchSize: number;
  stepsPerEpoch: number;
  pixels: PixelStatistics | undefined;
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
  const mixes = spec.augment.some((name) => name in mixings);
  const model = models.get(spec.model.name);
  const shared = { classes: dataset.classNames.length, options: spec.model.options, pixels };
  const freeze = spec.freeze ?? [];
  const training = { ...shared, mode: "train" as const, frozen: frozenLayers(freeze, model.head) };
  const network = new Network(model, training);
  const branches = new Branches((options) => new Network(model, { ...training, ...options }));
  const batch = new MethodBatch(method, spec, dataset, { batchSize, stepsPerEpoch, mixes });
  const own = new MethodState();
  const {
    loss,
    next = {},
    further = [],
  } = method.build({
    network,
    batch,
    training: batch.training,
    config: resolveSettings(method.settings, spec.method.settings),
    state: own.declare,
    parameter: branches.parameter,
    twin: branches.twin,
  });
  const ownNext = own.renamed(next);
  checkFrozen(freeze, network);
  const passes = trainingPasses({
    losses: [loss, ...further.map((pass) => pass.loss)],
    parameters: [...network.parameters.trained, ...branches.parameters.trained],
    optimiser: (scope) => optimiserOf(spec.optimiser, scope),
    statistics: { ...network.layers.updates, ...branches.statistics },
    next: ownNext,
    ...(spec.clipNorm === undefined ? {} : { clipNorm: spec.clipNorm }),
    ...(spec.averageDecay === undefined ? {} : { averageDecay: spec.averageDecay }),
  });
  const state = new State();
  const given = new Map([...(weights ?? []), ...branches.likeNetwork(weights ?? new Map())]);
  const all = [...network.parameters.all, ...branches.parameters.all];
  const fresh = all.filter(({ name }) => !given.has(name));
  initialise(fresh, state, (key) => randomStream(spec.seed, key).at(0));
  for (const [name, values] of given) state.set(name, values);
  for (const pass of passes) pass.prepare(state);
  own.initialise(state);
  const evaluated = new Network(model, { ...shared, mode: "evaluate" });
  return {
    passes,
    evaluate: { outputs: { logits: evaluated.logits(batch.images) } },
    state,
    weights: evaluated.parameters.all.map(({ name }) => name),
    rate: rateOf(spec, stepsPerEpoch),
    sampler: batch.sampler,
    feeds: batch.feeds,
    notes: batch.notes,
  };
}

function optimiserOf(
  { name, weightDecay, momentum, nesterov }: RunSpec["optimiser"],
  scope: string,
): Optimiser {
  switch (name) {
    case "adam":
      return adam({ weightDecay, scope });
    case "adamw":
      return adamw({ weightDecay, scope });
    case "sgd":
      return sgd({ weightDecay, momentum, nesterov, scope });
    default:
      return name satisfies never;
  }
}

function rateOf(spec: RunSpec, stepsPerEpoch: number): (step: number) => number {
  const { optimiser, schedule } = spec;
  const { name, milestones, factor, warmUpSteps } = schedule;
  const { steps, epochs } = lengthOf(spec, stepsPerEpoch);
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
