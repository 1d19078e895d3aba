/** Carries a sweep out: searches stage by stage for each entry, then runs what was chosen with every seed. */

import { join, resolve } from "node:path";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { parseAssignments } from "../../core/settings.ts";
import { findDataset } from "../../datasets/index.ts";
import { methods } from "../../methods/index.ts";
import { models } from "../../models/index.ts";
import { readPredictions } from "../../store/predictions.ts";
import { runFiles } from "../../store/run-folder.ts";
import { chooseMethod, presetOf } from "../choose-method.ts";
import { type RunSpec, type RunSpecInput, resolveSpec } from "../run-spec.ts";
import { checkSelection, type Selection, scoreOf } from "../selection.ts";
import { describeTrainingData, openTrainingData } from "../training-data.ts";
import { gridPoints, merged, type Point, randomPoints, withPoint } from "./points.ts";
import type { PoolRun, RunPool } from "./run-pool.ts";
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

type Entry = Sweep["runs"][number];

export async function driveSweep(sweep: Sweep, pool: RunPool): Promise<SweepOutcome> {
  const specs = new SpecMaker(sweep);
  // Every entry's spec is checked before the first run begins.
  await Promise.all(sweep.runs.map((entry) => specs.make(entry, {}, sweep.seeds[0]!)));
  const entries = await Promise.all(sweep.runs.map((entry) => driveEntry(sweep, entry, specs, pool)));
  return { name: sweep.name, select: sweep.search?.select ?? null, entries };
}

/** How many runs the sweep has at most; equal ones count once when they are run. */
export function countRuns({ runs, seeds, search }: Sweep): number {
  const stages = search?.stages ?? [];
  return runs.reduce(
    (sum, entry) =>
      sum + seeds.length + stages.reduce((tried, stage) => tried + pointsOf(stage, entry, 0).length, 0),
    0,
  );
}

async function driveEntry(
  sweep: Sweep,
  entry: Entry,
  specs: SpecMaker,
  pool: RunPool,
): Promise<EntryOutcome> {
  const { search, seeds } = sweep;
  const trials: Trial[] = [];
  let best: { point: Point; score: number | null } = { point: {}, score: null };
  for (const stage of search?.stages ?? []) {
    const base = best.point;
    const tried = await Promise.all(
      pointsOf(stage, entry, search!.seed).map(async (own): Promise<Trial> => {
        const point = { ...base, ...own };
        const spec = await specs.make(entry, point, search!.seed);
        const run = await pool.run(spec, labelOf(entry, own));
        const score = run.state === "done" ? await specs.score(spec, run, search!.select) : null;
        return { point, id: run.id, score };
      }),
    );
    trials.push(...tried);
    best = bestOf(tried, entry.label);
  }
  const runs = await Promise.all(
    seeds.map(async (seed) =>
      pool.run(await specs.make(entry, best.point, seed), `${entry.label}, seed ${seed}`),
    ),
  );
  return { label: entry.label, chosen: best.point, score: best.score, trials, runs };
}

/** The first among equals, so that the order of finishing decides nothing. */
function bestOf(trials: readonly Trial[], label: string): { point: Point; score: number } {
  let best: { point: Point; score: number } | undefined;
  for (const { point, score } of trials)
    if (score !== null && (best === undefined || score > best.score)) best = { point, score };
  if (best) return best;
  throw new CuelabError({
    kind: "failure",
    what: `every run of the search for "${label}" failed`,
    todo: "look at the failures above; the same command tries again",
  });
}

function pointsOf(stage: SweepStage, entry: Entry, seed: number): Point[] {
  if ("grid" in stage) return gridPoints(stage.grid);
  if ("random" in stage) return randomPoints(stage.random, stage.count, seed);
  const name = (entry.method as { name?: string } | undefined)?.name;
  const own = name === undefined ? {} : methods.get(name).search;
  return gridPoints(
    Object.fromEntries(Object.entries(own).map(([key, values]) => [`method.settings.${key}`, values ?? []])),
  );
}

function labelOf(entry: Entry, point: Point): string {
  const values = Object.entries(point).map(([path, value]) => `${path.split(".").at(-1)} ${String(value)}`);
  return [entry.label, ...values].join(", ");
}

/** From an entry and a point to a run's spec. The data of many runs is the same, and is looked at once. */
class SpecMaker {
  readonly #sweep: Sweep;
  readonly #data = new Map<string, Promise<RunSpec["data"]>>();
  readonly #opened = new Map<string, Promise<Dataset>>();

  constructor(sweep: Sweep) {
    this.#sweep = sweep;
  }

  async make({ label, ...entry }: Entry, point: Point, seed: number): Promise<RunSpec> {
    try {
      const tree = withPoint(merged(this.#sweep.base, entry), point) as Partial<RunSpecInput> & Written;
      const { preset: presetName, ...chosen } = tree.method ?? {};
      // Unknown names are told now, not by the first run that meets them.
      const method = methods.get(chosen.name ?? "erm");
      const preset = presetOf(method, presetName);
      const data = await this.#describe(tree.data);
      const spec = resolveSpec({
        // Two runs of one thread side by side get more done than one of two.
        threads: 1,
        ...(preset && { epochs: preset.epochs, batchSize: preset.batchSize }),
        ...tree,
        optimiser: { ...preset?.optimiser, ...tree.optimiser },
        method: await chooseMethod(method, { settings: {}, ...chosen, preset }, data),
        data,
        seed,
      } as RunSpecInput);
      models.get(spec.model.name);
      return spec;
    } catch (cause) {
      if (!(cause instanceof CuelabError)) throw cause;
      throw new CuelabError({ ...cause.parts, where: `entry "${label}" of the sweep` });
    }
  }

  /** How good a finished run is by the rule, from the predictions that it has left. */
  async score({ data }: RunSpec, { folder }: PoolRun, selection: Selection): Promise<number> {
    const dataset = await this.#open(data);
    checkSelection(selection, dataset);
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
  data?: { name?: string; path?: string; settings?: Record<string, unknown>; seed?: number };
  method?: Partial<RunSpec["method"]> & { preset?: string };
}

/** A dataset by name, also by a variant's, or by path. */
async function describe({
  name,
  path,
  settings = {},
  seed = 0,
}: Written["data"] = {}): Promise<RunSpec["data"]> {
  if (path !== undefined) return describeTrainingData({ path: resolve(path), settings, seed });
  const { definition, assignments } = findDataset(name ?? "");
  const named = parseAssignments(definition.settings, assignments);
  return describeTrainingData({ name: definition.name, settings: { ...named, ...settings }, seed });
}
