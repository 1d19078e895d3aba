/** The folder of a pool: whose it is, where its parts and features lie, and what a killed process left in it. */

import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { lockFolder, lockName } from "../../disk/lock.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import type { Fold } from "../environments.ts";
import { differences } from "./pool-differences.ts";

const files = {
  about: "pool.json",
  parts: "parts",
  runs: "runs",
  features: "features",
  csv: "accuracies.csv",
  parquet: "accuracies.parquet",
} as const;

export function partPath(out: string, fold: Fold, chunk: number, id: string): string {
  return join(
    out,
    files.parts,
    `train-${fold.training.join("+")}-${String(chunk).padStart(5, "0")}-${id}.parquet`,
  );
}

/** Of a network, of all images. */
export function featuresPath(out: string, kind: string, id: string): string {
  return join(out, files.features, `${kind}-${id}.npy`);
}

/** Where the runs of networks are. */
export function runsIn(out: string): string {
  return join(out, files.runs);
}

export function tablePaths(out: string): { csv: string; parquet: string } {
  return { csv: join(out, files.csv), parquet: join(out, files.parquet) };
}

/** Whether the folder holds this very pool. */
export async function isPool(out: string, id: string): Promise<boolean> {
  return existsSync(join(out, files.about)) && (await poolIn(out))?.id === id;
}

/** Paths of all parts that are there. */
export async function partsIn(out: string): Promise<Set<string>> {
  return new Set((await readdir(join(out, files.parts))).map((name) => join(out, files.parts, name)));
}

/** The folder is ours, empty, or holds this very pool; returns how to let others in. */
export async function openPoolFolder(
  { out, force }: { out: string; force: boolean },
  id: string,
  about: object,
): Promise<() => void> {
  await makeFolder(out);
  const before = await poolIn(out, { force });
  const isOther = before !== undefined && before.id !== id;
  if (isOther && !force) {
    throw new CuelabError({
      kind: "input",
      what: "another pool is there already",
      where: out,
      expected:
        "the same data, groups, families, features, numbers of images, steps, checkpoints and seed, to go on with",
      got: differences(before, about).join("; ") || "a pool of another version of cuelab",
      todo: "pass --force to replace it, or another --out",
    });
  }
  const release = await lockFolder(out);
  try {
    if (isOther) {
      for (const name of Object.values(files)) await rm(join(out, name), { recursive: true, force: true });
    }
    await makeFolder(join(out, files.parts));
    await removePartials(out);
    await writeWhole(join(out, files.about), `${JSON.stringify(about, null, 2)}\n`);
    return release;
  } catch (cause) {
    release();
    throw cause;
  }
}

/** What a killed process was writing. */
export async function removePartials(out: string): Promise<void> {
  for (const folder of [out, join(out, files.parts), join(out, files.features)]) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (name.includes(".cuelab-partial-")) await rm(join(folder, name), { force: true });
    }
  }
}

/** What pool.json says of the pool that is there; undefined where the folder is empty. */
async function poolIn(out: string, { force = false } = {}): Promise<Record<string, unknown> | undefined> {
  const names = (await readdir(out)).filter((name) => !name.startsWith(lockName));
  if (names.length === 0) return undefined;
  if (!names.includes(files.about)) {
    // Killed while the first file was being written.
    if (names.every((name) => name === files.parts || name.includes(".cuelab-partial-"))) return undefined;
    throw new CuelabError({
      kind: "input",
      what: "the folder is not empty and holds no pool",
      where: out,
      todo: "choose another --out; this one is never overwritten",
    });
  }
  const path = join(out, files.about);
  const text = await readFile(path, "utf8");
  try {
    const about = JSON.parse(text) as unknown;
    if (about !== null && typeof about === "object") return about as Record<string, unknown>;
  } catch {
    // Told below, with what is no object.
  }
  if (force) return {};
  throw new CuelabError({
    kind: "input",
    what: "the file that says which pool this is is damaged",
    where: path,
    expected: "JSON, as 'cuelab pool run' writes it",
    got: text.trim() === "" ? "an empty file" : text.slice(0, 60),
    todo: "pass --force to make the pool anew, or choose another --out",
  });
}
