/** What a sweep asked for and what came of it, beside its runs. The runs themselves are the truth; this is the index. */

import { stat } from "node:fs/promises";
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
