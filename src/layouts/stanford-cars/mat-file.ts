/**
 * Reads MATLAB's level 5 files (MathWorks, "MAT-File Format"), as far as annotations need: numbers, texts, cells and
 * struct arrays, compressed or not. Arrays come flat, columns first, as the file has them.
 */

import { CuelabError } from "../../core/errors.ts";
import { inflated } from "../../core/unpack.ts";

/** A text, numbers, cells, or one record for each element of a struct array. */
export type MatValue = string | number[] | MatValue[] | MatRecord[];
export interface MatRecord {
  [field: string]: MatValue;
}

/** Types of data elements (table 1 of the format): how many bytes a number takes, and how it is read. */
const numbers: Record<number, [size: number, read: (view: DataView, at: number, little: boolean) => number]> =
  {
    1: [1, (view, at) => view.getInt8(at)],
    2: [1, (view, at) => view.getUint8(at)],
    3: [2, (view, at, little) => view.getInt16(at, little)],
    4: [2, (view, at, little) => view.getUint16(at, little)],
    5: [4, (view, at, little) => view.getInt32(at, little)],
    6: [4, (view, at, little) => view.getUint32(at, little)],
    7: [4, (view, at, little) => view.getFloat32(at, little)],
    9: [8, (view, at, little) => view.getFloat64(at, little)],
    12: [8, (view, at, little) => Number(view.getBigInt64(at, little))],
    13: [8, (view, at, little) => Number(view.getBigUint64(at, little))],
    // UTF-8, 16 and 32.
    16: [1, (view, at) => view.getUint8(at)],
    17: [2, (view, at, little) => view.getUint16(at, little)],
    18: [4, (view, at, little) => view.getUint32(at, little)],
  };
const [matrix, compressed] = [14, 15];
/** Signed bytes, or UTF-8. */
const letters = [1, 16];
const [cellClass, structClass, charClass] = [1, 2, 4];
const [firstNumeric, lastNumeric] = [6, 15];

const headerLength = 128;

interface Element {
  type: number;
  bytes: Uint8Array;
  /** Where the next one begins. */
  next: number;
}

/** The variables of a file, by name. */
export function readMatFile(path: string, bytes: Uint8Array): Record<string, MatValue> {
  const file = new MatReader(path, bytes);
  return file.variables();
}

class MatReader {
  readonly #path: string;
  readonly #bytes: Uint8Array;
  readonly #little: boolean;

  constructor(path: string, bytes: Uint8Array) {
    this.#path = path;
    this.#bytes = bytes;
    const order = Buffer.from(bytes.subarray(126, 128)).toString("latin1");
    if (bytes.length < headerLength || (order !== "IM" && order !== "MI")) {
      const hdf5 = Buffer.from(bytes.subarray(0, 20)).toString("latin1").startsWith("MATLAB 7.3");
      throw this.#broken(
        hdf5 ? "MATLAB 7.3 (HDF5)" : `${bytes.length} bytes that do not begin as such a file`,
      );
    }
    this.#little = order === "IM";
  }

  variables(): Record<string, MatValue> {
    const found = new Map<string, MatValue>();
    for (let at = headerLength; at < this.#bytes.length; ) {
      let element = this.#element(this.#bytes, at, "the file");
      at = element.next;
      if (element.type === compressed) {
        const unpacked = this.#inflate(element.bytes, at);
        element = this.#element(unpacked, 0, "a compressed variable");
        if (element.next < unpacked.length)
          throw this.#broken(`${unpacked.length - element.next} bytes behind a compressed variable`);
      }
      if (element.type !== matrix) continue;
      const { name, value } = this.#matrix(element.bytes);
      found.set(name, value);
    }
    return Object.fromEntries(found);
  }

  #inflate(bytes: Uint8Array, end: number): Uint8Array {
    try {
      return inflated(bytes, (head) => this.#sizeSaid(head));
    } catch (cause) {
      throw this.#broken(
        `compressed data before byte ${end} that cannot be read: ${(cause as Error).message}`,
        cause,
      );
    }
  }

  /** Bytes of a tag and the data behind it. */
  #sizeSaid(head: Uint8Array): number {
    const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
    return head.length < 8 ? 0 : 8 + view.getUint32(4, this.#little);
  }

  /** A tag and its data. Short data lies in the tag itself; all else ends at a multiple of eight bytes. */
  #element(from: Uint8Array, at: number, within: string): Element {
    const view = new DataView(from.buffer, from.byteOffset, from.byteLength);
    if (at + 8 > from.length) throw this.#broken(`${within} ends inside a tag`);
    const first = view.getUint32(at, this.#little);
    const short = first >>> 16;
    if (short > 0) {
      if (short > 4) throw this.#broken(`${within} has a short element of ${short} bytes`);
      return { type: first & 0xffff, bytes: from.subarray(at + 4, at + 4 + short), next: at + 8 };
    }
    const length = view.getUint32(at + 4, this.#little);
    const end = at + 8 + length;
    if (end > from.length) throw this.#broken(`${within} ends ${end - from.length} bytes too early`);
    // Compressed elements are the only ones without padding.
    const next = first === compressed ? end : at + 8 + 8 * Math.ceil(length / 8);
    return { type: first, bytes: from.subarray(at + 8, end), next };
  }

  #matrix(bytes: Uint8Array): { name: string; value: MatValue } {
    // An empty field of a struct has no parts at all.
    if (bytes.length === 0) return { name: "", value: [] };
    const flags = this.#element(bytes, 0, "a variable");
    const kind = (this.#numbers(flags)[0] ?? 0) & 0xff;
    // Sparse matrices, objects and functions have parts of their own, and nothing that is looked for.
    if (![cellClass, structClass, charClass].includes(kind) && (kind < firstNumeric || kind > lastNumeric))
      return { name: "", value: [] };
    const dimensions = this.#element(bytes, flags.next, "a variable");
    const named = this.#element(bytes, dimensions.next, "a variable");
    const name = this.#name(named);
    const count = this.#numbers(dimensions).reduce((product, length) => product * length, 1);
    if (kind === cellClass) return { name, value: this.#inner(bytes, named.next, count).values };
    if (kind === structClass) return { name, value: this.#struct(bytes, named.next, count) };
    const element = this.#element(bytes, named.next, `the variable "${name}"`);
    const isComplex = ((this.#numbers(flags)[0] ?? 0) & 0x800) !== 0;
    if (element.next < bytes.length && !isComplex)
      throw this.#broken(`${bytes.length - element.next} bytes behind an array`);
    const value = kind === charClass ? this.#text(element) : this.#numbers(element);
    // Of letters some programs count code points, and some the halves of UTF-16.
    const points = typeof value === "string" ? Array.from(value).length : value.length;
    if (value.length !== count && points !== count)
      throw this.#broken(`an array of ${count} with ${value.length} values`);
    if (kind === charClass && (this.#numbers(dimensions)[0] ?? 0) > 1)
      throw this.#broken("a text of several rows");
    // Some programs take them for padding, and none for a part of a name.
    if (typeof value === "string" && value.includes("\0")) throw this.#broken("a text with the letter 0");
    return { name, value };
  }

  /** MATLAB's letters are those of UTF-16, in numbers of two bytes; other types say which form of Unicode they are. */
  #text({ type, bytes }: Element): string {
    const codes = this.#numbers({ type, bytes });
    if (type === 16) return this.#decoded("utf-8", bytes);
    if (type === 4 || type === 17) return this.#decoded("utf-16le", Uint16Array.from(codes));
    const last = type === 18 ? 0x10ffff : 0x7f;
    const wrong = codes.find((code) => !Number.isInteger(code) || code < 0 || code > last);
    if (wrong !== undefined) throw this.#broken(`a text with the letter ${wrong}`);
    return this.#decoded("utf-8", Buffer.from(codes.map((code) => String.fromCodePoint(code)).join("")));
  }

  #decoded(form: "utf-8" | "utf-16le", bytes: Uint8Array | Uint16Array): string {
    try {
      return new TextDecoder(form, { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (cause) {
      throw this.#broken(`a text that is no ${form.slice(0, 6).toUpperCase()}`, cause);
    }
  }

  #struct(bytes: Uint8Array, at: number, count: number): MatRecord[] {
    const lengthElement = this.#element(bytes, at, "a struct");
    const names = this.#element(bytes, lengthElement.next, "a struct");
    const length = this.#numbers(lengthElement)[0] ?? 0;
    if (length < 1) throw this.#broken("a struct whose field names have no length");
    const text = this.#name(names);
    const fields = Array.from(
      { length: text.length / length },
      (_, i) => text.slice(i * length, (i + 1) * length).split("\0")[0]!,
    );
    if (new Set(fields).size < fields.length) throw this.#broken("a struct with two fields of one name");
    const { values } = this.#inner(bytes, names.next, count * fields.length);
    // As many as it likes to say.
    if (fields.length === 0) return [];
    return Array.from({ length: count }, (_, i) =>
      Object.fromEntries(fields.map((field, k) => [field, values[i * fields.length + k]!])),
    );
  }

  /** Of variables and fields: bytes that say that they are letters. */
  #name({ type, bytes }: Element): string {
    if (!letters.includes(type)) throw this.#broken(`a name in data of type ${type}`);
    return Buffer.from(bytes).toString("latin1");
  }

  /** So many matrices, one after the other. */
  #inner(bytes: Uint8Array, at: number, count: number): { values: MatValue[] } {
    const values: MatValue[] = [];
    let next = at;
    for (let i = 0; i < count; i++) {
      const element = this.#element(bytes, next, `element ${i + 1} of ${count}`);
      if (element.type !== matrix) throw this.#broken(`element ${i + 1} of ${count} is no array`);
      values.push(this.#matrix(element.bytes).value);
      next = element.next;
    }
    if (next < bytes.length) throw this.#broken(`${bytes.length - next} bytes behind ${count} elements`);
    return { values };
  }

  #numbers({ type, bytes }: Pick<Element, "type" | "bytes">): number[] {
    const kind = numbers[type];
    if (kind === undefined) throw this.#broken(`data of the unknown type ${type}`);
    const [size, read] = kind;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Array.from({ length: Math.floor(bytes.length / size) }, (_, i) =>
      read(view, i * size, this.#little),
    );
  }

  #broken(got: string, cause?: unknown): CuelabError {
    return new CuelabError({
      kind: "input",
      what: "a MATLAB file cannot be read",
      where: this.#path,
      expected: "a whole file of level 5 (MATLAB 5 to 7)",
      got,
      todo: "download it again, or give the classes as annotations.csv with the columns file and class",
      cause,
    });
  }
}
