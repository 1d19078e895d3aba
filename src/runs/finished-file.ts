/** A file of a finished run, by the run's folder: there, and as its manifest vouches for it. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { fileDigest, otherBytes } from "../disk/vouched.ts";
import { damaged, type RunManifest, runFiles } from "./run-folder.ts";
import { readRunManifest } from "./run-manifest.ts";

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
  if ((await fileDigest(path)) !== expected) throw damaged(path, otherBytes);
  return path;
}

async function manifestOf(folder: string): Promise<RunManifest> {
  if (!(await exists(join(folder, runFiles.manifest)))) throw await unfinished(folder);
  return readRunManifest(folder);
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
