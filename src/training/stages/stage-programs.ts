/** A stage's programs over one state: the updates of a training step, and what is fed for them. */

import { createHash } from "node:crypto";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { randomStream } from "../../core/random.ts";
import {
  abs,
  add,
  input,
  maximum,
  mul,
  randomNormal,
  randomUniform,
  sign,
  sub,
  sum,
  type Tensor,
} from "../../engine/expressions.ts";
import { mean } from "../../engine/ops/reductions.ts";
import { State } from "../../engine/state.ts";
import { initialise, type Parameter } from "../../engine/training/parameters.ts";
import type { Weights } from "../../methods/method.ts";
import type { Pass, Stage } from "../../methods/stage.ts";
import type { Network } from "../../models/model.ts";
import { checkFrozen } from "../../models/weights/frozen.ts";
import type { RunSpec } from "../run-spec.ts";
import { layersOverFeatures } from "./feature-layers.ts";
import type { MethodData } from "./method-data.ts";
import { isMethodState, MethodState } from "./method-state.ts";
import { isOwn, isPartOf, type OwnParts } from "./own-parts.ts";
import { type TrainingPass, trainingPasses } from "./passes.ts";
import { overFeatures, ownOverFeatures, type RunNetwork } from "./run-network.ts";
import type { Sampler } from "./samplers.ts";
import { type Mixed, StageBatch, type StageInputs } from "./stage-batch.ts";
import type { StagePlan } from "./stage-plan.ts";
import { chosenOptimiser, makeOptimiser, ratesOf } from "./stage-rates.ts";

export interface StagePrograms {
  /** Run one after the other on every batch. */
  passes: TrainingPass[];
  /** Scalar loss alone, before any penalty: what a solver lowers. */
  loss: Tensor;
  /** Of all passes. */
  losses: readonly Tensor[];
  /** Of the network and of the method's own. */
  parameters: readonly Parameter[];
  state: State;
  /** Digest of the first values of what is the method's own: they are in no graph. */
  beginning: string;
  /** Names of what the stage may change of the weights: what it moves, and running statistics. */
  moved: string[];
  /** The batch, and the second one where the method asked for it. */
  batches: readonly { prefix: string; sampler: Sampler; feeds: FeedsOf }[];
  /** Columns of the history. */
  columns: string[];
  /** What people should know of how the method meets these data. */
  notes: string[];
}

type FeedsOf = (places: Uint32Array, mixed?: Mixed) => Record<string, Int32Array | Float32Array>;

export interface StageContextOptions {
  spec: RunSpec;
  data: MethodData;
  network: RunNetwork;
  inputs: StageInputs;
  /** Whether these are features: the network is then its last layer. */
  features: boolean;
  /** Whether images are mixed with partners. */
  mixes: boolean;
  /** Values to begin with; parameters that have none begin at random. */
  weights: Weights;
  /** What a twin of the network begins with, where that is not at random. */
  first: Weights | undefined;
}

export function buildStage(stage: Stage, plan: StagePlan, options: StageContextOptions): StagePrograms {
  const { spec, data, inputs, features, mixes } = options;
  const freeze = [...(features ? [] : (spec.freeze ?? [])), ...(stage.freeze ?? [])];
  const { network, own } = options.network.training(freeze);
  const state = new MethodState();
  const batchOf = (prefix: string) =>
    new StageBatch({ stage, plan, data, inputs, seed: spec.seed, mixes, prefix });
  const batch = batchOf("");
  let other: StageBatch | undefined;
  const step = stage.build({
    network: features ? overFeatures(network) : network,
    own: features ? ownOverFeatures(own) : own,
    batch,
    other: () => {
      other ??= batchOf("other/");
      return other;
    },
    classes: network.classes,
    state: state.declare,
    random: (name, shape, distribution = "uniform") =>
      (distribution === "normal" ? randomNormal : randomUniform)(`method/${name}`, shape),
  });
  const { loss, next = {}, further = [], columns = {} } = step;
  const ownNext = state.renamed(next);
  if (!features)
    checkFrozen(
      freeze.filter((name) => !isOwnPart(name, own.parameters.all)),
      network,
      { trainedBeside: own.parameters.trained.length > 0 },
    );
  const penalties = features ? penaltiesOf(stage, spec) : undefined;
  // Of the network's last layer, or of those that a method has in its place.
  const penalised =
    penalties === undefined
      ? []
      : penalisedLayers(step.loss, parametersOf(network, own), options.network.model.head);
  const optimiserOf = (pass: Pass) => chosenOptimiser(spec, stage.optimiser, pass.optimiser);
  const passes = trainingPasses({
    passes: [step, ...further].map((pass, i) => ({
      loss:
        i === 0 && penalties
          ? penalised.reduce((total, { tensor }) => add(total, l2Penalty(tensor, penalties.l2)), loss)
          : pass.loss,
      moves: pass.moves && ((name: string) => movesOf(pass.moves!, name)),
      together: i > 0 && further[i - 1]!.together === true,
      optimiser: (scope: string) => makeOptimiser(optimiserOf(pass), scope),
      rate: ratesOf(optimiserOf(pass), spec, plan, pass.optimiser?.schedule ?? stage.optimiser?.schedule),
    })),
    parameters: [...network.parameters.trained, ...own.parameters.trained],
    statistics: { ...network.layers.updates, ...own.statistics },
    next: ownNext,
    outputs: Object.fromEntries(
      Object.entries(columns).map(([name, tensor]) => [
        `column/${name}`,
        tensor.shape.length === 0 ? tensor : mean(tensor),
      ]),
    ),
    ...(spec.clipNorm === undefined ? {} : { clipNorm: spec.clipNorm }),
    ...(spec.averageDecay === undefined ? {} : { averageDecay: spec.averageDecay }),
  });
  if (penalties && penalties.l1 > 0) {
    const { momentum } = optimiserOf(step);
    const moved = passes[0]!.program.next as Record<string, Tensor>;
    // At rest the velocity is the gradient / (1 − momentum), so the threshold is scaled alike.
    for (const { name } of penalised)
      moved[name] = shrink(moved[name]!, mul(input("sgd.rate", []), penalties.l1 / (1 - momentum)));
  }
  const parameters = [...network.parameters.all, ...own.parameters.all];
  const begun = new State();
  const given = new Map([
    // Last layers that begin anew begin at zero: a second one that did so too would stay the first one's twin.
    ...(spec.lastLayer === undefined || spec.lastLayer.fromHead
      ? own.likeNetwork(options.first ?? new Map())
      : []),
    ...(spec.lastLayer?.fromHead ? own.likeHead(options.first, options.network.model.head) : []),
    ...options.weights,
  ]);
  const present = parameters.filter(({ name }) => given.has(name));
  initialise(
    parameters.filter(({ name }) => !given.has(name)),
    begun,
    // Whatever the stage: `fresh` means the run's first weights, which are the same for all stages.
    (key) => randomStream(spec.seed, key).at(0),
  );
  for (const { name, tensor } of present) {
    const values = lookUp(given, name);
    checkSize(name, tensor, values, stage, data);
    begun.set(name, values);
  }
  for (const pass of passes) pass.prepare(begun);
  state.initialise(begun);
  const statistics = Object.keys({ ...network.layers.updates, ...own.statistics });
  const batches = other === undefined ? [batch] : [batch, other];
  return {
    passes,
    loss,
    losses: [step, ...further].map((pass) => pass.loss),
    parameters,
    state: begun,
    beginning: digestOf(begun),
    moved: [...new Set([...passes.flatMap(({ moved }) => moved), ...statistics])],
    batches: batches.map((each) => ({ prefix: each.prefix, sampler: each.sampler, feeds: each.feeds })),
    columns: Object.keys(columns),
    notes: batch.notes,
  };
}

/** Of the last layer over features: the stage's own, or the run's. */
function penaltiesOf({ penalise }: Stage, { lastLayer }: RunSpec): { l1: number; l2: number } | undefined {
  return penalise === undefined ? lastLayer : { l1: 0, l2: 0, ...penalise };
}

function digestOf(state: State): string {
  const hash = createHash("sha256");
  for (const name of state.names.filter((each) => isOwn(each) || isMethodState(each)).toSorted()) {
    const { buffer, byteOffset, byteLength } = state.get(name);
    hash.update(`|${name}|`).update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return hash.digest("hex");
}

function isOwnPart(name: string, parameters: readonly Parameter[]): boolean {
  return parameters.some((parameter) => isPartOf(parameter.name, name));
}

function movesOf(moves: readonly string[], name: string): boolean {
  return moves.some((part) => (part === "network" ? !isOwn(name) : isPartOf(name, part)));
}

function l2Penalty(tensor: Tensor, l2: number): Tensor {
  return mul(sum(mul(tensor, tensor)), l2 / 2);
}

const parametersOf = (network: Network, own: OwnParts) => [...network.parameters.all, ...own.parameters.all];

function penalisedLayers(loss: Tensor, parameters: readonly Parameter[], head: string): Parameter[] {
  const own = parameters.filter(({ name }) => name === `${head}.weight`);
  if (own.length > 0) return own;
  const layers = new Set(layersOverFeatures([loss], parameters));
  return parameters.filter(({ name }) => layers.has(name));
}

/** The proximal step of L1: towards zero by the threshold, and exactly zero within it. */
function shrink(x: Tensor, threshold: Tensor): Tensor {
  return mul(sign(x), maximum(sub(abs(x), threshold), 0));
}

function checkSize(
  name: string,
  { shape }: Tensor,
  values: Float32Array,
  stage: Stage,
  data: MethodData,
): void {
  const size = shape.reduce((a, b) => a * b, 1);
  if (values.length === size) return;
  throw new CuelabError({
    kind: "failure",
    what: `stage "${stage.name}" of method "${data.method.name}" gives "${name}" another shape than it had`,
    expected: `${values.length} values, as an earlier stage left them`,
    got: `[${shape.join(", ")}]`,
  });
}
