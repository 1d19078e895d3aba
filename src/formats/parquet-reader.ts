/**
 * Reads images and typed columns from Parquet shards: ours, or any with an `image` column of bytes and path. Flat columns are read
 * as any table's; images, which are nested, by row groups as they are asked for.
 */

import { extname } from "node:path";
import type { FileMetaData } from "hyparquet";
import type { EncodedImage, ImageShape, Pixels, StoredImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { mustBe } from "../core/look-up.ts";
import { guarded } from "../disk/guarded.ts";
import { decodeImage } from "../images/codec.ts";
import { ownColumn, ReadColumn } from "../layouts/columns.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import { unreadableImage } from "../sources/image-folder.ts";
import { footerOf, openParquet } from "../tables/open-parquet.ts";
import { leavesOf, type ParquetLeaf, readByteCells } from "../tables/parquet-bytes.ts";
import type { TextColumn } from "../tables/table.ts";
import type { Manifest } from "./manifest.ts";
import { shardPaths, splitOfShard } from "./shards.ts";

interface Shard {
  path: string;
  size: number;
  metadata: FileMetaData;
  /** Index of the shard's first image in the dataset. */
  start: number;
  count: number;
  /** First row of each row group, and one more at the end. */
  groups: number[];
  images: ImageLeaves;
}

/** The parts of the struct that is an image. */
interface ImageLeaves {
  column: string;
  bytes: ParquetLeaf;
  /** Names of files, where there are any. */
  path: ParquetLeaf | undefined;
}

interface StoredCell {
  bytes: Uint8Array | undefined;
  name: string;
}

export async function openParquetDataset(path: string, manifest?: Manifest): Promise<StoredDataset> {
  const paths = await shardPaths(path, ".parquet", manifest);
  const shards: Shard[] = [];
  let start = 0;
  for (const shardPath of paths) {
    const shard = await guarded(shardPath, () => openShard(shardPath, start), unreadable);
    shards.push(shard);
    start += shard.count;
  }
  const images = new ParquetImages(shards, manifest?.image ?? null);
  return { images, ...(await readColumns(shards)), labelColumn: "label", table: path };
}

const unreadable = "cannot read the Parquet file";

class ParquetImages implements StoredImages {
  readonly count: number;
  readonly shape: ImageShape | null;
  readonly #shards: readonly Shard[];
  /** The row groups read last; images are mostly asked for in order. */
  readonly #recent = new Map<string, Promise<StoredCell[]>>();

  constructor(shards: readonly Shard[], shape: ImageShape | null) {
    this.#shards = shards;
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
    const cells = await this.#group(shard, group);
    const { bytes, name } = cells[row - shard.groups[group]!]!;
    if (bytes === undefined) {
      throw new CuelabError({
        kind: "input",
        what: "a row holds no image bytes",
        where: this.describe(index),
      });
    }
    return { bytes, extension: extname(name).slice(1).toLowerCase() || "png" };
  }

  async pixels(index: number): Promise<Pixels> {
    const { bytes } = await this.encoded(index);
    return decodeImage(bytes, this.shape).catch((cause: unknown) => {
      throw unreadableImage(this.describe(index), cause);
    });
  }

  #shardOf(index: number): Shard {
    return mustBe(
      this.#shards.findLast(({ start }) => start <= index),
      `image ${index}`,
    );
  }

  #group(shard: Shard, group: number): Promise<StoredCell[]> {
    const key = `${group}:${shard.path}`;
    let cells = this.#recent.get(key);
    if (cells === undefined) {
      cells = guarded(`${shard.path}, row group ${group}`, () => readGroup(shard, group), unreadable);
      this.#recent.set(key, cells);
      if (this.#recent.size > 8) this.#recent.delete(this.#recent.keys().next().value!);
    }
    return cells;
  }
}

async function readGroup({ path, size, metadata, images }: Shard, group: number): Promise<StoredCell[]> {
  const cells = await readByteCells(path, size, metadata, group, images.bytes);
  const names = images.path && (await readByteCells(path, size, metadata, group, images.path));
  return cells.map((bytes, i) => ({ bytes, name: Buffer.from(names?.[i] ?? []).toString("utf8") }));
}

async function readColumns(
  shards: readonly Shard[],
): Promise<Pick<StoredDataset, "columns"> & { ignoredColumns: { name: string; reason: string }[] }> {
  const columns = new Map<string, ReadColumn>();
  const nested = new Set<string>();
  const splits = new ReadColumn("split");
  for (const { path, count, metadata, images } of shards) {
    for (const { path: names } of leavesOf(metadata))
      if (names.length > 1 && names[0] !== images.column) nested.add(names[0]!);
    const table = await openParquet(path);
    for (const name of table.columns) if (!columns.has(name)) columns.set(name, ownColumn(name));
    const wanted = table.columns.map((name) => ({ name, as: "texts" as const }));
    for await (const batch of table.batches(wanted, { workers: 0 })) {
      for (const [i, name] of table.columns.entries()) {
        const column = columns.get(name)!;
        for (const text of (batch.columns[i] as TextColumn).texts) column.push(text);
      }
    }
    for (let i = 0; i < count; i++) splits.push(splitOfShard(path));
  }
  if (!columns.has("split")) columns.set("split", splits);
  return { columns, ignoredColumns: [...nested].map((name) => ({ name, reason: "no single values" })) };
}

async function openShard(path: string, start: number): Promise<Shard> {
  const { metadata, size } = await footerOf(path);
  const groups = [0];
  for (const { num_rows } of metadata.row_groups) groups.push(groups.at(-1)! + Number(num_rows));
  const count = Number(metadata.num_rows);
  // No picture takes less than a byte: what says so would be believed for hours.
  const believable = groups.every((row, i) => i === 0 || row >= groups[i - 1]!) && groups.at(-1) === count;
  if (!believable || count > size) {
    throw new CuelabError({
      kind: "input",
      what: unreadable,
      where: path,
      expected: "as many rows as its row groups have, of at least a byte each",
      got: `${count} rows, ${groups.at(-1)} in row groups, ${size} bytes`,
    });
  }
  return { path, size, metadata, start, count, groups, images: imageLeaves(metadata, path) };
}

function imageLeaves(metadata: FileMetaData, path: string): ImageLeaves {
  const leaves = leavesOf(metadata);
  const bytes = leaves.find(
    ({ path: names, repeated }) => names.length === 2 && names[1] === "bytes" && !repeated,
  );
  if (bytes?.element.type === "BYTE_ARRAY") {
    const column = bytes.path[0]!;
    const isName = ({ path: names, element }: ParquetLeaf) =>
      names.length === 2 && names[0] === column && names[1] === "path" && element.type === "BYTE_ARRAY";
    return { column, bytes, path: leaves.find(isName) };
  }
  throw new CuelabError({
    kind: "input",
    what: "the Parquet file holds no images",
    where: path,
    expected: "a column that is a struct of bytes and path, such as Hugging Face writes",
    got: `columns ${[...new Set(leaves.map(({ path: names }) => names[0]))].join(", ")}`,
  });
}
