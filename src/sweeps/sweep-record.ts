/** What a sweep asked for and what came of it, beside its runs. The runs themselves are the truth; this is the index. */

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { version } from "../core/version.ts";
import { writeWhole } from "../disk/write-whole.ts";

const pathOf = (folder: string, name: string) => join(folder, `${name}.sweep.json`);

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
  const text = `${JSON.stringify({ cuelabSweep: 1, cuelabVersion: version, ...record }, null, 2)}\n`;
  await writeWhole(pathOf(folder, name), text, { overwrite: true });
}

/** What of a record its readers need; an outcome is there once the sweep has come to an end. */
export interface SweepRecord {
  outcome?: {
    entries: readonly { label: string; trials: readonly { id: string }[]; runs: readonly { id: string }[] }[];
  };
}

/** Labels of a sweep's runs by id, trials of its search included; undefined where there is no record of an end. */
export async function membersOf(folder: string, name: string): Promise<Map<string, string> | undefined> {
  const text = await readFile(pathOf(folder, name), "utf8").catch(() => undefined);
  const { outcome } = text === undefined ? {} : (JSON.parse(text) as SweepRecord);
  if (outcome === undefined) return undefined;
  return new Map(
    outcome.entries.flatMap(({ label, trials, runs }) =>
      [...trials, ...runs].map(({ id }) => [id, label] as const),
    ),
  );
}
