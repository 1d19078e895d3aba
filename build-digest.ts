/**
 * Which code makes runs: a digest of all that a training process loads, written beside the program and beside the library when
 * they are built. Commands and pages are no part of it, so that a change of their words is no other build.
 */

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { posix, relative } from "node:path";
import type { Plugin } from "rolldown";

/** As `src/core/build.ts` reads it. */
const file = "build.json";
const compiled = "dist/src";
const beginnings = ["training/train-process.js", "training/batch-worker.js"];

export interface ModuleImports {
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

/** Every compiled file that the beginnings load, now or later, by its place; packages have versions of their own. */
export function codeBehind(first: readonly string[], about: (id: string) => ModuleImports | null): string[] {
  const found = new Set(first);
  for (const id of found) {
    const { importedIds = [], dynamicallyImportedIds = [] } = about(id) ?? {};
    for (const target of [...importedIds, ...dynamicallyImportedIds]) if (isOurs(target)) found.add(target);
  }
  return [...found].sort();
}

/** The library as plugins see it is everything, and decides nothing of a run without a plugin. */
function isOurs(id: string): boolean {
  const path = placeOf(id);
  return !path.startsWith("..") && !path.startsWith("plugins/library");
}

function placeOf(id: string): string {
  return relative(compiled, id).replaceAll("\\", "/");
}

export function digestOf(files: readonly { path: string; text: string }[]): string {
  const hash = createHash("sha256");
  for (const { path, text } of files) hash.update(JSON.stringify([path, text]));
  return hash.digest("hex").slice(0, 16);
}

export function buildDigest(): Plugin {
  return {
    name: "build-digest",
    generateBundle() {
      const first = [...this.getModuleIds()].filter((id) => beginnings.includes(placeOf(id)));
      const files = codeBehind(first, (id) => this.getModuleInfo(id));
      const build = digestOf(files.map((id) => ({ path: placeOf(id), text: readFileSync(id, "utf8") })));
      const source = `${JSON.stringify({ build, files: files.length })}\n`;
      this.emitFile({ type: "asset", fileName: file, source });
      writeFileSync(posix.join(compiled, "core", file), source);
    },
  };
}
