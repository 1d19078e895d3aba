/** Runs of a folder: what each was asked, and, of those that are finished, what it found. */

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { buildsIn } from "./builds.ts";
import { damaged, type RunManifest, runFiles } from "./run-folder.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

export interface StoredRun {
  id: string;
  folder: string;
  /** Of the program that made it: runs of earlier formats are read as they are, and never averaged with others. */
  format: number;
  /** Of the program, that had a part in it. */
  builds: readonly string[];
  spec: { readonly [name: string]: Json };
  epoch: number;
  selection: { rule: string; labels: string } | undefined;
  accuracy: readonly { slice: string; distribution: string; count: number; accuracy: number | null }[];
}

/** How deep below a folder runs are looked for: `runs/<id>`, or `studies/<name>/<id>`. */
const deepest = 3;

/** In the order of their folders. Small files by the thousand are read fastest one after the other, in one go. */
export function listRuns(folder: string): StoredRun[] {
  // Without its manifest a run does not exist.
  return runFolders(folder).flatMap(({ path, finished }) => (finished ? [readRun(path)] : []));
}

/** Where runs lie, finished or not. */
export function runFolders(folder: string): { path: string; finished: boolean }[] {
  const runs: { path: string; finished: boolean }[] = [];
  const visit = (path: string, depth: number): void => {
    const entries = entriesOf(path, folder);
    const names = new Set(entries.map(({ name }) => name));
    if (names.has(runFiles.spec)) {
      runs.push({ path, finished: names.has(runFiles.manifest) });
      return;
    }
    if (depth === deepest) return;
    for (const entry of entries) if (entry.isDirectory()) visit(join(path, entry.name), depth + 1);
  };
  visit(folder, 0);
  return runs;
}

function entriesOf(path: string, root: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "cannot look for runs here",
      where: path === root ? root : relative(".", path),
      got: (cause as Error).message,
      cause,
    });
  }
}

export function readRun(folder: string): StoredRun {
  const { id, spec } = readSpec(folder);
  const results = readJson(join(folder, runFiles.results)) as unknown as Omit<
    StoredRun,
    "id" | "folder" | "format" | "builds" | "spec"
  >;
  const manifest = readJson(join(folder, runFiles.manifest)) as unknown as RunManifest;
  const { epoch, selection, accuracy } = results;
  return {
    id,
    folder,
    format: manifest.cuelabRun,
    builds: buildsIn(manifest),
    spec,
    epoch,
    selection,
    accuracy,
  };
}

/** What a run was asked, whether it is finished or not. */
export function readSpec(folder: string): { id: string; spec: StoredRun["spec"] } {
  const { id, ...spec } = readJson(join(folder, runFiles.spec)) as { id: string; [name: string]: Json };
  return { id, spec };
}

function readJson(path: string): Json {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Json;
  } catch (cause) {
    throw damaged(path, (cause as Error).message);
  }
}
