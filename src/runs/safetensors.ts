/** The safetensors format: named arrays and texts in one file that Python reads too. Written as float32, read as any. */

import type { FileHandle } from "node:fs/promises";
import { openPlain } from "../disk/plain-file.ts";
import { decodeHeader, largestHeader, type TensorEntry } from "./safetensors-header.ts";
import { numberTypes } from "./safetensors-numbers.ts";

export interface TensorFile {
  tensors: ReadonlyMap<string, { shape: readonly number[]; data: Float32Array }>;
  metadata: Readonly<Record<string, string>>;
}

/** Eight bytes of header length, the header as JSON, then the numbers. */
export function encodeSafetensors({ tensors, metadata }: TensorFile): Uint8Array {
  let offset = 0;
  const entries = [...tensors].map(([name, { shape, data }]) => {
    const start = offset;
    offset += data.byteLength;
    return [
      name,
      { dtype: "F32", shape: [...shape], data_offsets: [start, offset] } satisfies TensorEntry,
    ] as const;
  });
  const json = JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) });
  // Padded with spaces so that the numbers are aligned.
  const header = Buffer.from(
    json.padEnd(Math.ceil(Buffer.byteLength(json) / 8) * 8 - Buffer.byteLength(json) + json.length),
  );
  const out = Buffer.alloc(8 + header.length + offset);
  out.writeBigUInt64LE(BigInt(header.length), 0);
  out.set(header, 8);
  let at = 8 + header.length;
  for (const { data } of tensors.values()) {
    out.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return out;
}

/** Everything but the numbers: what a file holds, without reading it whole. */
export interface TensorListing {
  tensors: ReadonlyMap<string, { shape: readonly number[]; type: string }>;
  metadata: Readonly<Record<string, string>>;
}

export function decodeSafetensors(bytes: Uint8Array, where: string): TensorFile {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { entries, metadata, start } = decodeHeader(buffer, buffer.length, where);
  const tensors = new Map<string, { shape: readonly number[]; data: Float32Array }>();
  for (const [name, { dtype, shape, data_offsets: offsets }] of entries) {
    const numbers = buffer.subarray(start + offsets[0], start + offsets[1]);
    tensors.set(name, { shape, data: numberTypes[dtype]!.read(numbers) });
  }
  return { tensors, metadata };
}

/** Reads the header alone: a file of weights can be large. */
export async function listSafetensors(path: string): Promise<TensorListing> {
  const file = await openPlain(path);
  try {
    const { entries, metadata } = await headerOf(file, path);
    const tensors = entries.map(([name, { dtype, shape }]) => [name, { shape, type: dtype }] as const);
    return { tensors: new Map(tensors), metadata };
  } finally {
    await file.close();
  }
}

/** The numbers of one tensor; undefined where there is none of that name. */
export async function oneTensor(path: string, name: string): Promise<Float32Array | undefined> {
  const file = await openPlain(path);
  try {
    const { entries, start } = await headerOf(file, path);
    const entry = entries.find(([each]) => each === name)?.[1];
    if (entry === undefined) return undefined;
    const [from, to] = entry.data_offsets;
    const bytes = Buffer.alloc(to - from);
    await file.read(bytes, 0, bytes.length, start + from);
    return numberTypes[entry.dtype]!.read(bytes);
  } finally {
    await file.close();
  }
}

async function headerOf(file: FileHandle, path: string): Promise<ReturnType<typeof decodeHeader>> {
  const { size } = await file.stat();
  const length = Buffer.alloc(8);
  const { bytesRead } = await file.read(length, 0, 8, 0);
  const header = bytesRead === 8 ? Number(length.readBigUInt64LE(0)) : 0;
  const bytes = Buffer.alloc(Math.min(size, 8 + Math.min(header, largestHeader)));
  await file.read(bytes, 0, bytes.length, 0);
  return decodeHeader(bytes, size, path);
}
