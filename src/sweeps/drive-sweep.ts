/** Carries a sweep out: searches stage by stage for each entry, then runs what was chosen with every seed. */

import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { methods } from "../methods/index.ts";
import type { Method } from "../methods/method.ts";
import { readPredictions } from "../runs/predictions.ts";
import { runFiles } from "../runs/run-folder.ts";
import { DataBook } from "../training/data-book.ts";
import type { PoolRun, RunName } from "../training/run-pool.ts";
import type { RunSpec } from "../training/run-spec.ts";
import { checkSelection, type Selection, scoreOf } from "../training/selection.ts";
import { type RunWords, specFromWords } from "../training/spec-words.ts";
import { type AskedEntry, type AskedPoint, refuseEqualEntries, refuseEqualPoints } from "./equal-runs.ts";
import { gridPoints, merged, randomPoints, type SearchPoint, withPoint } from "./points.ts";
import type { Sweep, SweepStage } from "./sweep-file.ts";

interface Trial {
  point: SearchPoint;
  id: string;
  /** By the sweep's rule, higher is better; null where the run failed. */
  score: number | null;
}

export interface EntryOutcome {
  label: string;
  /** What the search chose, all stages together; empty without a search. */
  chosen: SearchPoint;
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
  run(spec: RunSpec, name: RunName): Promise<PoolRun>;
  stop(): Promise<void>;
}

type SweepEntry = Sweep["runs"][number];

/** Throws where the file asks for what cannot be, or for one run by two names, before anything runs. */
export async function checkSweep(sweep: Sweep, book = new DataBook()): Promise<SpecMaker> {
  const specs = new SpecMaker(sweep, book);
  const { search, runs, seeds } = sweep;
  const asked: AskedEntry[] = [];
  for (const entry of runs) {
    let base: SearchPoint = {};
    const spec = await specs.make(entry, base, seeds[0]!);
    asked.push({ entry, specs: [spec] });
    if (search) await specs.checkSelection(spec, search.select);
    for (const [i, stage] of (search?.stages ?? []).entries()) {
      const points = pointsOf(stage, specs.methodOf(entry, base), search!.seed);
      const tried: AskedPoint[] = [];
      for (const point of points)
        tried.push({ point, spec: await specs.make(entry, { ...base, ...point }, search!.seed) });
      refuseEqualPoints(tried, {
        where: `entry "${entry.label}" of the sweep, stage ${i + 1} of its search`,
        // Of few values chance draws some twice.
        drawn: "random" in stage,
      });
      if (i === 0) asked.at(-1)!.specs = tried.map(({ spec: one }) => one);
      // Any point will do to check the next stage with.
      base = { ...base, ...points[0] };
    }
  }
  refuseEqualEntries(asked);
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
  entry: SweepEntry,
  specs: SpecMaker,
  maker: RunMaker,
): Promise<EntryOutcome> {
  const { search, seeds } = sweep;
  const trials: Trial[] = [];
  let best: { point: SearchPoint; score: number | null } = { point: {}, score: null };
  for (const stage of search?.stages ?? []) {
    const base = best.point;
    const tried = await Promise.all(
      pointsOf(stage, specs.methodOf(entry, base), search!.seed).map(async (own): Promise<Trial> => {
        const point = { ...base, ...own };
        const spec = await specs.make(entry, point, search!.seed);
        const run = await maker.run(spec, { label: entry.label, detail: pointText(own) });
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
      maker.run(await specs.make(entry, best.point, seed), { label: entry.label, detail: `seed ${seed}` }),
    ),
  );
  return { label: entry.label, chosen: best.point, score: best.score, trials, runs };
}

/** The first among equals, so that the order of finishing decides nothing; undefined where all have failed. */
function bestOf(trials: readonly Trial[]): { point: SearchPoint; score: number } | undefined {
  let best: { point: SearchPoint; score: number } | undefined;
  for (const { point, score } of trials)
    if (score !== null && (best === undefined || score > best.score)) best = { point, score };
  return best;
}

function pointsOf(stage: SweepStage, method: Method, seed: number): SearchPoint[] {
  if ("grid" in stage) return gridPoints(stage.grid);
  if ("random" in stage) return randomPoints(stage.random, stage.count, seed);
  return gridPoints(
    Object.fromEntries(
      Object.entries(method.search).map(([key, values]) => [`method.settings.${key}`, values ?? []]),
    ),
  );
}

function pointText(point: SearchPoint): string {
  const values = Object.entries(point).map(([path, value]) => `${path.split(".").at(-1)} ${String(value)}`);
  return values.join(", ");
}

/** From an entry and a point to a run's spec. */
export class SpecMaker {
  readonly #sweep: Sweep;
  readonly #book: DataBook;

  constructor(sweep: Sweep, book: DataBook) {
    this.#sweep = sweep;
    this.#book = book;
  }

  async make(entry: SweepEntry, point: SearchPoint, seed: number): Promise<RunSpec> {
    try {
      // Two runs of one thread side by side get more done than one of two.
      return await specFromWords({ threads: 1, ...this.#tree(entry, point), seed }, this.#book);
    } catch (cause) {
      if (!(cause instanceof CuelabError)) throw cause;
      const own = cause.parts.where === undefined ? "" : ` (${cause.parts.where})`;
      throw new CuelabError({ ...cause.parts, where: `entry "${entry.label}" of the sweep${own}` });
    }
  }

  /** The method of an entry at a point of the search. */
  methodOf(entry: SweepEntry, point: SearchPoint): Method {
    const { method } = this.#tree(entry, point) as Partial<RunWords>;
    return methods.get(method?.name ?? "erm");
  }

  async checkSelection({ data }: RunSpec, selection: Selection): Promise<void> {
    checkSelection(selection, await this.#book.handle(data).columns());
  }

  /** How good a finished run is by the rule, from the predictions that it has left. */
  async score({ data }: RunSpec, { folder }: PoolRun, selection: Selection): Promise<number> {
    const columns = await this.#book.handle(data).columns();
    const val = columns.splits.names.indexOf("val");
    const predictions = await readPredictions(
      join(folder, runFiles.predictions),
      columns.classNames.length,
      (index) => columns.splits.values[index] === val,
    );
    return scoreOf(selection, columns, predictions);
  }

  #tree(entry: SweepEntry, point: SearchPoint): Record<string, unknown> {
    const { label: _label, ...tree } = withPoint(merged(this.#sweep.base, entry), point);
    return tree;
  }
}
