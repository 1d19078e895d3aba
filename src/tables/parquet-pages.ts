/** The pages of one column of one row group, decoded one at a time as rows are asked for. */

import type { CompressionCodec, ParquetType } from "hyparquet";
import { deltaBinaryUnpack, deltaByteArray, deltaLengthByteArray } from "hyparquet/src/delta.js";
import { byteStreamSplit } from "hyparquet/src/encoding.js";
import { CellError } from "../core/cell-error.ts";
import { LimitExceeded } from "../core/limits.ts";
import { isOneRun, type PackedValues, readHybrid } from "./bit-packed.ts";
import type { Decompress } from "./decompressors.ts";
import { type PageHeader, readPageHeader } from "./page-header.ts";

/** A dictionary of more values than this is none: writers make them of a megabyte, some of a hundred. */
const mostDictionary = 1 << 28;
const windowBytes = 1 << 20;

/** Where the pages of a column lie, and what they hold. */
export interface ColumnPlace {
  type: ParquetType;
  codec: CompressionCodec;
  /** How many things around a value, and it itself, may be absent: 0 of columns without empty cells, 1 of flat ones with. */
  levels: number;
  offset: number;
  size: number;
  rows: number;
}

/** Values as the page has them: numbers, or texts as bytes. */
export type Values =
  | { kind: "numbers"; numbers: ArrayLike<number> }
  | { kind: "wide"; numbers: BigInt64Array }
  | { kind: "texts"; bytes: Uint8Array; starts: Int32Array; ends: Int32Array }
  | { kind: "booleans"; numbers: ArrayLike<number> };

export interface Page {
  /** Row, within the group, of its first cell. */
  first: number;
  count: number;
  /** 1 where a cell has a value; undefined where all have. */
  present: Uint8Array | undefined;
  /** One for each cell that has a value: the values, or places in the dictionary, packed and, once asked for, not. */
  values: Values | undefined;
  places: PackedValues | undefined;
  indices: Int32Array | undefined;
}

type Encoding = PageHeader["encoding"];

/** Bytes of a file. */
export type ReadBytes = (offset: number, length: number) => Uint8Array;

/** Memory that goes from page to page, and from group to group: new memory costs more than what is put there. */
export interface PageScratch {
  indices: Int32Array;
}

export class PageReader {
  readonly #read: ReadBytes;
  readonly #place: ColumnPlace;
  readonly #decompress: Decompress;
  readonly #scratch: PageScratch;
  #offset: number;
  #row = 0;
  #window: Uint8Array = new Uint8Array(0);
  #windowAt = 0;
  dictionary: Values | undefined;

  constructor(read: ReadBytes, place: ColumnPlace, decompress: Decompress, scratch: PageScratch) {
    this.#read = read;
    this.#place = place;
    this.#decompress = decompress;
    this.#scratch = scratch;
    this.#offset = place.offset;
  }

  /** The page with this row; those before it are passed over. */
  pageOf(row: number): Page {
    for (;;) {
      const { header, bytes } = this.#next();
      if (header.type === "DICTIONARY_PAGE") {
        const count = checkedCount(header.values, mostDictionary);
        const page = this.#unpacked(bytes, header.unpacked);
        this.dictionary = plainValues(page, 0, this.#place.type, count);
        continue;
      }
      const { values, encoding, levels } = header;
      if (values === undefined) continue;
      const count = checkedCount(values, this.#place.rows - this.#row);
      const first = this.#row;
      this.#row += count;
      if (row >= this.#row) continue;
      return levels
        ? this.#pageV2(bytes, first, count, header.unpacked, levels, encoding)
        : this.#pageV1(bytes, first, count, header.unpacked, encoding);
    }
  }

  #pageV1(packed: Uint8Array, first: number, count: number, size: number, encoding: Encoding): Page {
    const bytes = this.#unpacked(packed, size);
    if (this.#place.levels === 0) return this.#page(bytes, 0, first, count, undefined, encoding);
    const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
    const end = checkedSize(4 + length, bytes.length);
    const present = presence(bytes, 4, end, count, this.#place.levels);
    return this.#page(bytes, end, first, count, present, encoding);
  }

  #pageV2(
    bytes: Uint8Array,
    first: number,
    count: number,
    size: number,
    levels: NonNullable<PageHeader["levels"]>,
    encoding: Encoding,
  ): Page {
    const start = checkedSize(levels.repetition + levels.definition, bytes.length);
    const depth = this.#place.levels;
    const present = depth > 0 ? presence(bytes, levels.repetition, start, count, depth) : undefined;
    const packed = bytes.subarray(start);
    const page = levels.packed ? this.#unpacked(packed, size - start) : packed;
    return this.#page(page, 0, first, count, present, encoding);
  }

  #page(
    bytes: Uint8Array,
    at: number,
    first: number,
    count: number,
    present: Uint8Array | undefined,
    encoding: Encoding,
  ): Page {
    let held = count;
    if (present) for (const one of present) held -= 1 - one;
    const page = { first, count, present, values: undefined, places: undefined, indices: undefined };
    if (encoding === "PLAIN_DICTIONARY" || encoding === "RLE_DICTIONARY") {
      if (held > 0 && this.dictionary === undefined) throw damaged("no dictionary for its places");
      const width = held === 0 ? 0 : bytes[at]!;
      return { ...page, places: { bytes, at: at + 1, end: bytes.length, width } };
    }
    return { ...page, values: valuesOf(bytes, at, this.#place.type, held, encoding) };
  }

  /** Where the values of a page stand in the dictionary, of pages that have one; good until the next page. */
  indicesOf(page: Page): Int32Array | undefined {
    if (page.indices !== undefined || page.places === undefined) return page.indices;
    let held = page.count;
    if (page.present) for (const one of page.present) held -= 1 - one;
    const scratch = this.#scratch;
    page.indices = readHybrid(page.places, held, scratch.indices);
    if (page.indices.length > scratch.indices.length) scratch.indices = page.indices;
    return page.indices;
  }

  #unpacked(bytes: Uint8Array, size: number): Uint8Array {
    if (!(size >= 0)) throw damaged(`a page of ${size} bytes`);
    const page = this.#decompressed(bytes, size);
    if (page.length !== size) throw damaged(`a page of ${page.length} bytes that should have ${size}`);
    return page;
  }

  #decompressed(bytes: Uint8Array, size: number): Uint8Array {
    try {
      return this.#decompress(bytes, size);
    } catch (cause) {
      if (cause instanceof CellError) throw cause;
      const got = (cause as Error).message;
      throw cause instanceof LimitExceeded
        ? new CellError("a page of the Parquet file would become too large", { got })
        : damaged(got);
    }
  }

  /** The next header and the bytes behind it. */
  #next() {
    const end = this.#place.offset + this.#place.size;
    let ahead = windowBytes;
    for (;;) {
      if (this.#offset >= end) throw damaged("fewer values than rows");
      const bytes = this.#bytes(this.#offset, Math.min(ahead, end - this.#offset));
      const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
      try {
        const header = readPageHeader(reader);
        const size = header.packed;
        if (!(size >= 0 && this.#offset + reader.offset + size <= end)) {
          throw damaged(`a page of ${size} bytes in ${end - this.#offset}`);
        }
        const start = this.#offset + reader.offset;
        this.#offset = start + size;
        return { header, bytes: this.#bytes(start, size) };
      } catch (cause) {
        // Statistics may make a header long.
        if (cause instanceof CellError || ahead >= 16 * windowBytes || this.#offset + ahead >= end) {
          throw cause instanceof CellError ? cause : damaged((cause as Error).message);
        }
        ahead *= 4;
      }
    }
  }

  #bytes(offset: number, length: number): Uint8Array {
    const inside = offset >= this.#windowAt && offset + length <= this.#windowAt + this.#window.length;
    if (!inside) {
      const end = this.#place.offset + this.#place.size;
      this.#window = this.#read(offset, Math.max(length, Math.min(windowBytes, end - offset)));
      this.#windowAt = offset;
    }
    return this.#window.subarray(offset - this.#windowAt, offset - this.#windowAt + length);
  }
}

/** Where the value itself is there, and everything around it. */
function presence(
  bytes: Uint8Array,
  at: number,
  end: number,
  count: number,
  depth: number,
): Uint8Array | undefined {
  if (isOneRun(bytes, at, end, depth, count)) return undefined;
  const levels = readHybrid({ bytes, at, end, width: 32 - Math.clz32(depth) }, count);
  if (levels.some((level) => level > depth)) throw damaged("a cell deeper than its column");
  return levels.every((level) => level === depth)
    ? undefined
    : Uint8Array.from(levels, (level) => Number(level === depth));
}

function valuesOf(
  bytes: Uint8Array,
  at: number,
  type: ParquetType,
  count: number,
  encoding: Encoding,
): Values {
  if (encoding === "PLAIN") return plainValues(bytes, at, type, count);
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: at };
  try {
    if (encoding === "RLE" && type === "BOOLEAN") {
      const length = reader.view.getUint32(at, true);
      const end = checkedSize(at + 4 + length, bytes.length);
      return { kind: "booleans", numbers: readHybrid({ bytes, at: at + 4, end, width: 1 }, count) };
    }
    if (encoding === "BYTE_STREAM_SPLIT") {
      checkedSize(count, bytes.length);
      const numbers = byteStreamSplit(reader, count, type, undefined);
      return type === "INT64"
        ? { kind: "wide", numbers: numbers as BigInt64Array }
        : { kind: "numbers", numbers: numbers as Float32Array };
    }
    if (encoding === "DELTA_BINARY_PACKED" && type === "INT64") {
      const numbers = new BigInt64Array(count);
      deltaBinaryUnpack(reader, count, numbers);
      return { kind: "wide", numbers };
    }
    if (encoding === "DELTA_BINARY_PACKED") {
      const numbers = new Int32Array(count);
      deltaBinaryUnpack(reader, count, numbers);
      return { kind: "numbers", numbers };
    }
    if (encoding === "DELTA_LENGTH_BYTE_ARRAY" || encoding === "DELTA_BYTE_ARRAY") {
      const texts: Uint8Array[] = [];
      if (encoding === "DELTA_BYTE_ARRAY") deltaByteArray(reader, count, texts);
      else deltaLengthByteArray(reader, count, texts);
      return joined(texts);
    }
  } catch (cause) {
    throw cause instanceof CellError ? cause : damaged((cause as Error).message);
  }
  throw damaged(`the encoding ${encoding} of ${type}`);
}

function plainValues(bytes: Uint8Array, at: number, type: ParquetType, count: number): Values {
  const numbers = <Numbers>(width: number, make: new (buffer: ArrayBuffer) => Numbers) => {
    const end = checkedSize(at + count * width, bytes.length);
    return new make(bytes.slice(at, end).buffer as ArrayBuffer);
  };
  switch (type) {
    case "INT32":
      return { kind: "numbers", numbers: numbers(4, Int32Array) };
    case "FLOAT":
      return { kind: "numbers", numbers: numbers(4, Float32Array) };
    case "DOUBLE":
      return { kind: "numbers", numbers: numbers(8, Float64Array) };
    case "INT64":
      return { kind: "wide", numbers: numbers(8, BigInt64Array) };
    case "BOOLEAN": {
      checkedSize(at + Math.ceil(count / 8), bytes.length);
      const bits = new Uint8Array(count);
      for (let i = 0; i < count; i++) bits[i] = (bytes[at + (i >> 3)]! >> (i & 7)) & 1;
      return { kind: "booleans", numbers: bits };
    }
    case "BYTE_ARRAY":
      return plainTexts(bytes, at, count);
    default:
      throw damaged(`values of type ${type}`);
  }
}

function plainTexts(bytes: Uint8Array, begin: number, count: number): Values {
  checkedSize(begin + 4 * count, bytes.length);
  const [starts, ends] = [new Int32Array(count), new Int32Array(count)];
  let at = begin;
  for (let i = 0; i < count; i++) {
    const length = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    starts[i] = at + 4;
    at += 4 + length;
    if (length < 0 || at > bytes.length) throw damaged("a text that ends beyond its page");
    ends[i] = at;
  }
  return { kind: "texts", bytes, starts, ends };
}

function joined(texts: readonly Uint8Array[]): Values {
  const bytes = Buffer.concat(texts);
  const [starts, ends] = [new Int32Array(texts.length), new Int32Array(texts.length)];
  let at = 0;
  for (const [i, { length }] of texts.entries()) {
    starts[i] = at;
    at += length;
    ends[i] = at;
  }
  return { kind: "texts", bytes, starts, ends };
}

function checkedCount(count: number | undefined, most: number): number {
  if (count !== undefined && count >= 0 && count <= most) return count;
  throw damaged(`a page of ${count} values where at most ${most} are left`);
}

function checkedSize(size: number, most: number): number {
  if (size >= 0 && size <= most) return size;
  throw damaged(`values of ${size} bytes in a page of ${most}`);
}

function damaged(got: string): CellError {
  return new CellError("the Parquet file is damaged, or in a form that is not known", { got });
}
