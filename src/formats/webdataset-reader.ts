/** Reads WebDataset shards: ours, or any whose samples have an image and a `.cls` or `.json` file. */

import { readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { EncodedImage, ImageShape, Pixels, StoredImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { parseExact } from "../core/exact-json.ts";
import { utf8 } from "../core/utf8.ts";
import { guardedNow } from "../disk/guarded.ts";
import { openPlain } from "../disk/plain-file.ts";
import { decodeImage } from "../images/codec.ts";
import { imageExtensions } from "../images/file-kind.ts";
import { ownColumn, type ReadColumn } from "../layouts/columns.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import { reasonOf, unreadableImage } from "../sources/image-folder.ts";
import type { Manifest } from "./manifest.ts";
import { shardPaths, splitOfShard } from "./shards.ts";
import { tarEntries } from "./tar-index.ts";

/** Where each sample's image lies: parallel lists, since a million small objects would cost ten times the memory. */
class MemberList {
  readonly shards: number[] = [];
  readonly offsets: number[] = [];
  readonly sizes: number[] = [];
  readonly extensions: string[] = [];

  add(shard: number, offset: number, size: number, extension: string): void {
    this.shards.push(shard);
    this.offsets.push(offset);
    this.sizes.push(size);
    this.extensions.push(extension);
  }
}

export async function openWebdataset(path: string, manifest?: Manifest): Promise<StoredDataset> {
  const paths = await shardPaths(path, ".tar", manifest);
  const files: FileHandle[] = [];
  const members = new MemberList();
  const table = new SampleTable();
  try {
    for (const [shard, shardPath] of paths.entries()) {
      files.push(await openShard(shardPath));
      await indexShard(files[shard]!, shardPath, shard, members, table);
    }
  } catch (cause) {
    for (const file of files) await file.close();
    throw cause;
  }
  const images = new TarImages(paths, files, members, manifest?.image ?? null);
  return { images, columns: table.columns, labelColumn: "label", table: path };
}

class TarImages implements StoredImages {
  readonly shape: ImageShape | null;
  readonly #paths: readonly string[];
  readonly #files: readonly FileHandle[];
  readonly #members: MemberList;

  constructor(
    paths: readonly string[],
    files: readonly FileHandle[],
    members: MemberList,
    shape: ImageShape | null,
  ) {
    this.#paths = paths;
    this.#files = files;
    this.#members = members;
    this.shape = shape;
  }

  get count(): number {
    return this.#members.offsets.length;
  }

  describe(index: number): string {
    const { shards, offsets } = this.#members;
    return `${this.#paths[shards[index]!]}, image at byte ${offsets[index]}`;
  }

  async encoded(index: number): Promise<EncodedImage> {
    const { shards, offsets, sizes, extensions } = this.#members;
    const file = this.#files[shards[index]!]!;
    const bytes = new Uint8Array(sizes[index]!);
    // A small read is over before a promise would be made: 5 µs against 200.
    if (bytes.length < 65_536) readSync(file.fd, bytes, 0, bytes.length, offsets[index]!);
    else await file.read(bytes, 0, bytes.length, offsets[index]!);
    return { bytes, extension: extensions[index]! };
  }

  async pixels(index: number): Promise<Pixels> {
    const { bytes } = await this.encoded(index);
    return decodeImage(bytes, this.shape).catch((cause: unknown) => {
      throw unreadableImage(this.describe(index), cause);
    });
  }

  async close(): Promise<void> {
    for (const file of this.#files) await file.close();
  }
}

/** Collects one row a sample; a value that a sample lacks is empty. */
class SampleTable {
  readonly columns = new Map<string, ReadColumn>();
  #rows = 0;

  add(values: ReadonlyMap<string, string>): void {
    for (const name of values.keys()) {
      if (this.columns.has(name)) continue;
      const column = ownColumn(name);
      for (let row = 0; row < this.#rows; row++) column.push("");
      this.columns.set(name, column);
    }
    for (const [name, column] of this.columns) column.push(values.get(name) ?? "");
    this.#rows++;
  }
}

async function openShard(path: string): Promise<FileHandle> {
  try {
    return await openPlain(path);
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "cannot open the shard",
      where: path,
      got: reasonOf(cause),
      cause,
    });
  }
}

async function indexShard(
  file: FileHandle,
  path: string,
  shard: number,
  members: MemberList,
  table: SampleTable,
): Promise<void> {
  let key: string | undefined;
  let image: { offset: number; size: number; extension: string } | undefined;
  let values = new Map<string, string>();
  let parts = new Set<string>();
  const endSample = () => {
    if (key === undefined) return;
    if (!image) {
      throw new CuelabError({ kind: "input", what: "a sample has no image", where: `${path}, ${key}` });
    }
    members.add(shard, image.offset, image.size, image.extension);
    table.add(values.set("split", splitOfShard(path)));
  };
  for await (const entry of tarEntries(file, path)) {
    const { base, extension } = splitName(entry.name);
    if (base !== key) {
      endSample();
      key = base;
      image = undefined;
      values = new Map();
      parts = new Set();
    }
    if (parts.has(extension)) throw twice(`${path}, ${entry.name}`);
    parts.add(extension);
    if ((imageExtensions as readonly string[]).includes(extension))
      image = { offset: entry.offset, size: entry.size, extension };
    else if (extension === "cls")
      values.set("label", labelText(await entry.content(), `${path}, ${entry.name}`));
    else if (extension === "json") readJson(await entry.content(), values, `${path}, ${entry.name}`);
  }
  endSample();
}

function twice(where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a sample has the same file twice",
    where,
    expected: "one file of each ending a sample",
    todo: "remove one of them, or give it a key of its own",
  });
}

/** WebDataset's rule: the key ends at the first dot after the last slash. */
function splitName(name: string): { base: string; extension: string } {
  const dot = name.indexOf(".", name.lastIndexOf("/") + 1);
  return dot < 0
    ? { base: name, extension: "" }
    : { base: name.slice(0, dot), extension: name.slice(dot + 1).toLowerCase() };
}

/** A class is told by a text, without bytes that are none. */
function labelText(content: Buffer, where: string): string {
  return guardedNow(
    where,
    () => {
      const text = utf8(content).trim();
      if (text.includes("\0")) throw new Error("NUL bytes");
      return text;
    },
    "a sample's class cannot be read",
  );
}

function readJson(content: Buffer, values: Map<string, string>, where: string): void {
  let record: unknown;
  try {
    record = parseExact(utf8(content));
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "cannot read a sample's JSON",
      where,
      got: reasonOf(cause),
      cause,
    });
  }
  if (typeof record !== "object" || record === null || Array.isArray(record)) {
    throw new CuelabError({
      kind: "input",
      what: "a sample's JSON holds no values by name",
      where,
      expected: 'an object such as {"label": 3}',
      got: content.toString("utf8", 0, 60),
    });
  }
  for (const [name, value] of Object.entries(record)) {
    if (value === null || typeof value !== "object") values.set(name, String(value ?? ""));
  }
}
