/** Other people's data, told by what lies where they point: shards, tables, folders, IDX files. */

import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { noLabel } from "../core/no-label.ts";
import { listText } from "../core/words.ts";
import { looksLikeCeleba } from "../layouts/celeba/locate.ts";
import type { ColumnMapping } from "../layouts/column-mapping.ts";
import { ReadColumn } from "../layouts/columns.ts";
import { readDomains } from "../layouts/domain-folders.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import { isTableName, tableBeside } from "../layouts/table-beside.ts";
import { looksLikeUrbanCars } from "../layouts/urban-cars-layout.ts";
import {
  hasClassFolders,
  openClassFolders,
  openSplitTables,
  openUserTable,
  usualTable,
} from "../layouts/user-folder.ts";
import { withEnvironments } from "../layouts/waterbirds.ts";
import { openWilds } from "../layouts/wilds/open-wilds.ts";
import { labelsPathOf, readIdxPair } from "../sources/idx.ts";
import { ImageFiles } from "../sources/image-folder.ts";
import { type FolderContents, folderContents, type UnreadFiles } from "../sources/list-images.ts";
import { formats } from "./index.ts";

const endings = new Map([
  ["parquet", "parquet"],
  ["tar", "webdataset"],
  ["npz", "npz"],
]);

export interface ForeignDataset {
  format: string;
  stored: StoredDataset;
}

export async function openForeign(
  path: string,
  isFolder: boolean,
  mapping: ColumnMapping,
): Promise<ForeignDataset> {
  if (!isFolder) {
    if (isTableName(path)) {
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
  if (names.includes(tableName)) return openTable(path, mapping);
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
  const beside = await tableBeside(path, names, mapping);
  if (beside?.fits)
    return openTable(path, { ...mapping, tableName: beside.name }, [
      `${beside.name} was taken for the table of the images`,
    ]);
  const contents = await folderContents(path);
  if (contents.images.length === 0 && contents.links.length > 0) throw onlyLinks(path, contents.links);
  const { format, stored } = openFolders(path, contents, mapping);
  const warnings = [
    ...(stored.warnings ?? []),
    ...(beside ? [beside.remark] : []),
    ...contentsWarnings(contents, beside?.name),
  ];
  return { format, stored: { ...stored, warnings, unread: contents.unread } };
}

function onlyLinks(path: string, links: readonly string[]): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "there are only links to other folders here, and these are not followed unasked",
    where: path,
    got: some(links),
    todo: "if you trust where they lead: --follow-links",
  });
}

/** What folders say of the images in them. */
function openFolders(path: string, { images }: FolderContents, mapping: ColumnMapping): ForeignDataset {
  if (mapping.labels === "none") return { format: "images", stored: bareImages(path, images) };
  const domains = readDomains(path, images, mapping.layout);
  if (domains) return { format: "domain-folders", stored: domains };
  if (mapping.labels === "if-any" && images.length > 0 && !hasClassFolders(images))
    return { format: "images", stored: bareImages(path, images) };
  return { format: "class-folders", stored: openClassFolders(path, images) };
}

async function openTable(
  root: string,
  mapping: ColumnMapping,
  remarks: readonly string[] = [],
): Promise<ForeignDataset> {
  const stored = withEnvironments(await openUserTable(root, mapping));
  return { format: "table", stored: { ...stored, warnings: [...remarks, ...(stored.warnings ?? [])] } };
}

/** What lies among the images and was not taken for one; `table` is told of already. */
function contentsWarnings(
  { unread, emptyFolders, links }: FolderContents,
  table: string | undefined,
): string[] {
  const files = unread
    .map(({ count, ...rest }) => ({ ...rest, count: rest.example === table ? count - 1 : count }))
    .filter(({ count }) => count > 0);
  return [
    ...(files.length === 0 ? [] : [`not read: ${files.map(unreadText).join(", ")}`]),
    ...(emptyFolders.length === 0 ? [] : [`no images in ${some(emptyFolders)}`]),
    ...(links.length === 0
      ? []
      : [`links to folders that were not followed (--follow-links does): ${some(links)}`]),
  ];
}

function unreadText({ count, kind, todo }: UnreadFiles): string {
  return `${count} ${kind}${todo === undefined ? "" : ` (${todo})`}`;
}

function some(folders: readonly string[]): string {
  return listText(
    folders.map((folder) => `${folder}/`),
    5,
  );
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
