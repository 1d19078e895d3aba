/** A run on disk: spec, history, predictions, model and, last, a manifest. Without a manifest it is not finished. */

import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { diskError } from "../formats/disk-error.ts";

/** Raised whenever equal specs would give other results than before. */
const runFormatVersion = 1;

export const runFiles = {
  spec: "spec.json",
  checkpoint: "checkpoint.safetensors",
  history: "history.csv",
  predictions: "predictions.parquet",
  model: "model.onnx",
  results: "results.json",
  manifest: "manifest.json",
} as const;

export interface RunManifest {
  cuelabRun: typeof runFormatVersion;
  cuelabVersion: string;
  id: string;
  /** SHA-256 of every other file. */
  files: Record<string, string>;
}

export class RunFolder {
  readonly path: string;
  readonly id: string;

  private constructor(path: string, id: string) {
    this.path = path;
    this.id = id;
  }

  /** Takes over a folder for a run: new, or begun before by the same spec. `force` starts over. */
  static async open(path: string, spec: object, { force }: { force: boolean }): Promise<RunFolder> {
    const id = runId(spec);
    const text = `${JSON.stringify({ id, ...spec }, null, 2)}\n`;
    try {
      await mkdir(path, { recursive: true });
      const names = await readdir(path);
      const known = names.includes(runFiles.spec)
        ? await readFile(join(path, runFiles.spec), "utf8")
        : undefined;
      checkContents(path, names, known, text, force);
      if (force && known !== undefined) {
        for (const name of Object.values(runFiles)) await rm(join(path, name), { force: true });
      }
      if (known !== text || force) await new RunFolder(path, id).write(runFiles.spec, text);
    } catch (cause) {
      throw diskError(cause, path);
    }
    return new RunFolder(path, id);
  }

  /** The manifest of a finished run. */
  async manifest(): Promise<RunManifest | undefined> {
    const text = await this.readText(runFiles.manifest);
    return text === undefined ? undefined : (JSON.parse(text) as RunManifest);
  }

  async readText(name: string): Promise<string | undefined> {
    return (await this.read(name))?.toString("utf8");
  }

  async read(name: string): Promise<Buffer | undefined> {
    try {
      return await readFile(join(this.path, name));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw cause;
    }
  }

  /** Whole or not at all: under another name first, synced, then renamed. */
  async write(name: string, content: Uint8Array | string): Promise<void> {
    const target = join(this.path, name);
    const partial = `${target}.partial`;
    try {
      await writeFile(partial, content);
      const file = await open(partial, "r+");
      await file.sync();
      await file.close();
      await rename(partial, target);
    } catch (cause) {
      await rm(partial, { force: true });
      throw diskError(cause, target);
    }
  }

  /** The last file: from now on the run exists. */
  async finish(cuelabVersion: string): Promise<RunManifest> {
    await rm(join(this.path, runFiles.checkpoint), { force: true });
    const files: Record<string, string> = {};
    for (const name of [
      runFiles.spec,
      runFiles.history,
      runFiles.predictions,
      runFiles.model,
      runFiles.results,
    ]) {
      files[name] = createHash("sha256")
        .update((await this.read(name))!)
        .digest("hex");
    }
    const manifest: RunManifest = { cuelabRun: runFormatVersion, cuelabVersion, id: this.id, files };
    await this.write(runFiles.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  }
}

/** Hash of everything that decides a run's outcome. */
function runId(spec: object): string {
  return createHash("sha256").update(JSON.stringify({ runFormatVersion, spec })).digest("hex").slice(0, 16);
}

function checkContents(
  path: string,
  names: readonly string[],
  known: string | undefined,
  spec: string,
  force: boolean,
): void {
  if (known === undefined && names.some((name) => !name.endsWith(".partial"))) {
    throw new CuelabError({
      kind: "input",
      what: "the folder is not empty and holds no run",
      where: path,
      todo: "choose another --out; this one is never overwritten",
    });
  }
  if (known !== undefined && known !== spec && !force) {
    throw new CuelabError({
      kind: "input",
      what: "another run is there already",
      where: path,
      expected: "a run of the same data, network, method, settings and seed, to go on with",
      todo: "pass --force to replace it, or another --out",
    });
  }
}
