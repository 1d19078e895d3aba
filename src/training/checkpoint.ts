/** All that a run needs to go on as if nothing had happened: every state tensor, where it was, what it had seen. */

import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import type { State } from "../engine/state.ts";
import type { Weights } from "../methods/method.ts";
import { damaged, type RunFolder, runFiles } from "../runs/run-folder.ts";
import { decodeSafetensors, encodeSafetensors, type TensorFile } from "../runs/safetensors.ts";
import type { Measurement } from "./measurements.ts";
import type { EpochRecord } from "./train.ts";

/** Random numbers come from (seed, purpose, step), so the step is all the state they have. */
export interface Position {
  /** Stages that are done, in order; what they left is in the stage store under their ids. */
  stages: FinishedStage[];
  epoch: number;
  /** Steps done in this epoch. */
  step: number;
  /** Sum of this epoch's losses so far, and of the method's own columns. */
  lossSum: number;
  columnSums?: Record<string, number>;
  /** Of this stage. */
  history: EpochRecord[];
  /** The best epoch so far under each rule, where any choose; their weights are stored beside the present ones. */
  best?: { epoch: number; value: number }[];
  /** Accuracies that were measured so far, where any are. */
  measured?: Measurement[];
}

export interface FinishedStage {
  name: string;
  id: string;
}

export function firstPosition(stages: FinishedStage[] = []): Position {
  return { stages, epoch: 0, step: 0, lossSum: 0, history: [] };
}

export interface Checkpoint {
  position: Position;
  /** Under each rule, by the rule's number. */
  bestWeights: readonly Weights[];
  /** What computed it; others round differently. */
  kernels: string;
}

const statePrefix = "state/";
const bestPrefix = /^best\/(\d+)\//;

export async function saveCheckpoint(
  folder: RunFolder,
  state: Pick<State, "names" | "get">,
  { position, bestWeights, kernels }: Checkpoint,
): Promise<void> {
  const named = (name: string, data: Float32Array) => [name, { shape: [data.length], data }] as const;
  const tensors = new Map([
    ...state.names.map((name) => named(statePrefix + name, state.get(name))),
    ...bestWeights.flatMap((weights, rule) =>
      [...weights].map(([name, data]) => named(`best/${rule}/${name}`, data)),
    ),
  ]);
  await folder.write(
    runFiles.checkpoint,
    encodeSafetensors({
      tensors,
      metadata: { position: JSON.stringify(position), kernels, builds: JSON.stringify(folder.builds) },
    }),
  );
}

export interface SavedRun {
  position: Position;
  /** Builds of the program that had a part in it. */
  builds: string[];
  /** Of the stage that was going on. */
  state: ReadonlyMap<string, Float32Array>;
  bestWeights: Weights[];
}

/** What was saved, where anything was. */
export async function loadCheckpoint(folder: RunFolder, kernels: string): Promise<SavedRun | undefined> {
  const bytes = await folder.read(runFiles.checkpoint);
  if (bytes === undefined) return undefined;
  const where = join(folder.path, runFiles.checkpoint);
  const { tensors, metadata } = decoded(bytes, where);
  if (metadata.kernels !== kernels) throw otherKernels(where, kernels, metadata.kernels);
  const state = new Map<string, Float32Array>();
  const bestWeights: Map<string, Float32Array>[] = [];
  for (const [name, { data }] of tensors) {
    const best = bestPrefix.exec(name);
    if (best === null) state.set(name.slice(statePrefix.length), data);
    else {
      bestWeights[Number(best[1])] ??= new Map();
      bestWeights[Number(best[1])]!.set(name.slice(best[0].length), data);
    }
  }
  try {
    const position = JSON.parse(metadata.position ?? "") as Position;
    const builds = JSON.parse(metadata.builds ?? "[]") as string[];
    return { position, builds, state, bestWeights };
  } catch (cause) {
    throw damaged(where, (cause as Error).message);
  }
}

/** Puts a saved state back. */
export function restoreState(
  state: State,
  saved: ReadonlyMap<string, Float32Array>,
  folder: RunFolder,
): void {
  try {
    for (const [name, data] of saved) state.set(name, data);
  } catch (cause) {
    throw damaged(join(folder.path, runFiles.checkpoint), (cause as Error).message);
  }
}

function decoded(bytes: Uint8Array, where: string): TensorFile {
  try {
    return decodeSafetensors(bytes, where);
  } catch (cause) {
    throw damaged(where, cause instanceof CuelabError ? (cause.parts.got ?? cause.message) : String(cause));
  }
}

function otherKernels(where: string, expected: string, got = "unknown ones"): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "this checkpoint was made with other kernels; start over with --force",
    where,
    expected,
    got,
    todo: "go on where it was begun, or start over with --force: going on here would give other bytes",
  });
}
