/** Runs of a folder: what each was asked, and, of those that are finished, what it found. */

import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { buildsIn } from "./builds.ts";
import { type JudgedInference, judgedInference } from "./judged-inference.ts";
import { damaged, runFiles } from "./run-folder.ts";
import { plainJson, readRunManifest, vouchedJson } from "./run-manifest.ts";

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
  /** How well inferred groups fit the cues; of methods that infer any. */
  inferred?: readonly JudgedInference[];
  /** Of the method's own, by stage. */
  numbers?: readonly { stage: string; name: string; value: number }[];
}

/** How deep below a folder runs are looked for: `runs/<id>`, or `studies/<name>/<id>`. */
const deepest = 3;

/** A run whose files are not what it vouches for, and why. */
export interface DamagedRun {
  folder: string;
  cause: CuelabError;
}

const resultsSchema = z.object({
  epoch: z.number(),
  selection: z.object({ rule: z.string(), labels: z.string() }).optional(),
  accuracy: z.array(
    z.object({
      slice: z.string(),
      distribution: z.string(),
      count: z.number(),
      accuracy: z.number().nullable(),
    }),
  ),
  inferred: z.array(judgedInference).exactOptional(),
  numbers: z.array(z.object({ stage: z.string(), name: z.string(), value: z.number() })).exactOptional(),
});

/**
 * Finished ones in the order of their folders. Small files by the thousand are read fastest one after the other, in one go. One
 * that is damaged is told and left out.
 */
export function listRuns(folder: string, onDamaged: (run: DamagedRun) => void): StoredRun[] {
  // Without its manifest a run does not exist.
  return runFolders(folder).flatMap(({ path, finished }) => {
    if (!finished) return [];
    const run = readOrDamaged(path);
    if (!("cause" in run)) return [run];
    onDamaged(run);
    return [];
  });
}

/** A finished run, or what is wrong with it. */
export function readOrDamaged(folder: string): StoredRun | DamagedRun {
  try {
    return readRun(folder);
  } catch (cause) {
    if (cause instanceof CuelabError) return { folder, cause };
    throw cause;
  }
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
      got: (cause as NodeJS.ErrnoException).code === "ENOENT" ? "no such folder" : (cause as Error).message,
      cause,
    });
  }
}

/** A finished run, as its manifest vouches for it. */
export function readRun(folder: string): StoredRun {
  const manifest = readRunManifest(folder);
  const { id, ...spec } = vouchedJson(folder, runFiles.spec, manifest.files);
  if (id !== manifest.id)
    throw damaged(join(folder, runFiles.spec), `another id than ${runFiles.manifest} has`);
  const where = join(folder, runFiles.results);
  const found = resultsSchema.safeParse(vouchedJson(folder, runFiles.results, manifest.files));
  if (!found.success) {
    const { path, message } = found.error.issues[0]!;
    throw damaged(where, `${path.join(".") || "the whole file"}: ${message}`);
  }
  return {
    id: manifest.id,
    folder,
    format: manifest.cuelabRun,
    builds: buildsIn(manifest),
    spec: spec as StoredRun["spec"],
    epoch: found.data.epoch,
    selection: found.data.selection,
    accuracy: found.data.accuracy,
    ...(found.data.inferred && { inferred: found.data.inferred }),
    ...(found.data.numbers && { numbers: found.data.numbers }),
  };
}

/** What a run was asked, whether it is finished or not. */
export function readSpec(folder: string): { id: string; spec: StoredRun["spec"] } {
  const { id, ...spec } = plainJson(folder, runFiles.spec);
  if (typeof id !== "string") throw damaged(join(folder, runFiles.spec), "no id");
  return { id, spec: spec as StoredRun["spec"] };
}
