/**
 * Reads images and typed columns from Parquet shards: ours, or any with an `image` column of bytes and path. Not by
 * `tables`, which reads flat columns from the first row to the last: images are nested, and asked for one by one.
 */

import { extname } from "node:path";
import type { AsyncBuffer, FileMetaData } from "hyparquet";
import type { EncodedImage, ImageShape, Pixels, StoredImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { decodeImage } from "../images/codec.ts";
import { ownColumn, ReadColumn } from "../layouts/columns.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import { reasonOf, unreadableImage } from "../sources/image-folder.ts";
import type { Manifest } from "./manifest.ts";
import { shardPaths, splitOfShard } from "./shards.ts";

interface Shard {
  path: string;
  file: AsyncBuffer;
  metadata: FileMetaData;
  /** Index of the shard's first image in the dataset. */
  start: number;
  count: number;
  /** First row of each row group, and one more at the end. */
  groups: number[];
}

export async function openParquetDataset(path: string, manifest?: Manifest): Promise<StoredDataset> {
  const paths = await shardPaths(path, ".parquet", manifest);
  const shards: Shard[] = [];
  let start = 0;
  for (const shardPath of paths) {
    const shard = await openShard(shardPath, start);
    shards.push(shard);
    start += shard.count;
  }
  const imageColumn = imageColumnOf(shards[0]!);
  const images = new ParquetImages(shards, imageColumn, manifest?.image ?? null);
  return { images, columns: await readColumns(shards, imageColumn), labelColumn: "label", table: path };
}

class ParquetImages implements StoredImages {
  readonly count: number;
  readonly shape: ImageShape | null;
  readonly #shards: readonly Shard[];
  readonly #column: string;
  /** The row groups read last; images are mostly asked for in order. */
  readonly #recent = new Map<string, Promise<unknown[]>>();

  constructor(shards: readonly Shard[], column: string, shape: ImageShape | null) {
    this.#shards = shards;
    this.#column = column;
    this.shape = shape;
    this.count = shards.reduce((sum, { count }) => sum + count, 0);
  }

  describe(index: number): string {
    const shard = this.#shardOf(index);
    return `${shard.path}, row ${index - shard.start}`;
  }

  async encoded(index: number): Promise<EncodedImage> {
    const shard = this.#shardOf(index);
    const row = index - shard.start;
    const group = shard.groups.findLastIndex((first) => first <= row);
    const rows = await this.#group(shard, group);
    const image = rows[row - shard.groups[group]!] as
      | { bytes?: Uint8Array; path?: string }
      | null
      | undefined;
    if (!(image?.bytes instanceof Uint8Array)) {
      throw new CuelabError({
        kind: "input",
        what: "a row holds no image bytes",
        where: this.describe(index),
      });
    }
    return {
      bytes: image.bytes,
      extension:
        extname(image.path ?? "")
          .slice(1)
          .toLowerCase() || "png",
    };
  }

  async pixels(index: number): Promise<Pixels> {
    const { bytes } = await this.encoded(index);
    return decodeImage(bytes, this.shape).catch((cause: unknown) => {
      throw unreadableImage(this.describe(index), cause);
    });
  }

  #shardOf(index: number): Shard {
    return this.#shards.findLast(({ start }) => start <= index)!;
  }

  #group(shard: Shard, group: number): Promise<unknown[]> {
    const key = `${group}:${shard.path}`;
    let rows = this.#recent.get(key);
    if (rows === undefined) {
      rows = readRows(shard, this.#column, shard.groups[group]!, shard.groups[group + 1]!);
      this.#recent.set(key, rows);
      if (this.#recent.size > 8) this.#recent.delete(this.#recent.keys().next().value!);
    }
    return rows;
  }
}

async function readRows(shard: Shard, column: string, rowStart: number, rowEnd: number): Promise<unknown[]> {
  const { parquetReadObjects } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const { file, metadata } = shard;
  const rows = await parquetReadObjects({
    file,
    metadata,
    columns: [column],
    rowStart,
    rowEnd,
    compressors,
    utf8: false,
  });
  return rows.map((row) => row[column] as unknown);
}

async function readColumns(shards: readonly Shard[], imageColumn: string): Promise<Map<string, ReadColumn>> {
  const { parquetRead } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const columns = new Map<string, ReadColumn>();
  const splits = new ReadColumn("split");
  for (const { file, metadata, path, count } of shards) {
    const names = topLevelColumns(metadata).filter((name) => name !== imageColumn);
    for (const name of names) if (!columns.has(name)) columns.set(name, ownColumn(name));
    await parquetRead({
      file,
      metadata,
      columns: names,
      compressors,
      onChunk: ({ columnName, columnData }) => {
        const column = lookUp(columns, columnName);
        for (const value of columnData as Iterable<unknown>) column.push(cellText(value));
      },
    });
    for (let i = 0; i < count; i++) splits.push(splitOfShard(path));
  }
  if (!columns.has("split")) columns.set("split", splits);
  return columns;
}

/** A cell as text; lists and structs, which are no attributes, as JSON. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object"
    ? JSON.stringify(value)
    : String(value as string | number | bigint | boolean);
}

async function openShard(path: string, start: number): Promise<Shard> {
  const { asyncBufferFromFile, parquetMetadataAsync } = await import("hyparquet");
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const groups = [0];
    for (const group of metadata.row_groups) groups.push(groups.at(-1)! + Number(group.num_rows));
    return { path, file, metadata, start, count: Number(metadata.num_rows), groups };
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "cannot read the Parquet file",
      where: path,
      got: reasonOf(cause),
      cause,
    });
  }
}

function topLevelColumns(metadata: FileMetaData): string[] {
  const names: string[] = [];
  const skip = (at: number): number => {
    let next = at + 1;
    for (let child = 0; child < (metadata.schema[at]!.num_children ?? 0); child++) next = skip(next);
    return next;
  };
  for (let at = 1; at < metadata.schema.length; at = skip(at)) names.push(metadata.schema[at]!.name);
  return names;
}

function imageColumnOf({ metadata, path }: Shard): string {
  const { schema } = metadata;
  const struct = schema.find(({ num_children = 0 }, i) => {
    return i > 0 && schema.slice(i + 1, i + 1 + num_children).some(({ name }) => name === "bytes");
  });
  if (struct) return struct.name;
  throw new CuelabError({
    kind: "input",
    what: "the Parquet file holds no images",
    where: path,
    expected: "a column that is a struct of bytes and path, such as Hugging Face writes",
    got: `columns ${topLevelColumns(metadata).join(", ")}`,
  });
}
