/** `metadata.csv` of formats with one file an image: its path, label, split and attributes, in the style of Waterbirds. */

import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { requireInside } from "../core/confined.ts";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { sourceColumn } from "../core/own-columns.ts";
import { ownColumn, type ReadColumn } from "../layouts/columns.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import { ImageFiles } from "../sources/image-folder.ts";
import { csvLine } from "../tables/csv-line.ts";
import { csvRows } from "../tables/csv-rows.ts";
import type { ImageChunk, SplitRange } from "./format.ts";
import type { Manifest } from "./manifest.ts";

export const tableName = "metadata.csv";

/** Extensions of images that workers have written, as they are told of. */
export class Extensions {
  // A byte an image: texts that come out of a worker are each a string of their own.
  readonly #known: string[] = [];
  readonly #codes: Uint8Array;

  constructor(count: number) {
    this.#codes = new Uint8Array(count);
  }

  add({ start, extensions }: ImageChunk): void {
    extensions.forEach((extension, i) => {
      if (!this.#known.includes(extension)) this.#known.push(extension);
      this.#codes[start + i] = this.#known.indexOf(extension);
    });
  }

  of(index: number): string {
    return this.#known[this.#codes[index]!]!;
  }
}

/** A split's part of the table, or all with a split of no name. `file_name` is relative to the table's folder. */
export async function writeTable(
  path: string,
  dataset: Dataset,
  range: SplitRange,
  pathOf: (index: number) => string,
): Promise<void> {
  const above = range.name === "" ? 0 : range.name.length + 1;
  const after = { name: "file_name", of: (index: number) => pathOf(index).slice(above) };
  await writeRows(path, dataset, range, { name: "img_filename", of: pathOf }, after);
}

/** A column that says where an image is. */
interface PlaceColumn {
  name: string;
  of: (index: number) => string | number;
}

/** For readers of Croissant alone: what archives hold beside images is a table of rows to them, in a file of its own. */
export function recordsName(split?: string): string {
  return split === undefined ? "records.csv" : `records-${split}.csv`;
}

/** A row an image: where it is, label, split, attributes, and the file that it was made from where that is known. */
export async function writeRows(
  path: string,
  { images, labels, splits, attributes }: Dataset,
  { start, count }: Pick<SplitRange, "start" | "count">,
  before: PlaceColumn,
  ...after: PlaceColumn[]
): Promise<void> {
  const columns = Object.values(attributes).map(({ values }) => values);
  const further = images.source ? [...after, { name: sourceColumn, of: images.source.bind(images) }] : after;
  const lines = function* () {
    const last = further.map(({ name }) => name);
    yield csvLine([before.name, "y", "split", ...Object.keys(attributes), ...last]);
    let block = "";
    for (let i = start; i < start + count; i++) {
      const cells = columns.map((values) => values[i]!);
      block += csvLine([
        before.of(i),
        labels[i]!,
        splits.values[i]!,
        ...cells,
        ...further.map(({ of }) => of(i)),
      ]);
      if (block.length > 65_536) {
        yield block;
        block = "";
      }
    }
    yield block;
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
}

/** A dataset of ours by its table; people's own tables go through `user-folder.ts`. */
export async function openOwnTable(root: string, manifest?: Manifest): Promise<StoredDataset> {
  const table = join(root, tableName);
  const { paths, columns } = await readTable(table);
  return { images: new ImageFiles(root, paths, manifest?.image), columns, labelColumn: "y", table };
}

async function readTable(path: string): Promise<{ paths: string[]; columns: Map<string, ReadColumn> }> {
  const paths: string[] = [];
  const columns = new Map<string, ReadColumn>();
  let order: (ReadColumn | undefined)[] = [];
  let pathAt = -1;
  const header = (names: string[]) => {
    pathAt = names.indexOf("img_filename");
    if (pathAt < 0) {
      throw new CuelabError({
        kind: "input",
        what: 'the table has no column "img_filename"',
        where: path,
        got: `columns ${names.join(", ")}`,
      });
    }
    order = names.map((name) =>
      name === "img_filename" || name === "file_name" ? undefined : ownColumn(name),
    );
    for (const column of order) if (column) columns.set(column.name, column);
  };
  for await (const { cells: row } of csvRows(path, header)) {
    requireInside(row[pathAt]!, `${path}, row ${paths.length + 1}`);
    paths.push(row[pathAt]!);
    for (let i = 0; i < row.length; i++) order[i]?.push(row[i]!);
  }
  return { paths, columns };
}
