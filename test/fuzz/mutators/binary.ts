/** Chunks of PNG files, headers of safetensors, elements of MATLAB files, parts of Parquet; gzip around any. */

import { crc32, deflateSync, gunzipSync, gzipSync, inflateSync } from "node:zlib";
import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";
import { byteMutators, within } from "./bytes.ts";
import { mutateJson } from "./json.ts";

/** Chunks with right sums: fields of the header, missing, repeated and other chunks, other pixels. */
export const pngChunks: Mutator = (bytes, chance) => {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    if (at + 12 + length > bytes.length) break;
    chunks.push({
      type: bytes.toString("latin1", at + 4, at + 8),
      data: bytes.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  if (chunks.length === 0) return bytes;
  const at = chance.below(chunks.length);
  const { type, data } = chunks[at]!;
  const kind = chance.below(6);
  if (kind === 0) chunks.splice(at, 1);
  else if (kind === 1) chunks.splice(at, 0, chance.pick(chunks));
  else if (kind === 2)
    chunks[at] = {
      type: chance.pick(["PLTE", "tRNS", "IEND", "IDAT", "gAMA", "iCCP", "eXIf", "abcd"]),
      data,
    };
  else if (kind === 3 && type === "IDAT") chunks[at] = { type, data: repacked(data, chance) };
  else if (type === "IHDR" && data.length === 13) {
    const header = Buffer.from(data);
    if (chance.happens(0.4))
      header.writeUInt32BE(chance.pick([0, 1, 2, 7, 9, 1000, 0x7fffffff]), chance.pick([0, 4]));
    else header[8 + chance.below(5)] = chance.pick([0, 1, 2, 3, 4, 6, 8, 16, 255]);
    chunks[at] = { type, data: header };
  } else chunks[at] = { type, data: chance.pick(byteMutators)(data, chance) };
  return Buffer.concat([
    bytes.subarray(0, 8),
    ...chunks.map((chunk) => {
      const body = Buffer.concat([Buffer.from(chunk.type, "latin1"), chunk.data]);
      return Buffer.concat([word(chunk.data.length), body, word(crc32(body))]);
    }),
  ]);
};

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function repacked(data: Buffer, chance: Chance): Buffer {
  try {
    return deflateSync(chance.pick(byteMutators)(inflateSync(data), chance));
  } catch {
    return data;
  }
}

/** Another header, with its right length. */
export const safetensorsHeader: Mutator = (bytes, chance) => {
  if (bytes.length < 8) return bytes;
  const end = 8 + Number(bytes.readBigUInt64LE(0));
  const header = Buffer.from(mutateJson(bytes.toString("utf8", 8, end), chance));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(
    chance.happens(0.1) ? chance.pick([0n, 2n ** 63n, 2n ** 32n]) : BigInt(header.length),
  );
  return Buffer.concat([length, header, bytes.subarray(end)]);
};

/** Elements of a MATLAB file are compressed: changed within, and compressed again. */
export const matElements: Mutator = (bytes, chance) => {
  if (bytes.length < 136) return bytes;
  const parts: Buffer[] = [bytes.subarray(0, 128)];
  const chosen = chance.below(2);
  let element = 0;
  for (let at = 128; at + 8 <= bytes.length; element++) {
    const size = bytes.readUInt32LE(at + 4);
    let body = bytes.subarray(at + 8, at + 8 + size);
    if (element === chosen) {
      const inner = inflated(body);
      const change = chance.happens(0.5) ? within((all) => tags(all)) : chance.pick(byteMutators);
      body = deflateSync(change(inner, chance));
    }
    const tag = Buffer.from(bytes.subarray(at, at + 8));
    tag.writeUInt32LE(body.length, 4);
    parts.push(tag, body);
    at += 8 + size;
  }
  return Buffer.concat(parts);
};

/** As it is where another change has broken it already. */
function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes);
  } catch {
    return bytes;
  }
}

/** Eight bytes at a time: tags stand at such places, and data that look like them do no harm. */
function tags(bytes: Buffer): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; at + 8 <= bytes.length; at += 8)
    if (bytes[at]! > 0 && bytes[at]! < 16) found.push([at, at + 8]);
  return found;
}

/** Parquet's own description of itself, and the headers of pages, which begin behind the mark and behind each other. */
export const parquetFooter: Mutator = within((bytes) => {
  if (bytes.length < 12) return [];
  const length = bytes.readUInt32LE(bytes.length - 8);
  return [[Math.max(4, bytes.length - 8 - length), bytes.length - 8]];
});

/** Headers of pages begin with a type and two sizes: 0x15, a small number, 0x15. */
export const parquetPages: Mutator = within((bytes) => {
  const found: [number, number][] = [];
  for (let at = 4; at + 24 < bytes.length; at++)
    if (bytes[at] === 0x15 && bytes[at + 1]! <= 6 && bytes[at + 2] === 0x15) found.push([at, at + 24]);
  return found;
});

/** A change of what a gzipped file holds. */
export function gzipped(change: Mutator): Mutator {
  return (bytes, chance) => {
    try {
      return gzipSync(change(gunzipSync(bytes), chance));
    } catch {
      return bytes;
    }
  };
}
