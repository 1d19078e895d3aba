/**
 * The networks of a pool: each is a run as `cuelab train` makes it, for every fold, in a folder named by its id. They are
 * made side by side, gone on with where they were stopped, and what each measured at its checkpoints is rows of the table.
 */

import { join } from "node:path";
import type { ImageShape } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { input } from "../engine/expressions.ts";
import { models } from "../models/index.ts";
import { Network } from "../models/model.ts";
import { runFiles } from "../runs/run-folder.ts";
import type { Environment, EnvironmentPlan, Fold } from "../training/environments.ts";
import { outSliceOf } from "../training/held-out-data.ts";
import { accuracyIn, readMeasurements } from "../training/measurements.ts";
import { type PoolRun, RunPool } from "../training/run-pool.ts";
import { type RunSpec, resolveSpec } from "../training/run-spec.ts";
import {
  drawNetwork,
  type NetworkPlan,
  networkAugmentations,
  networksNamed,
  type PoolNetworkChoice,
  usualNetworks,
} from "./draw-networks.ts";
import type { MeasuredSet } from "./measured-sets.ts";
import type { PoolSpec } from "./pool-spec.ts";
import { drawColumn, foldCells, type PoolRow } from "./pool-table.ts";
import { checkpointSteps } from "./train-chunk.ts";

export interface PoolNetworkOptions {
  /** For each fold. */
  count: number;
  /** None, before `fittingNetworks`: narrow ones that suit the size of the images. */
  choices: readonly PoolNetworkChoice[];
  /** Runs at a time, each of one thread. */
  workers: number;
  /** Steps done and to be done, those of runs that were there before left out. */
  onSteps?: ((done: number, total: number) => void) | undefined;
}

export interface FailedNetwork {
  classifier: string;
  heldOut: string;
  folder: string;
  error: string;
}

export interface MadeNetworks {
  rows: PoolRow[];
  /** Runs that were made now, the rest being there already. */
  trained: number;
  failed: FailedNetwork[];
  /** Of all runs that were asked for. */
  folders: string[];
}

export interface NetworkParts {
  folder: string;
  plan: EnvironmentPlan;
  folds: readonly Fold[];
  sets: readonly MeasuredSet[];
  signal: AbortSignal | undefined;
}

export async function makeNetworks(
  spec: PoolSpec,
  { count, choices: networks, workers, onSteps }: PoolNetworkOptions,
  parts: NetworkParts,
): Promise<MadeNetworks> {
  const { folder, plan, folds, signal = new AbortController().signal } = parts;
  const drawn = Array.from({ length: count }, (_, i) => drawNetwork(i, { ...spec, networks }));
  // Each network for all folds before the next: however far a pool has come, all folds have as many.
  const asked = drawn.flatMap((network) =>
    folds.map((fold) => ({ fold, network, spec: runSpecOf(network, spec, plan, fold) })),
  );
  const pool = new RunPool({
    folder,
    workers,
    signal,
    checkpointSeconds: 60,
    onChange: () => {
      const mine = pool.runs.filter(({ found }) => !found);
      const done = mine.reduce((sum, { progress }) => sum + progress, 0);
      onSteps?.(Math.round(done * spec.steps), mine.length * spec.steps);
    },
  });
  let runs: PoolRun[];
  try {
    runs = await Promise.all(
      asked.map(async (one) => {
        const run = await pool.run(one.spec, {
          label: classifierOf(one.network),
          detail: `trained on ${one.spec.data.environments!.trainOn.join(" ")}`,
        });
        // A loss may explode; what is wrong with data or options is wrong for all.
        if (run.error instanceof CuelabError && run.error.kind !== "failure") throw run.error;
        return run;
      }),
    );
  } catch (cause) {
    // What is running saves where it is before anyone is told.
    await pool.stop();
    throw cause;
  }
  return collectNetworks(asked, runs, parts);
}

/** Rows of the runs that are done, and what is to be said of the others. */
export async function collectNetworks(
  asked: readonly { fold: Fold; network: NetworkPlan }[],
  runs: readonly Pick<PoolRun, "state" | "found" | "folder" | "error">[],
  parts: Pick<NetworkParts, "plan" | "sets">,
): Promise<MadeNetworks> {
  const rows: PoolRow[] = [];
  const failed: FailedNetwork[] = [];
  for (const [i, { state, folder, error }] of runs.entries()) {
    const { fold, network } = asked[i]!;
    if (state === "done") rows.push(...(await rowsOfRun(folder, network, fold, parts)));
    else {
      failed.push({
        classifier: classifierOf(network),
        heldOut: foldCells(parts.plan.environments, fold.training).held_out,
        folder,
        error: error?.message ?? "unknown",
      });
    }
  }
  return {
    rows,
    trained: runs.filter(({ state, found }) => state === "done" && !found).length,
    failed,
    folders: runs.map(({ folder }) => folder),
  };
}

/** The networks that were chosen, or the usual ones; throws where the images are not for one of them. */
export function fittingNetworks(
  choices: readonly PoolNetworkChoice[],
  shape: ImageShape,
): PoolNetworkChoice[] {
  const networks = choices.length === 0 ? networksNamed(usualNetworks(shape)) : [...choices];
  for (const network of networks) checkFits(network, shape);
  return networks;
}

function checkFits({ name, options }: PoolNetworkChoice, { height, width, channels }: ImageShape): void {
  const flat = { mean: Array<number>(channels).fill(0), deviation: Array<number>(channels).fill(1) };
  try {
    const network = new Network(models.get(name), { classes: 2, mode: "evaluate", options, pixels: flat });
    network.logits(input("images", [1, height, width, channels], "byte"));
  } catch (cause) {
    if (!(cause instanceof CuelabError)) throw cause;
    const { todo, ...parts } = cause.parts;
    // What a network advises is an option of 'train'; here options follow the network's name.
    const here = todo?.replace("--model-set ", `--networks ${name}:`);
    throw new CuelabError({ where: `network ${name}`, ...parts, ...(here !== undefined && { todo: here }) });
  }
}

/** The run of a network; equal networks of equal pools are found again by its id. */
export function runSpecOf(network: NetworkPlan, spec: PoolSpec, plan: EnvironmentPlan, fold: Fold): RunSpec {
  const trained = fold.training.map((i) => plan.environments[i]!);
  const { dropout } = network;
  return resolveSpec({
    data: {
      ...spec.data,
      environments: {
        by: spec.environment,
        ...(spec.oodSplits !== null && { oodSplits: spec.oodSplits }),
        trainOn: trained.map(({ name }) => name),
        ...seenImages(network, spec, trained),
        testImages: spec.testImages,
        seed: spec.seed,
      },
    },
    model: {
      name: network.network.name,
      options: { ...network.network.options, ...(dropout === undefined ? {} : { dropout }) },
    },
    optimiser: { name: network.optimiser, rate: network.rate, weightDecay: network.weightDecay },
    augment: network.augmented ? networkAugmentations : [],
    batchSize: network.batchSize,
    seed: network.seed,
    steps: spec.steps,
    measureSteps: checkpointSteps(spec),
    ...(spec.groups.length === 0 ? {} : { measureGroups: spec.groups }),
    keep: "accuracies",
    // Two runs of one thread side by side get more done than one of two.
    threads: 1,
  });
}

/** Of environments of one size a share is a number of images, and runs that said it so are found again. */
function seenImages(
  { subset }: NetworkPlan,
  { trainImages }: PoolSpec,
  trained: readonly Environment[],
): { trainImages: number; trainShare?: number } {
  if (subset === 1) return { trainImages };
  const [first, ...others] = trained.map(({ inPart }) => inPart.length) as [number, ...number[]];
  return others.every((size) => size === first)
    ? { trainImages: Math.max(2, Math.round(subset * first)) }
    : { trainImages, trainShare: subset };
}

function classifierOf({ number }: NetworkPlan): string {
  return `cnn-${String(number).padStart(6, "0")}`;
}

/** Out parts alone: training images are not measured, and those of other environments would say the same again. */
async function rowsOfRun(
  folder: string,
  network: NetworkPlan,
  fold: Fold,
  { plan, sets }: Pick<NetworkParts, "plan" | "sets">,
): Promise<PoolRow[]> {
  const measured = sets.filter(({ part }) => part === "out");
  const path = join(folder, runFiles.checkpoints);
  return (await readMeasurements(path)).map((measurement) => ({
    classifier: classifierOf(network),
    [drawColumn]: classifierOf(network),
    ...foldCells(plan.environments, fold.training),
    family: "cnn",
    features: "images",
    network: network.network.label,
    optimiser: network.optimiser,
    learning_rate: network.rate,
    weight_decay: network.weightDecay,
    batch_size: network.batchSize,
    augmented: Number(network.augmented),
    dropout: network.dropout ?? 0,
    subset: network.subset,
    step: measurement.step,
    epoch: measurement.epoch,
    ...Object.fromEntries(
      measured.map(({ column, environment, codes }) => {
        const key = { ...outSliceOf(plan, fold, environment), ...(codes && { group: codes }) };
        return [column, accuracyIn(measurement, key, path)];
      }),
    ),
  }));
}
