/**
 * A pool of classifiers on disk: `pool.json` says what it is, `parts/` holds a Parquet file for each chunk that is
 * trained, and `accuracies.csv` and `accuracies.parquet` are the table of all that were asked for. A part is there whole
 * or not at all, and its name has the hash of everything that decides it: to go on means to make those that are missing.
 */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { writeWhole } from "../../formats/write-whole.ts";
import { lockFolder, lockName } from "../../store/run-lock.ts";
import {
  type EnvironmentPlan,
  type Fold,
  foldsOf,
  foldTrainedOn,
  guessingIn,
  planEnvironments,
} from "../environments.ts";
import type { RunSpec } from "../run-spec.ts";
import { checkTrainable, openTrainingData } from "../training-data.ts";
import type { BatchedFamily } from "./batched-classifiers.ts";
import { chunkSize, drawChunk, type Variety } from "./draw-classifiers.ts";
import { type Features, kindsNamed, makeFeatures } from "./feature-kinds.ts";
import {
  type FailedNetwork,
  type MadeNetworks,
  makeNetworks,
  type NetworkOptions,
  type NetworkParts,
} from "./make-networks.ts";
import { groupAttributes, type MeasuredSet, type MeasuredSets, measuredSets } from "./measured-sets.ts";
import { loadPoolImages, type PoolImages, trainingRows } from "./pool-images.ts";
import { csvOf, decodeRows, encodeRows, type PoolRow, rowsOfChunk } from "./pool-table.ts";
import { trainChunk } from "./train-chunk.ts";

/** Everything that decides what a chunk holds. How many chunks there are, and for which folds, may change later. */
export interface PoolSpec {
  data: RunSpec["data"];
  /** The attribute that tells environments apart, where it is not found by its name. */
  environment: string | null;
  /** Splits that are out of distribution, where they are not those that are shifted. */
  oodSplits: string[] | null;
  /** Attributes that make groups together with the class, whose accuracies are told apart; none, no groups. */
  groups: string[];
  families: BatchedFamily[];
  /** Names of kinds of features, or how they begin. */
  features: string[];
  vary: Variety;
  /** Images of each part at most. */
  trainImages: number;
  testImages: number;
  steps: number;
  checkpoints: number;
  firstStep: number;
  seed: number;
}

export interface MakePoolOptions {
  out: string;
  /** For each fold. */
  classifiers: number;
  /** The environment to leave out, or `all` in turn… */
  holdOut: string;
  /** … or those to train on, all others being out of distribution. */
  trainOn?: readonly string[] | undefined;
  /** Networks as well, each trained by itself. */
  networks?: NetworkOptions | undefined;
  /** Replace another pool that is there. */
  force: boolean;
  threads: number;
  signal?: AbortSignal | undefined;
  onImages?: (done: number, total: number) => void;
  /** Classifiers that are there, of how many, and how many were there before. */
  onChunk?: (done: number, total: number, before: number) => void;
}

/** What is known of a pool before anything is trained. */
interface PlannedPool {
  id: string;
  plan: EnvironmentPlan;
  folds: Fold[];
  /** What every classifier was measured on, and groups that have no images to measure on. */
  measured: MeasuredSets;
  classes: number;
  /** Of each environment: what always answering its most frequent class gets. */
  guessing: number[];
}

export interface MadePool extends PlannedPool {
  points: number;
  /** Classifiers that were trained now, the rest being there already. */
  trained: number;
  /** Of networks: how many of them were made now, and those that failed and have no rows. */
  networks: Omit<MadeNetworks, "rows">;
  csv: string;
  parquet: string;
}

const formatVersion = 1;
const files = {
  about: "pool.json",
  parts: "parts",
  runs: "runs",
  csv: "accuracies.csv",
  parquet: "accuracies.parquet",
} as const;

export async function makePool(asked: PoolSpec, options: MakePoolOptions): Promise<MadePool> {
  const dataset = await openTrainingData(asked.data);
  try {
    const { spec, ...planned } = planPool(dataset, asked, options);
    const { id, plan, folds, measured } = planned;
    const release = await openFolder(options, spec, id, plan);
    try {
      const images = () =>
        loadPoolImages(dataset, plan.environments, spec.seed, {
          signal: options.signal,
          onProgress: (done) => options.onImages?.(done, imageCount(plan)),
        });
      const trained = await makeParts(spec, options, id, plan, folds, measured.sets, dataset, images);
      const { rows: networkRows, ...networks } = await networksOf(spec, options, {
        plan,
        folds,
        sets: measured.sets,
        shape: dataset.images.shape!,
      });
      const rows = [...(await tableOf(options, id, folds)), ...networkRows];
      if (rows.length === 0) throw nothingTrained(networks.failed);
      const [csv, parquet] = [join(options.out, files.csv), join(options.out, files.parquet)];
      await writeWhole(csv, csvOf(rows));
      await writeWhole(parquet, await encodeRows(rows));
      return { ...planned, points: rows.length, trained, networks, csv, parquet };
    } finally {
      release();
    }
  } finally {
    await dataset.images.close?.();
  }
}

export interface FoundPool extends PlannedPool {
  rows: PoolRow[];
  /** Classifiers that are there, in all folds. */
  found: number;
}

/** What is there of a pool, however much that is: nothing is trained, and nothing is written. */
export async function findPool(
  asked: PoolSpec,
  options: Pick<MakePoolOptions, "out" | "classifiers" | "holdOut" | "trainOn">,
): Promise<FoundPool> {
  const dataset = await openTrainingData(asked.data);
  try {
    const { spec: _, ...planned } = planPool(dataset, asked, options);
    const rows = await tableOf(options, planned.id, planned.folds, { partial: true });
    const classifiers = new Set(rows.map(({ classifier, held_out }) => `${held_out} ${classifier}`));
    return { ...planned, rows, found: classifiers.size };
  } finally {
    await dataset.images.close?.();
  }
}

function planPool(
  dataset: Dataset,
  asked: PoolSpec,
  { trainOn, holdOut }: Pick<MakePoolOptions, "trainOn" | "holdOut">,
): PlannedPool & { spec: PoolSpec } {
  checkTrainable(dataset);
  const spec = { ...asked, groups: groupAttributes(dataset, asked.groups) };
  const plan = planEnvironments(dataset, {
    ...spec,
    by: spec.environment ?? undefined,
    oodSplits: spec.oodSplits ?? undefined,
  });
  return {
    spec,
    id: poolId(spec),
    plan,
    folds: trainOn === undefined ? foldsOf(plan, holdOut) : [foldTrainedOn(plan, trainOn)],
    measured: measuredSets(plan, dataset, spec),
    classes: dataset.classNames.length,
    guessing: guessingIn(dataset, plan),
  };
}

function imageCount({ environments }: EnvironmentPlan): number {
  return environments.reduce((sum, { inPart, outPart }) => sum + inPart.length + outPart.length, 0);
}

function poolId(given: PoolSpec): string {
  const { data, ...spec } = recorded(given);
  const { path: _, places: __, ...what } = data;
  return createHash("sha256")
    .update(JSON.stringify({ formatVersion, chunkSize, data: what, ...spec }))
    .digest("hex")
    .slice(0, 16);
}

/** Without what is not used, so that pools keep their ids when more can be asked for. */
function recorded({ groups, oodSplits, ...spec }: PoolSpec): Recorded {
  return {
    ...spec,
    ...(groups.length === 0 ? {} : { groups }),
    ...(oodSplits === null ? {} : { oodSplits }),
  };
}

type Optional = "groups" | "oodSplits";
type Recorded = Omit<PoolSpec, Optional> & Partial<Pick<PoolSpec, Optional>>;

/** The folder is ours, empty, or holds this very pool; returns how to let others in. */
async function openFolder(
  { out, force }: MakePoolOptions,
  spec: PoolSpec,
  id: string,
  { environments, attribute }: EnvironmentPlan,
): Promise<() => void> {
  await mkdir(out, { recursive: true });
  const before = await ownerOf(out);
  if (before !== undefined && before !== id && !force) {
    throw new CuelabError({
      kind: "input",
      what: "another pool is there already",
      where: out,
      expected: "the same data, families, numbers of images, steps, checkpoints and seed, to go on with",
      todo: "pass --force to replace it, or another --out",
    });
  }
  const release = await lockFolder(out);
  try {
    if (before !== undefined && before !== id) {
      for (const name of Object.values(files)) await rm(join(out, name), { recursive: true, force: true });
    }
    await mkdir(join(out, files.parts), { recursive: true });
    for (const name of await readdir(join(out, files.parts))) {
      // What a killed process was writing.
      if (name.includes(".cuelab-partial-")) await rm(join(out, files.parts, name), { force: true });
    }
    const about = {
      cuelabPool: formatVersion,
      id,
      ...recorded(spec),
      environments: environments.map(({ name, inPart, outPart }) => ({
        name,
        in: inPart.length,
        out: outPart.length,
      })),
      ...(attribute === undefined ? {} : { attribute }),
    };
    await writeWhole(join(out, files.about), `${JSON.stringify(about, null, 2)}\n`);
    return release;
  } catch (cause) {
    release();
    throw cause;
  }
}

/** The id of the pool that is there; undefined where the folder is empty. */
async function ownerOf(out: string): Promise<string | undefined> {
  const names = (await readdir(out)).filter((name) => !name.startsWith(lockName));
  if (names.length === 0) return undefined;
  if (!names.includes(files.about)) {
    // Killed while the first file was being written.
    if (names.every((name) => name === files.parts || name.includes(".cuelab-partial-"))) return undefined;
    throw new CuelabError({
      kind: "input",
      what: "the folder is not empty and holds no pool",
      where: out,
      todo: "choose another --out; this one is never overwritten",
    });
  }
  const about = JSON.parse(await readFile(join(out, files.about), "utf8")) as { id?: string };
  return about.id ?? "";
}

function partPath(out: string, fold: Fold, chunk: number, id: string): string {
  return join(
    out,
    files.parts,
    `train-${fold.training.join("+")}-${String(chunk).padStart(5, "0")}-${id}.parquet`,
  );
}

/** Makes the parts that are missing; images are read only if there are any. */
async function makeParts(
  spec: PoolSpec,
  options: MakePoolOptions,
  id: string,
  plan: EnvironmentPlan,
  folds: readonly Fold[],
  sets: readonly MeasuredSet[],
  { classNames, images: { shape } }: Awaited<ReturnType<typeof openTrainingData>>,
  load: () => Promise<PoolImages>,
): Promise<number> {
  const { out, classifiers, signal } = options;
  const there = new Set((await readdir(join(out, files.parts))).map((name) => join(out, files.parts, name)));
  const chunks = Array.from({ length: Math.ceil(classifiers / chunkSize) }, (_, i) => i);
  const all = folds.flatMap((fold) => chunks.map((chunk) => ({ fold, chunk })));
  const missing = all.filter(({ fold, chunk }) => !there.has(partPath(out, fold, chunk, id)));
  if (missing.length === 0) return 0;
  const before = all.length - missing.length;
  const kinds = kindsNamed(spec.features, shape!);
  const images = await load();
  const shelf = new FeatureShelf(images, spec.seed);
  options.onChunk?.(before * chunkSize, all.length * chunkSize, before * chunkSize);
  for (const [i, { fold, chunk }] of missing.entries()) {
    signal?.throwIfAborted();
    const drawn = drawChunk(chunk, { ...spec, kinds, channels: shape!.channels });
    const rows = trainingRows(images, fold);
    const features = await shelf.get(drawn.kind, rows.positions, fold.training.join("+"));
    const points = await trainChunk(drawn, images, rows, sets, features, {
      ...spec,
      classes: classNames.length,
      threads: options.threads,
      signal,
    });
    await writeWhole(
      partPath(out, fold, chunk, id),
      await encodeRows(rowsOfChunk(drawn, points, plan, fold, sets)),
    );
    options.onChunk?.((before + i + 1) * chunkSize, all.length * chunkSize, before * chunkSize);
  }
  return missing.length * chunkSize;
}

async function networksOf(
  spec: PoolSpec,
  { networks, out, signal }: MakePoolOptions,
  parts: Omit<NetworkParts, "folder" | "signal">,
): Promise<MadeNetworks> {
  if (networks === undefined) return { rows: [], trained: 0, failed: [] };
  return makeNetworks(spec, networks, { ...parts, folder: join(out, files.runs), signal });
}

function nothingTrained([first]: readonly FailedNetwork[]): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: "every network failed, and there is nothing to make a table of",
    ...(first === undefined ? {} : { where: first.folder, got: first.error }),
    todo: "choose other --networks, or add families",
  });
}

/** Features by kind, made when first asked for. Principal components are each fold's own. */
class FeatureShelf {
  readonly #images: PoolImages;
  readonly #seed: number;
  readonly #made = new Map<string, Features>();

  constructor(images: PoolImages, seed: number) {
    this.#images = images;
    this.#seed = seed;
  }

  async get(kind: Parameters<typeof makeFeatures>[0], fitted: Uint32Array, fold: string): Promise<Features> {
    const key = kind.components === undefined ? kind.name : `${kind.name} ${fold}`;
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const made = await makeFeatures(kind, this.#images, fitted, this.#seed);
    this.#made.set(key, made);
    return made;
  }
}

/** Of every fold the classifiers that were asked for, in order; chunks hold a few more. */
async function tableOf(
  { out, classifiers }: Pick<MakePoolOptions, "out" | "classifiers">,
  id: string,
  folds: readonly Fold[],
  { partial = false } = {},
): Promise<PoolRow[]> {
  const rows: PoolRow[] = [];
  for (const fold of folds) {
    for (let chunk = 0; chunk * chunkSize < classifiers; chunk++) {
      const path = partPath(out, fold, chunk, id);
      if (partial && !existsSync(path)) continue;
      for (const row of await decodeRows(path)) {
        if (Number(row.classifier) < classifiers) rows.push(row);
      }
    }
  }
  return rows;
}
