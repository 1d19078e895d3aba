/**
 * Solves a stage's convex problem over features to the end: accelerated proximal gradients with restarts (Beck & Teboulle
 * 2009, O'Donoghue & Candès 2015), the slopes by the engine's own graph, the rest in float64.
 */

import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { Executable } from "../../engine/executable.ts";
import { grad } from "../../engine/grad.ts";
import { State } from "../../engine/state.ts";
import type { Parameter } from "../../engine/training/parameters.ts";
import type { Weights } from "../../methods/method.ts";
import type { Solve } from "../../methods/stage.ts";
import { evaluateSplits } from "../evaluate.ts";
import type { EpochRecord } from "../train.ts";
import type { OpenedStage } from "./open-stage.ts";
import type { RunParts } from "./run-parts.ts";
import { FeatureFeed } from "./stage-feed.ts";
import type { StageEnd } from "./stage-run.ts";

const defaults = { l1: 0, l2: 0, most: 10_000 };

/** Slopes are compared with what L1 holds against them: a weak penalty wants them smaller. */
function toleranceFor(l1: number): number {
  return l1 === 0 ? 1e-5 : Math.min(1e-5, l1 / 50);
}

/** Undefined where it was asked to stop: it begins again then, which takes seconds. */
export async function solveStage(
  opened: OpenedStage,
  given: Solve,
  run: RunParts,
): Promise<StageEnd | undefined> {
  const { stage, plan, programs, finished, before } = opened;
  const { hooks, dataset } = run;
  if (!plan.isFull)
    throw new CuelabError({
      kind: "failure",
      what: `stage "${stage.name}" of method "${run.data.method.name}" is to be solved, but is not a problem of all its images`,
      expected: 'batch: "full"',
    });
  const { l1, l2, most, over } = { ...defaults, ...given };
  const images = over === "sum" ? plan.count : 1;
  const { tolerance = toleranceFor(l1 / images) } = given;
  const problem = await StageProblem.open(opened, run);
  try {
    // Penalties beside a sum over n images are those beside their mean, divided by n.
    const solution = await minimise(problem, {
      l1: l1 / images,
      l2: l2 / images,
      tolerance,
      most,
      onStep: (steps, objective) => {
        hooks.onProgress({
          stage: stage.name,
          epoch: 1,
          epochs: 1,
          step: steps,
          steps: most,
          loss: objective,
          images: steps * plan.count,
          totalImages: most * plan.count,
        });
        return hooks.shouldStop();
      },
    });
    if (solution === undefined) return undefined;
    if (!solution.converged) throw notConverged(opened, run, solution.slope, { tolerance, most });
    for (const { name } of problem.parameters) programs.state.set(name, problem.valuesOf(solution.at, name));
    const weights = finished(
      new Map([
        ...before,
        ...programs.parameters.map(({ name }) => [name, programs.state.get(name)] as const),
      ]),
    );
    const evaluator = await opened.evaluator();
    const val = evaluator && (await evaluateSplits(["val"], weights, dataset, evaluator, hooks));
    if (evaluator !== undefined && val === undefined) return undefined;
    const record: EpochRecord = {
      stage: stage.name,
      epoch: 1,
      trainLoss: solution.objective,
      valLoss: val?.loss ?? null,
      valAccuracy: val?.accuracy ?? null,
    };
    hooks.onEpoch(record);
    return { history: [record], measured: [], kept: [{ epoch: 1, weights: copied(weights) }] };
  } finally {
    await problem.close();
  }
}

function copied(weights: Weights): Weights {
  return new Map([...weights].map(([name, values]) => [name, Float32Array.from(values)]));
}

/** The stage's loss and its slopes as a function of one long vector. */
class StageProblem {
  readonly parameters: readonly Parameter[];
  /** Whether a number is a weight, which penalties are about, and not a bias. */
  readonly isWeight: Uint8Array;
  readonly first: Float64Array;
  readonly metric: Float64Array;
  readonly #executable: Executable;
  readonly #fed: Record<string, Float32Array>;
  readonly #offsets: ReadonlyMap<string, { from: number; to: number }>;
  readonly #state = new State();

  private constructor(opened: OpenedStage, executable: Executable, fed: Record<string, Float32Array>) {
    const { programs } = opened;
    this.parameters = movedParameters(opened);
    this.#executable = executable;
    this.#fed = fed;
    let size = 0;
    this.#offsets = new Map(
      this.parameters.map(({ name }) => {
        const { length } = programs.state.get(name);
        size += length;
        return [name, { from: size - length, to: size }];
      }),
    );
    this.first = new Float64Array(size);
    this.isWeight = new Uint8Array(size);
    for (const [name, { from, to }] of this.#offsets) {
      this.first.set(programs.state.get(name), from);
      this.isWeight.fill(name.endsWith(".bias") ? 0 : 1, from, to);
    }
    this.metric = new Float64Array(size).fill(1);
    if (opened.feed instanceof FeatureFeed) this.#measure(opened.feed.meanSquares());
    for (const { name } of programs.parameters) this.#state.set(name, programs.state.get(name));
  }

  static async open(opened: OpenedStage, { spec }: RunParts): Promise<StageProblem> {
    const { programs, feed } = opened;
    const moved = movedParameters(opened);
    const slopes = grad(
      programs.loss,
      moved.map(({ tensor }) => tensor),
    );
    const outputs = Object.fromEntries(moved.map(({ name }, i) => [`slope/${name}`, slopes[i]!]));
    const executable = await Executable.compile(
      { outputs: { loss: programs.loss, ...outputs } },
      { device: spec.device, threads: spec.threads },
    );
    const [batch] = programs.batches as [StagePlanBatch];
    const places = batch.sampler(0)(0);
    const requests = [{ places: [places], inEpoch: 0, global: 0 }];
    for await (const [first] of feed.batches(requests, [batch.prefix]))
      return new StageProblem(opened, executable, {
        ...(first!.fed as Record<string, Float32Array>),
        ...(batch.feeds(places) as Record<string, Float32Array>),
      });
    throw new CuelabError({ kind: "failure", what: "a stage to be solved has no batch" });
  }

  /** A layer's loss bends along a weight as its feature is large; one that never differs from 0 bends not at all. */
  #measure(squares: Float64Array): void {
    for (const { name, tensor } of this.parameters) {
      if (tensor.shape.length !== 2 || tensor.shape[1] !== squares.length) continue;
      const { from, to } = lookUp(this.#offsets, name);
      for (let i = from; i < to; i++) this.metric[i] = squares[(i - from) % squares.length]! || 1;
    }
  }

  async at(point: Float64Array): Promise<{ loss: number; slopes: Float64Array }> {
    for (const [name, { from, to }] of this.#offsets) this.#state.set(name, point.subarray(from, to));
    const outputs = await this.#executable.run(this.#fed, { state: this.#state });
    const slopes = new Float64Array(point.length);
    for (const [name, { from }] of this.#offsets) slopes.set(outputs[`slope/${name}`]!, from);
    return { loss: outputs.loss![0]!, slopes };
  }

  valuesOf(point: Float64Array, name: string): Float64Array {
    const { from, to } = lookUp(this.#offsets, name);
    return point.subarray(from, to);
  }

  async close(): Promise<void> {
    await this.#executable.close();
  }
}

type StagePlanBatch = OpenedStage["programs"]["batches"][0];

function movedParameters({ programs }: OpenedStage): Parameter[] {
  const moved = new Set(programs.passes[0]!.moved);
  return programs.parameters.filter(({ name }) => moved.has(name));
}

interface MinimiseOptions {
  l1: number;
  l2: number;
  tolerance: number;
  most: number;
  /** True ends it. */
  onStep: (steps: number, objective: number) => boolean;
}

export interface ConvexProblem {
  first: Float64Array;
  isWeight: Uint8Array;
  /** How steep the loss is along each number, as far as that is known: steps are shorter where it is steeper. */
  metric?: Float64Array;
  at(point: Float64Array): Promise<{ loss: number; slopes: Float64Array }>;
}

interface Solution {
  at: Float64Array;
  /** The loss and both penalties. */
  objective: number;
  /** Largest slope that is left. */
  slope: number;
  converged: boolean;
}

/**
 * Loss + l1·Σ|w| + l2/2·Σw² over weights; undefined where it was asked to stop. Near the solution losses differ by less than
 * float32 tells, so that slopes decide all: how long a step may be, and when momentum leads astray.
 */
export async function minimise(
  problem: ConvexProblem,
  { l1, l2, tolerance, most, onStep }: MinimiseOptions,
): Promise<Solution | undefined> {
  const { first, isWeight } = problem;
  const metric = problem.metric ?? new Float64Array(first.length).fill(1);
  const smooth = async (point: Float64Array) => {
    const { loss, slopes } = await problem.at(point);
    let value = loss;
    for (let i = 0; i < point.length; i++) {
      if (isWeight[i] === 0) continue;
      value += (l2 / 2) * point[i]! ** 2;
      slopes[i]! += l2 * point[i]!;
    }
    return { value, slopes };
  };
  const absolute = (point: Float64Array) =>
    point.reduce((total, value, i) => total + (isWeight[i] === 1 ? l1 * Math.abs(value) : 0), 0);
  let point = Float64Array.from(first);
  let ahead = Float64Array.from(first);
  let momentum = 1;
  // Found by doubling at the first step.
  let curvature = 2 ** -10;
  let objective = Number.POSITIVE_INFINITY;
  let slope = Number.POSITIVE_INFINITY;
  for (let step = 1; step <= most; step++) {
    const here = await smooth(ahead);
    let next = proximal(ahead, here.slopes, { isWeight, l1, metric, curvature });
    let there = await smooth(next);
    while (!isBelowParabola(ahead, next, here.slopes, there.slopes, metric, curvature)) {
      curvature *= 2;
      next = proximal(ahead, here.slopes, { isWeight, l1, metric, curvature });
      there = await smooth(next);
    }
    objective = there.value + absolute(next);
    slope = largestMove(next, ahead, metric, curvature);
    if (slope <= tolerance) return { at: next, objective, slope, converged: true };
    const turns = turnsBack(point, ahead, next, metric);
    const following = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    const weight = turns ? 0 : (momentum - 1) / following;
    ahead = next.map((value, i) => value + weight * (value - point[i]!));
    momentum = turns ? 1 : following;
    point = next;
    // The loss is steepest at the beginning: steps may grow as it flattens.
    curvature *= shrinking;
    if (onStep(step, objective)) return undefined;
  }
  return { at: point, objective, slope, converged: false };
}

/** How much of the assumed curvature is left for the next step to try. */
const shrinking = 0.95;

/**
 * Whether a convex loss lies below the parabola that the step has assumed: it lies no further above its tangent than the
 * slopes at both ends differ along the step.
 */
function isBelowParabola(
  from: Float64Array,
  to: Float64Array,
  slopesFrom: Float64Array,
  slopesTo: Float64Array,
  metric: Float64Array,
  curvature: number,
): boolean {
  let [rise, length] = [0, 0];
  for (let i = 0; i < from.length; i++) {
    const moved = to[i]! - from[i]!;
    rise += (slopesTo[i]! - slopesFrom[i]!) * moved;
    length += metric[i]! * moved * moved;
  }
  return rise <= (curvature / 2) * length || length === 0;
}

/** Momentum has led past the lowest point along its way (O'Donoghue & Candès 2015, the gradient scheme). */
function turnsBack(
  point: Float64Array,
  ahead: Float64Array,
  next: Float64Array,
  metric: Float64Array,
): boolean {
  let along = 0;
  for (let i = 0; i < next.length; i++) along += metric[i]! * (ahead[i]! - next[i]!) * (next[i]! - point[i]!);
  return along > 0;
}

interface ProximalOptions {
  isWeight: Uint8Array;
  l1: number;
  metric: Float64Array;
  curvature: number;
}

/** Down the slopes, then towards zero by L1's threshold and exactly zero within it. */
function proximal(
  from: Float64Array,
  slopes: Float64Array,
  { isWeight, l1, metric, curvature }: ProximalOptions,
): Float64Array<ArrayBuffer> {
  return Float64Array.from(from, (value, i) => {
    const steepness = curvature * metric[i]!;
    const moved = value - slopes[i]! / steepness;
    if (isWeight[i] === 0) return moved;
    return Math.sign(moved) * Math.max(0, Math.abs(moved) - l1 / steepness);
  });
}

/** The slope that is left: zero at the solution, also where L1 holds a weight at zero. */
function largestMove(
  next: Float64Array,
  from: Float64Array,
  metric: Float64Array,
  curvature: number,
): number {
  let largest = 0;
  for (let i = 0; i < next.length; i++)
    largest = Math.max(largest, curvature * metric[i]! * Math.abs(next[i]! - from[i]!));
  return largest;
}

function notConverged(
  { stage }: OpenedStage,
  { data }: RunParts,
  slope: number,
  { tolerance, most }: { tolerance: number; most: number },
): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: `stage "${stage.name}" of method "${data.method.name}" was not solved`,
    expected: `no slope larger than ${tolerance} after ${most.toLocaleString("en")} steps`,
    got: `${slope.toExponential(1)}`,
    todo: "penalise more, standardise the features, or allow more steps",
  });
}
