/** All that a run needs to go on as if nothing had happened: every state tensor, where it was, what it had seen. */

import type { State } from "../engine/state.ts";
import { type RunFolder, runFiles } from "../store/run-folder.ts";
import { decodeSafetensors, encodeSafetensors } from "../store/safetensors.ts";
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
}

const bestPrefix = "best/";

export async function saveCheckpoint(
  folder: RunFolder,
  position: Position,
  state: State,
  bestWeights: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  const named = (name: string, data: Float32Array) => [name, { shape: [data.length], data }] as const;
  const tensors = new Map([
    ...state.names.map((name) => named(`state/${name}`, state.get(name))),
    ...[...bestWeights].map(([name, data]) => named(bestPrefix + name, data)),
  ]);
  await folder.write(
    runFiles.checkpoint,
    encodeSafetensors({ tensors, metadata: { position: JSON.stringify(position) } }),
  );
}

/** Puts a saved state back and says where to go on; undefined where there is nothing saved. */
export async function loadCheckpoint(
  folder: RunFolder,
  state: State,
): Promise<{ position: Position; bestWeights: Map<string, Float32Array> } | undefined> {
  const bytes = await folder.read(runFiles.checkpoint);
  if (bytes === undefined) return undefined;
  const { tensors, metadata } = decodeSafetensors(bytes, runFiles.checkpoint);
  const bestWeights = new Map<string, Float32Array>();
  for (const [name, { data }] of tensors) {
    if (name.startsWith(bestPrefix)) bestWeights.set(name.slice(bestPrefix.length), data);
    else state.set(name.slice("state/".length), data);
  }
  return { position: JSON.parse(metadata.position!) as Position, bestWeights };
}
