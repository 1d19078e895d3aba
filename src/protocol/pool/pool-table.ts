/** The table of a pool: a row a checkpoint, as `cuelab line` takes it, in Parquet parts and as a whole. */

import { readFile } from "node:fs/promises";
import { CuelabError } from "../../core/errors.ts";
import type { EnvironmentPlan, Fold } from "../environments.ts";
import type { ChunkPlan } from "./draw-classifiers.ts";
import type { PoolImages } from "./pool-images.ts";
import type { ChunkPoint } from "./train-chunk.ts";

export type PoolRow = Readonly<Record<string, string | number>>;

const textColumns = new Set([
  "classifier",
  "test_env",
  "held_out",
  "trained_on",
  "family",
  "features",
  "channel",
  "emphasised",
]);

/** `env0_out_acc`, as in DomainBed's tables. */
export function accuracyColumn(environment: number, part: "in" | "out"): string {
  return `env${environment}_${part}_acc`;
}

export function rowsOfChunk(
  plan: ChunkPlan,
  points: readonly ChunkPoint[],
  { environments }: EnvironmentPlan,
  { training }: Fold,
  images: PoolImages,
): PoolRow[] {
  // All that was not trained on, whatever was asked for: parts serve other questions, too.
  const shifted = [...environments.keys()].filter((i) => !training.includes(i));
  const names = (positions: readonly number[]) => positions.map((i) => environments[i]!.name).join(" ");
  const seen = images.parts
    .filter(({ part, environment }) => part === "in" && training.includes(environment))
    .reduce((sum, { count }) => sum + count, 0);
  return points.map(({ member, step, accuracies }) => {
    const one = plan.members[member]!;
    return {
      classifier: String(one.number).padStart(6, "0"),
      test_env: shifted.length === 1 ? String(shifted[0]) : "",
      held_out: names(shifted),
      trained_on: names(training),
      family: plan.family,
      features: plan.kind.name,
      learning_rate: one.rate,
      weight_decay: one.weightDecay,
      l1: one.l1,
      batch_size: plan.batchSize,
      augmented: Number(plan.augmented),
      dropout: plan.dropout,
      label_noise: one.labelNoise,
      subset: one.subset,
      channel: one.channel === undefined ? "all" : String(one.channel),
      visible_features: one.visible,
      emphasised: one.emphasis === 1 ? "" : environments[training[one.emphasised % training.length]!]!.name,
      emphasis: one.emphasis,
      initial_scale: one.initialScale,
      hidden: one.hidden,
      step,
      epoch: (step * plan.batchSize) / seen,
      ...Object.fromEntries(
        images.parts.map(({ environment, part }, i) => [accuracyColumn(environment, part), accuracies[i]!]),
      ),
    };
  });
}

export async function encodeRows(rows: readonly PoolRow[]): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const columnData = Object.keys(rows[0]!).map((name) => ({
    name,
    data: rows.map((row) => row[name]!),
    type: textColumns.has(name) ? ("STRING" as const) : ("DOUBLE" as const),
    nullable: false,
  }));
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

export async function decodeRows(path: string): Promise<PoolRow[]> {
  try {
    const [{ parquetReadObjects }, bytes] = await Promise.all([import("hyparquet"), readFile(path)]);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    return (await parquetReadObjects({ file })) as PoolRow[];
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "a part of the pool is damaged",
      where: path,
      got: (cause as Error).message,
      todo: "delete it and give the same command again: only this part is made anew",
      cause,
    });
  }
}

/** Texts are names of ours or of environments; only the latter could need quotes. */
export function csvOf(rows: readonly PoolRow[]): string {
  const names = Object.keys(rows[0]!);
  const cell = (value: string | number) =>
    typeof value === "string" && /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value);
  return `${[names.join(","), ...rows.map((row) => names.map((name) => cell(row[name]!)).join(","))].join("\n")}\n`;
}
