/** Which folder is meant where somebody names a run: a path, or the beginning of an id. */

import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { runFiles } from "./run-folder.ts";

/** Where sweeps put their runs unless told otherwise. */
const usualFolder = "runs";
const beginningOfId = /^[0-9a-f]{3,16}$/;

/**
 * A path that is there is meant as it is. Else the one run whose id begins so, in the folder that is named before it, or in this
 * folder or `runs`; an error where there is none, or several.
 */
export function findRun(name: string): string {
  if (isThere(name)) return name;
  const found = matching(name);
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw noRun(name);
  throw new CuelabError({
    kind: "input",
    what: `several runs begin with ${basename(name)}`,
    where: dirname(name),
    got: found.slice(0, 8).join(", "),
    todo: "give more of the id",
  });
}

/** For what may be a run or something else, such as a table: as it is where no run is meant. */
export function perhapsRun(name: string): string {
  return !isThere(name) && beginningOfId.test(basename(name)) ? findRun(name) : name;
}

/** Of a folder that is there and of one that is not alike. */
export function noRun(where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "no run there",
    where,
    expected: "the folder of a run, or the beginning of its id",
    todo: "'cuelab runs list <folder>' shows those of a folder",
  });
}

function matching(name: string): string[] {
  const start = basename(name);
  if (!beginningOfId.test(start)) return [];
  const folders = dirname(name) === "." ? [".", usualFolder] : [dirname(name)];
  return folders.flatMap((folder) =>
    namesIn(folder)
      .filter((entry) => entry.startsWith(start) && isThere(join(folder, entry, runFiles.spec)))
      .map((entry) => join(folder, entry)),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Below a file there is nothing.
    return false;
  }
}
