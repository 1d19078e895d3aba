/** What a job is: something to make, find and measure, with a name of its own in its study. */

import type { PoolRun } from "../../protocol/sweep/run-pool.ts";
import type { SeedPurpose } from "../study.ts";

/** What every job says, whatever its kind. */
export interface JobHead {
  /** Unlike those of the other parts; `--parts` chooses by it. */
  name: string;
  title: string;
}

/** How one kind of job is done. The driver of studies knows nothing else of it. */
export interface Job<Spec extends JobHead, Made extends MadeJob, Measured> {
  kind: string;
  /** What it counts, such as `runs`, and one of what lies in its folder, such as `run`. */
  of: string;
  one: string;
  /** Of the study's folder, where what it makes lies. */
  folder: string;
  /** The hash of all that decides what it makes. */
  id(spec: Spec): string;
  /** How many it makes at most, known without looking at any data; undefined where another job decides that. */
  count(spec: Spec): number | undefined;
  /** Seeds, and what they are for. */
  seeds(spec: Spec): readonly { purpose: SeedPurpose; seeds: readonly number[] }[];
  /** Names of jobs that must be made before. */
  needs(spec: Spec): readonly string[];
  /** Throws where it asks for what cannot be, before anything is made. */
  check(spec: Spec, shop: JobShop): Promise<void>;
  /** Makes what is missing. Failures of single things are told in what it returns. */
  make(spec: Spec, shop: JobShop): Promise<Made>;
  /** What is there of it; makes nothing. */
  find(spec: Spec, shop: JobShop): Promise<Made>;
  /** Undefined where there is nothing to measure. */
  measure(made: Made, shop: JobShop): Promise<Measured | undefined>;
  /** What study.json has of it. */
  data(measured: Measured): object;
}

export interface MadeJob {
  things: readonly MadeThing[];
}

/** A run, a pool, features or an answer. Jobs of one kind may share them: those that have one id count once. */
export interface MadeThing {
  id: string;
  label: string;
  /** How many are there, of how many that were asked for: more than one of a pool of classifiers. */
  done: number;
  asked: number;
  coreSeconds: number;
  /** Why it ended without a result. */
  error?: string | undefined;
}

/** Where jobs are done, and what those of one study share. */
export interface JobShop extends JobHooks {
  /** The study's. */
  folder: string;
  /** Processes at a time. */
  workers: number;
  signal: AbortSignal;
  checkpointSeconds: number;
  /** Made by whoever asks first, such as the queue of runs that all parts go through. */
  shared<Thing>(key: string, make: () => Thing): Thing;
  /** What an earlier job has made or found. */
  made(name: string): MadeJob;
}

export interface JobHooks {
  /** Whenever a run changes; `total` is how many there are at most. */
  onRuns?: ((runs: readonly PoolRun[], total: number) => void) | undefined;
  onWork?: ((label: string, done: number, total: number, unit: string) => void) | undefined;
}
