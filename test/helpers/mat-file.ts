/** Writes MATLAB files of level 5, compressed, as MATLAB and SciPy save them: enough for Stanford Cars' lists. */

import { deflateSync } from "node:zlib";

type Value = string | number | readonly string[] | readonly Readonly<Record<string, string | number>>[];

const [int8, uint16, int32, uint32, float64, matrix, compressed] = [1, 4, 5, 6, 9, 14, 15];

export function encodeMatFile(variables: Readonly<Record<string, Value>>): Uint8Array {
  const header = Buffer.alloc(128, " ");
  header.write("MATLAB 5.0 MAT-file, made by a test", 0, "latin1");
  header.writeUInt16LE(0x0100, 124);
  header.write("IM", 126, "latin1");
  const parts = Object.entries(variables).map(([name, value]) => {
    const body = deflateSync(array(name, value));
    return Buffer.concat([tag(compressed, body.length), body]);
  });
  return Buffer.concat([header, ...parts]);
}

function array(name: string, value: Value): Buffer {
  if (typeof value === "number") return matrixOf(6, [1, 1], name, [element(float64, doubles(value))]);
  if (typeof value === "string") {
    return matrixOf(4, [1, value.length], name, [element(uint16, Buffer.from(value, "utf16le"))]);
  }
  if (typeof value[0] === "string") {
    return matrixOf(
      1,
      [1, value.length],
      name,
      (value as readonly string[]).map((text) => array("", text)),
    );
  }
  const records = value as readonly Readonly<Record<string, string | number>>[];
  const fields = Object.keys(records[0] ?? {});
  const names = Buffer.alloc(32 * fields.length);
  for (const [i, field] of fields.entries()) names.write(field, 32 * i, "latin1");
  return matrixOf(2, [1, records.length], name, [
    element(int32, Buffer.from(Int32Array.of(32).buffer)),
    element(int8, names),
    ...records.flatMap((record) => fields.map((field) => array("", record[field]!))),
  ]);
}

function matrixOf(kind: number, dimensions: readonly number[], name: string, parts: Buffer[]): Buffer {
  const body = Buffer.concat([
    element(uint32, Buffer.from(Uint32Array.of(kind, 0).buffer)),
    element(int32, Buffer.from(Int32Array.from(dimensions).buffer)),
    element(int8, Buffer.from(name, "latin1")),
    ...parts,
  ]);
  return element(matrix, body);
}

/** Up to four bytes lie in the tag itself. */
function element(type: number, data: Buffer): Buffer {
  if (data.length > 0 && data.length <= 4) {
    const small = Buffer.alloc(8);
    small.writeUInt16LE(type, 0);
    small.writeUInt16LE(data.length, 2);
    data.copy(small, 4);
    return small;
  }
  return Buffer.concat([tag(type, data.length), data, Buffer.alloc((8 - (data.length % 8)) % 8)]);
}

function tag(type: number, length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(type, 0);
  bytes.writeUInt32LE(length, 4);
  return bytes;
}

function doubles(value: number): Buffer {
  return Buffer.from(Float64Array.of(value).buffer);
}
