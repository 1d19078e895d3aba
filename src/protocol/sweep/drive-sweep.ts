/** Carries a sweep out: searches stage by stage for each entry, then runs what was chosen with every seed. */

import { join, resolve } from "node:path";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { parseAssignments } from "../../core/settings.ts";
import { findDataset } from "../../datasets/index.ts";
import { methods } from "../../methods/index.ts";
import type { Method } from "../../methods/method.ts";
import { models } from "../../models/index.ts";
import { type Model, resolveOptions } from "../../models/model.ts";
import { readPredictions } from "../../store/predictions.ts";
import { runFiles } from "../../store/run-folder.ts";
import { chooseMethod, presetOf } from "../choose-method.ts";
import type { HeldOutChoice } from "../held-out-data.ts";
import { type RunSpec, type RunSpecInput, resolveSpec } from "../run-spec.ts";
import { checkSelection, type Selection, scoreOf } from "../selection.ts";
import { describeHeldOut, describeTrainingData, openTrainingData } from "../training-data.ts";
import { describeWeights } from "../weights.ts";
import { gridPoints, merged, type Point, randomPoints, withPoint } from "./points.ts";
import type { PoolRun } from "./run-pool.ts";
import type { Sweep, SweepStage } from "./sweep-file.ts";

interface Trial {
  point: Point;
  id: string;
  /** By the sweep's rule, higher is better; null where the run failed. */
  score: number | null;
}

export interface EntryOutcome {
  label: string;
  /** What the search chose, all stages together; empty without a search. */
  chosen: Point;
  /** The chosen point's score, where there was a search. */
  score: number | null;
  trials: Trial[];
  /** One run a seed. */
  runs: PoolRun[];
}

export interface SweepOutcome {
  name: string;
  select: Selection | null;
  entries: EntryOutcome[];
}

/** Who makes the runs: a pool, or one who only looks for those that exist. */
export interface RunMaker {
  run(spec: RunSpec, label: string): Promise<PoolRun>;
  stop(): Promise<void>;
}

type Entry = Sweep["runs"][number];

/** Throws where the file asks for what cannot be, before anything runs. */
export async function checkSweep(sweep: Sweep): Promise<SpecMaker> {
  const specs = new SpecMaker(sweep);
  const { search, runs, seeds } = sweep;
  for (const entry of runs) {
    let base: Point = {};
    const spec = await specs.make(entry, base, seeds[0]!);
    if (search) await specs.checkSelection(spec, search.select);
    for (const stage of search?.stages ?? []) {
      const points = pointsOf(stage, specs.methodOf(entry, base), search!.seed);
      for (const point of points) await specs.make(entry, { ...base, ...point }, search!.seed);
      // Any point will do to check the next stage with.
      base = { ...base, ...points[0] };
    }
  }
  return specs;
}

export async function driveSweep(sweep: Sweep, specs: SpecMaker, maker: RunMaker): Promise<SweepOutcome> {
  try {
    const entries = await Promise.all(sweep.runs.map((entry) => driveEntry(sweep, entry, specs, maker)));
    return { name: sweep.name, select: sweep.search?.select ?? null, entries };
  } catch (cause) {
    // What has gone wrong for one entry is told at once, and not after hours of the others.
    await maker.stop();
    throw cause;
  }
}

/** How many runs the sweep has at most; equal ones count once when they are run. */
export function countRuns({ runs, seeds, search }: Sweep, specs: SpecMaker): number {
  const stages = search?.stages ?? [];
  return runs.reduce(
    (sum, entry) =>
      sum +
      seeds.length +
      stages.reduce((tried, stage) => tried + pointsOf(stage, specs.methodOf(entry, {}), 0).length, 0),
    0,
  );
}

async function driveEntry(
  sweep: Sweep,
  entry: Entry,
  specs: SpecMaker,
  maker: RunMaker,
): Promise<EntryOutcome> {
  const { search, seeds } = sweep;
  const trials: Trial[] = [];
  let best: { point: Point; score: number | null } = { point: {}, score: null };
  for (const stage of search?.stages ?? []) {
    const base = best.point;
    const tried = await Promise.all(
      pointsOf(stage, specs.methodOf(entry, base), search!.seed).map(async (own): Promise<Trial> => {
        const point = { ...base, ...own };
        const spec = await specs.make(entry, point, search!.seed);
        const run = await maker.run(spec, labelOf(entry, own));
        const score = run.state === "done" ? await specs.score(spec, run, search!.select) : null;
        return { point, id: run.id, score };
      }),
    );
    trials.push(...tried);
    const found = bestOf(tried);
    // Without a single run to go by there is nothing to choose, and the failures are listed.
    if (found === undefined) return { label: entry.label, chosen: {}, score: null, trials, runs: [] };
    best = found;
  }
  const runs = await Promise.all(
    seeds.map(async (seed) =>
      maker.run(await specs.make(entry, best.point, seed), `${entry.label}, seed ${seed}`),
    ),
  );
  return { label: entry.label, chosen: best.point, score: best.score, trials, runs };
}

/** The first among equals, so that the order of finishing decides nothing; undefined where all have failed. */
function bestOf(trials: readonly Trial[]): { point: Point; score: number } | undefined {
  let best: { point: Point; score: number } | undefined;
  for (const { point, score } of trials)
    if (score !== null && (best === undefined || score > best.score)) best = { point, score };
  return best;
}

function pointsOf(stage: SweepStage, method: Method, seed: number): Point[] {
  if ("grid" in stage) return gridPoints(stage.grid);
  if ("random" in stage) return randomPoints(stage.random, stage.count, seed);
  return gridPoints(
    Object.fromEntries(
      Object.entries(method.search).map(([key, values]) => [`method.settings.${key}`, values ?? []]),
    ),
  );
}

function labelOf(entry: Entry, point: Point): string {
  const values = Object.entries(point).map(([path, value]) => `${path.split(".").at(-1)} ${String(value)}`);
  return [entry.label, ...values].join(", ");
}

/** An option without effect is a mistake that nobody would notice. */
function checkedOptimiser(
  optimiser: NonNullable<RunSpecInput["optimiser"]>,
): NonNullable<RunSpecInput["optimiser"]> {
  const { name = "adam", momentum, nesterov } = optimiser;
  const idle = momentum !== undefined ? "momentum" : nesterov === true ? "nesterov" : undefined;
  if (name === "sgd" || idle === undefined) return optimiser;
  throw new CuelabError({
    kind: "usage",
    what: `${idle} has no effect on ${name}`,
    todo: "add optimiser: { name: sgd }, or leave it away",
  });
}

/** From an entry and a point to a run's spec. The data of many runs is the same, and is looked at once. */
export class SpecMaker {
  readonly #sweep: Sweep;
  readonly #data = new Map<string, Promise<RunSpec["data"]>>();
  readonly #opened = new Map<string, Promise<Dataset>>();

  constructor(sweep: Sweep) {
    this.#sweep = sweep;
  }

  async make(entry: Entry, point: Point, seed: number): Promise<RunSpec> {
    try {
      const tree = this.#tree(entry, point);
      const { preset: presetName, ...chosen } = tree.method ?? {};
      // Unknown names and options are told now, not by the first run that meets them.
      const method = methods.get(chosen.name ?? "erm");
      const preset = presetOf(method, presetName);
      const model = models.get(tree.model?.name ?? "");
      const data = await this.#describe(tree.data);
      const spec = resolveSpec({
        // Two runs of one thread side by side get more done than one of two.
        threads: 1,
        ...(preset && { epochs: preset.epochs, batchSize: preset.batchSize }),
        ...tree,
        optimiser: checkedOptimiser({ ...preset?.optimiser, ...tree.optimiser }),
        model: { name: model.name, options: resolveOptions(model, tree.model?.options ?? {}) },
        method: await chooseMethod(method, { settings: {}, ...chosen, preset }, data),
        ...(tree.weights && (await this.#weights(tree.weights, model))),
        data,
        seed,
      } as RunSpecInput);
      return spec;
    } catch (cause) {
      if (!(cause instanceof CuelabError)) throw cause;
      const own = cause.parts.where === undefined ? "" : ` (${cause.parts.where})`;
      throw new CuelabError({ ...cause.parts, where: `entry "${entry.label}" of the sweep${own}` });
    }
  }

  /** The method of an entry at a point of the search. */
  methodOf(entry: Entry, point: Point): Method {
    return methods.get(this.#tree(entry, point).method?.name ?? "erm");
  }

  async checkSelection({ data }: RunSpec, selection: Selection): Promise<void> {
    checkSelection(selection, await this.#open(data));
  }

  #tree(entry: Entry, point: Point): Partial<RunSpecInput> & Written {
    const { label: _label, ...tree } = withPoint(merged(this.#sweep.base, entry), point);
    return tree;
  }

  /** A weights file by its content, with the pixel statistics that go with it, as `cuelab train --weights` has it. */
  async #weights({ path, ...given }: { path: string }, { pixels: kind }: Model) {
    const { digest, pixels, path: found } = await describeWeights(resolve(path));
    return { weights: { ...given, path: found, digest }, ...(kind === "standard" && pixels && { pixels }) };
  }

  /** How good a finished run is by the rule, from the predictions that it has left. */
  async score({ data }: RunSpec, { folder }: PoolRun, selection: Selection): Promise<number> {
    const dataset = await this.#open(data);
    const val = dataset.splits.names.indexOf("val");
    const predictions = await readPredictions(
      join(folder, runFiles.predictions),
      dataset.classNames.length,
      (index) => dataset.splits.values[index] === val,
    );
    return scoreOf(selection, dataset, predictions);
  }

  #open(data: RunSpec["data"]): Promise<Dataset> {
    const key = JSON.stringify(data);
    let opened = this.#opened.get(key);
    if (opened === undefined) {
      opened = openTrainingData(data);
      this.#opened.set(key, opened);
    }
    return opened;
  }

  #describe(data: Written["data"]): Promise<RunSpec["data"]> {
    const key = JSON.stringify(data);
    let described = this.#data.get(key);
    if (described === undefined) {
      described = describe(data);
      this.#data.set(key, described);
    }
    return described;
  }
}

/** What a sweep's file may say beyond a run's spec. */
interface Written {
  data?: {
    name?: string;
    path?: string;
    settings?: Record<string, unknown>;
    places?: Record<string, unknown>;
    seed?: number;
    /** As for a run, or which environment is held out. */
    environments?: HeldOutChoice;
  };
  method?: Partial<RunSpec["method"]> & { preset?: string };
  model?: { name: string; options?: Record<string, number | string> };
  weights?: { path: string };
}

async function describe({ environments, ...written }: NonNullable<Written["data"]> = {}) {
  const data = await describeWhole(written);
  if (environments === undefined) return data;
  const { holdOut, trainOn, ...options } = environments;
  // Names such as 0.9 are numbers in YAML.
  const names = { holdOut: holdOut && String(holdOut), trainOn: trainOn?.map(String) };
  return { ...data, environments: await describeHeldOut(data, { ...options, ...names }) };
}

/** A dataset by name, also by a variant's, or by path. */
async function describeWhole({
  name,
  path,
  settings = {},
  places = {},
  seed = 0,
}: Omit<NonNullable<Written["data"]>, "environments">): Promise<RunSpec["data"]> {
  if (path !== undefined) return describeTrainingData({ path: resolve(path), settings, seed });
  const { definition, assignments } = findDataset(name ?? "");
  const named = parseAssignments(definition.settings, assignments);
  return describeTrainingData({
    name: definition.name,
    settings: { ...named, ...settings, ...places },
    seed,
  });
}
