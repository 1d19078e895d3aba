/** All that a run needs to go on as if nothing had happened: every state tensor, where it was, what it had seen. */

import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import type { State } from "../engine/state.ts";
import { damaged, type RunFolder, runFiles } from "../store/run-folder.ts";
import { decodeSafetensors, encodeSafetensors, type TensorFile } from "../store/safetensors.ts";
import type { Measurement } from "./measurements.ts";
import type { EpochRecord } from "./train.ts";

/** Random numbers come from (seed, purpose, step), so the step is all the state they have. */
export interface Position {
  epoch: number;
  /** Steps done in this epoch. */
  step: number;
  /** Sum of this epoch's losses so far. */
  lossSum: number;
  history: EpochRecord[];
  /** The best epoch so far, where one is chosen; its weights are stored beside the present ones. */
  best?: { epoch: number; value: number };
  /** Accuracies that were measured so far, where any are. */
  measured?: Measurement[];
}

export interface Checkpoint {
  position: Position;
  bestWeights: ReadonlyMap<string, Float32Array>;
  /** What computed it; others round differently. */
  kernels: string;
}

const statePrefix = "state/";
const bestPrefix = "best/";

export async function saveCheckpoint(
  folder: RunFolder,
  state: State,
  { position, bestWeights, kernels }: Checkpoint,
): Promise<void> {
  const named = (name: string, data: Float32Array) => [name, { shape: [data.length], data }] as const;
  const tensors = new Map([
    ...state.names.map((name) => named(statePrefix + name, state.get(name))),
    ...[...bestWeights].map(([name, data]) => named(bestPrefix + name, data)),
  ]);
  await folder.write(
    runFiles.checkpoint,
    encodeSafetensors({ tensors, metadata: { position: JSON.stringify(position), kernels } }),
  );
}

/** Puts a saved state back and says where to go on; undefined where there is nothing saved. */
export async function loadCheckpoint(
  folder: RunFolder,
  state: State,
  kernels: string,
): Promise<Omit<Checkpoint, "kernels"> | undefined> {
  const bytes = await folder.read(runFiles.checkpoint);
  if (bytes === undefined) return undefined;
  const where = join(folder.path, runFiles.checkpoint);
  const { tensors, metadata } = decoded(bytes, where);
  if (metadata.kernels !== kernels) throw otherKernels(where, kernels, metadata.kernels);
  const bestWeights = new Map<string, Float32Array>();
  try {
    for (const [name, { data }] of tensors) {
      if (name.startsWith(bestPrefix)) bestWeights.set(name.slice(bestPrefix.length), data);
      else state.set(name.slice(statePrefix.length), data);
    }
    return { position: JSON.parse(metadata.position ?? "") as Position, bestWeights };
  } catch (cause) {
    throw damaged(where, (cause as Error).message);
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
