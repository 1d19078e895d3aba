/** What a run's manifest says, and its small files as it vouches for them. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { readPlainSync } from "../disk/plain-file.ts";
import { digestOf, otherBytes, unsealed, type Vouched, vouchedBy } from "../disk/vouched.ts";
import { damaged, type RunManifest, runFiles, startOver } from "./run-folder.ts";

/** Throws what is wrong where the text is no manifest of a run. */
function parseRunManifest(text: string, where: string): RunManifest {
  const record = unsealed(text, where, startOver);
  const files = vouchedBy(record, where, startOver);
  if (typeof record.cuelabRun !== "number" || typeof record.id !== "string")
    throw damaged(where, "no manifest of a run");
  const { builds = [] } = record;
  if (!Array.isArray(builds) || !builds.every((build) => typeof build === "string"))
    throw damaged(where, `"builds": ${JSON.stringify(builds)}, no list of texts`);
  return { ...(record as unknown as RunManifest), files };
}

/** Of a finished run. */
export function readRunManifest(folder: string): RunManifest {
  const path = join(folder, runFiles.manifest);
  return parseRunManifest(textOf(path), path);
}

/** A JSON object of a finished run, once its bytes are those that the manifest vouches for. */
export function vouchedJson(folder: string, name: string, files: Vouched): Record<string, unknown> {
  const path = join(folder, name);
  const text = textOf(path);
  if (files[name] === undefined) throw damaged(path, `no digest of it in ${runFiles.manifest}`);
  if (digestOf(text) !== files[name]) throw damaged(path, otherBytes);
  return unsealed(text, path, startOver);
}

/** A text of a run, checked where the run is finished and vouches for it; undefined where there is none. */
export function checkedText(folder: string, name: string): string | undefined {
  const path = join(folder, name);
  if (!existsSync(path)) return undefined;
  const text = textOf(path);
  if (!existsSync(join(folder, runFiles.manifest))) return text;
  const expected = readRunManifest(folder).files[name];
  if (expected !== undefined && digestOf(text) !== expected) throw damaged(path, otherBytes);
  return text;
}

/** A JSON object of a run that nobody vouches for yet. */
export function plainJson(folder: string, name: string): Record<string, unknown> {
  const path = join(folder, name);
  return unsealed(textOf(path), path, startOver);
}

function textOf(path: string): string {
  try {
    return String(readPlainSync(path));
  } catch (cause) {
    if (cause instanceof CuelabError) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    throw damaged(path, code === "ENOENT" ? "no such file" : message);
  }
}
