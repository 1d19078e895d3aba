/** The NumPy array format, version 1.0: header out, header in, and numbers of the usual types. */

import { CuelabError } from "../core/errors.ts";

export interface NpyHeader {
  dtype: string;
  shape: number[];
  /** Bytes before the first number. */
  headerLength: number;
}

export function npyHeader(dtype: string, shape: readonly number[]): Buffer {
  const tuple = `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  const dictionary = `{'descr': '${dtype}', 'fortran_order': False, 'shape': ${tuple}, }`;
  // The numbers start at a multiple of 64, after a newline.
  const length = Math.ceil((10 + dictionary.length + 1) / 64) * 64;
  const header = Buffer.alloc(length, 0x20);
  header.write("\x93NUMPY\x01\x00", 0, "latin1");
  header.writeUInt16LE(length - 10, 8);
  header.write(dictionary, 10, "latin1");
  header[length - 1] = 0x0a;
  return header;
}

/** A whole array of whole numbers, as a file. */
export function npyFile(values: Uint16Array | Uint8Array, dtype: "<i8" | "<u2" | "|u1"): Buffer {
  const header = npyHeader(dtype, [values.length]);
  const numbers = dtype === "<i8" ? BigInt64Array.from(values, BigInt) : values;
  return Buffer.concat([header, Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength)]);
}

/** Texts, each as long as the longest, as NumPy keeps them. */
export function npyTexts(values: readonly string[]): Buffer {
  const points = values.map((value) => Array.from(value, (letter) => letter.codePointAt(0)!));
  const length = points.reduce((most, each) => Math.max(most, each.length), 1);
  const body = Buffer.alloc(4 * length * values.length);
  for (const [row, each] of points.entries())
    for (const [i, point] of each.entries()) body.writeUInt32LE(point, 4 * (row * length + i));
  return Buffer.concat([npyHeader(`<U${length}`, [values.length]), body]);
}

/** `start` must hold at least the first kilobyte of the file, or all of it. */
export function parseNpyHeader(start: Buffer, where: string): NpyHeader {
  const fail = (expected: string, got: string): never => {
    throw new CuelabError({ kind: "input", what: "not a usable NumPy array", where, expected, got });
  };
  if (start.toString("latin1", 0, 6) !== "\x93NUMPY")
    fail("the NumPy magic bytes", start.toString("hex", 0, 6));
  const long = start[6]! > 1;
  const headerLength = long ? 12 + start.readUInt32LE(8) : 10 + start.readUInt16LE(8);
  const text = start.toString("latin1", long ? 12 : 10, headerLength);
  const dtype = /'descr':\s*'([^']+)'/.exec(text)?.[1];
  const shape = /'shape':\s*\(([^)]*)\)/.exec(text)?.[1];
  if (dtype === undefined || shape === undefined) return fail("a header with descr and shape", text.trim());
  if (/'fortran_order':\s*True/.test(text)) fail("an array in C order", "Fortran order");
  const lengths = shape.split(",").flatMap((part) => (part.trim() === "" ? [] : [Number(part)]));
  return { dtype, shape: lengths, headerLength };
}

/** Bytes of one number or text; undefined of types that cannot be read. */
export function npyItemBytes(dtype: string): number | undefined {
  const unicode = /^<U(\d+)$/.exec(dtype);
  return unicode ? 4 * Number(unicode[1]) : numberReaders[dtype]?.[0];
}

/** Numbers of an array as texts, the way table columns hold them. */
export function* npyValues(bytes: Buffer, dtype: string, where: string): Generator<string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (dtype.startsWith("<U")) {
    const size = npyItemBytes(dtype)!;
    for (let at = 0; at < bytes.length; at += size) yield utf32(bytes.subarray(at, at + size));
    return;
  }
  const reader = numberReaders[dtype];
  if (reader === undefined) {
    throw new CuelabError({
      kind: "input",
      what: "numbers of an unknown type",
      where,
      expected: `one of: ${Object.keys(numberReaders).join(", ")}, <U…`,
      got: dtype,
    });
  }
  const [size, read] = reader;
  for (let at = 0; at < bytes.length; at += size) yield String(read(view, at));
}

const numberReaders: Record<string, [number, (view: DataView, at: number) => number | bigint]> = {
  "|u1": [1, (view, at) => view.getUint8(at)],
  "|i1": [1, (view, at) => view.getInt8(at)],
  "|b1": [1, (view, at) => view.getUint8(at)],
  "<u2": [2, (view, at) => view.getUint16(at, true)],
  "<i2": [2, (view, at) => view.getInt16(at, true)],
  "<u4": [4, (view, at) => view.getUint32(at, true)],
  "<i4": [4, (view, at) => view.getInt32(at, true)],
  "<u8": [8, (view, at) => view.getBigUint64(at, true)],
  "<i8": [8, (view, at) => view.getBigInt64(at, true)],
  "<f4": [4, (view, at) => view.getFloat32(at, true)],
  "<f8": [8, (view, at) => view.getFloat64(at, true)],
};

function utf32(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const code = bytes.readUInt32LE(at);
    if (code !== 0) text += String.fromCodePoint(code);
  }
  return text;
}
