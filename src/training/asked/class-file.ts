/** Files that name classes, in the forms that people have them: lines, JSON and CSV; also lists of some, and maps between them. */

import { basename, extname } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { guarded } from "../../disk/guarded.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { csvRows } from "../../tables/csv-rows.ts";

/** A class and whatever else it is called, such as its WordNet id. */
export interface NamedClass {
  name: string;
  aliases: readonly string[];
}

const synset = /^n\d{8}$/;

/**
 * One class a line (`n01440764 tench, Tinca tinca` has an id before its name), a list in JSON, an object from numbers to names
 * or to [id, name], or from names to numbers, transformers' config with `id2label`, or a CSV with a header.
 */
export async function readClassFile(path: string): Promise<NamedClass[]> {
  return guarded(path, () => classesIn(path), "the classes cannot be read");
}

async function classesIn(path: string): Promise<NamedClass[]> {
  const kind = extname(path).toLowerCase();
  const classes =
    kind === ".json"
      ? ofJson(await jsonOf(path), path)
      : kind === ".csv"
        ? await ofCsv(path)
        : (await linesOf(path)).map(ofLine);
  if (classes.length < 2) throw unread(path, `${classes.length} classes`);
  const seen = new Map<string, number>();
  return classes.map(({ name, aliases }) => {
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    // ImageNet has two cranes and two maillots: the second is told by its id.
    return before === 0 ? { name, aliases } : { name: `${name} (${aliases[0] ?? before + 1})`, aliases };
  });
}

/** A list of classes, by whatever name. */
export async function readClassList(path: string): Promise<string[]> {
  if (extname(path).toLowerCase() !== ".json")
    return (await linesOf(path)).map((line) => line.split(/[\t,]/)[0]!.trim());
  const json = await jsonOf(path);
  if (Array.isArray(json)) return json.map(String);
  if (json !== null && typeof json === "object") return Object.keys(json);
  throw unread(path, typeof json);
}

/** From names to names or numbers: an object in JSON, a CSV or lines with two columns. Lists in JSON are members of their key. */
export async function readClassMap(path: string): Promise<Map<string, string>> {
  const map = new Map<string, string>();
  if (extname(path).toLowerCase() === ".json") {
    const json = await jsonOf(path);
    if (json === null || typeof json !== "object" || Array.isArray(json)) throw unread(path, "no object");
    for (const [key, value] of Object.entries(json))
      if (Array.isArray(value)) for (const member of value) map.set(String(member), key);
      else map.set(key, String(value));
    return map;
  }
  for (const line of await linesOf(path)) {
    const cells = line.split(/\t|,|;/).map((cell) => cell.trim());
    if (cells.length !== 2) throw unread(path, `a line with ${cells.length} columns: ${line}`);
    map.set(cells[0]!, cells[1]!);
  }
  return map;
}

function ofJson(json: unknown, where: string): NamedClass[] {
  if (Array.isArray(json)) return json.map((entry) => named(entry, where));
  if (json === null || typeof json !== "object") throw unread(where, typeof json);
  if ("id2label" in json) return ofJson(json.id2label, where);
  const entries = Object.entries(json);
  const byName = entries.every(([, value]) => Number.isInteger(value));
  const placed = entries.map(([key, value]) =>
    byName ? ([Number(value), key] as const) : ([Number(key), value] as const),
  );
  placed.sort(([a], [b]) => a - b);
  if (placed.some(([code], i) => code !== i)) throw unread(where, "numbers that are not 0, 1, 2, …");
  return placed.map(([, value]) => named(value as unknown, where));
}

function named(entry: unknown, where: string): NamedClass {
  if (typeof entry === "string") return ofLine(entry);
  if (Array.isArray(entry) && entry.length > 0 && entry.every((text) => typeof text === "string")) {
    const texts = entry as string[];
    const name = texts.find((text) => !synset.test(text)) ?? texts[0]!;
    return { name, aliases: texts.filter((text) => text !== name) };
  }
  throw unread(where, JSON.stringify(entry).slice(0, 80));
}

function ofLine(line: string): NamedClass {
  const [first = "", ...rest] = line.trim().split(/\s+/);
  if (!synset.test(first) || rest.length === 0) return { name: line.trim(), aliases: [] };
  return { name: rest.join(" "), aliases: [first] };
}

async function ofCsv(path: string): Promise<NamedClass[]> {
  let header: string[] = [];
  const rows: string[][] = [];
  for await (const { cells } of csvRows(path, (names) => {
    header = names;
  }))
    rows.push([...cells]);
  const at = (names: readonly string[]) => header.findIndex((name) => names.includes(name.toLowerCase()));
  const [code, name] = [at(["index", "id", "code", "number"]), at(["name", "class", "class_name", "label"])];
  if (name === -1) throw unread(path, `columns ${header.join(", ")}`);
  if (code !== -1) rows.sort((a, b) => Number(a[code]) - Number(b[code]));
  return rows.map((cells) => ({
    name: cells[name]!,
    aliases: cells.filter((cell, i) => i !== name && i !== code && cell !== ""),
  }));
}

async function linesOf(path: string): Promise<string[]> {
  return String(await readPlain(path))
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
}

async function jsonOf(path: string): Promise<unknown> {
  try {
    return JSON.parse(String(await readPlain(path)));
  } catch (cause) {
    if (cause instanceof CuelabError) throw cause;
    throw unread(path, (cause as Error).message);
  }
}

function unread(where: string, got: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `${basename(where)} does not name classes in a way that is read`,
    where,
    expected:
      "one class a line, or JSON: a list, or an object from numbers to names; or a CSV with a column name",
    got,
  });
}
