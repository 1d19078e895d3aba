/** People's own images: a folder with a metadata table whose columns are mapped by name, or folders named by class. */

import { access } from "node:fs/promises";
import { join } from "node:path";
import { standardSplits } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { ImageFiles, listImages } from "../sources/image-folder.ts";
import { Column } from "./columns.ts";
import { readCsv } from "./csv.ts";
import type { StoredDataset } from "./format.ts";
import type { ColumnMapping } from "./open-dataset.ts";

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

/** A folder with a metadata.csv. */
export async function openTable(root: string, mapping: ColumnMapping): Promise<StoredDataset> {
  const table = join(root, mapping.tableName ?? "metadata.csv");
  const paths: string[] = [];
  const columns = new Map<string, Column>();
  let order: (Column | undefined)[] = [];
  let pathAt = -1;
  for await (const row of readCsv(table, (names) => {
    pathAt = imageColumnAt(names, mapping.image, table);
    order = names.map((name, i) => (i === pathAt || name === "" ? undefined : new Column(name)));
    for (const column of order) if (column) columns.set(column.name, column);
  })) {
    paths.push(row[pathAt]!);
    for (let i = 0; i < row.length; i++) order[i]?.push(row[i]!);
  }
  if (paths.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "the table has no rows",
      where: table,
      expected: "one row an image",
    });
  }
  await checkFirstImage(root, paths[0]!, table);
  // The second name of the same file is no attribute.
  for (const name of imageColumns)
    if (columns.get(name)?.at(0).endsWith(paths[0]!.split("/").at(-1)!)) columns.delete(name);
  return { images: new ImageFiles(root, paths), columns, labelColumn: "y", table };
}

/** Folders named by class, as torchvision's ImageFolder reads them; a first level of train, val and test is the split. */
export async function openClassFolders(root: string): Promise<StoredDataset> {
  const paths = await listImages(root);
  const [label, split] = [new Column("y"), new Column("split")];
  const isSplit = (name: string | undefined) => name !== undefined && splitAliases.has(name.toLowerCase());
  const used = paths.filter((path) => {
    const folders = path.split("/").slice(0, -1);
    const splitName = isSplit(folders[0]) ? folders.shift()! : "train";
    if (folders.length === 0) return false;
    label.push(folders.join("/"));
    split.push(splitName);
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
      todo: "write a metadata.csv with one row an image, or pass the path of the dataset itself",
    });
  }
  const columns = new Map([label, split].map((column) => [column.name, column]));
  return { images: new ImageFiles(root, used), columns, labelColumn: "y", table: root };
}

/** Other names of the standard splits. */
const splitAliases = new Map<string, string>([
  ...standardSplits.map((name) => [name, name] as const),
  ["training", "train"],
  ["valid", "val"],
  ["validation", "val"],
  ["dev", "val"],
  ["testing", "test"],
]);

/** `validation` → `val`; a name of its own stays as it is. */
export function standardSplitName(name: string): string {
  return splitAliases.get(name.toLowerCase()) ?? name;
}

function imageColumnAt(names: readonly string[], chosen: string | undefined, table: string): number {
  const wanted = chosen === undefined ? imageColumns : [chosen];
  const at = wanted.map((name) => names.indexOf(name)).find((position) => position >= 0);
  if (at !== undefined) return at;
  const close = chosen === undefined ? undefined : nearest(chosen, names);
  throw new CuelabError({
    kind: "input",
    what: chosen === undefined ? "no column with image paths found" : `the table has no column "${chosen}"`,
    where: table,
    expected: chosen === undefined ? `one of: ${wanted.join(", ")}` : `one of: ${names.join(", ")}`,
    got: `columns ${names.join(", ")}`,
    todo: close === undefined ? "name it with --image-column" : `did you mean "${close}"?`,
  });
}

/** A wrong column or base folder would otherwise show as every single image missing. */
async function checkFirstImage(root: string, path: string, table: string): Promise<void> {
  try {
    await access(join(root, path));
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "the first image of the table is not there",
      where: `${table}, line 2`,
      expected: `a file at ${join(root, path)}`,
      todo: "paths are taken relative to the table's folder; name the right column with --image-column",
      cause,
    });
  }
}
