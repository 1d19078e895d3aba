/** Whether what lies on disk is what was written: runs, features, pools and datasets, file by file, and how to mend them. */

import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { quoted } from "../core/shell-words.ts";
import { lockName } from "../disk/lock.ts";
import { isPartial } from "../disk/partial-name.ts";
import { readPlain } from "../disk/plain-file.ts";
import { filesIn } from "../disk/tree.ts";
import { fileDigest, otherBytes, unsealed, vouchedBy, vouchingName } from "../disk/vouched.ts";
import { checkDataset } from "../formats/check-dataset.ts";
import { datasetContent } from "../formats/dataset-content.ts";
import { type Manifest, manifestName, readManifest } from "../formats/manifest.ts";
import { timeFile } from "./core-time.ts";
import { openFeatures } from "./feature-folder.ts";
import { runFiles, stagesFolder } from "./run-folder.ts";
import { logFile, readLog } from "./run-log.ts";

export interface Verified {
  folder: string;
  kind: "run" | "pool" | "features" | "dataset";
  state: "whole" | "damaged" | "unfinished";
  /** Files that were compared with what was written down of them. */
  files: number;
  /** What is wrong, a sentence each: the file and what was found. */
  problems: string[];
  /** Files that the program did not write; no error. */
  strangers: string[];
  /** How to have it again. */
  todo: string | null;
}

export interface VerifyOptions {
  workers: number;
  signal?: AbortSignal | undefined;
  onFound?: ((thing: Verified) => void) | undefined;
}

const aboutFeatures = "features.json";
const aboutPool = "pool.json";

/** How deep below a folder things are looked for: a study's pools have runs of their own. */
const deepest = 6;

/** Everything of ours in a folder and below it, in the order of their paths. */
export async function verify(folder: string, options: VerifyOptions): Promise<Verified[]> {
  const found: Verified[] = [];
  const visit = async (path: string, depth: number): Promise<void> => {
    options.signal?.throwIfAborted();
    const entries = await readdir(path, { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    const thing = await verifiedThing(path, names, options);
    if (thing !== undefined) {
      found.push(thing);
      options.onFound?.(thing);
      if (thing.kind !== "pool") return;
    }
    if (depth === deepest) return;
    for (const { name } of entries.filter((entry) => entry.isDirectory()).sort(byName))
      await visit(join(path, name), depth + 1);
  };
  const isFolder = await stat(folder).then(
    (kind) => kind.isDirectory(),
    () => false,
  );
  if (isFolder) await visit(folder, 0);
  if (found.length > 0) return found;
  throw new CuelabError({
    kind: "input",
    what: isFolder ? "nothing here says what its files should be" : "there is no such folder",
    where: folder,
    expected: "a run, features, a pool or a dataset that cuelab has written, or a folder of such",
  });
}

async function verifiedThing(
  path: string,
  names: ReadonlySet<string>,
  options: VerifyOptions,
): Promise<Verified | undefined> {
  if (names.has(manifestName)) return verifiedDataset(path, options);
  if (names.has(aboutFeatures)) return verifiedFeatures(path, names);
  if (names.has(aboutPool)) return verifiedListed(path, "pool", names);
  if (names.has(runFiles.spec)) return verifiedListed(path, "run", names);
  return undefined;
}

/** A run or a pool: the manifest lists its files. */
async function verifiedListed(
  folder: string,
  kind: "run" | "pool",
  names: ReadonlySet<string>,
): Promise<Verified> {
  const todo = kind === "run" ? runAgain(folder) : poolAgain;
  if (!names.has(vouchingName))
    return { folder, kind, state: "unfinished", files: 0, problems: [], strangers: [], todo: null };
  const where = join(folder, vouchingName);
  const problems: string[] = [];
  let listed: string[] = [];
  try {
    const vouched = vouchedBy(unsealed(String(await readPlain(where)), where), where);
    listed = Object.keys(vouched);
    for (const [name, expected] of Object.entries(vouched)) {
      if (!names.has(name)) problems.push(`${name} is missing`);
      else if ((await fileDigest(join(folder, name))) !== expected) problems.push(`${name}: ${otherBytes}`);
    }
  } catch (cause) {
    problems.push(inOneLine(cause));
  }
  const own = new Set<string>([...listed, ...besides]);
  const strangers = [...names].filter(
    (name) => !own.has(name) && !isPartial(name) && !name.startsWith(lockName),
  );
  return outcome({ folder, kind, files: listed.length, problems, strangers, todo });
}

/** What lies beside results and is none: what was spent, the log, and folders that are looked at by themselves. */
const besides = [vouchingName, timeFile, logFile, stagesFolder, "parts", "features", "runs"];

async function verifiedFeatures(folder: string, names: ReadonlySet<string>): Promise<Verified> {
  const own = [aboutFeatures, "features.npy", "examples.parquet"];
  const problems: string[] = [];
  try {
    // Looked through piece by piece, and not kept.
    const opened = await openFeatures(folder, { most: 0 });
    if ("rows" in opened) await opened.rows.close();
  } catch (cause) {
    problems.push(inOneLine(cause));
  }
  const strangers = [...names].filter((name) => !own.includes(name) && !isPartial(name));
  const todo = "extract them again: the same 'cuelab features extract' with --force";
  return outcome({ folder, kind: "features", files: own.length, problems, strangers, todo });
}

async function verifiedDataset(folder: string, { workers, signal }: VerifyOptions): Promise<Verified> {
  const kind = "dataset";
  let manifest: Manifest | undefined;
  const problems: string[] = [];
  try {
    manifest = await readManifest(folder);
    const report = await checkDataset(folder, { mapping: {}, workers, signal });
    problems.push(...report.problems, ...report.broken.map(({ image, reason }) => `${image}: ${reason}`));
  } catch (cause) {
    signal?.throwIfAborted();
    problems.push(inOneLine(cause));
  }
  const isOwn = await datasetContent.ownIn(folder);
  const strangers = isOwn === undefined ? [] : (await filesIn(folder)).filter((file) => !isOwn(file));
  const files = manifest === undefined ? 0 : manifest.files.length;
  return outcome({ folder, kind, files, problems, strangers, todo: datasetAgain(manifest) });
}

function outcome(thing: Omit<Verified, "state">): Verified {
  const isWhole = thing.problems.length === 0;
  const strangers = [...thing.strangers].sort();
  return { ...thing, strangers, state: isWhole ? "whole" : "damaged", todo: isWhole ? null : thing.todo };
}

/** The log has the command; a sweep's runs are made again by the sweep once their folder is gone. */
function runAgain(folder: string): string {
  const command = readLog(folder).findLast((event) => event.event === "started")?.command;
  if (command === undefined) return "start the run over with --force";
  return command.includes(" train ")
    ? `start it over: ${command} --force`
    : `remove the folder ${basename(folder)} and give the command that made it again: ${command}`;
}

const poolAgain =
  "give its 'cuelab pool run' again: it makes the tables anew from the parts that are there; with --force, all of it";

function datasetAgain(manifest: Manifest | undefined): string {
  if (manifest === undefined || manifest.generator.name === "")
    return "make the dataset again with the command that made it, and --force";
  const { generator, seed, settings } = manifest;
  const chosen = Object.entries(settings).map(([key, value]) => `--set ${quoted(`${key}=${String(value)}`)}`);
  return `make it again from what it was made of (generator ${generator.name}, seed ${seed}${chosen.length > 0 ? `, ${chosen.join(" ")}` : ""}), with --force`;
}

function inOneLine(cause: unknown): string {
  if (!(cause instanceof CuelabError)) throw cause;
  const { what, where, got } = cause.parts;
  return [what, where, got].filter((part) => part !== undefined).join(": ");
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}
