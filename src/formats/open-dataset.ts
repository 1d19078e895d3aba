/** Opens whatever people point at: our datasets in any format, other people's shards, tables and folders, IDX files. */

import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { type Attribute, type Dataset, type Splits, standardSplits } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { labelsPathOf, readIdxPair } from "../sources/idx.ts";
import { Column } from "./columns.ts";
import type { StoredDataset } from "./format.ts";
import { formats } from "./index.ts";
import { type Manifest, readManifest } from "./manifest.ts";
import { ordered } from "./select-images.ts";
import { openClassFolders, openTable, standardSplitName } from "./user-folder.ts";

/** Which columns mean what, where the usual names do not apply. */
export interface ColumnMapping {
  tableName?: string | undefined;
  image?: string | undefined;
  label?: string | undefined;
  split?: string | undefined;
  /** All columns with few values, unless said otherwise. */
  cues?: readonly string[] | undefined;
}

export interface OpenedDataset {
  dataset: Dataset;
  /** Present for datasets of ours. */
  manifest?: Manifest;
  format: string;
  /** Columns that were not taken as attributes, and why. */
  ignoredColumns: { name: string; reason: string }[];
}

/** A column with more values than this is not taken for a cue unless it is named as one. */
const mostCueValues = 100;

export async function openDataset(path: string, mapping: ColumnMapping = {}): Promise<OpenedDataset> {
  const kind = await stat(path).catch((cause: unknown) => {
    throw new CuelabError({ kind: "input", what: "there is no such file or folder", where: path, cause });
  });
  const manifest = kind.isDirectory() ? await readManifest(path) : undefined;
  if (manifest) {
    const stored = await formats.get(manifest.format).open(path, manifest);
    const dataset = await closingOnFailure(stored, () => fromManifest(stored, manifest));
    return { dataset, manifest, format: manifest.format, ignoredColumns: [] };
  }
  const { format, stored } = await openForeign(path, kind.isDirectory(), mapping);
  return { ...(await closingOnFailure(stored, () => fromColumns(stored, mapping, path))), format };
}

async function closingOnFailure<Result>({ images }: StoredDataset, work: () => Result): Promise<Result> {
  try {
    return work();
  } catch (cause) {
    await images.close?.();
    throw cause;
  }
}

async function openForeign(
  path: string,
  isFolder: boolean,
  mapping: ColumnMapping,
): Promise<{ format: string; stored: StoredDataset }> {
  if (!isFolder) {
    if (path.endsWith(".csv")) {
      return openForeign(dirname(path), true, { ...mapping, tableName: basename(path) });
    }
    const format = ({ parquet: "parquet", tar: "webdataset", npz: "npz" } as Record<string, string>)[
      path.split(".").at(-1)!
    ];
    if (format !== undefined) return { format, stored: await formats.get(format).open(path) };
    return { format: "idx", stored: await openIdx(path) };
  }
  const names = await readdir(path);
  if (names.includes(mapping.tableName ?? "metadata.csv"))
    return { format: "table", stored: await openTable(path, mapping) };
  const below = names.includes("data")
    ? [...names, ...(await readdir(join(path, "data")).catch(() => []))]
    : names;
  const ends = (ending: string) => below.some((name) => name.endsWith(ending));
  if (ends(".parquet")) return { format: "parquet", stored: await formats.get("parquet").open(path) };
  if (ends(".tar")) return { format: "webdataset", stored: await formats.get("webdataset").open(path) };
  const archive = names.find((name) => name.endsWith(".npz"));
  if (archive !== undefined)
    return { format: "npz", stored: await formats.get("npz").open(join(path, archive)) };
  return { format: "class-folders", stored: await openClassFolders(path) };
}

async function openIdx(path: string): Promise<StoredDataset> {
  const { count, height, width, labels, image } = await readIdxPair(
    { imagesPath: path, labelsPath: labelsPathOf(path) },
    { name: basename(path), license: "yours" },
  );
  const label = new Column("y");
  for (const value of labels) label.push(String(value));
  const shape = { height, width, channels: 1 };
  return {
    images: {
      count,
      shape,
      describe: (index) => `${path}, image ${index}`,
      pixels: (index) => ({ data: image(index), ...shape }),
      rawPixels: async (start, many) => {
        const data = new Uint8Array(many * height * width);
        for (let i = 0; i < many; i++) data.set(image(start + i), i * height * width);
        return data;
      },
    },
    columns: new Map([["y", label]]),
    labelColumn: "y",
    table: path,
  };
}

/** With a manifest, columns hold codes and the manifest says what they mean. */
function fromManifest({ images, columns, labelColumn, table }: StoredDataset, manifest: Manifest): Dataset {
  if (images.count !== manifest.count) {
    throw new CuelabError({
      kind: "input",
      what: "the dataset does not have as many images as dataset.json says",
      where: table,
      expected: `${manifest.count} images`,
      got: `${images.count}`,
    });
  }
  const column = (name: string) => required(columns, name, table);
  const attributes: Record<string, Attribute> = {};
  for (const { name, role, valueNames, description, classValues } of manifest.attributes) {
    attributes[name] = {
      values: column(name).integers(valueNames.length, table),
      valueNames,
      role,
      ...(description === undefined ? {} : { description }),
      ...(classValues === undefined ? {} : { classValues }),
    };
  }
  const { title, description, license, citation, statisticsBy, generator, settings, seed, sources, skipped } =
    manifest;
  return {
    name: manifest.name,
    images,
    labels: column(labelColumn).integers(manifest.classNames.length, table),
    classNames: manifest.classNames,
    attributes,
    splits: readSplits(column("split"), Object.keys(manifest.splits)),
    provenance: {
      title,
      description,
      license,
      generator,
      settings,
      seed,
      sources,
      skipped,
      ...(citation === undefined ? {} : { citation }),
      ...(statisticsBy === undefined ? {} : { statisticsBy }),
    },
  };
}

/** Without one, values are what they look like: labels and attributes become sorted lists of distinct values. */
function fromColumns(
  stored: StoredDataset,
  mapping: ColumnMapping,
  path: string,
): Pick<OpenedDataset, "dataset" | "ignoredColumns"> {
  const { images, columns, table } = stored;
  const labelName =
    mapping.label ?? [stored.labelColumn, "y", "label", "labels", "target"].find((name) => columns.has(name));
  if (labelName === undefined) throw missingColumn("y", [...columns.keys()], table, "--label-column");
  const labelColumn = required(columns, labelName, table, "--label-column");
  refuseMissing(labelColumn, table);
  const { values: labels, valueNames: classNames } = labelColumn.factorised();
  if (mapping.split !== undefined) required(columns, mapping.split, table, "--split-column");
  const splitName = mapping.split ?? "split";
  const chosen = mapping.cues?.map((name) => required(columns, name, table, "--cue-columns").name);
  const ignoredColumns: OpenedDataset["ignoredColumns"] = [];
  const attributes: Record<string, Attribute> = {};
  for (const [name, column] of columns) {
    if (name === labelName || name === splitName) continue;
    const reason = column.overflowed
      ? "too many distinct values"
      : chosen
        ? chosen.includes(name)
          ? undefined
          : "not among --cue-columns"
        : column.values.length > mostCueValues
          ? `${column.values.length} distinct values; name it in --cue-columns to use it`
          : undefined;
    if (reason === undefined) attributes[name] = { ...column.factorised(), role: "cue" };
    else ignoredColumns.push({ name, reason });
  }
  const splitColumn = columns.get(splitName);
  const dataset: Dataset = {
    name: basename(resolve(path)),
    images,
    labels,
    classNames,
    attributes,
    splits: splitColumn
      ? readSplits(splitColumn)
      : { names: standardSplits, values: new Uint8Array(images.count) },
    provenance: {
      title: basename(resolve(path)),
      description: "Images of your own.",
      generator: { name: "import", version: 1 },
      settings: {},
      seed: 0,
      sources: [],
      license: "yours",
      skipped: [],
    },
  };
  return { dataset: ordered(dataset), ignoredColumns };
}

/** Splits as names or as Waterbirds' numbers; names beyond the standard three come after them. */
function readSplits(column: Column, names?: readonly string[]): Splits {
  const known: string[] = [...(names ?? standardSplits)];
  const codes = new Map<string, number>();
  for (const value of column.values) {
    const number = value.trim() === "" ? Number.NaN : Number(value);
    const name =
      Number.isInteger(number) && number >= 0 && number < known.length
        ? known[number]!
        : standardSplitName(value);
    if (!known.includes(name)) known.push(name);
    codes.set(value, known.indexOf(name));
  }
  return {
    names: known,
    values: Uint8Array.from({ length: column.length }, (_, row) => codes.get(column.at(row))!),
  };
}

function required(columns: ReadonlyMap<string, Column>, name: string, table: string, flag?: string): Column {
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

function refuseMissing(column: Column, table: string): void {
  const missing = column.values.find((value) =>
    ["", "nan", "null", "none", "na"].includes(value.trim().toLowerCase()),
  );
  if (missing === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: `column "${column.name}" lacks a label`,
    where: `${table}, row ${column.firstRowOf(missing) + 1}`,
    expected: "a class for every image",
    got: missing === "" ? "nothing" : `"${missing}"`,
  });
}
