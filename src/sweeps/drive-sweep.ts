/** Carries a sweep out: searches stage by stage for each entry, then runs what was chosen with every seed. */

import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { methods } from "../methods/index.ts";
import type { Method } from "../methods/method.ts";
import { readPredictions } from "../runs/predictions.ts";
import { runFiles } from "../runs/run-folder.ts";
import { presetOf, takesCues } from "../training/choose-method.ts";
import { DataBook } from "../training/data-book.ts";
import type { PoolRun, RunName } from "../training/run-pool.ts";
import type { RunSpec } from "../training/run-spec.ts";
import { checkSelection, type Selection, scoreOf } from "../training/selection.ts";
import { type RunWords, specFromWords } from "../training/spec-words.ts";
import {
  choosePoint,
  type OtherChoice,
  otherChoices,
  type PointScores,
  type ScoredTrial,
  type SearchTie,
  type Trial,
  tieRule,
} from "./choose-point.ts";
import { type AskedEntry, type AskedPoint, refuseEqualEntries, refuseEqualPoints } from "./equal-runs.ts";
import { inSweepWords } from "./failure-words.ts";
import { gridPoints, merged, randomPoints, type SearchPoint, type Tree, withPoint } from "./points.ts";
import { entryName, type SweepEntry, sweepEntries } from "./sweep-entries.ts";
import type { Sweep, SweepSearch, SweepStage } from "./sweep-file.ts";

export interface EntryOutcome {
  label: string;
  /** Of the file's list of datasets, where it has one. */
  dataset?: string;
  /** How its points were chosen between; null without a search. */
  select: Selection | null;
  /** What the search chose, all stages together; empty without a search. */
  chosen: SearchPoint;
  /** The chosen point's score, where there was a search. */
  score: number | null;
  /** Stages in which several points had the best score. */
  ties: SearchTie[];
  trials: Trial[];
  /** What the rules beside it would have chosen, where the search names any. */
  otherwise?: OtherChoice[];
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

/** Throws where the file asks for what cannot be, or for one run by two names, before anything runs. */
export async function checkSweep(sweep: Sweep, book = new DataBook()): Promise<SpecMaker> {
  const specs = new SpecMaker(book);
  const asked: AskedEntry[] = [];
  for (const entry of sweepEntries(sweep)) {
    const { search } = entry;
    let base: SearchPoint = {};
    const spec = await specs.make(entry, base, sweep.seeds[0]!);
    asked.push({ entry, specs: [spec] });
    for (const rule of search ? [search.select, ...(search.alsoSelect ?? [])] : [])
      await specs.checkSelection(entry, spec, rule);
    for (const [i, stage] of (search?.stages ?? []).entries()) {
      const points = pointsOf(stage, specs.methodOf(entry, base), search!.seed);
      const tried: AskedPoint[] = [];
      for (const point of points)
        tried.push({ point, spec: await specs.make(entry, { ...base, ...point }, search!.seed) });
      refuseEqualPoints(tried, {
        where: `entry "${entryName(entry)}" of the sweep, stage ${i + 1} of its search`,
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
    const entries = await Promise.all(
      sweepEntries(sweep).map((entry) => driveEntry(entry, sweep.seeds, specs, maker)),
    );
    return { name: sweep.name, select: sweep.search?.select ?? null, entries };
  } catch (cause) {
    // What has gone wrong for one entry is told at once, and not after hours of the others.
    await maker.stop();
    throw cause;
  }
}

/** How many runs the sweep has at most; equal ones count once when they are run. */
export function countRuns(sweep: Sweep, specs: SpecMaker): number {
  return sweepEntries(sweep).reduce((sum, entry) => sum + sweep.seeds.length + countTrials(entry, specs), 0);
}

export function countTrials(entry: SweepEntry, specs: SpecMaker): number {
  const stages = entry.search?.stages ?? [];
  return stages.reduce((sum, stage) => sum + pointsOf(stage, specs.methodOf(entry, {}), 0).length, 0);
}

/** What an entry runs that is known before anything was chosen: its search's first points, or all its seeds. */
export function firstSpecs(
  entry: SweepEntry,
  seeds: readonly number[],
  specs: SpecMaker,
): Promise<RunSpec[]> {
  const { search } = entry;
  const [stage] = search?.stages ?? [];
  if (search === undefined || stage === undefined)
    return Promise.all(seeds.map((seed) => specs.make(entry, {}, seed)));
  const points = pointsOf(stage, specs.methodOf(entry, {}), search.seed);
  return Promise.all(points.map((point) => specs.make(entry, point, search.seed)));
}

async function driveEntry(
  entry: SweepEntry,
  seeds: readonly number[],
  specs: SpecMaker,
  maker: RunMaker,
): Promise<EntryOutcome> {
  const { label, dataset, search } = entry;
  const trials: ScoredTrial[] = [];
  const ties: SearchTie[] = [];
  const about = { label, ...(dataset !== undefined && { dataset }), select: search?.select ?? null, ties };
  const detailed = (detail: string) => [dataset, detail].filter(Boolean).join(", ");
  let best: ScoredTrial | undefined;
  for (const [i, stage] of (search?.stages ?? []).entries()) {
    const base = best?.point ?? {};
    const tried = await Promise.all(
      pointsOf(stage, specs.methodOf(entry, base), search!.seed).map(async (own): Promise<ScoredTrial> => {
        const point = { ...base, ...own };
        const spec = await specs.make(entry, point, search!.seed);
        const run = await maker.run(spec, { label, detail: detailed(pointText(own)) });
        if (run.state !== "done") return { point, id: run.id, ...unscored };
        return { point, id: run.id, ...(await specs.scores(spec, run, search!)) };
      }),
    );
    trials.push(...tried);
    const found = choosePoint(tried);
    // Without a single run to go by there is nothing to choose, and the failures are listed.
    if (found === undefined)
      return { ...about, chosen: {}, score: null, trials: trials.map(recordedTrial), runs: [] };
    best = found.trial;
    if (found.tie) ties.push({ stage: i + 1, ...found.tie });
  }
  const point = best?.point ?? {};
  const runs = await Promise.all(
    seeds.map(async (seed) =>
      maker.run(await specs.make(entry, point, seed), { label, detail: detailed(`seed ${seed}`) }),
    ),
  );
  return {
    ...about,
    chosen: point,
    score: best?.score ?? null,
    trials: trials.map(recordedTrial),
    ...(search?.alsoSelect && { otherwise: otherChoices(trials, search.alsoSelect) }),
    runs,
  };
}

const unscored = { score: null, accuracy: null, loss: null, also: [] };

function recordedTrial({ point, id, score, accuracy, loss }: ScoredTrial): Trial {
  return { point, id, score, accuracy, loss };
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

/** As the seed of a sweep's data: every run draws its data anew, by the run's own seed. */
export const eachSeed = "each";

/** From an entry and a point to a run's spec. */
export class SpecMaker {
  readonly #book: DataBook;

  constructor(book: DataBook) {
    this.#book = book;
  }

  async make(entry: SweepEntry, point: SearchPoint, seed: number): Promise<RunSpec> {
    try {
      // Two runs of one thread side by side get more done than one of two.
      return await specFromWords(withSeed({ threads: 1, ...wordsAt(entry, point) }, seed), this.#book);
    } catch (cause) {
      if (!(cause instanceof CuelabError)) throw cause;
      const own = cause.parts.where === undefined ? "" : ` (${cause.parts.where})`;
      throw new CuelabError({
        ...inSweepWords(cause.parts),
        where: `entry "${entryName(entry)}" of the sweep${own}`,
      });
    }
  }

  /** The method of an entry at a point of the search. */
  methodOf(entry: SweepEntry, point: SearchPoint): Method {
    const { method } = withPoint(entry.words, point) as Partial<RunWords>;
    return methods.get(method?.name ?? "erm");
  }

  async checkSelection(entry: SweepEntry, { data }: RunSpec, selection: Selection): Promise<void> {
    const columns = await this.#book.handle(data).columns();
    try {
      checkSelection(selection, columns);
    } catch (cause) {
      if (!(cause instanceof CuelabError)) throw cause;
      throw new CuelabError({ ...cause.parts, where: `search.select of entry "${entryName(entry)}"` });
    }
  }

  /** How good a finished run is by the rule, from the predictions that it has left. */
  async score(spec: RunSpec, run: PoolRun, selection: Selection): Promise<number> {
    const { columns, predictions } = await this.#validation(spec, run);
    return scoreOf(selection, columns, predictions);
  }

  /** The same by all that a search looks at: its rule, what ties are broken by, and the rules beside it. */
  async scores(spec: RunSpec, run: PoolRun, search: SweepSearch): Promise<PointScores> {
    const { columns, predictions } = await this.#validation(spec, run);
    const by = (rule: Selection) => scoreOf(rule, columns, predictions);
    return {
      score: by(search.select),
      accuracy: by(tieRule(search.select)),
      loss: -by({ by: "val-loss", groups: [] }),
      also: (search.alsoSelect ?? []).map(by),
    };
  }

  async #validation({ data }: RunSpec, { folder }: PoolRun) {
    const columns = await this.#book.handle(data).columns();
    const val = columns.splits.names.indexOf("val");
    const predictions = await readPredictions(
      join(folder, runFiles.predictions),
      columns.classNames.length,
      (index) => columns.splits.values[index] === val,
    );
    return { columns, predictions };
  }
}

/** Of initial weights and of what is drawn in training; with `data.seed: each` also of a dataset that is made. */
function withSeed(words: Tree, seed: number): Tree {
  const { data } = words as { data?: Tree };
  return merged(words, data?.seed === eachSeed ? { data: { seed }, seed } : { seed });
}

/** What a run is made of, with the dataset's cues where the method may be told of some. */
function wordsAt({ words, cues }: SweepEntry, point: SearchPoint): Tree {
  const all = withPoint(words, point);
  const { name = "erm", preset, settings = {}, explicit } = (all as Partial<RunWords>).method ?? {};
  if (cues === undefined || explicit !== undefined) return all;
  const method = methods.get(name);
  const told = takesCues(method, { settings, preset: presetOf(method, preset) });
  return told ? merged(all, { method: { explicit: cues } }) : all;
}
