/** The NumPy array format, version 1.0: header out, header in, and numbers of the usual types. */

import { CuelabError } from "../core/errors.ts";
import { halfToNumber } from "../core/half-floats.ts";

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
  if (!(start[6]! >= 1 && start[6]! <= 3)) fail("version 1, 2 or 3 of the format", `version ${start[6]}`);
  const long = start[6]! > 1;
  const lengthAt = long ? 12 : 10;
  if (start.length < lengthAt) fail("a header", `${start.length} bytes`);
  const headerLength = lengthAt + (long ? start.readUInt32LE(8) : start.readUInt16LE(8));
  const text = start.toString("latin1", lengthAt, headerLength);
  const fields = headerFields(text);
  const [dtype, order, shape] = ["descr", "fortran_order", "shape"].map((name) => fields.get(name));
  if (dtype === undefined || order === undefined || shape === undefined)
    return fail("a header with descr, fortran_order and shape, once each", text.trim().slice(0, 200));
  if (order !== "False") fail("an array in C order", "Fortran order");
  const lengths = shape.split(",").flatMap((part) => (part.trim() === "" ? [] : [wholeLength(part.trim())]));
  if (!lengths.every(Number.isSafeInteger)) fail("whole numbers as its shape", `(${shape})`);
  return { dtype, shape: lengths, headerLength };
}

/** A Python dictionary of these three, as NumPy insists; nothing of what is another. */
function headerFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const pair = /\s*(['"])(\w+)\1\s*:\s*(?:(['"])([^'"]*)\3|(True|False)|\(([^()]*)\))\s*(,|(?=\}))/y;
  const inner = /^\s*\{([\s\S]*)\}\s*$/.exec(text)?.[1];
  if (inner === undefined) return fields;
  const whole = `${inner}}`;
  for (let match = pair.exec(whole); match !== null; match = pair.exec(whole)) {
    const [, , name, , quoted, truth, tuple] = match;
    if (fields.has(name!)) return new Map();
    fields.set(name!, quoted ?? truth ?? tuple!);
    if (whole.slice(pair.lastIndex).trim() === "}") return fields.size === 3 ? fields : new Map();
  }
  return new Map();
}

/** NaN of what is none. */
function wholeLength(part: string): number {
  return /^\d+$/.test(part) ? Number(part) : Number.NaN;
}

/**
 * Throws where an array does not have as many bytes as its type and shape say: what is there would then belong to other rows.
 * Types that cannot be read are none of its business.
 */
export function checkNpyLength(
  { dtype, shape }: Pick<NpyHeader, "dtype" | "shape">,
  bytes: number,
  where: string,
): void {
  const item = npyItemBytes(dtype);
  if (item === undefined) return;
  const expected = shape.reduce((product, length) => product * length, item);
  if (bytes === expected && !(item === 0 && shape.some((length) => length > 0))) return;
  throw new CuelabError({
    kind: "input",
    what: "a NumPy array of another length than its header says",
    where,
    expected: `${expected} bytes, for ${dtype} of shape (${shape.join(", ")})`,
    got: `${bytes} bytes`,
  });
}

/** Bytes of one number or text; undefined of types that cannot be read. */
export function npyItemBytes(dtype: string): number | undefined {
  const unicode = /^<U(\d+)$/.exec(dtype);
  return unicode ? 4 * Number(unicode[1]) : numberReaders.get(dtype)?.[0];
}

/** Numbers of an array as texts, the way table columns hold them. */
export function* npyValues(bytes: Buffer, dtype: string, where: string): Generator<string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const letters = dtype.startsWith("<U") ? npyItemBytes(dtype) : undefined;
  if (letters !== undefined && letters > 0) {
    for (let at = 0; at < bytes.length; at += letters) yield utf32(bytes.subarray(at, at + letters), where);
    return;
  }
  const reader = numberReaders.get(dtype);
  if (reader === undefined) {
    throw new CuelabError({
      kind: "input",
      what: "numbers of an unknown type",
      where,
      expected: `one of: ${[...numberReaders.keys()].join(", ")}, <U…`,
      got: dtype,
    });
  }
  const [size, read] = reader;
  for (let at = 0; at < bytes.length; at += size) yield String(read(view, at));
}

const numberReaders = new Map<string, [number, (view: DataView, at: number) => number | bigint]>([
  ["|u1", [1, (view, at) => view.getUint8(at)]],
  ["|i1", [1, (view, at) => view.getInt8(at)]],
  ["|b1", [1, (view, at) => Number(view.getUint8(at) !== 0)]],
  ["<u2", [2, (view, at) => view.getUint16(at, true)]],
  ["<i2", [2, (view, at) => view.getInt16(at, true)]],
  ["<u4", [4, (view, at) => view.getUint32(at, true)]],
  ["<i4", [4, (view, at) => view.getInt32(at, true)]],
  ["<u8", [8, (view, at) => view.getBigUint64(at, true)]],
  ["<i8", [8, (view, at) => view.getBigInt64(at, true)]],
  ["<f2", [2, (view, at) => halfToNumber(view.getUint16(at, true))]],
  ["<f4", [4, (view, at) => view.getFloat32(at, true)]],
  ["<f8", [8, (view, at) => view.getFloat64(at, true)]],
]);

const largestPoint = 0x10ffff;

/** Zeros fill a text up at its end. */
function utf32(bytes: Buffer, where: string): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const code = bytes.readUInt32LE(at);
    if (code > largestPoint || (code >= 0xd800 && code <= 0xdfff)) {
      throw new CuelabError({
        kind: "input",
        what: "a NumPy array holds what is no text",
        where,
        expected: "code points of Unicode",
        got: `0x${code.toString(16)}`,
      });
    }
    text += String.fromCodePoint(code);
  }
  return text.replace(/\0+$/, "");
}
