/** Opens whatever people point at: our datasets in any format, other people's shards, tables and folders, IDX files. */

import { access, readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { attributeRecord } from "../core/attribute-record.ts";
import { type Attribute, type Dataset, type StoredImages, standardSplits } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { forbidden } from "../disk/forbidden.ts";
import { asImageSet, inSplitOrder } from "../images/change-dataset.ts";
import { bindRecipe, type Recipe } from "../images/recipe.ts";
import { looksLikeCeleba } from "../layouts/celeba/locate.ts";
import type { ColumnMapping } from "../layouts/column-mapping.ts";
import { ReadColumn, refuseMissing, refuseOverflow } from "../layouts/columns.ts";
import { readDomains } from "../layouts/domain-folders.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import { looksLikeUrbanCars } from "../layouts/urban-cars-layout.ts";
import { openClassFolders, openSplitTables, openUserTable, usualTable } from "../layouts/user-folder.ts";
import { withEnvironments } from "../layouts/waterbirds.ts";
import { openWilds } from "../layouts/wilds/open-wilds.ts";
import { labelsPathOf, readIdxPair } from "../sources/idx.ts";
import { ImageFiles, listImages } from "../sources/image-folder.ts";
import { boxesName, openBoxes } from "./boxes.ts";
import { formats } from "./index.ts";
import { type Manifest, manifestName, readManifest } from "./manifest.ts";
import { readDeclaredSplits, readSplits } from "./shards.ts";
import { openSides } from "./side-images.ts";

export interface OpenedDataset {
  dataset: Dataset;
  /** Present for datasets of ours. */
  manifest?: Manifest;
  format: string;
  /** Columns that were not taken as attributes, and why. */
  ignoredColumns: { name: string; reason: string }[];
  /** What people would want to know about how it was read. */
  warnings: string[];
}

/** A column with more values than this is not taken for a cue unless it is named as one. */
const mostCueValues = 100;

export async function openDataset(path: string, mapping: ColumnMapping = {}): Promise<OpenedDataset> {
  const kind = await stat(path).catch((cause: unknown) => {
    const known = forbidden(cause, path);
    if (known instanceof CuelabError) throw known;
    throw new CuelabError({ kind: "input", what: "there is no such file or folder", where: path, cause });
  });
  const manifest = kind.isDirectory() ? await readManifest(path) : undefined;
  if (manifest) {
    checkMapping(manifest, mapping, path);
    const stored = await openOurs(path, manifest);
    const dataset = await closingOnFailure(stored, async () =>
      withSides(path, fromManifest(stored, manifest, mapping), manifest, stored.images),
    );
    bindRecipe(dataset, storedRecipe(path, mapping, manifest));
    return { dataset, manifest, format: manifest.format, ignoredColumns: [], warnings: [] };
  }
  const { format, stored } = await openForeign(path, kind.isDirectory(), mapping).catch((cause: unknown) => {
    throw forbidden(cause, path);
  });
  const opened = await closingOnFailure(stored, () => {
    if (mapping.layout !== undefined && !format.endsWith("-folders")) throw noFolders(format, path);
    return fromColumns(stored, mapping, path);
  });
  bindRecipe(opened.dataset, storedRecipe(path, mapping));
  return { ...opened, format, warnings: stored.warnings ?? [] };
}

/** Opening it again in the same way, from wherever. */
function storedRecipe(path: string, mapping: ColumnMapping, manifest?: Manifest): Recipe {
  const said = Object.entries(mapping).filter(([, value]) => value !== undefined);
  return {
    kind: "stored",
    path: resolve(path),
    mapping: Object.fromEntries(said),
    ...(manifest && { hash: manifest.hash }),
  };
}

function noFolders(format: string, path: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: "--layout is for folders of images; here something else says what they are",
    where: path,
    got: format,
  });
}

async function openOurs(path: string, manifest: Manifest): Promise<StoredDataset> {
  if (!formats.has(manifest.format)) {
    throw new CuelabError({
      kind: "input",
      what: "the dataset has an unknown format",
      where: join(path, manifestName),
      expected: `one of: ${formats.names.join(", ")}`,
      got: `"${manifest.format}"`,
      todo: `it was written by Cuelab ${manifest.cuelabVersion}; a newer version may know it`,
    });
  }
  try {
    return await formats.get(manifest.format).open(path, manifest);
  } catch (cause) {
    for (const { path: file } of manifest.files) await refuseAbsent(path, file);
    throw forbidden(cause, path);
  }
}

async function refuseAbsent(folder: string, file: string): Promise<void> {
  await access(join(folder, file)).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT") return;
    throw new CuelabError({
      kind: "input",
      what: `${file} is missing`,
      where: folder,
      expected: `the files that ${manifestName} lists`,
      cause,
    });
  });
}

/** A dataset of ours says itself what its columns are; only which attributes count as cues can be chosen. */
function checkMapping({ attributes }: Manifest, mapping: ColumnMapping, path: string): void {
  const { cues, tableName, unlabelled: _, ...columns } = mapping;
  if (tableName !== undefined || Object.values(columns).some((column) => column !== undefined)) {
    throw new CuelabError({
      kind: "usage",
      what: "the dataset has a dataset.json, which says what its columns are",
      where: path,
      todo: "leave out --image-column, --label-column, --split-column and --layout; only --cue-columns applies",
    });
  }
  const names = attributes.map(({ name }) => name);
  const unknown = cues?.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownAttribute(unknown, names, path);
}

export function unknownAttribute(name: string, names: readonly string[], path: string): CuelabError {
  const close = nearest(name, names);
  return new CuelabError({
    kind: "usage",
    what: `the dataset has no attribute "${name}"`,
    where: path,
    expected: names.length === 0 ? "a dataset with attributes" : `one of: ${names.join(", ")}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}

/** With the pictures and boxes that lie beside it. */
async function withSides(
  path: string,
  dataset: Dataset,
  manifest: Manifest,
  images: StoredImages,
): Promise<Dataset> {
  if (manifest.boxes) await refuseAbsent(path, boxesName);
  const sideImages = openSides(path, formats.get(manifest.format), manifest, images, dataset.splits);
  const boxes = await openBoxes(path, manifest);
  return { ...dataset, ...(sideImages && { sideImages }), ...(boxes && { boxes }) };
}

async function closingOnFailure<Result>(
  { images }: StoredDataset,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    await images.close?.();
    throw cause;
  }
}

const endings = new Map([
  ["parquet", "parquet"],
  ["tar", "webdataset"],
  ["npz", "npz"],
]);

async function openForeign(
  path: string,
  isFolder: boolean,
  mapping: ColumnMapping,
): Promise<{ format: string; stored: StoredDataset }> {
  if (!isFolder) {
    if (path.endsWith(".csv")) {
      return openForeign(dirname(path), true, { ...mapping, tableName: basename(path) });
    }
    const format = endings.get(path.split(".").at(-1)!);
    if (format !== undefined) return { format, stored: await formats.get(format).open(path) };
    return { format: "idx", stored: await openIdx(path) };
  }
  const entries = (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
  const names = entries.map(({ name }) => name);
  const tableName = mapping.tableName ?? usualTable;
  const named = [mapping.image, mapping.label, mapping.split].some((column) => column !== undefined);
  const wilds = named ? undefined : await openWilds(path, names, mapping.tableName);
  if (wilds) return { format: "wilds", stored: wilds };
  // Plain files are passed over unasked: a flat folder may hold a hundred thousand.
  const folders = entries.filter((entry) => !entry.isFile() && !entry.name.startsWith("."));
  const folderNames = folders.map(({ name }) => name);
  // Their folders tell more than a table of codes beside them, unless somebody asks for the table.
  if (!named && mapping.tableName === undefined && (await looksLikeUrbanCars(path, folderNames)))
    return { format: "urban-cars", stored: await formats.get("urban-cars").open(path) };
  if (names.includes(tableName))
    return { format: "table", stored: withEnvironments(await openUserTable(path, mapping)) };
  const below = names.includes("data")
    ? [...names, ...(await readdir(join(path, "data")).catch(() => []))]
    : names;
  const ends = (ending: string) => below.some((name) => name.endsWith(ending));
  if (ends(".parquet")) return { format: "parquet", stored: await formats.get("parquet").open(path) };
  if (ends(".tar")) return { format: "webdataset", stored: await formats.get("webdataset").open(path) };
  const archive = names.find((name) => name.endsWith(".npz"));
  if (archive !== undefined)
    return { format: "npz", stored: await formats.get("npz").open(join(path, archive)) };
  const split = await openSplitTables(path, folderNames, mapping);
  if (split) return { format: "table", stored: split };
  if (looksLikeCeleba(names)) {
    throw new CuelabError({
      kind: "usage",
      what: "this is a copy of CelebA, which is read by name",
      where: path,
      todo: `celeba --set folder=${path} (more: cuelab data show celeba)`,
    });
  }
  const paths = await listImages(path);
  if (mapping.unlabelled) return { format: "images", stored: bareImages(path, paths) };
  const domains = readDomains(path, paths, mapping.layout);
  if (domains) return { format: "domain-folders", stored: domains };
  return { format: "class-folders", stored: openClassFolders(path, paths) };
}

async function openIdx(path: string): Promise<StoredDataset> {
  const { count, height, width, labels, image, source } = await readIdxPair(
    { imagesPath: path, labelsPath: labelsPathOf(path) },
    { name: basename(path), license: "yours" },
  );
  const label = new ReadColumn("y");
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
    sources: [source],
  };
}

/** With a manifest, columns hold codes and the manifest says what they mean. */
function fromManifest(
  { images, columns, labelColumn, table }: StoredDataset,
  manifest: Manifest,
  { cues }: ColumnMapping,
): Dataset {
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
  const attributes = manifest.attributes.map(({ name, role, valueNames, description, classValues }) => {
    const attribute: Attribute = {
      values: column(name).integers(valueNames.length, table),
      valueNames,
      role: cues === undefined ? role : chosenRole(role, cues.includes(name)),
      ...(description === undefined ? {} : { description }),
      ...(classValues === undefined ? {} : { classValues }),
    };
    return [name, attribute] as const;
  });
  const {
    title,
    description,
    license,
    citation,
    statisticsBy,
    shiftedSplits,
    generator,
    settings,
    seed,
    sources,
    skipped,
  } = manifest;
  return {
    name: manifest.name,
    images: asImageSet(images),
    labels: column(labelColumn).integers(manifest.classNames.length, table),
    classNames: manifest.classNames,
    attributes: attributeRecord(attributes),
    splits: readDeclaredSplits(column("split"), Object.keys(manifest.splits), table),
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
      ...(shiftedSplits === undefined ? {} : { shiftedSplits }),
    },
  };
}

function chosenRole(role: Attribute["role"], chosen: boolean): Attribute["role"] {
  if (chosen) return "cue";
  return role === "cue" ? "other" : role;
}

/** Without one, values are what they look like: labels and attributes become sorted lists of distinct values. */
function fromColumns(
  stored: StoredDataset,
  mapping: ColumnMapping,
  path: string,
): Pick<OpenedDataset, "dataset" | "ignoredColumns"> {
  const { images, table } = stored;
  const columns = mapping.unlabelled ? new Map([...stored.columns, noLabels(images.count)]) : stored.columns;
  const labelName = mapping.unlabelled
    ? noLabel
    : (mapping.label ??
      [stored.labelColumn, "y", "label", "labels", "target"].find((name) => columns.has(name)));
  if (labelName === undefined) throw missingColumn("y", [...columns.keys()], table, "--label-column");
  const labelColumn = required(columns, labelName, table, "--label-column");
  refuseOverflow(labelColumn, table);
  refuseMissing(labelColumn, table, "label");
  const order = (column: ReadColumn) => stored.valueOrder?.[column.name];
  const { values: labels, valueNames: classNames } = labelColumn.factorised(order(labelColumn));
  if (mapping.split !== undefined) required(columns, mapping.split, table, "--split-column");
  const splitName = mapping.split ?? "split";
  const chosen = mapping.cues?.map((name) => required(columns, name, table, "--cue-columns").name);
  refuseTaken(chosen ?? [], { label: labelName, split: splitName }, table);
  const ignoredColumns = [...(stored.ignoredColumns ?? [])];
  const attributes: [string, Attribute][] = [];
  for (const [name, column] of columns) {
    if (name === labelName || name === splitName) continue;
    const role = chosen?.includes(name) ? "cue" : (stored.roles?.[name] ?? "cue");
    const reason = column.overflowed
      ? "too many distinct values"
      : role !== "cue"
        ? undefined
        : chosen
          ? chosen.includes(name)
            ? undefined
            : "not among --cue-columns"
          : column.values.length > mostCueValues
            ? `${column.values.length} distinct values; name it in --cue-columns to use it`
            : isNearlyUnique(column)
              ? `nearly unique, as ids are: ${column.values.length} distinct values in ${column.length} rows; name it in --cue-columns to use it`
              : undefined;
    if (reason === undefined) attributes.push([name, { ...column.factorised(order(column)), role }]);
    else ignoredColumns.push({ name, reason });
  }
  const splitColumn = columns.get(splitName);
  const dataset: Dataset = {
    name: basename(resolve(path)),
    images: asImageSet(images),
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

/** Of fewer rows nothing can be said. */
const fewestRows = 10;

/** Whatever goes with single images goes with their classes: an id would look like a perfect shortcut. Numbers are binned later. */
function isNearlyUnique({ values, length }: ReadColumn): boolean {
  return length >= fewestRows && values.length > length / 2 && !values.every(isNumber);
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Stands where images that nobody has labelled would have a class. */
const noLabel = "(no label)";

function noLabels(count: number): [string, ReadColumn] {
  const column = new ReadColumn(noLabel);
  for (let i = 0; i < count; i++) column.push(noLabel);
  return [noLabel, column];
}

/** Every image below a folder, whatever its folders are called. */
function bareImages(root: string, paths: readonly string[]): StoredDataset {
  const split = new ReadColumn("split");
  for (const _ of paths) split.push("test");
  return {
    images: new ImageFiles(root, paths),
    columns: new Map([["split", split]]),
    labelColumn: noLabel,
    table: root,
  };
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

function required(
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
