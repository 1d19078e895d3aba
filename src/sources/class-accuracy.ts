/** Accuracy by class, as people measured it: a CSV of `class,accuracy`, or the JSON of `cuelab eval --groups class`. */

import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { CuelabError } from "../core/errors.ts";
import { reasonOf } from "./image-folder.ts";

/** Class → accuracy from 0 to 1, in the order of the file. */
export async function readClassAccuracy(path: string): Promise<Map<string, number>> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new CuelabError({
      kind: "input",
      what: "the accuracies by class cannot be read",
      where: path,
      got: reasonOf(cause),
      cause,
    });
  });
  const rows = text.trimStart().startsWith("{") ? rowsOfJson(text, path) : rowsOfCsv(text, path);
  const accuracies = new Map<string, number>();
  for (const [name, value] of rows) {
    if (accuracies.has(name)) throw broken(path, `one row a class`, `"${name}" twice`);
    if (!(value >= 0 && value <= 1))
      throw broken(path, "accuracies from 0 to 1", `${value} for the class "${name}"`);
    accuracies.set(name, value);
  }
  return accuracies;
}

function rowsOfCsv(text: string, path: string): [string, number][] {
  let rows: Record<string, string>[];
  try {
    rows = parse(text, { columns: true, bom: true, skip_empty_lines: true, trim: true });
  } catch (cause) {
    throw broken(path, "a CSV with the columns class and accuracy", reasonOf(cause));
  }
  const [first] = rows;
  if (first?.class === undefined || first.accuracy === undefined) {
    const got = first === undefined ? "no rows" : `columns ${Object.keys(first).join(", ")}`;
    throw broken(path, "a CSV with the columns class and accuracy", got);
  }
  return rows.map((row) => [row.class!, row.accuracy === "" ? Number.NaN : Number(row.accuracy)]);
}

function rowsOfJson(text: string, path: string): [string, number][] {
  const expected = "the JSON that cuelab eval --groups class --json prints";
  let report: { groups?: { class?: string; values?: object; accuracy?: number | null }[] };
  try {
    report = JSON.parse(text);
  } catch (cause) {
    throw broken(path, expected, reasonOf(cause));
  }
  if (!Array.isArray(report.groups)) throw broken(path, expected, "no groups");
  return report.groups.map((group) => {
    if (typeof group.class !== "string" || Object.keys(group.values ?? {}).length > 0) {
      throw broken(path, expected, "groups that are not the classes");
    }
    return [group.class, group.accuracy ?? Number.NaN];
  });
}

function broken(path: string, expected: string, got: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "this is no table of accuracies by class",
    where: path,
    expected,
    got,
  });
}
