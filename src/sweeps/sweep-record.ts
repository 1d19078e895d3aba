/** What a sweep asked for and what came of it, beside its runs. The runs themselves are the truth; this is the index. */

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { version } from "../core/version.ts";
import { readPlain } from "../disk/plain-file.ts";
import { damagedFile, sealed, unsealed } from "../disk/vouched.ts";
import { writeWhole } from "../disk/write-whole.ts";
import type { OtherChoice } from "./choose-point.ts";
import type { SearchPoint } from "./points.ts";
import type { Sweep } from "./sweep-file.ts";

const ending = ".sweep.json";
const pathOf = (folder: string, name: string) => join(folder, `${name}${ending}`);

export async function hasSweep(folder: string, name: string): Promise<boolean> {
  return stat(pathOf(folder, name)).then(
    () => true,
    () => false,
  );
}

/** Unless there is one: a former outcome stays until there is a new one. */
export async function beginSweepRecord(folder: string, name: string, record: object): Promise<void> {
  if (!(await hasSweep(folder, name))) await writeSweepRecord(folder, name, record);
}

/** Whole or not at all. */
export async function writeSweepRecord(folder: string, name: string, record: object): Promise<void> {
  const text = sealed({ cuelabSweep: 1, cuelabVersion: version, ...record });
  await writeWhole(pathOf(folder, name), text, { overwrite: true });
}

/** What readers need of a record; an outcome is there once the sweep has come to an end. */
interface SweepRecord {
  sweep: Sweep;
  outcome?: { entries: readonly RecordedEntry[] };
}

export interface RecordedEntry {
  label: string;
  dataset?: string;
  select?: { rule: string; labels: string } | null;
  trials: readonly { id: string; point: SearchPoint; score: number | null }[];
  otherwise?: readonly OtherChoice[];
  chosen: SearchPoint;
  /** In the order of the sweep's seeds. */
  runs: readonly { id: string; state: string }[];
}

const point = z.record(z.string(), z.unknown());
const choice = z.object({ rule: z.string(), labels: z.string() });

const recordSchema = z.object({
  sweep: z.looseObject({ name: z.string() }),
  outcome: z
    .object({
      entries: z.array(
        z.object({
          label: z.string(),
          dataset: z.string().optional(),
          select: choice.nullable().optional(),
          trials: z.array(z.object({ id: z.string(), point, score: z.number().nullable() })),
          otherwise: z.array(z.looseObject({})).optional(),
          chosen: point,
          runs: z.array(z.object({ id: z.string(), state: z.string() })),
        }),
      ),
    })
    .optional(),
});

/** Names of the sweeps that have a record here. */
async function sweepNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .sort();
}

/** An error, with the names that there are, where there is none. */
async function readSweepRecord(folder: string, name: string): Promise<SweepRecord> {
  const path = pathOf(folder, name);
  const text = await readPlain(path)
    .then(String)
    .catch(() => undefined);
  if (text === undefined) {
    const known = await sweepNames(folder);
    const [inside] = await sweepNames(name);
    throw new CuelabError({
      kind: "input",
      what: `there is no sweep "${name}"`,
      where: folder,
      expected:
        known.length === 0 ? "a folder that a sweep was run into (its --out)" : `one of: ${known.join(", ")}`,
      ...(inside === undefined
        ? didYouMean(name, known)
        : {
            todo: `${name} is a folder of runs: give the sweep's name, such as ${inside}, and --runs ${name}`,
          }),
    });
  }
  const again = "give its 'cuelab sweep run' again: no run is done twice, and the record is written anew";
  const record = unsealed(text, path, again);
  const result = recordSchema.safeParse(record);
  // Checked above as far as it is read; the rest is as it was written.
  if (result.success) return record as unknown as SweepRecord;
  const issue = result.error.issues[0]!;
  throw damagedFile(path, `${issue.path.join(".") || "the whole file"}: ${issue.message}`, again);
}

/** The same, of a sweep that has come to an end. */
export async function finishedSweep(folder: string, name: string): Promise<Required<SweepRecord>> {
  const { sweep, outcome } = await readSweepRecord(folder, name);
  if (outcome !== undefined) return { sweep, outcome };
  throw new CuelabError({
    kind: "input",
    what: `the sweep "${name}" has not come to an end`,
    where: folder,
    todo: "give its 'cuelab sweep run' again: it goes on",
  });
}

/** Labels of a sweep's runs by id, trials of its search included; undefined where there is no record of an end. */
export async function membersOf(folder: string, name: string): Promise<Map<string, string> | undefined> {
  if (!(await hasSweep(folder, name))) return undefined;
  const { outcome } = await readSweepRecord(folder, name);
  if (outcome === undefined) return undefined;
  return new Map(
    outcome.entries.flatMap(({ label, trials, runs }) =>
      [...trials, ...runs].map(({ id }) => [id, label] as const),
    ),
  );
}
