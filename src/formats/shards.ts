/** Sharded formats' common conventions: how shard files are found, ordered and named after their split. */

import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { standardSplits } from "../core/dataset.ts";
import type { Manifest } from "./manifest.ts";

/** The manifest's files in their order; without one, every file with that ending, training shards first. */
export async function shardPaths(path: string, ending: string, manifest?: Manifest): Promise<string[]> {
  if (manifest) return manifest.files.map((file) => join(path, file.path));
  if ((await stat(path)).isFile()) return [path];
  const order = (name: string) => standardSplits.findIndex((split) => basename(name).startsWith(split));
  return (await readdir(path, { recursive: true }))
    .filter((name) => name.endsWith(ending))
    .sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1))
    .map((name) => join(path, name));
}

/** `train-00000-of-00002.parquet` → `train`. */
export function splitOfShard(path: string): string {
  return /^([a-z_]+)[-.]/i.exec(basename(path))?.[1] ?? "train";
}
