/** A file of a finished run, by the run's folder: there, and as its manifest vouches for it. */

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { damaged, type RunManifest, runFiles } from "./run-folder.ts";

/** The file's path. Its size does not matter: it is read piece by piece. */
export async function finishedFile(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const expected = (await manifestOf(folder)).files[name];
  if (expected === undefined)
    throw new CuelabError({
      kind: "input",
      what: `this run has no ${name}`,
      where: folder,
      todo: "start the run over with --force",
    });
  if (!(await exists(path))) throw damaged(path, "no such file");
  if ((await fileDigest(path)) !== expected) throw damaged(path, "other bytes than the manifest vouches for");
  return path;
}

/** SHA-256 of a file. */
export async function fileDigest(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

async function manifestOf(folder: string): Promise<Pick<RunManifest, "files">> {
  const path = join(folder, runFiles.manifest);
  if (!(await exists(path))) throw await unfinished(folder);
  try {
    const { files } = JSON.parse(await readFile(path, "utf8")) as Partial<RunManifest>;
    if (typeof files === "object" && files !== null) return { files };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw damaged(path, "no manifest of a run");
}

async function unfinished(folder: string): Promise<CuelabError> {
  const begun = await exists(join(folder, runFiles.spec));
  return new CuelabError({
    kind: "input",
    what: begun ? "the run is not finished" : "no run of a network",
    where: folder,
    expected: `a folder that 'cuelab train' has written, with its ${runFiles.manifest}`,
    todo: begun
      ? "finish that run first: the command that began it goes on"
      : "name the folder of a finished run, or a file of weights",
  });
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return false;
    throw cause;
  }
}
