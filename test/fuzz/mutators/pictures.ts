/** Pictures taken apart by their own parts: segments, chunks, boxes, blocks and lists of entries, put together with right lengths. */

import { crc32, deflateSync } from "node:zlib";
import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";
import { byteMutators } from "./bytes.ts";
import { lyingMutators } from "./lies.ts";

interface Part {
  type: string;
  data: Buffer;
}

const sizes = [0, 1, 2, 5, 7, 100, 0x7fff, 0xffff];

/** Parts lost, repeated, moved or renamed; or what is in one of them changed. */
function changedParts(parts: Part[], chance: Chance, types: readonly string[]): Part[] {
  if (parts.length === 0) return parts;
  const at = chance.below(parts.length);
  const part = parts[at]!;
  const kind = chance.below(7);
  if (kind === 0) parts.splice(at, 1);
  else if (kind === 1) parts.splice(chance.below(parts.length + 1), 0, part);
  else if (kind === 2) parts[at] = { ...part, type: chance.pick(types) };
  else if (kind === 3)
    parts.splice(at, 0, { type: chance.pick(types), data: Buffer.alloc(chance.pick([0, 1, 13, 3000])) });
  else parts[at] = { ...part, data: chance.pick([...byteMutators, ...lyingMutators])(part.data, chance) };
  return parts;
}

function number(value: number, size: 2 | 4, big: boolean): Buffer {
  const bytes = Buffer.alloc(size);
  if (big) bytes.writeUIntBE(value, 0, size);
  else bytes.writeUIntLE(value, 0, size);
  return bytes;
}

/** Further chunks with right sums: profiles and texts that unpack to much, palettes, transparency, animations. */
export const pngExtras: Mutator = (bytes, chance) => {
  if (bytes.length < 33) return bytes;
  const zeros = () => deflateSync(Buffer.alloc(chance.pick([10, 100_000, 20_000_000])));
  const [type, data] = chance.pick<() => [string, Buffer]>([
    () => ["iCCP", Buffer.concat([Buffer.from("p\0\0"), zeros()])],
    () => ["zTXt", Buffer.concat([Buffer.from("k\0\0"), zeros()])],
    () => ["iTXt", Buffer.concat([Buffer.from("k\0\x01\0\0\0"), zeros()])],
    () => ["tEXt", Buffer.alloc(chance.pick([10, 3_000_000]), 0x61)],
    () => ["tRNS", Buffer.from([0, 1, 0, 2, 0, 3])],
    () => ["PLTE", Buffer.alloc(chance.pick([3, 4, 0, 768, 900]))],
    () => ["acTL", Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])],
    () => [
      "eXIf",
      Buffer.from("49492a000800000001001201030001000000060000000000", "hex").subarray(
        0,
        chance.pick([24, 8, 14]),
      ),
    ],
    () => ["eXIf", Buffer.from("4d4d002a00000008000000000008", "hex")],
    () => ["gAMA", Buffer.from([0, 0, 0, 1])],
    () => ["ABCD", Buffer.from("critical")],
    () => ["IEND", Buffer.alloc(0)],
    () => ["IHDR", Buffer.from(bytes.subarray(16, 29))],
  ])();
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, "latin1");
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  const at = chance.pick([8, 33, bytes.length - 12, bytes.length]);
  return Buffer.concat([bytes.subarray(0, at), chunk, bytes.subarray(at)]);
};

/** Segments of a JPEG up to its pixels; heights, widths, components and tables are in them. */
export const jpegSegments: Mutator = (bytes, chance) => {
  const parts: Part[] = [];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
    const length = bytes.readUInt16BE(at + 2);
    parts.push({ type: String.fromCharCode(bytes[at + 1]!), data: bytes.subarray(at + 4, at + 2 + length) });
    at += 2 + length;
  }
  const frame = parts.findIndex(({ type }) => type >= "\xc0" && type <= "\xc2");
  if (frame >= 0 && chance.happens(0.3) && parts[frame]!.data.length > 5) {
    const data = Buffer.from(parts[frame]!.data);
    data.writeUInt16BE(chance.pick(sizes), chance.pick([1, 3]));
    parts[frame] = { ...parts[frame]!, data };
  } else
    changedParts(parts, chance, [
      "\xc0",
      "\xc1",
      "\xc2",
      "\xc4",
      "\xdb",
      "\xdd",
      "\xe0",
      "\xe1",
      "\xe2",
      "\xee",
      "\xfe",
      "\xd8",
      "\xd9",
    ]);
  const written = parts.flatMap(({ type, data }) => [
    Buffer.from(`\xff${type}`, "latin1"),
    number(Math.min(0xffff, data.length + 2), 2, true),
    data,
  ]);
  return Buffer.concat([bytes.subarray(0, 2), ...written, bytes.subarray(at)]);
};

/** Chunks of RIFF, which WebP is: animations, transparency and profiles are in further ones. */
export const riffChunks: Mutator = (bytes, chance) => {
  const parts: Part[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32LE(at + 4);
    parts.push({ type: bytes.toString("latin1", at, at + 4), data: bytes.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  changedParts(parts, chance, [
    "VP8 ",
    "VP8L",
    "VP8X",
    "ANIM",
    "ANMF",
    "ALPH",
    "ICCP",
    "EXIF",
    "XMP ",
    "abcd",
  ]);
  const body = Buffer.concat(
    parts.flatMap(({ type, data }) => [
      Buffer.from(type, "latin1"),
      number(data.length, 4, false),
      data,
      Buffer.alloc(data.length % 2),
    ]),
  );
  return Buffer.concat([
    Buffer.from("RIFF"),
    number(chance.happens(0.1) ? chance.pick(sizes) : body.length + 4, 4, false),
    Buffer.from("WEBP"),
    body,
  ]);
};

/** Boxes of the ISO base media format, which AVIF is, at any depth that holds boxes. */
export const mediaBoxes: Mutator = (bytes, chance) => changedBoxes(bytes, chance, 0);

function changedBoxes(bytes: Buffer, chance: Chance, skip: number): Buffer {
  const parts: Part[] = [];
  let at = skip;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32BE(at);
    if (length < 8 || at + length > bytes.length) break;
    parts.push({ type: bytes.toString("latin1", at + 4, at + 8), data: bytes.subarray(at + 8, at + length) });
    at += length;
  }
  const inner = parts.findIndex(({ type }) => ["meta", "iprp", "ipco"].includes(type));
  if (inner >= 0 && chance.happens(0.7)) {
    const { type, data } = parts[inner]!;
    parts[inner] = { type, data: changedBoxes(data, chance, type === "meta" ? 4 : 0) };
  } else
    changedParts(parts, chance, [
      "ftyp",
      "meta",
      "mdat",
      "ispe",
      "av1C",
      "iloc",
      "iinf",
      "ipma",
      "irot",
      "clap",
      "free",
      "grid",
    ]);
  const written = parts.flatMap(({ type, data }) => [
    number(data.length + 8, 4, true),
    Buffer.from(type, "latin1"),
    data,
  ]);
  return Buffer.concat([bytes.subarray(0, skip), ...written, bytes.subarray(at)]);
}

/** Entries of a TIFF's directories: sizes, places, counts, types, and directories that lead back to themselves. */
export const tiffEntries: Mutator = (bytes, chance) => {
  if (bytes.length < 16) return bytes;
  const big = bytes[0] === 0x4d;
  const changed = Buffer.from(bytes);
  const read = (at: number, size: 2 | 4) =>
    at + size > bytes.length ? 0 : big ? bytes.readUIntBE(at, size) : bytes.readUIntLE(at, size);
  const put = (at: number, value: number, size: 2 | 4) => {
    if (at + size <= bytes.length) number(value, size, big).copy(changed, at);
  };
  const directory = read(4, 4);
  const count = read(directory, 2);
  const kind = chance.below(6);
  if (kind === 0)
    put(directory + 2 + 12 * count, chance.pick([directory, 8, 4, bytes.length, 0xffffffff]), 4);
  else if (kind === 1) put(directory, chance.pick([0, count + 1, count - 1, 0xffff]), 2);
  else {
    const entry = directory + 2 + 12 * chance.below(Math.max(1, count));
    const field = chance.below(4);
    if (field === 0)
      put(
        entry,
        chance.pick([256, 257, 258, 259, 262, 273, 277, 278, 279, 284, 317, 320, 322, 330, 339, 34665]),
        2,
      );
    else if (field === 1) put(entry + 2, chance.pick([0, 1, 2, 3, 4, 5, 12, 13, 99]), 2);
    else if (field === 2) put(entry + 4, chance.pick([0, 1, 2, 1000, 0x7fffffff, 0xffffffff]), 4);
    else
      put(
        entry + 8,
        chance.pick([0, 1, 2, 8, 100, directory, bytes.length, 0x7fffffff, 0xffffffff, 0xffff0000]),
        4,
      );
  }
  return changed;
};

/** Fields of a bitmap's header: heights that are negative, depths, ways of packing, palettes, places. */
export const bitmapFields: Mutator = (bytes, chance) => {
  if (bytes.length < 54) return bytes;
  const changed = Buffer.from(bytes);
  const at = chance.pick([2, 10, 14, 18, 22, 26, 28, 30, 34, 46, 50]);
  const value = chance.pick([
    0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 40, 54, 108, 124, 256, 1000, -1, -5, -6, 0x7fffffff, -0x80000000,
    0x10000000,
  ]);
  if ([26, 28].includes(at)) changed.writeUInt16LE(value & 0xffff, at);
  else changed.writeInt32LE(value, at);
  return changed;
};

/** Blocks of a GIF: its screen, frames beyond it, colours, and extensions. */
export const gifBlocks: Mutator = (bytes, chance) => {
  if (bytes.length < 14) return bytes;
  const changed = Buffer.from(bytes);
  const frame = bytes.indexOf(0x2c, 13);
  const kind = chance.below(5);
  if (kind === 0) changed.writeUInt16LE(chance.pick(sizes), chance.pick([6, 8]));
  else if (kind === 1 && frame > 0 && frame + 10 < bytes.length)
    changed.writeUInt16LE(chance.pick(sizes), frame + 1 + 2 * chance.below(4));
  else if (kind === 2) changed[chance.pick([10, 11, 12])] = chance.below(256);
  else if (kind === 3 && frame > 0) {
    const extension = Buffer.from(
      chance.pick(["21f904010a00ff00", "21ff0b4e45545343415045322e300301000000", "21fe03616263", "21f90404"]),
      "hex",
    );
    return Buffer.concat([bytes.subarray(0, frame), extension, bytes.subarray(frame)]);
  } else if (frame > 0) return Buffer.concat([bytes.subarray(0, -1), bytes.subarray(frame)]);
  return changed;
};
