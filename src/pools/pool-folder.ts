/** The folder of a pool: whose it is, where its parts and features lie, and what a killed process left in it. */

import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { foreignFile } from "../disk/disk-error.ts";
import { Lock, lockName } from "../disk/lock.ts";
import { makeFolder } from "../disk/make-folder.ts";
import { isPartial, removePartials } from "../disk/partial-name.ts";
import { readPlain } from "../disk/plain-file.ts";
import { removeFile } from "../disk/remove-file.ts";
import { filesIn, removeListed } from "../disk/tree.ts";
import { checkVouched, fileDigest, sealed, type Vouched, vouchingName } from "../disk/vouched.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { timeFile } from "../runs/core-time.ts";
import { runFiles } from "../runs/run-folder.ts";
import { logFile } from "../runs/run-log.ts";
import type { Fold } from "../training/environments.ts";
import { differences } from "./pool-differences.ts";

const files = {
  about: "pool.json",
  parts: "parts",
  runs: "runs",
  features: "features",
  csv: "accuracies.csv",
  parquet: "accuracies.parquet",
  time: timeFile,
  manifest: vouchingName,
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

/** What pool.json says of the pool that is there. */
export async function aboutOfPool(out: string): Promise<Record<string, unknown>> {
  return (await poolIn(out)) ?? {};
}

/** Whether the folder holds this very pool. */
export async function isPool(out: string, id: string): Promise<boolean> {
  return existsSync(join(out, files.about)) && (await poolIn(out))?.id === id;
}

/** Paths of all parts that are there. */
export async function partsIn(out: string): Promise<Set<string>> {
  return new Set((await readdir(join(out, files.parts))).map((name) => join(out, files.parts, name)));
}

/** The folder is ours, empty, or holds this very pool; release it to let others in. */
export async function openPoolFolder(
  { out, force }: { out: string; force: boolean },
  id: string,
  about: object,
): Promise<Lock> {
  await makeFolder(out);
  // What must not be touched is refused before a lock is left in it.
  await isOtherPool(out, force, id, about);
  const lock = await Lock.take(join(out, lockName), "pool");
  try {
    // Once the folder is ours: what others did until then counts.
    if (await isOtherPool(out, force, id, about)) await removeListed(out, (await filesIn(out)).filter(isOwn));
    // Nobody vouches for a pool in the making.
    await removeFile(join(out, files.manifest));
    await makeFolder(join(out, files.parts));
    await removeHalfMade(out);
    await writeWhole(join(out, files.about), `${JSON.stringify(about, null, 2)}\n`, { overwrite: true });
    return lock;
  } catch (cause) {
    lock.release();
    throw cause;
  }
}

/** Whether another pool is there, which may be replaced; throws where it may not. */
async function isOtherPool(out: string, force: boolean, id: string, about: object): Promise<boolean> {
  const before = await poolIn(out, { force });
  if (before === undefined || before.id === id) return false;
  if (force) return true;
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

/** Written last: the digests of the tables, and of what they are of. */
export async function vouchForPool(out: string, id: string, confirm: () => Promise<void>): Promise<void> {
  const names = [files.about, files.csv, files.parquet];
  const digests = await Promise.all(names.map(async (name) => [name, await fileDigest(join(out, name))]));
  const manifest = { cuelabPool: 1, id, files: Object.fromEntries(digests) as Vouched };
  await writeWhole(join(out, files.manifest), sealed(manifest), { overwrite: true, confirm });
}

/** What a killed process was writing. */
export async function removeHalfMade(out: string): Promise<void> {
  for (const folder of [out, join(out, files.parts), join(out, files.features)]) await removePartials(folder);
}

/** Files of a pool by their paths inside; whatever else people have put into its folder stays. */
function isOwn(path: string): boolean {
  const [folder = "", ...inside] = path.split("/");
  const name = inside.at(-1) ?? "";
  if (inside.length === 0)
    return [files.about, files.csv, files.parquet, files.time, files.manifest].some((own) => own === folder);
  if (isPartial(name)) return true;
  if (folder === files.parts) return inside.length === 1 && /^train-.*\.parquet$/.test(name);
  if (folder === files.features) return inside.length === 1 && name.endsWith(".npy");
  const ofRuns: readonly string[] = [...Object.values(runFiles), timeFile, logFile];
  return folder === files.runs && inside.length === 2 && (ofRuns.includes(name) || name.startsWith(lockName));
}

/** What pool.json says of the pool that is there; undefined where the folder is empty. */
async function poolIn(out: string, { force = false } = {}): Promise<Record<string, unknown> | undefined> {
  const names = (await readdir(out)).filter((name) => !name.startsWith(lockName));
  if (names.length === 0) return undefined;
  if (!names.includes(files.about)) {
    // Killed while the first file was being written.
    if (names.every((name) => name === files.parts || isPartial(name))) return undefined;
    throw new CuelabError({
      kind: "input",
      what: "the folder is not empty and holds no pool",
      where: out,
      todo: "choose another --out; this one is never overwritten",
    });
  }
  const path = join(out, files.about);
  const text = String(await readPlain(path));
  try {
    const about = JSON.parse(text) as unknown;
    if (about !== null && typeof about === "object") {
      if (!("cuelabPool" in about)) throw foreignFile(path, "pool");
      if (!force) await checkVouched(path);
      return about as Record<string, unknown>;
    }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
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
