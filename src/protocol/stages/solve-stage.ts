/**
 * Solves a stage's convex problem over features to the end: accelerated proximal gradients with restarts (Beck & Teboulle
 * 2009, O'Donoghue & Candès 2015), the slopes by the engine's own graph, the rest in float64.
 */

import { CuelabError } from "../../core/errors.ts";
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
import type { StageEnd } from "./stage-run.ts";

/** Of a loss in float32, relative to it. */
const noise = 2e-7;

const defaults = { l1: 0, l2: 0, tolerance: 1e-5, most: 10_000 };

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
  const { l1, l2, tolerance, most } = { ...defaults, ...given };
  const images = given.over === "sum" ? plan.count : 1;
  const problem = await Problem.open(opened, run);
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
class Problem {
  readonly parameters: readonly Parameter[];
  /** Whether a number is a weight, which penalties are about, and not a bias. */
  readonly isWeight: Uint8Array;
  readonly first: Float64Array;
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
    for (const { name } of programs.parameters) this.#state.set(name, programs.state.get(name));
  }

  static async open(opened: OpenedStage, { spec }: RunParts): Promise<Problem> {
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
      return new Problem(opened, executable, {
        ...(first!.fed as Record<string, Float32Array>),
        ...(batch.feeds(places) as Record<string, Float32Array>),
      });
    throw new CuelabError({ kind: "failure", what: "a stage to be solved has no batch" });
  }

  async at(point: Float64Array): Promise<{ loss: number; slopes: Float64Array }> {
    for (const [name, { from, to }] of this.#offsets) this.#state.set(name, point.subarray(from, to));
    const outputs = await this.#executable.run(this.#fed, { state: this.#state });
    const slopes = new Float64Array(point.length);
    for (const [name, { from }] of this.#offsets) slopes.set(outputs[`slope/${name}`]!, from);
    return { loss: outputs.loss![0]!, slopes };
  }

  valuesOf(point: Float64Array, name: string): Float64Array {
    const { from, to } = this.#offsets.get(name)!;
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

/** Loss + l1·Σ|w| + l2/2·Σw² over weights; undefined where it was asked to stop. */
export async function minimise(
  problem: ConvexProblem,
  { l1, l2, tolerance, most, onStep }: MinimiseOptions,
): Promise<Solution | undefined> {
  const { first, isWeight } = problem;
  const size = first.length;
  const smooth = async (point: Float64Array) => {
    const { loss, slopes } = await problem.at(point);
    let value = loss;
    for (let i = 0; i < size; i++) {
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
  // Found by doubling at the first step, and never lowered: near the solution the losses' noise would hide a step too long.
  let curvature = 2 ** -10;
  let objective = Number.POSITIVE_INFINITY;
  let slope = Number.POSITIVE_INFINITY;
  for (let step = 1; step <= most; step++) {
    const here = await smooth(ahead);
    let next = proximal(ahead, here.slopes, isWeight, l1, curvature);
    // The step is right once the parabola that it assumes lies above the loss; float32 slopes leave a trace of noise.
    for (;;) {
      const { value } = await smooth(next);
      let bound = here.value;
      for (let i = 0; i < size; i++) {
        const moved = next[i]! - ahead[i]!;
        bound += here.slopes[i]! * moved + (curvature / 2) * moved * moved;
      }
      if (value <= bound + noise * Math.max(1, Math.abs(bound))) {
        const reached = value + absolute(next);
        slope = largestMove(next, ahead, curvature);
        const rose = reached > objective;
        objective = reached;
        if (slope <= tolerance) return { at: next, objective, slope, converged: true };
        const following = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
        const weight = rose ? 0 : (momentum - 1) / following;
        // Momentum that leads upwards is given up: the problem is flatter or steeper than it assumed.
        ahead = next.map((value, i) => value + weight * (value - point[i]!));
        momentum = rose ? 1 : following;
        point = Float64Array.from(next);
        break;
      }
      curvature *= 2;
      next = proximal(ahead, here.slopes, isWeight, l1, curvature);
    }
    if (onStep(step, objective)) return undefined;
  }
  return { at: point, objective, slope, converged: false };
}

/** Down the slopes, then towards zero by L1's threshold and exactly zero within it. */
function proximal(
  from: Float64Array,
  slopes: Float64Array,
  isWeight: Uint8Array,
  l1: number,
  curvature: number,
): Float64Array<ArrayBuffer> {
  const threshold = l1 / curvature;
  return Float64Array.from(from, (value, i) => {
    const moved = value - slopes[i]! / curvature;
    if (isWeight[i] === 0) return moved;
    return Math.sign(moved) * Math.max(0, Math.abs(moved) - threshold);
  });
}

/** The slope that is left: zero at the solution, also where L1 holds a weight at zero. */
function largestMove(next: Float64Array, from: Float64Array, curvature: number): number {
  let largest = 0;
  for (let i = 0; i < next.length; i++)
    largest = Math.max(largest, curvature * Math.abs(next[i]! - from[i]!));
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
