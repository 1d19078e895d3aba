/** A run on disk: spec, history, predictions, model and, last, a manifest. Without a manifest it is not finished. */

import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { programBuild } from "../core/build.ts";
import { CuelabError } from "../core/errors.ts";
import type { PredictionsOrigin } from "../core/predictions-about.ts";
import { diskError, foreignFile } from "../disk/disk-error.ts";
import { Lock, lockName } from "../disk/lock.ts";
import { makeFolder } from "../disk/make-folder.ts";
import { isPartial, removePartials } from "../disk/partial-name.ts";
import { readPlain } from "../disk/plain-file.ts";
import { removeFile, removeFolder } from "../disk/remove-file.ts";
import {
  digestOf,
  otherBytes,
  sealed,
  unsealed,
  type Vouched,
  vouchedBy,
  vouchingName,
} from "../disk/vouched.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { timeFile } from "./core-time.ts";
import { logFile } from "./run-log.ts";

/** Raised whenever equal specs would give other results than before. */
export const runFormatVersion = 5;

export const runFiles = {
  spec: "spec.json",
  checkpoint: "checkpoint.safetensors",
  history: "history.csv",
  checkpoints: "checkpoints.csv",
  predictions: "predictions.parquet",
  model: "model.onnx",
  weights: "weights.safetensors",
  reports: "reports.parquet",
  results: "results.json",
  manifest: vouchingName,
} as const;

/** Of epochs that further rules have chosen, `weights-2.safetensors` and the like, and pictures. */
const furtherFiles = /^((predictions|model|weights)-\d+\.(parquet|onnx|safetensors)|picture-[\w-]+\.png)$/;

/** Of a picture that the run's method has drawn. */
export function pictureFile(name: string): string {
  return `picture-${name}.png`;
}

/** The picture's name; undefined of other files. */
export function pictureNameOf(file: string): string | undefined {
  return /^picture-([\w-]+)\.png$/.exec(file)?.[1];
}

/** What finished stages have left, until the run is finished itself. */
export const stagesFolder = "stages";

/** As earlier versions called what they were writing. */
const formerPartials: readonly string[] = Object.values(runFiles).map((name) => `${name}.partial`);

export interface RunManifest {
  cuelabRun: typeof runFormatVersion;
  cuelabVersion: string;
  /**
   * Builds of the program that had a part in it, the one that finished it last. No part of the id: else a changed comment
   * would make every finished run a stranger; who puts runs of different builds together says so instead.
   */
  builds: string[];
  id: string;
  /** SHA-256 of every other file. */
  files: Vouched;
}

/** Anything that JSON keeps; where data, weights and plugins lie is told but decides nothing. */
interface StoredSpec {
  data?: { path?: string | undefined };
  weights?: { path?: string | undefined } | undefined;
  plugins?: readonly { path?: string | undefined }[] | undefined;
}

export class RunFolder {
  readonly path: string;
  readonly id: string;
  /** Undefined where the folder is only looked at. */
  readonly #lock: Lock | undefined;
  readonly #written = new Set<string>();
  readonly #otherBuilds = new Set<string>();

  private constructor(path: string, id: string, lock?: Lock) {
    this.path = path;
    this.id = id;
    this.#lock = lock;
  }

  /** Takes over a folder for a run: new, or begun before by the same spec. `force` starts over. Close it again. */
  static async open(path: string, spec: StoredSpec, { force }: { force: boolean }): Promise<RunFolder> {
    const id = runId(spec);
    try {
      await makeFolder(path);
      // What must not be touched is refused before a lock is left in it.
      await checkContents(path, spec, force);
      const folder = new RunFolder(path, id, await Lock.take(join(path, lockName), "run"));
      try {
        await folder.#prepare(spec, force);
      } catch (cause) {
        folder.close();
        throw cause;
      }
      return folder;
    } catch (cause) {
      throw diskError(cause, path);
    }
  }

  /** The text of a finished run's file, after all its files were found as they were written; undefined if unfinished. */
  static async readFinished(path: string, spec: StoredSpec, name: string): Promise<string | undefined> {
    const folder = new RunFolder(path, runId(spec));
    await checkContents(path, spec, false);
    const manifest = await folder.#manifest();
    if (manifest === undefined) return undefined;
    await folder.#clearUp();
    // What it vouches for, not what we would: runs of older versions have fewer files.
    for (const [file, expected] of Object.entries(manifest.files)) {
      const content = await folder.read(file);
      if (content === undefined) throw damaged(join(path, file), "no such file");
      if (digestOf(content) !== expected) throw damaged(join(path, file), otherBytes);
    }
    return folder.#readText(name);
  }

  /** Builds that had a part in the run so far, this one last. */
  get builds(): string[] {
    return [...this.#otherBuilds, programBuild()];
  }

  /** What these builds have left becomes a part of the run; those that were not known and are not this one. */
  takeOver(builds: readonly string[]): string[] {
    const others = builds.filter((build) => build !== programBuild() && !this.#otherBuilds.has(build));
    for (const build of others) this.#otherBuilds.add(build);
    return others;
  }

  /** Lets other processes in. */
  close(): void {
    this.#lock?.release();
  }

  async read(name: string): Promise<Buffer | undefined> {
    try {
      return await readPlain(join(this.path, name));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw cause;
    }
  }

  /** Whole or not at all, and only as long as the folder is ours. */
  async write(name: string, content: Uint8Array | string): Promise<void> {
    await this.#lock?.check();
    const confirm = async () => this.#lock?.check();
    await writeWhole(join(this.path, name), content, { overwrite: true, confirm });
    this.#written.add(name);
  }

  /**
   * The last file: from now on the run exists, and what it could have gone on from is not needed any more. It vouches
   * for what was written since the folder was opened.
   */
  async finish(cuelabVersion: string): Promise<RunManifest> {
    const files: Record<string, string> = {};
    const names = new Set([runFiles.spec, ...this.#written]);
    names.delete(runFiles.checkpoint);
    for (const name of names) files[name] = digestOf((await this.read(name))!);
    const { id, builds } = this;
    const manifest: RunManifest = { cuelabRun: runFormatVersion, cuelabVersion, builds, id, files };
    await this.write(runFiles.manifest, sealed(manifest));
    await this.#remove(runFiles.checkpoint);
    return manifest;
  }

  /** Once the folder is ours: what others did until then counts. */
  async #prepare(spec: StoredSpec, force: boolean): Promise<void> {
    const known = await checkContents(this.path, spec, force);
    // What killed processes were writing.
    await removePartials(this.path);
    for (const name of formerPartials) await this.#remove(name);
    if (force && known) {
      // Not finished from the first moment, and a run of ours until the last.
      const { manifest, spec: described, ...others } = runFiles;
      const further = (await readdir(this.path)).filter((name) => furtherFiles.test(name));
      for (const name of [manifest, ...Object.values(others), ...further, timeFile, described])
        await this.#remove(name);
      await removeFolder(join(this.path, stagesFolder));
    } else if ((await this.#manifest()) !== undefined) await this.#remove(runFiles.checkpoint);
    // Data that moved is told by its first path, so that finished files stay as they are.
    if (!known || force)
      await this.write(runFiles.spec, `${JSON.stringify({ id: this.id, ...spec }, null, 2)}\n`);
  }

  /** What a process left that was killed when the run was finished, and it was not; nothing where another is at work. */
  async #clearUp(): Promise<void> {
    const isLeft = (name: string) =>
      isPartial(name) || name.startsWith(lockName) || name === runFiles.checkpoint || name === stagesFolder;
    if (!(await readdir(this.path)).some(isLeft)) return;
    // Who may only read a finished run may do so.
    const lock = await Lock.tryTake(join(this.path, lockName)).catch(() => undefined);
    if (lock === undefined) return;
    try {
      await this.#remove(runFiles.checkpoint);
      await removeFolder(join(this.path, stagesFolder));
      await removePartials(this.path);
    } finally {
      lock.release();
    }
  }

  async #manifest(): Promise<RunManifest | undefined> {
    const text = await this.#readText(runFiles.manifest);
    if (text === undefined) return undefined;
    const where = join(this.path, runFiles.manifest);
    const record = unsealed(text, where, startOver);
    return { ...(record as unknown as RunManifest), files: vouchedBy(record, where, startOver) };
  }

  async #readText(name: string): Promise<string | undefined> {
    return (await this.read(name))?.toString("utf8");
  }

  async #remove(name: string): Promise<void> {
    await removeFile(join(this.path, name));
  }
}

/** A file of a run that cannot be used as it is. */
export function damaged(where: string, got: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a file of this run is damaged",
    where,
    got,
    todo: startOver,
  });
}

export const startOver = "start the run over with --force";

/** Everything that decides a run's outcome, as text. */
function deciding(spec: StoredSpec): string {
  return JSON.stringify({ runFormatVersion, spec: withoutPlaces(spec) });
}

function withoutPlaces({ data = {}, weights, plugins, ...spec }: StoredSpec): Record<string, unknown> {
  return {
    data: placeless(data),
    ...spec,
    ...(weights && { weights: placeless(weights) }),
    ...(plugins && { plugins: plugins.map(placeless) }),
  };
}

/** Which run a table of predictions comes from: wherever its data lay, the same bytes. */
export function predictionsOrigin(spec: StoredSpec): PredictionsOrigin {
  return { run: runId(spec), format: runFormatVersion, spec: withoutPlaces(spec) };
}

function placeless(part: object): object {
  return Object.fromEntries(Object.entries(part).filter(([key]) => key !== "path" && key !== "places"));
}

/** The hash of everything that decides a run's outcome. */
export function runId(spec: StoredSpec): string {
  return digestOf(deciding(spec)).slice(0, 16);
}

/** Whether the folder holds this run already (with `force`: any run); throws where it may not be used. */
async function checkContents(path: string, spec: StoredSpec, force: boolean): Promise<boolean> {
  const names = await readdir(path).catch((cause: NodeJS.ErrnoException): string[] => {
    if (cause.code === "ENOENT") return [];
    throw cause;
  });
  const kept = names.filter(
    (name) =>
      !isPartial(name) &&
      !formerPartials.includes(name) &&
      !name.startsWith(lockName) &&
      // What was spent, and when, is no result.
      name !== timeFile &&
      name !== logFile,
  );
  if (!kept.includes(runFiles.spec)) {
    if (kept.length === 0) return false;
    throw new CuelabError({
      kind: "input",
      what: "the folder is not empty and holds no run",
      where: path,
      todo: "choose another --out; this one is never overwritten",
    });
  }
  await refuseForeign(join(path, runFiles.spec));
  if (force || (await sameRun(join(path, runFiles.spec), spec))) return true;
  // A run that was refused before it did anything is nothing to protect.
  if (kept.length === 1) return false;
  throw new CuelabError({
    kind: "input",
    what: "another run is there already",
    where: path,
    expected: "a run of the same data, network, method, settings, threads and seed, to go on with",
    todo: "pass --force to replace it, or another --out",
  });
}

/** A damaged spec may be ours; one that others have written is told by what it lacks. */
async function refuseForeign(path: string): Promise<void> {
  let spec: unknown;
  try {
    spec = JSON.parse(String(await readPlain(path)));
  } catch (cause) {
    if (cause instanceof SyntaxError) return;
    throw cause;
  }
  if (spec === null || typeof spec !== "object") return;
  if (!/^[0-9a-f]{16}$/.test(String((spec as { id?: unknown }).id))) throw foreignFile(path, "run");
}

async function sameRun(path: string, spec: StoredSpec): Promise<boolean> {
  const known = unsealed(String(await readPlain(path)), path, startOver);
  const { id, ...stored } = known as StoredSpec & { id?: string };
  // Through JSON both, which leaves out what is undefined.
  if (deciding(stored) !== deciding(JSON.parse(JSON.stringify(spec)) as StoredSpec)) return false;
  if (id !== runId(spec)) throw ofAnotherFormat(dirname(path));
  return true;
}

/** The same spec under another id: what it would give now need not be what it gave then. */
function ofAnotherFormat(where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a run of the same spec is there, but an earlier version of the program made it",
    where,
    expected: `a run of format ${runFormatVersion}, to go on with`,
    todo: "pass --force to start over, or another --out; if it is finished, 'cuelab eval' and 'cuelab runs' read it as it is",
  });
}
