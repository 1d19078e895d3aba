/** People's own images: a folder with a metadata table whose columns are mapped by name, or folders named by class. */

import { readdir, stat } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { leadsOutside } from "../core/confined.ts";
import { CuelabError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { isSplitAlias } from "../core/split-names.ts";
import { ImageFiles } from "../sources/image-folder.ts";
import { csvRows } from "../tables/csv-rows.ts";
import type { ColumnMapping } from "./column-mapping.ts";
import { ReadColumn } from "./columns.ts";
import { FileNames } from "./find-file.ts";
import type { StoredDataset } from "./stored-dataset.ts";

/** Names under which well-known datasets keep the path of an image. */
const imageColumns = [
  "img_filename",
  "file_name",
  "filename",
  "image",
  "image_path",
  "path",
  "img_path",
  "image_id",
];

/** Names under which tables keep the class. */
export const usualLabels = ["y", "label", "labels", "target"];

export const usualTable = "metadata.csv";

/** A folder with a metadata.csv. */
export async function openUserTable(root: string, mapping: ColumnMapping): Promise<StoredDataset> {
  const table = join(root, mapping.tableName ?? usualTable);
  const rows = new TableRows();
  await rows.read(table, root, "", mapping);
  return {
    images: new ImageFiles(root, rows.paths),
    columns: rows.columns,
    labelColumn: "y",
    table,
    warnings: elsewhereWarning(rows.paths),
  };
}

/** Hugging Face's layout: folders named by split, each with a metadata.csv of its own; undefined where it is not that. */
export async function openSplitTables(
  root: string,
  folders: readonly string[],
  mapping: ColumnMapping,
): Promise<StoredDataset | undefined> {
  const name = mapping.tableName ?? usualTable;
  const parts: string[] = [];
  for (const folder of folders) {
    const here = await stat(join(root, folder, name)).catch(() => undefined);
    if (here?.isFile()) parts.push(folder);
  }
  const others = folders.filter((folder) => !parts.includes(folder));
  // One table among folders of classes makes no layout of splits.
  if (parts.length === 0 || (others.length > 0 && !parts.every(isSplitAlias))) return undefined;
  const rows = new TableRows();
  const split = new ReadColumn("split");
  for (const part of parts) {
    await rows.read(join(root, part, name), join(root, part), `${part}/`, mapping);
    while (split.length < rows.paths.length) split.push(part);
  }
  // What the folder says counts, unless another column is asked for.
  if (mapping.split === undefined) rows.columns.set("split", split);
  return {
    images: new ImageFiles(root, rows.paths),
    columns: rows.columns,
    labelColumn: "y",
    table: join(root, `{${parts.join(",")}}`, name),
    warnings: [
      ...others.map((folder) => `the folder ${folder} has no ${name} and was left out`),
      ...elsewhereWarning(rows.paths),
    ],
  };
}

/** A table of one's own may name files anywhere, and people are told that it does. */
function elsewhereWarning(paths: readonly string[]): string[] {
  const outside = paths.filter(leadsOutside);
  const [first] = outside;
  if (first === undefined) return [];
  return [
    outside.length === 1
      ? `1 image lies outside the folder: ${first}`
      : `${outside.length} images lie outside the folder, such as ${first}`,
  ];
}

/** The rows of one table, or of several with the same columns. */
class TableRows {
  readonly paths: string[] = [];
  readonly columns = new Map<string, ReadColumn>();

  /** Paths are relative to `base`; `prefix` leads from the dataset's folder to it. */
  async read(table: string, base: string, prefix: string, { image }: ColumnMapping): Promise<void> {
    const { names, first } = await beginning(table);
    const files = new FileNames(base);
    const pathColumn = await imageColumn(names, first, files, { base, table, chosen: image });
    const pathAt = names.indexOf(pathColumn);
    // The second name of the same file is no attribute.
    const file = first[pathAt]!.split(/[/\\]/).at(-1)!;
    const used = names.map((name, i) => {
      const second = imageColumns.includes(name) && first[i]!.endsWith(file);
      return i === pathAt || name === "" || second ? undefined : name;
    });
    this.#begin(used, table);
    const order = used.map((name) => (name === undefined ? undefined : this.columns.get(name)));
    for await (const { cells: row } of csvRows(table, () => {})) {
      const path = await files.find(row[pathAt]!);
      this.paths.push(isAbsolute(path) ? path : prefix + path);
      for (let i = 0; i < row.length; i++) order[i]?.push(row[i]!);
    }
    for (const column of this.columns.values()) column.readDecimalCommas();
  }

  #begin(used: readonly (string | undefined)[], table: string): void {
    const names = used.filter((name) => name !== undefined);
    if (this.paths.length === 0) for (const name of names) this.columns.set(name, new ReadColumn(name));
    const expected = [...this.columns.keys()];
    if (expected.toSorted().join("\n") === names.toSorted().join("\n")) return;
    throw new CuelabError({
      kind: "input",
      what: "the tables of the splits have different columns",
      where: table,
      expected: `columns ${expected.join(", ")}`,
      got: `columns ${names.join(", ")}`,
    });
  }
}

/** The header and the first row. */
async function beginning(table: string): Promise<{ names: string[]; first: string[] }> {
  let names: string[] = [];
  for await (const { cells: first } of csvRows(table, (header) => {
    names = header;
  })) {
    return { names, first };
  }
  throw new CuelabError({
    kind: "input",
    what: "the table has no rows",
    where: table,
    expected: "one row an image",
  });
}

/** Whether a table of any name is about images here: by the usual columns, or those that are named. */
export async function fitsImages(table: string, base: string, mapping: ColumnMapping): Promise<boolean> {
  try {
    const { names, first } = await beginning(table);
    if (mapping.labels === undefined && !usualLabels.some((name) => names.includes(name))) return false;
    await imageColumn(names, first, new FileNames(base), { base, table, chosen: mapping.image });
    return true;
  } catch (cause) {
    if (cause instanceof CuelabError) return false;
    throw cause;
  }
}

/** Whether images lie in folders of classes, below folders of splits or not. */
export function hasClassFolders(paths: readonly string[]): boolean {
  return paths.some((path) => classFolderOf(path) !== undefined);
}

function classFolderOf(path: string): { name: string; split: string } | undefined {
  const folders = path.split("/").slice(0, -1);
  const split = isSplitAlias(folders[0] ?? "") ? folders.shift()! : "train";
  // One name, however its letters are composed.
  return folders[0] === undefined ? undefined : { name: folders[0].normalize("NFC"), split };
}

/** Folders named by class, as torchvision's ImageFolder reads them; a first level of train, val and test is the split. */
export function openClassFolders(root: string, paths: readonly string[]): StoredDataset {
  const [label, split] = [new ReadColumn("y"), new ReadColumn("split")];
  const outside: string[] = [];
  const used = paths.filter((path) => {
    const found = classFolderOf(path);
    if (found === undefined) {
      outside.push(path);
      return false;
    }
    label.push(found.name);
    split.push(found.split);
    return true;
  });
  if (used.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "no dataset found in the folder",
      where: root,
      expected:
        "a dataset.json, a metadata.csv, Parquet or tar shards, an npz, or images in folders named by class",
      got: paths.length === 0 ? "no images" : `${paths.length} images outside any class folder`,
      todo:
        paths.length === 0
          ? "pass the folder that holds the images, or the path of the dataset itself"
          : "nobody has said what they show: put them into folders named by class, or write a metadata.csv with one row an image",
    });
  }
  const columns = new Map([label, split].map((column) => [column.name, column]));
  const images = new ImageFiles(root, used);
  return { images, columns, labelColumn: "y", table: root, warnings: outsideWarning(outside) };
}

function outsideWarning(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const [some] = paths;
  return [
    paths.length === 1
      ? `${some} lies outside any class folder and was left out`
      : `${paths.length} images lie outside any class folder and were left out, such as ${some}`,
  ];
}

/** The column asked for; or the first with a usual name and a file where it says: tables often have several. */
async function imageColumn(
  names: readonly string[],
  first: readonly string[],
  files: FileNames,
  { base, table, chosen }: { base: string; table: string; chosen: string | undefined },
): Promise<string> {
  const candidates = (chosen === undefined ? imageColumns : [chosen]).filter((name) => names.includes(name));
  if (candidates.length === 0) throw noImageColumn(names, chosen, table);
  const places = await Promise.all(
    candidates.map(async (name) => {
      const path = await files.find(first[names.indexOf(name)]!);
      return { name, path: isAbsolute(path) ? path : join(base, path) };
    }),
  );
  let cause: unknown;
  for (const { name, path } of places) {
    try {
      if ((await stat(path)).isFile()) return name;
    } catch (failure) {
      cause ??= failure;
    }
  }
  const elsewhere = await folderWith(
    base,
    candidates.map((name) => basename(first[names.indexOf(name)]!)),
  );
  // A wrong column or base folder would otherwise show as every single image missing.
  throw new CuelabError({
    kind: "input",
    what: "the first image of the table is not there",
    where: `${table}, line 2`,
    expected: `a file at ${places.map(({ path }) => path).join(" or ")}`,
    todo:
      elsewhere === undefined
        ? "paths are taken relative to the table's folder; name the right column with --image-column"
        : `it is in ${join(base, elsewhere)}: copy the table to there, or write ${elsewhere}/ before the names; paths are taken relative to the table's folder`,
    cause,
  });
}

/** The folder right beside a table that has one of the files. */
async function folderWith(base: string, files: readonly string[]): Promise<string | undefined> {
  const folders = (await readdir(base, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const { name } of folders) {
    for (const file of files) {
      const found = file !== "" && (await stat(join(base, name, file)).catch(() => undefined))?.isFile();
      if (found) return name;
    }
  }
  return undefined;
}

function noImageColumn(names: readonly string[], chosen: string | undefined, table: string): CuelabError {
  const close = chosen === undefined ? undefined : nearest(chosen, names);
  return new CuelabError({
    kind: "input",
    what: chosen === undefined ? "no column with image paths found" : `the table has no column "${chosen}"`,
    where: table,
    expected: `one of: ${(chosen === undefined ? imageColumns : names).join(", ")}`,
    got: `columns ${names.join(", ")}`,
    todo: close === undefined ? "name it with --image-column" : `did you mean "${close}"?`,
  });
}
