/** The table of a pool: a row a checkpoint, as `cuelab line` takes it, in Parquet parts and as a whole. */

import { CuelabError } from "../core/errors.ts";
import { type Group, spelled } from "../core/grouping.ts";
import { readPlain } from "../disk/plain-file.ts";
import { checkVouched, digestOf } from "../disk/vouched.ts";
import { csvLine } from "../tables/csv-line.ts";
import { readThrough } from "../tables/read-through.ts";
import type { Environment, EnvironmentPlan, Fold } from "../training/environments.ts";
import { epochsAfter } from "../training/epochs.ts";
import type { ChunkPlan } from "./draw-classifiers.ts";
import type { MeasuredSet } from "./measured-sets.ts";
import type { ChunkPoint } from "./train-chunk.ts";

export type PoolRow = Readonly<Record<string, string | number>>;

/** Rows with the same value share what was drawn for them together: those of a chunk, or of a network. */
export const drawColumn = "draw";

const textColumns = new Set([
  "classifier",
  drawColumn,
  "test_env",
  "held_out",
  "trained_on",
  "family",
  "features",
  "channel",
  "emphasised",
  "network",
  "optimiser",
]);

/** `env0_out_acc`, as in DomainBed's tables. */
export function accuracyColumn(environment: number, part: "in" | "out"): string {
  return `env${environment}_${part}_acc`;
}

/** `env1_out_acc class=urban background=country`. */
export function groupColumn(environment: number, part: "in" | "out", group: Group): string {
  return `${accuracyColumn(environment, part)} ${spelled(group, "column")}`;
}

export function rowsOfChunk(
  plan: ChunkPlan,
  points: readonly ChunkPoint[],
  { environments }: EnvironmentPlan,
  { training }: Fold,
  sets: readonly MeasuredSet[],
): PoolRow[] {
  const seen = training.reduce((sum, i) => sum + environments[i]!.inPart.length, 0);
  return points.map(({ member, step, accuracies }) => {
    const one = plan.members[member]!;
    return {
      classifier: String(one.number).padStart(6, "0"),
      [drawColumn]: `chunk-${String(plan.chunk).padStart(5, "0")}`,
      ...foldCells(environments, training),
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
      epoch: epochsAfter(step, { batchSize: plan.batchSize, images: seen }),
      ...Object.fromEntries(sets.map(({ column }, i) => [column, accuracies[i]!])),
    };
  });
}

/** All that was not trained on is held out, whatever was asked for: parts serve other questions, too. */
export function foldCells(
  environments: readonly Environment[],
  training: readonly number[],
): { test_env: string; held_out: string; trained_on: string } {
  const shifted = [...environments.keys()].filter((i) => !training.includes(i));
  const names = (positions: readonly number[]) => positions.map((i) => environments[i]!.name).join(" ");
  return {
    test_env: shifted.length === 1 ? String(shifted[0]) : "",
    held_out: names(shifted),
    trained_on: names(training),
  };
}

/** Families differ in what there is to tell: what a row has not is an empty cell. */
function columnsOf(rows: readonly PoolRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** Nothing beside a part vouches for it, as the manifest does for tables: it carries its digest itself, taken with zeros in its place. */
export async function encodePart(rows: readonly PoolRow[]): Promise<Uint8Array> {
  const bytes = Buffer.from(await encodeRows(rows, [{ key: "cuelab", value: digestMark + noDigest }]));
  bytes.write(digestOf(bytes), bytes.lastIndexOf(digestMark) + digestMark.length);
  return bytes;
}

const digestMark = "sha256 of the file: ";
const noDigest = "0".repeat(64);

/** Before anything is made of the bytes: parsers of damaged ones may never end. Parts of earlier versions have no digest. */
function checkPart(bytes: Buffer): void {
  const at = bytes.lastIndexOf(digestMark) + digestMark.length;
  if (at < digestMark.length) return;
  const told = bytes.toString("latin1", at, at + noDigest.length);
  const before = Buffer.from(bytes);
  before.write(noDigest, at);
  if (digestOf(before) !== told) throw new Error("other bytes than were written");
}

export async function encodeRows(
  rows: readonly PoolRow[],
  kvMetadata: { key: string; value: string }[] = [],
): Promise<Uint8Array> {
  const { parquetWriteBuffer } = await import("hyparquet-writer");
  const columnData = columnsOf(rows).map((name) => {
    const data = rows.map((row) => row[name] ?? null);
    const type = textColumns.has(name) ? ("STRING" as const) : ("DOUBLE" as const);
    return { name, data, type, nullable: data.includes(null) };
  });
  return new Uint8Array(parquetWriteBuffer({ columnData, ...(kvMetadata.length > 0 && { kvMetadata }) }));
}

/** By hyparquet and not by `tables`, to which an empty cell and an empty text are the same: rows are written again as they were. */
export async function decodeRows(path: string): Promise<PoolRow[]> {
  try {
    await checkVouched(path);
    await readThrough(path);
    const [{ parquetReadObjects }, bytes] = await Promise.all([import("hyparquet"), readPlain(path)]);
    checkPart(bytes);
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

export function csvOf(rows: readonly PoolRow[]): string {
  const names = columnsOf(rows);
  return [csvLine(names), ...rows.map((row) => csvLine(names.map((name) => row[name] ?? "")))].join("");
}
