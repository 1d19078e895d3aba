/** Opens whatever holds predictions: a table of ours or of others, a run's folder, WILDS' and GQA-OOD's files. */

import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { type PredictionsOrigin, readAbout, readMetadata } from "../core/predictions-about.ts";
import { forbidden } from "../disk/forbidden.ts";
import { readPlainText } from "../disk/plain-file.ts";
import { isPipeName } from "../disk/standard-input.ts";
import { checkVouched, unsealed, vouchedBy, vouchingName } from "../disk/vouched.ts";
import { isTableName, openTableFile, tableEndings } from "../tables/open-table.ts";
import { isGqaTable, openGqaTable } from "./gqa-table.ts";
import type { PredictionTable } from "./table.ts";
import { asWildsLabels } from "./wilds-labels.ts";
import { openWildsTable, wildsSplit } from "./wilds-table.ts";

export interface OpenPredictionsOptions {
  /** Tables with the labels, for files that hold predictions only. */
  labels?: readonly string[] | undefined;
  /** The column of splits in those. */
  splitColumn?: string | undefined;
}

export async function openPredictions(
  path: string,
  { labels = [], splitColumn = "split" }: OpenPredictionsOptions = {},
): Promise<PredictionTable> {
  const file = await predictionFile(path);
  if (file.endsWith(".json")) {
    if (labels.length > 0) return openGqaTable(file, labels);
    const table = await openPredictionTable(file);
    if (isGqaTable(table)) throw needsLabels(file, "the questions with their answers");
    return table;
  }
  if (labels.length > 1) {
    throw new CuelabError({
      kind: "usage",
      what: "several tables of labels are for GQA-OOD's JSON files only",
      where: file,
      got: labels.join(", "),
    });
  }
  if (labels[0] !== undefined) {
    const table = await openLabels(labels[0]);
    return openWildsTable(file, table, splitColumn);
  }
  if (wildsSplit(file) !== undefined) throw needsLabels(file, "the table of labels and attributes");
  return described(await openPredictionTable(file), path);
}

/** With what the table itself says of its meaning; a run of an earlier format tells its spec alone. */
async function described(table: PredictionTable, path: string): Promise<PredictionTable> {
  const { ours, classNames } = table;
  if (ours?.about !== undefined && classNames !== undefined) {
    const about = readAbout(ours.about, classNames, table.path);
    return { ...table, about, ...(about.origin && { origin: about.origin }) };
  }
  const origin = path === table.path ? undefined : await originOfFolder(path);
  return origin ? { ...table, origin } : table;
}

async function originOfFolder(folder: string): Promise<PredictionsOrigin | undefined> {
  await checkVouched(join(folder, "spec.json"));
  const json = async (name: string) =>
    JSON.parse(await readPlainText(join(folder, name))) as Record<string, unknown>;
  try {
    const [{ id, ...spec }, { cuelabRun }] = [await json("spec.json"), await json(vouchingName)];
    return typeof id === "string" && typeof cuelabRun === "number"
      ? { run: id, format: cuelabRun, spec }
      : undefined;
  } catch {
    // Predictions in a folder of no run are a table like any.
    return undefined;
  }
}

/** A table of classes and attributes; those of WILDS mean what WILDS says. */
export async function openLabels(path: string): Promise<PredictionTable> {
  return asWildsLabels(await openPredictionTable(await predictionFile(path)));
}

/** A table of ours or of others, with what ours say in their metadata: the class names first of all. */
export async function openPredictionTable(file: string): Promise<PredictionTable> {
  if (!isTableName(file) && !file.endsWith(".json")) {
    throw new CuelabError({
      kind: "input",
      what: "a file of unknown kind",
      where: file,
      expected: `a table that ends in ${tableEndings.join(", ")} or .json, or a run's folder`,
    });
  }
  const table = await openTableFile(file);
  const text = table.notes?.get("cuelab");
  if (text === undefined) return table;
  const ours = readMetadata(text, file);
  const { classNames } = ours;
  return { ...table, ours, ...(classNames ? { classNames } : {}) };
}

/** A run's folder stands for the predictions in it, once its manifest says that they are all there. */
async function predictionFile(path: string): Promise<string> {
  if (isPipeName(path)) return path;
  if (path.endsWith(".sweep.json")) {
    throw new CuelabError({
      kind: "input",
      what: "a sweep's record holds no predictions",
      where: path,
      todo: "give the folders of its runs",
    });
  }
  try {
    if (!(await stat(path)).isDirectory()) return path;
    const names = await readdir(path);
    if (names.includes("spec.json")) {
      if (!names.includes(vouchingName)) throw notFinished(path);
      const where = join(path, vouchingName);
      vouchedBy(unsealed(await readPlainText(where), where), where);
    }
    const inside = join(path, "predictions.parquet");
    await stat(inside);
    return inside;
  } catch (cause) {
    const known = forbidden(cause, path);
    if (known instanceof CuelabError) throw known;
    throw new CuelabError({
      kind: "input",
      what: "there are no predictions",
      where: path,
      expected: "a table, or the folder of a finished run with its predictions.parquet",
      cause,
    });
  }
}

function notFinished(path: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the run is not finished",
    where: path,
    expected: "a manifest.json, which is written last",
    todo: "finish that run first: give the command that began it again",
  });
}

function needsLabels(file: string, what: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "the file holds predictions only",
    where: file,
    todo: `give ${what} with --labels`,
  });
}
