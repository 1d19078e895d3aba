/**
 * Thousands of linear heads over the same features, solved at once: of all that are on their way the logits are one product,
 * and so are the slopes. Each has labels, weights of images and a penalty of its own, and is what it would be alone.
 */

import { CuelabError } from "../../core/errors.ts";
import { Executable } from "../../engine/executable.ts";
import {
  abs,
  add,
  broadcastTo,
  exp,
  input,
  log,
  logSoftmax,
  matmul,
  maximum,
  mul,
  neg,
  reshape,
  sigmoid,
  sub,
  sum,
  type Tensor,
  transpose,
} from "../../engine/expressions.ts";
import { meanProduct, preconditioner } from "./curvature.ts";
import { blockRows, type HeadRows, someBlocks } from "./head-rows.ts";
import { HeadSolver, type Preconditioner } from "./lbfgs.ts";

/** Mean over images, each as its weight says, of the cross entropy, and l2/2·Σw² over weights. */
export interface HeadProblem {
  /** Class of each row. */
  labels: ArrayLike<number>;
  classes: number;
  l2: number;
  /** How much each row counts; all the same where it is left out. */
  weights?: ArrayLike<number> | undefined;
}

export interface SolvedHead {
  /** [classes, width], over the rows as they were given. */
  weight: Float32Array;
  bias: Float32Array;
  objective: number;
  evaluations: number;
}

export interface SolveHeadsOptions {
  threads?: number;
  /** What may be left of the objective, of itself. */
  tolerance?: number;
  /** Looks at all rows, for each head, before it is given up. */
  most?: number;
  shouldStop?: () => boolean;
  onProgress?: (solved: number, heads: number) => void;
}

/** Columns of logits at a time. */
const columnsAtOnce = [256, 64, 16, 4];
/** A first look is taken at fewer rows, where there are many. */
const firstLook = { every: 8, from: 16 * blockRows, tolerance: 1e-3 };

export async function solveHeads(
  rows: HeadRows,
  problems: readonly HeadProblem[],
  { threads = 2, tolerance = 1e-6, most = 500, shouldStop = () => false, onProgress }: SolveHeadsOptions = {},
): Promise<SolvedHead[] | undefined> {
  const { width } = rows;
  const product = await meanProduct(rows, threads);
  const byPenalty = new Map<number, Preconditioner>();
  const preconditionerOf = (penalty: number) => {
    const known = byPenalty.get(penalty) ?? preconditioner(product, width, penalty);
    byPenalty.set(penalty, known);
    return known;
  };
  const solved: SolvedHead[] = [];
  let done = 0;
  // Heads of as many classes share a graph.
  for (const classes of new Set(problems.map((problem) => problem.classes))) {
    const places = [...problems.keys()].filter((i) => problems[i]!.classes === classes);
    const columns = columnsOf(classes);
    const some = places.map((i) => problems[i]!);
    const size = columns * (width + 1);
    const memory = Math.max(3, Math.min(10, Math.floor(2 ** 28 / (16 * size * places.length))));
    const start = (first: readonly Float64Array[] | undefined, stop: number) =>
      some.map(
        ({ l2 }, i) =>
          new HeadSolver(first?.[i] ?? new Float64Array(size), preconditionerOf(penaltyOf(l2, classes)), {
            tolerance: stop,
            memory,
          }),
      );
    const graphs = new HeadGraphs(width, classes, threads);
    try {
      let first: Float64Array[] | undefined;
      const fewer = rows.count >= firstLook.from ? someBlocks(rows, firstLook.every) : undefined;
      if (fewer !== undefined) {
        const looking = start(undefined, firstLook.tolerance);
        const partly = some.map((problem) => atPlaces(problem, fewer.places));
        if (!(await drive(fewer, partly, looking, graphs, { most: 60, shouldStop }))) return undefined;
        first = looking.map(({ point }) => point);
      }
      const solvers = start(first, tolerance);
      const told = (finished: number) => onProgress?.(done + finished, problems.length);
      if (!(await drive(rows, some, solvers, graphs, { most, shouldStop, told }))) return undefined;
      for (const [i, solver] of solvers.entries()) {
        if (solver.state !== "solved") throw notSolved(solver, most);
        solved[places[i]!] = headOf(solver, classes, width);
      }
      done += places.length;
    } finally {
      await graphs.close();
    }
  }
  return solved;
}

/** Two classes need one column: the difference of both heads, whose penalty is half as large. */
const columnsOf = (classes: number) => (classes === 2 ? 1 : classes);
const penaltyOf = (l2: number, classes: number) => (classes === 2 ? l2 / 2 : l2);

function atPlaces({ labels, weights, ...problem }: HeadProblem, places: Uint32Array): HeadProblem {
  return {
    ...problem,
    labels: Array.from(places, (place) => labels[place]!),
    ...(weights && { weights: Float32Array.from(places, (place) => weights[place]!) }),
  };
}

interface HeadDriveOptions {
  most: number;
  shouldStop: () => boolean;
  told?: (solved: number) => void;
}

/** Asks at all rows for every head that is still on its way, until none is; false where it was asked to stop. */
async function drive(
  rows: HeadRows,
  problems: readonly HeadProblem[],
  solvers: readonly HeadSolver[],
  graphs: HeadGraphs,
  { most, shouldStop, told }: HeadDriveOptions,
): Promise<boolean> {
  const totals = problems.map(({ weights }) => (weights === undefined ? rows.count : total(weights)));
  for (;;) {
    const going = [...solvers.keys()].filter(
      (i) => solvers[i]!.state === "going" && solvers[i]!.evaluations < most,
    );
    told?.(solvers.length - going.length);
    if (going.length === 0) return true;
    for (let from = 0; from < going.length; ) {
      const graph = await graphs.of(going.length - from);
      const some = going.slice(from, from + graph.heads);
      from += some.length;
      const found = await graph.at(
        rows,
        some.map((i) => ({ ...problems[i]!, point: solvers[i]!.trial, total: totals[i]! })),
        shouldStop,
      );
      if (found === undefined) return false;
      for (const [k, i] of some.entries()) solvers[i]!.tell(found[k]!.value, found[k]!.slopes);
    }
  }
}

function total(weights: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += weights[i]!;
  return sum;
}

interface AskedHead extends HeadProblem {
  point: Float64Array;
  total: number;
}

interface FoundPoint {
  value: number;
  slopes: Float64Array;
}

/** Graphs for so many heads at a time, each compiled when it is first wanted. */
class HeadGraphs {
  readonly #width: number;
  readonly #classes: number;
  readonly #threads: number;
  readonly #open = new Map<number, HeadGraph>();

  constructor(width: number, classes: number, threads: number) {
    this.#width = width;
    this.#classes = classes;
    this.#threads = threads;
  }

  /** The smallest that takes all, or the largest. */
  async of(wanted: number): Promise<HeadGraph> {
    const columns = columnsOf(this.#classes);
    const sizes = [...new Set(columnsAtOnce.map((most) => Math.max(1, Math.floor(most / columns))))];
    const heads = sizes.findLast((size) => size >= wanted) ?? sizes[0]!;
    const known =
      this.#open.get(heads) ?? (await HeadGraph.open(heads, this.#width, this.#classes, this.#threads));
    this.#open.set(heads, known);
    return known;
  }

  async close(): Promise<void> {
    for (const graph of this.#open.values()) await graph.close();
  }
}

class HeadGraph {
  readonly heads: number;
  readonly #width: number;
  readonly #classes: number;
  readonly #executable: Executable;

  private constructor(heads: number, width: number, classes: number, executable: Executable) {
    this.heads = heads;
    this.#width = width;
    this.#classes = classes;
    this.#executable = executable;
  }

  static async open(heads: number, width: number, classes: number, threads: number): Promise<HeadGraph> {
    const columns = heads * columnsOf(classes);
    const x = input("x", [blockRows, width]);
    const logits = add(matmul(x, input("weight", [width, columns])), input("bias", [columns]));
    const counts = input("counts", [blockRows, heads]);
    const { losses, slopes } = classes === 2 ? ofTwo(logits, counts) : ofMany(logits, counts, heads, classes);
    const outputs = { losses, weight: matmul(transpose(x), slopes), bias: sum(slopes, [0]) };
    return new HeadGraph(heads, width, classes, await Executable.compile({ outputs }, { threads }));
  }

  async at(
    rows: HeadRows,
    asked: readonly AskedHead[],
    shouldStop: () => boolean,
  ): Promise<FoundPoint[] | undefined> {
    const [width, each] = [this.#width, columnsOf(this.#classes)];
    const columns = this.heads * each;
    const [weight, bias] = [new Float32Array(width * columns), new Float32Array(columns)];
    for (const [head, { point }] of asked.entries())
      for (let c = 0; c < each; c++) {
        const from = c * (width + 1);
        for (let k = 0; k < width; k++) weight[k * columns + head * each + c] = point[from + k]!;
        bias[head * each + c] = point[from + width]!;
      }
    const values = new Float64Array(this.heads);
    const [ofWeights, ofBiases] = [new Float64Array(weight.length), new Float64Array(columns)];
    const counts = new Float32Array(blockRows * this.heads);
    const targets = new Float32Array(blockRows * columns);
    for (let block = 0; block * blockRows < rows.count; block++) {
      if (shouldStop()) return undefined;
      const from = block * blockRows;
      const used = Math.min(blockRows, rows.count - from);
      this.#fill(asked, from, used, counts, targets);
      const fed = { x: await rows.block(block), weight, bias, counts, targets };
      const found = (await this.#executable.run(fed)) as Record<string, Float32Array>;
      addTo(values, found.losses!);
      addTo(ofWeights, found.weight!);
      addTo(ofBiases, found.bias!);
    }
    return asked.map(({ point, l2, total: all }, head) => {
      const slopes = new Float64Array(point.length);
      const penalty = penaltyOf(l2, this.#classes);
      let value = values[head]! / all;
      for (let c = 0; c < each; c++) {
        const [at, column] = [c * (width + 1), head * each + c];
        for (let k = 0; k < width; k++) {
          slopes[at + k] = ofWeights[k * columns + column]! / all + penalty * point[at + k]!;
          value += (penalty / 2) * point[at + k]! ** 2;
        }
        slopes[at + width] = ofBiases[column]! / all;
      }
      return { value, slopes };
    });
  }

  async close(): Promise<void> {
    await this.#executable.close();
  }

  /** How much each row counts for each head, and the class that it has for it; rows that fill up count nothing. */
  #fill(
    asked: readonly AskedHead[],
    from: number,
    used: number,
    counts: Float32Array,
    targets: Float32Array,
  ): void {
    const [heads, classes] = [this.heads, this.#classes];
    counts.fill(0);
    targets.fill(0);
    for (const [head, { weights, labels }] of asked.entries()) {
      for (let row = 0; row < used; row++) {
        counts[row * heads + head] = weights === undefined ? 1 : weights[from + row]!;
        const label = labels[from + row]!;
        if (classes === 2) targets[row * heads + head] = label;
        else targets[(row * heads + head) * classes + label] = 1;
      }
    }
  }
}

/** log(1 + eᶻ) − y·z, and its slope σ(z) − y, as often as the row counts. */
function ofTwo(logits: Tensor, counts: Tensor): { losses: Tensor; slopes: Tensor } {
  const targets = input("targets", logits.shape);
  const raised = add(maximum(logits, 0), log(add(1, exp(neg(abs(logits))))));
  return {
    losses: sum(mul(counts, sub(raised, mul(targets, logits))), [0]),
    slopes: mul(counts, sub(sigmoid(logits), targets)),
  };
}

function ofMany(
  logits: Tensor,
  counts: Tensor,
  heads: number,
  classes: number,
): { losses: Tensor; slopes: Tensor } {
  const shape = [blockRows, heads, classes];
  const targets = reshape(input("targets", logits.shape), shape);
  const logs = logSoftmax(reshape(logits, shape));
  const often = broadcastTo(reshape(counts, [blockRows, heads, 1]), shape);
  return {
    losses: neg(sum(mul(often, mul(targets, logs)), [0, 2])),
    slopes: reshape(mul(often, sub(exp(logs), targets)), logits.shape),
  };
}

function addTo(into: Float64Array, from: Float32Array): void {
  for (let i = 0; i < into.length; i++) into[i]! += from[i]!;
}

function headOf({ point, value, evaluations }: HeadSolver, classes: number, width: number): SolvedHead {
  const weight = new Float32Array(classes * width);
  const bias = new Float32Array(classes);
  for (let c = 0; c < classes; c++) {
    // Of two, each has half of the difference.
    const [column, share] = classes === 2 ? [0, c === 1 ? 0.5 : -0.5] : [c, 1];
    const from = column * (width + 1);
    for (let k = 0; k < width; k++) weight[c * width + k] = share * point[from + k]!;
    bias[c] = share * point[from + width]!;
  }
  return { weight, bias, objective: value, evaluations };
}

function notSolved({ value, evaluations, state }: HeadSolver, most: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: "a head was not solved",
    expected: `an end within ${most} looks at all rows`,
    got: `${state} at an objective of ${value.toPrecision(6)} after ${evaluations}`,
    todo: "penalise more (a larger l2), since classes that a line tells apart without error have no end",
  });
}
