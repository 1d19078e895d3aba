/** Accuracy by class, as people measured it: a CSV of `class,accuracy`, or the JSON of `cuelab eval --groups class`. */

import { CuelabError } from "../core/errors.ts";
import { guarded } from "../disk/guarded.ts";
import { readPlainText } from "../disk/plain-file.ts";
import { reasonOf } from "../sources/image-folder.ts";
import { openCsv } from "../tables/open-csv.ts";
import type { NumberColumn, TextColumn } from "../tables/table.ts";

/** Class → accuracy from 0 to 1, in the order of the file. */
export async function readClassAccuracy(path: string): Promise<Map<string, number>> {
  return guarded(path, () => accuraciesIn(path), "the accuracies by class cannot be read");
}

async function accuraciesIn(path: string): Promise<Map<string, number>> {
  const text = await readPlainText(path).catch((cause: unknown) => {
    throw new CuelabError({
      kind: "input",
      what: "the accuracies by class cannot be read",
      where: path,
      got: reasonOf(cause),
      cause,
    });
  });
  const rows = text.trimStart().startsWith("{") ? rowsOfJson(text, path) : await rowsOfCsv(path);
  const accuracies = new Map<string, number>();
  for (const [name, value] of rows) {
    if (accuracies.has(name)) throw broken(path, `one row a class`, `"${name}" twice`);
    if (!(value >= 0 && value <= 1))
      throw broken(path, "accuracies from 0 to 1", `${value} for the class "${name}"`);
    accuracies.set(name, value);
  }
  return accuracies;
}

async function rowsOfCsv(path: string): Promise<[string, number][]> {
  const expected = "a CSV with the columns class and accuracy";
  const table = await openCsv(path);
  if (!table.columns.includes("class") || !table.columns.includes("accuracy")) {
    throw broken(path, expected, `columns ${table.columns.join(", ")}`);
  }
  const rows: [string, number][] = [];
  const wanted = [
    { name: "class", as: "texts" as const },
    { name: "accuracy", as: "numbers" as const },
  ];
  for await (const { count, columns } of table.batches(wanted, { workers: 0 })) {
    const [names, accuracies] = columns as [TextColumn, NumberColumn];
    const { wrong } = accuracies;
    if (wrong)
      throw broken(`${path}, line ${wrong.line}`, "accuracies from 0 to 1", JSON.stringify(wrong.text));
    for (let row = 0; row < count; row++) rows.push([names.texts[row]!, accuracies.numbers[row]!]);
  }
  if (rows.length === 0) throw broken(path, expected, "no rows");
  return rows;
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
