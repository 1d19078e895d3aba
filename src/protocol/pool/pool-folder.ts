/** The folder of a pool: whose it is, where its parts and features lie, and what a killed process left in it. */

import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { writeWhole } from "../../formats/write-whole.ts";
import { lockFolder, lockName } from "../../store/run-lock.ts";
import type { Fold } from "./environments.ts";

const files = {
  about: "pool.json",
  parts: "parts",
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

export function tablePaths(out: string): { csv: string; parquet: string } {
  return { csv: join(out, files.csv), parquet: join(out, files.parquet) };
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
  await mkdir(out, { recursive: true });
  const before = await ownerOf(out);
  if (before !== undefined && before !== id && !force) {
    throw new CuelabError({
      kind: "input",
      what: "another pool is there already",
      where: out,
      expected:
        "the same data, groups, families, features, numbers of images, steps, checkpoints and seed, to go on with",
      todo: "pass --force to replace it, or another --out",
    });
  }
  const release = await lockFolder(out);
  try {
    if (before !== undefined && before !== id) {
      for (const name of Object.values(files)) await rm(join(out, name), { recursive: true, force: true });
    }
    await mkdir(join(out, files.parts), { recursive: true });
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
  for (const folder of [files.parts, files.features]) {
    for (const name of await readdir(join(out, folder)).catch(() => [])) {
      if (name.includes(".cuelab-partial-")) await rm(join(out, folder, name), { force: true });
    }
  }
}

/** The id of the pool that is there; undefined where the folder is empty. */
async function ownerOf(out: string): Promise<string | undefined> {
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
  const about = JSON.parse(await readFile(join(out, files.about), "utf8")) as { id?: string };
  return about.id ?? "";
}
