/** Opens whatever holds accuracies of many models, or predictions to count them from: tables, others' files, folders. */

import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { forbidden } from "../../disk/forbidden.ts";
import { isPipeName } from "../../disk/standard-input.ts";
import { isTableName, tableEndings } from "../../tables/open-table.ts";
import { openLabels } from "../open-predictions.ts";
import { wildsFile } from "../wilds-table.ts";
import type {
  AccuracyRequest,
  AccuracyTable,
  AccuracyTexts,
  ReadAccuracyOptions,
  ReadColumns,
} from "./column-table.ts";
import { openFileColumns } from "./file-columns.ts";
import { findColumn, readNested } from "./nested-columns.ts";
import {
  isPredictionTable,
  type PredictionAccuracyOptions,
  tablePredictionAccuracies,
  wildsPredictionAccuracies,
} from "./prediction-accuracies.ts";
import { isWildsLog, openWildsLogs } from "./wilds-accuracies.ts";

export interface OpenAccuraciesOptions extends PredictionAccuracyOptions {
  /** The table of labels, for WILDS' prediction files. */
  labels?: string | undefined;
}

/** Several files are one table: their rows one after the other, with a column `file` that tells them apart. */
export async function openAccuracies(
  paths: readonly string[],
  options: OpenAccuraciesOptions = {},
): Promise<AccuracyTable> {
  const files = (await Promise.all(paths.map(filesOf))).flat();
  const label = paths.join(", ");
  const predictions = files.filter((file) => wildsFile(file) !== undefined);
  if (predictions.length > 0) {
    if (predictions.length < files.length) throw mixed(label);
    if (options.labels === undefined) throw needsLabels(predictions[0]!);
    return wildsPredictionAccuracies(label, predictions, await openLabels(options.labels), options);
  }
  const logs = files.filter(isWildsLog);
  if (logs.length > 0) {
    if (logs.length < files.length) throw mixed(label);
    if (options.groups !== undefined || options.overlapping !== undefined) throw noPredictions(label);
    return openWildsLogs(label, logs);
  }
  if (await isPredictionTable(files[0]!)) return tablePredictionAccuracies(label, files, options);
  if (options.groups !== undefined || options.overlapping !== undefined) throw noPredictions(label);
  return combined(label, files, await Promise.all(files.map(openFile)));
}

function openFile(file: string): Promise<AccuracyTable> {
  if (isTableName(file) || file.endsWith(".json")) return openFileColumns(file);
  throw new CuelabError({
    kind: "input",
    what: "a file of unknown kind",
    where: file,
    expected: `a table that ends in ${tableEndings.join(", ")}, or a folder of them`,
  });
}

/** The columns are those that every file has. */
function combined(path: string, files: readonly string[], tables: readonly AccuracyTable[]): AccuracyTable {
  const [first, ...others] = tables as [AccuracyTable, ...AccuracyTable[]];
  if (others.length === 0) return nested(first);
  const common = first.columns.filter((name) => others.every(({ columns }) => columns.includes(name)));
  const partial = new Set(tables.flatMap(({ columns }) => columns).filter((name) => !common.includes(name)));
  const columns = common.includes("file") ? common : [...common, "file"];
  return {
    path,
    columns,
    // Some is known only once the files have been read.
    get remarks() {
      return [
        ...tables.flatMap(({ remarks }) => remarks),
        ...(partial.size === 0
          ? []
          : [`columns that not all files have are left out: ${[...partial].join(", ")}`]),
      ];
    },
    async read(request, options) {
      const fromFiles = {
        ...request,
        texts: request.texts.filter((name) => common.includes(name) || name !== "file"),
      };
      const parts: ReadColumns[] = [];
      for (const table of tables) parts.push(await readNested(table, fromFiles, options));
      return joined(request, parts, files);
    },
  };
}

function nested(table: AccuracyTable): AccuracyTable {
  return {
    ...table,
    read: (request: AccuracyRequest, options?: ReadAccuracyOptions) => readNested(table, request, options),
  };
}

function joined(
  { numbers, texts }: AccuracyRequest,
  parts: readonly ReadColumns[],
  files: readonly string[],
): ReadColumns {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const fileColumn = (part: number, length: number): AccuracyTexts => ({
    codes: new Uint32Array(length),
    values: [files[part]!],
  });
  return {
    rows,
    numbers: new Map(
      numbers.map((name) => {
        const all = new Float64Array(rows);
        let at = 0;
        for (const part of parts) {
          all.set(lookUp(part.numbers, name), at);
          at += part.rows;
        }
        return [name, all];
      }),
    ),
    texts: new Map(
      texts.map((name) => [
        name,
        joinedTexts(
          parts.map((part, i) => part.texts.get(name) ?? fileColumn(i, part.rows)),
          rows,
        ),
      ]),
    ),
  };
}

function joinedTexts(parts: readonly AccuracyTexts[], rows: number): AccuracyTexts {
  const book = new Map<string, number>();
  const codes = new Uint32Array(rows);
  let at = 0;
  for (const part of parts) {
    const newCodes = part.values.map((text) => {
      if (!book.has(text)) book.set(text, book.size);
      return lookUp(book, text);
    });
    for (const code of part.codes) codes[at++] = newCodes[code]!;
  }
  return { codes, values: [...book.keys()] };
}

/** Whether the table has the column, or the key of a column. */
export function hasColumn({ columns }: AccuracyTable, name: string): boolean {
  return findColumn(columns, name) !== undefined;
}

/** Of a folder: DomainBed's results in it if there are any, else WILDS' files, else runs or pools of ours, else all tables. */
async function filesOf(path: string): Promise<string[]> {
  if (isPipeName(path)) return [path];
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = (await readdir(path, { recursive: true })).sort().map((name) => join(path, name));
    const kinds = [
      (name: string) => name.endsWith("results.jsonl"),
      (name: string) => wildsFile(name) !== undefined,
      isWildsLog,
      (name: string) => basename(name) === "predictions.parquet",
      // A pool keeps one table in two formats and in parts.
      (name: string) =>
        basename(name) === "accuracies.csv" && names.includes(join(dirname(name), "pool.json")),
      (name: string) => /\.(csv|tsv|parquet|jsonl|ndjson)$/.test(name),
    ];
    for (const isKind of kinds) {
      const found = names.filter(isKind);
      if (found.length > 0) return found;
    }
  } catch (cause) {
    const known = forbidden(cause, path);
    if (known instanceof CuelabError) throw known;
    throw new CuelabError({ kind: "input", what: "there is no such table", where: path, cause });
  }
  throw new CuelabError({
    kind: "input",
    what: "the folder has no tables of accuracies",
    where: path,
    expected: "results.jsonl, …_eval.csv, …_pred.csv, or tables in CSV, Parquet or JSON lines",
  });
}

function mixed(path: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "WILDS' files and other tables cannot be read together",
    where: path,
  });
}

function noPredictions(path: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "--groups and --overlapping count groups in predictions, and these are accuracies",
    where: path,
    todo: "name their columns of groups instead, such as --ood 'test.acc_y:*'",
  });
}

function needsLabels(file: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "the files hold predictions only",
    where: file,
    todo: "give the table of labels with --labels",
  });
}
