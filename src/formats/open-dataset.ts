/** Opens whatever people point at: our datasets in any format, other people's shards, tables and folders, IDX files. */

import { access, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { attributeRecord } from "../core/attribute-record.ts";
import { unknownAttribute } from "../core/cue-statistics.ts";
import type { Attribute, Dataset, ImageSet, StoredImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { sourceColumn } from "../core/own-columns.ts";
import { forbidden } from "../disk/forbidden.ts";
import { guarded } from "../disk/guarded.ts";
import { requirePlain } from "../disk/plain-file.ts";
import { damagedFile, fileDigest } from "../disk/vouched.ts";
import { asImageSet } from "../images/change-dataset.ts";
import { bindRecipe, type Recipe } from "../images/recipe.ts";
import type { ColumnMapping } from "../layouts/column-mapping.ts";
import type { ReadColumn } from "../layouts/columns.ts";
import type { Preparation } from "../layouts/preparation.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import type { UnreadFiles } from "../sources/list-images.ts";
import { boxesName, openBoxes } from "./boxes.ts";
import { checkStored } from "./check-stored.ts";
import { splitSizes } from "./format.ts";
import { fromColumns, required } from "./from-columns.ts";
import { formats } from "./index.ts";
import { type Manifest, manifestName, readManifest } from "./manifest.ts";
import { openForeign } from "./open-foreign.ts";
import { preparedData } from "./prepare-data.ts";
import { readDeclaredSplits } from "./shards.ts";
import { openSides } from "./side-images.ts";

export interface OpenedDataset {
  dataset: Dataset;
  /** Present for datasets of ours. */
  manifest?: Manifest;
  format: string;
  /** Columns that were not taken as attributes, and why. */
  ignoredColumns: { name: string; reason: string }[];
  /** What people would want to know about how it was read. */
  warnings: readonly string[];
  /** Files among the images that were not read, by kind. */
  unread: readonly UnreadFiles[];
}

/** Files of a dataset of ours are compared with its digests, unless somebody does that afterwards (`unchecked`). */
export async function openDataset(
  path: string,
  mapping: ColumnMapping = {},
  { unchecked = false } = {},
): Promise<OpenedDataset> {
  const { prepared, ...read } = mapping;
  if (!unchecked) await checkFiles(path);
  const { splitsAreOurs, ...opened } = await guarded(
    path,
    () => openAsItIs(path, mapping, storedRecipe(path, read)),
    "the dataset cannot be read",
  );
  if (prepared === undefined) return opened;
  try {
    const dataset = await preparedData(opened.dataset, prepared, { path, splitsAreOurs });
    return { ...opened, dataset, warnings: [...opened.warnings, ...divisionRemarks(dataset, prepared)] };
  } catch (cause) {
    await opened.dataset.images.close?.();
    throw cause;
  }
}

/** What came of the shares: with few files, or few values to keep together, that is not what was asked for. */
function divisionRemarks({ splits }: Dataset, { split, splitBy, stratify }: Preparation): string[] {
  if (split === undefined) return [];
  const counts = Object.entries(splitSizes(splits)).map(([name, images]) => `${name} ${images}`);
  const by = splitBy ?? (stratify ? "content within each class" : "content");
  return [`divided by ${by}: ${counts.join(", ")}`];
}

/** The recipe is of images as they lie there: what is done to them on reading follows from it. */
async function openAsItIs(
  path: string,
  mapping: ColumnMapping,
  recipe: Extract<Recipe, { kind: "stored" }>,
): Promise<OpenedDataset & { splitsAreOurs: boolean }> {
  const kind = await stat(path).catch((cause: unknown) => {
    const known = forbidden(cause, path);
    if (known instanceof CuelabError) throw known;
    throw new CuelabError({ kind: "input", what: "there is no such file or folder", where: path, cause });
  });
  if (!kind.isDirectory()) await requirePlain(path);
  const manifest = kind.isDirectory() ? await readManifest(path) : undefined;
  if (manifest) {
    checkMapping(manifest, mapping, path);
    const stored = await openOurs(path, manifest);
    const dataset = await closingOnFailure(stored, async () => {
      checkStored(stored);
      return withSides(path, fromManifest(stored, manifest, mapping), manifest, stored.images);
    });
    bindRecipe(dataset, { ...recipe, hash: manifest.hash });
    const { format } = manifest;
    return { dataset, manifest, format, ignoredColumns: [], warnings: [], unread: [], splitsAreOurs: false };
  }
  const { format, stored } = await openForeign(path, kind.isDirectory(), mapping).catch((cause: unknown) => {
    throw forbidden(cause, path);
  });
  const opened = await closingOnFailure(stored, () => {
    if (mapping.layout !== undefined && !format.endsWith("-folders")) throw noFolders(format, path);
    checkStored(stored);
    return fromColumns(stored, mapping, path);
  });
  bindRecipe(opened.dataset, recipe);
  const { warnings = [], unread = [], splitsAreOurs = false } = stored;
  return { ...opened, format, warnings, unread, splitsAreOurs };
}

/** Opening it again in the same way, from wherever. */
function storedRecipe(path: string, mapping: ColumnMapping): Extract<Recipe, { kind: "stored" }> {
  const said = Object.entries(mapping).filter(([, value]) => value !== undefined);
  return { kind: "stored", path: resolve(path), mapping: Object.fromEntries(said) };
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

/** Together, in bytes: more than that is compared by size alone when it is opened, and byte by byte by `cuelab verify`. */
const hashedAtOpening = 256 * 2 ** 20;

/** Tables, shards and archives as they were written. Once a process: its workers read what was looked at. */
async function checkFiles(folder: string): Promise<void> {
  const manifest = isMainThread ? await readManifest(folder) : undefined;
  if (manifest === undefined) return;
  const { files, boxes } = manifest;
  const all = boxes === undefined ? files : [...files, { path: boxesName, ...boxes }];
  const isHashed = all.reduce((sum, { bytes }) => sum + bytes, 0) <= hashedAtOpening;
  for (const { path, bytes, sha256 } of all) {
    const where = join(folder, path);
    const found = await stat(where).catch(() => undefined);
    // Whoever reads it says what is missing, or forbidden.
    if (found === undefined) continue;
    const got =
      found.size !== bytes
        ? `${found.size} bytes instead of ${bytes}`
        : isHashed && (await fileDigest(where)) !== sha256
          ? `other bytes than ${manifestName} vouches for`
          : undefined;
    if (got !== undefined) throw damagedFile(where, got);
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
  const { cues, tableName, together: _, labels: __, prepared: ___, ...columns } = mapping;
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
    images: withSources(asImageSet(images), columns.get(sourceColumn)),
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

/** Copies know what the originals were called. */
function withSources(images: ImageSet, sources: ReadColumn | undefined): ImageSet {
  if (sources === undefined) return images;
  return {
    ...images,
    source: (index) => sources.at(index),
    describe: (index) => `${images.describe(index)} (${sources.at(index)})`,
  };
}

function chosenRole(role: Attribute["role"], chosen: boolean): Attribute["role"] {
  if (chosen) return "cue";
  return role === "cue" ? "other" : role;
}
