/** A dataset of the columns that people's own tables and folders have: values are what they look like. */

import { basename, resolve } from "node:path";
import { attributeRecord } from "../core/attribute-record.ts";
import { type Attribute, type Dataset, type ImageSet, standardSplits } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { limitOf } from "../core/limits.ts";
import { nearest } from "../core/nearest.ts";
import { noLabel } from "../core/no-label.ts";
import { requireShortNames } from "../core/short-names.ts";
import { isMissing } from "../core/words.ts";
import { asImageSet, inSplitOrder } from "../images/change-dataset.ts";
import type { ColumnMapping } from "../layouts/column-mapping.ts";
import { ReadColumn, refuseMissing, refuseOverflow } from "../layouts/columns.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import { usualLabels } from "../layouts/user-folder.ts";
import { readSplits } from "./shards.ts";

/** A column with more values than this is not taken for a cue unless it is named as one. */
const mostCueValues = 100;

export interface ColumnsDataset {
  dataset: Dataset;
  /** Columns that were not taken as attributes, and why. */
  ignoredColumns: { name: string; reason: string }[];
}

/** Labels and attributes become sorted lists of distinct values. */
export function fromColumns(stored: StoredDataset, mapping: ColumnMapping, path: string): ColumnsDataset {
  const { images, table } = stored;
  const { columns, labelName } = withLabels(stored, mapping);
  const labelColumn = required(columns, labelName, table, "--label-column");
  refuseOverflow(labelColumn, table);
  refuseMissing(labelColumn, table, "label");
  const order = (column: ReadColumn) => stored.valueOrder?.[column.name];
  const { values: labels, valueNames: classNames } = labelColumn.factorised(order(labelColumn));
  requireShortNames(classNames, `${table}, column "${labelName.slice(0, 40)}"`);
  if (mapping.split !== undefined) required(columns, mapping.split, table, "--split-column");
  const splitName = mapping.split ?? "split";
  const chosen = mapping.cues?.map((name) => required(columns, name, table, "--cue-columns").name);
  refuseTaken(chosen ?? [], { label: labelName, split: splitName }, table);
  const splitBy = mapping.prepared?.splitBy;
  if (splitBy !== undefined) refuseOverflow(required(columns, splitBy, table, "--split-by"), table);
  for (const name of mapping.together ?? [])
    refuseOverflow(required(columns, name, table, "--cluster-by"), table);
  const ignoredColumns = [...(stored.ignoredColumns ?? [])];
  const attributes: [string, Attribute][] = [];
  for (const [name, column] of columns) {
    if (name === labelName || name === splitName) continue;
    const role = chosen?.includes(name) ? "cue" : (stored.roles?.[name] ?? "cue");
    const reason = column.overflowed
      ? "too many distinct values"
      : role === "cue"
        ? whyNoCue(column, chosen)
        : undefined;
    if (reason === undefined) {
      const attribute = column.factorised(order(column));
      requireShortNames([name, ...attribute.valueNames], `${table}, column "${name.slice(0, 40)}"`);
      attributes.push([name, { ...attribute, role }]);
    } else ignoredColumns.push({ name, reason });
    // What stays together is known of every image, whether it is looked at as a cue or not.
    if (reason !== undefined && (name === splitBy || mapping.together?.includes(name)))
      attributes.push([name, { ...column.factorised(order(column)), role: "other" }]);
  }
  const splitColumn = columns.get(splitName);
  const dataset: Dataset = {
    name: basename(resolve(path)),
    images: withOwnNames(asImageSet(images)),
    labels,
    classNames,
    attributes: attributeRecord(attributes),
    splits: splitColumn
      ? readSplits(splitColumn, table)
      : { names: standardSplits, values: new Uint8Array(images.count) },
    provenance: {
      title: basename(resolve(path)),
      description: "Images of your own.",
      generator: { name: "import", version: 1 },
      settings: {},
      seed: 0,
      sources: stored.sources ?? [],
      license: "yours",
      skipped: [],
      ...(stored.statisticsBy === undefined ? {} : { statisticsBy: stored.statisticsBy }),
      ...(stored.shiftedSplits === undefined ? {} : { shiftedSplits: stored.shiftedSplits }),
    },
    ...(stored.sideImages && { sideImages: stored.sideImages }),
  };
  return { dataset: inSplitOrder(dataset), ignoredColumns };
}

/** What files are called here is what their owner calls them. */
function withOwnNames(images: ImageSet): ImageSet {
  return images.file ? { ...images, source: (index) => images.file!(index) } : images;
}

/** The columns with one of labels among them. */
function withLabels(
  { columns, images, labelColumn, table }: StoredDataset,
  { label, labels }: ColumnMapping,
): { columns: StoredDataset["columns"]; labelName: string } {
  const found = label ?? [labelColumn, ...usualLabels].find((name) => columns.has(name));
  if (labels === "none" || (labels === "if-any" && found === undefined))
    return { columns: new Map([...columns, noLabels(images.count)]), labelName: noLabel };
  if (found === undefined) throw missingColumn("y", [...columns.keys()], table, "--label-column");
  return { columns, labelName: found };
}

/** Why a column is not taken for a cue; undefined where it is. */
function whyNoCue(column: ReadColumn, chosen: readonly string[] | undefined): string | undefined {
  const { values, length, name } = column;
  if (chosen) return chosen.includes(name) ? undefined : "not among --cue-columns";
  const most = limitOf("name");
  if (values.some((value) => value.length > most))
    return `values of more than ${most} letters, such as texts`;
  if (values.length > mostCueValues)
    return `${values.length} distinct values; name it in --cue-columns to use it`;
  return isNearlyUnique(column)
    ? `nearly unique, as ids are: ${values.length} distinct values in ${length} rows; name it in --cue-columns to use it`
    : undefined;
}

/** Of fewer rows nothing can be said. */
const fewestRows = 10;

/** Whatever goes with single images goes with their classes: an id would look like a perfect shortcut. Numbers are binned later. */
function isNearlyUnique({ values, length }: ReadColumn): boolean {
  return length >= fewestRows && values.length > length / 2 && !values.every(isNumberOrNone);
}

function isNumberOrNone(text: string): boolean {
  return isMissing(text) || Number.isFinite(Number(text));
}

function noLabels(count: number): [string, ReadColumn] {
  const column = new ReadColumn(noLabel);
  for (let i = 0; i < count; i++) column.push(noLabel);
  return [noLabel, column];
}

/** The label is no cue to itself, nor is the split. */
function refuseTaken(cues: readonly string[], taken: Record<"label" | "split", string>, table: string): void {
  for (const [role, name] of Object.entries(taken)) {
    if (!cues.includes(name)) continue;
    throw new CuelabError({
      kind: "usage",
      what: `"${name}" is the ${role} column and cannot be a cue`,
      where: table,
      todo: `leave it out of --cue-columns, or name another column with --${role}-column`,
    });
  }
}

export function required(
  columns: ReadonlyMap<string, ReadColumn>,
  name: string,
  table: string,
  flag?: string,
): ReadColumn {
  const column = columns.get(name);
  if (column) return column;
  throw missingColumn(name, [...columns.keys()], table, flag);
}

function missingColumn(name: string, names: readonly string[], table: string, flag?: string): CuelabError {
  const close = nearest(name, names);
  const hint = close === undefined ? undefined : `did you mean "${close}"?`;
  const todo = [hint, flag === undefined ? undefined : `name the column with ${flag}`]
    .filter(Boolean)
    .join(" or ");
  return new CuelabError({
    kind: "input",
    what: `the table has no column "${name}"`,
    where: table,
    got: `columns ${names.join(", ")}`,
    ...(todo === "" ? {} : { todo }),
  });
}
