/** How the files of a sharded dataset are found and ordered, and which splits they are of. */

import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Splits, standardSplits } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { misspeltSplit, splitName } from "../core/split-names.ts";
import { type ReadColumn, refuseMissing } from "../layouts/columns.ts";
import type { Manifest } from "./manifest.ts";

/** Those of the manifest's files in their order; without one, every file with that ending, training shards first. */
export async function shardPaths(path: string, ending: string, manifest?: Manifest): Promise<string[]> {
  const isShard = (name: string) => name.endsWith(ending);
  if (manifest)
    return manifest.files.filter((file) => isShard(file.path)).map((file) => join(path, file.path));
  if ((await stat(path)).isFile()) return [path];
  const order = (name: string) => standardSplits.findIndex((split) => basename(name).startsWith(split));
  return (await readdir(path, { recursive: true }))
    .filter(isShard)
    .sort((a, b) => order(a) - order(b) || (a < b ? -1 : 1))
    .map((name) => join(path, name));
}

/** `my-split-00000-of-00002.parquet` → `my-split`; of names that are not like ours, the first word. */
export function splitOfShard(path: string): string {
  const name = basename(path);
  const ours = /^(.+?)(?:-\d{5,}-of-\d{5,}\.parquet|-\d{6,}\.tar)$/.exec(name);
  return ours?.[1] ?? /^([a-z_]+)[-.]/i.exec(name)?.[1] ?? "train";
}

/** Splits are stored as bytes. */
const mostSplits = 255;

/** Splits of somebody's table: names, or Waterbirds' numbers; names beyond the standard three come after them. */
export function readSplits(column: ReadColumn, table: string): Splits {
  const tooMany = (got: string) =>
    new CuelabError({
      kind: "input",
      what: `column "${column.name}" has too many values for splits; is this the split column?`,
      where: table,
      expected: `at most ${mostSplits} splits`,
      got,
      todo: "name the right column with --split-column",
    });
  if (column.overflowed || column.values.length > mostSplits) {
    throw tooMany(`${column.overflowed ? "more than " : ""}${column.values.length} distinct values`);
  }
  refuseMissing(column, table, "split");
  const known: string[] = [...standardSplits];
  const codes = column.values.map((value) => {
    const name = splitName(value);
    if (name === undefined) throw badSplit(column, value, table);
    const meant = misspeltSplit(value);
    if (meant !== undefined) throw misspelt(column, value, table, meant);
    if (!known.includes(name)) known.push(name);
    return known.indexOf(name);
  });
  if (known.length > mostSplits) throw tooMany(`${known.length} splits, the standard three among them`);
  return { names: known, values: coded(column, codes) };
}

/** Splits of a dataset of ours: exactly the names that its manifest lists, or their positions. */
export function readDeclaredSplits(column: ReadColumn, names: readonly string[], table: string): Splits {
  const codes = column.values.map((value) => {
    const named = names.indexOf(value);
    if (named >= 0) return named;
    const code = /^\d+$/.test(value) ? Number(value) : names.length;
    if (code < names.length) return code;
    throw new CuelabError({
      kind: "input",
      what: "a split is not among those of dataset.json",
      where: `${table}, row ${column.firstRowOf(value) + 1}`,
      expected: `one of: ${names.join(", ")}, or a whole number from 0 to ${names.length - 1}`,
      got: `"${value}"`,
    });
  });
  return { names, values: coded(column, codes) };
}

function coded(column: ReadColumn, codes: readonly number[]): Uint8Array {
  const codeOf = new Map(column.values.map((value, i) => [value, codes[i]!]));
  return Uint8Array.from({ length: column.length }, (_, row) => lookUp(codeOf, column.at(row)));
}

/** One letter off is a mistake that would leave images out of what is measured. */
function misspelt(column: ReadColumn, value: string, table: string, meant: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `column "${column.name}" holds a split that looks misspelt`,
    where: `${table}, row ${column.firstRowOf(value) + 1}`,
    expected: "train, val or test, or a name that is not taken for one of these",
    got: JSON.stringify(value),
    todo: `did you mean "${meant}"?`,
  });
}

function badSplit(column: ReadColumn, value: string, table: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `column "${column.name}" holds what cannot be a split`,
    where: `${table}, row ${column.firstRowOf(value) + 1}`,
    expected: "a name of letters, digits, _ and -, such as fold-3, or a number: 0 train, 1 val, 2 test",
    got: JSON.stringify(value),
    todo: "rename it, or name the split column with --split-column",
  });
}
