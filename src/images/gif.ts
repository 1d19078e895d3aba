/**
 * The first picture of a GIF. Libraries at hand show what they have of a damaged one, without a word; this one wants every pixel.
 */

import type { Pixels } from "../core/dataset.ts";
import { requirePixels } from "./pixel-limit.ts";

/** RGBA, from the top; what the first picture leaves free is transparent. */
export function decodeGif(bytes: Uint8Array): Pixels {
  const at = new Cursor(bytes);
  at.skip("GIF89a".length);
  const [width, height] = [at.short(), at.short()];
  if (width === 0 || height === 0) throw damaged(`${width} × ${height} pixels`);
  requirePixels(width, height);
  const flags = at.byte();
  at.skip(2);
  const shared = flags & hasTable ? at.table(flags) : undefined;
  const transparent = skipToPicture(at);
  const picture = readFrame(at);
  const { left, top, across, down } = picture;
  if (across === 0 || down === 0 || left + across > width || top + down > height)
    throw damaged(
      `its first picture, ${across} × ${down} at ${left}, ${top}, does not lie within ${width} × ${height}`,
    );
  const table = picture.table ?? shared;
  if (table === undefined) throw damaged("its first picture has no colours");
  const indices = unpacked(at, across * down);
  const rows = picture.isInterlaced ? interlacedRows(down) : undefined;
  const data = new Uint8Array(4 * width * height);
  for (let row = 0, from = 0; row < down; row++) {
    let to = 4 * ((top + (rows?.[row] ?? row)) * width + left);
    for (let x = 0; x < across; x++, from++, to += 4) {
      const index = indices[from]!;
      if (index === transparent) continue;
      if (3 * index >= table.length) throw damaged(`colour ${index} of ${table.length / 3}`);
      for (let c = 0; c < 3; c++) data[to + c] = table[3 * index + c]!;
      data[to + 3] = 255;
    }
  }
  return { data, width, height, channels: 4 };
}

const hasTable = 0x80;
const [extension, picture] = [0x21, 0x2c];
const graphicControl = 0xf9;

/** The index of what is transparent in the picture that follows, if any is. */
function skipToPicture(at: Cursor): number | undefined {
  let transparent: number | undefined;
  for (;;) {
    const kind = at.byte();
    if (kind === picture) return transparent;
    if (kind !== extension) throw damaged(`0x${kind.toString(16)} where its first picture belongs`);
    const isControl = at.byte() === graphicControl;
    const [block] = at.blocks();
    if (!isControl) continue;
    if (block?.length !== 4) throw damaged("its control block has another length than 4");
    transparent = block[0]! & 1 ? block[3] : undefined;
  }
}

interface Frame {
  left: number;
  top: number;
  across: number;
  down: number;
  isInterlaced: boolean;
  table: Uint8Array | undefined;
}

function readFrame(at: Cursor): Frame {
  const [left, top, across, down] = [at.short(), at.short(), at.short(), at.short()];
  const flags = at.byte();
  const table = flags & hasTable ? at.table(flags) : undefined;
  return { left, top, across, down, isInterlaced: (flags & 0x40) !== 0, table };
}

/** Every eighth row, those half-way between, and so on. */
function interlacedRows(down: number): number[] {
  const passes = [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const;
  return passes.flatMap(([first, step]) =>
    Array.from({ length: Math.max(0, Math.ceil((down - first) / step)) }, (_, i) => first + i * step),
  );
}

const longestCode = 12;

/** LZW with codes of growing length, as many indices as are expected. */
function unpacked(at: Cursor, expected: number): Uint8Array {
  const bits = at.byte();
  if (bits < 2 || bits > 8) throw damaged(`codes of ${bits} bits`);
  const packed = Buffer.concat(at.blocks());
  const [clear, end] = [2 ** bits, 2 ** bits + 1];
  const before = new Uint16Array(2 ** longestCode);
  const last = new Uint8Array(2 ** longestCode);
  const lengths = new Uint16Array(2 ** longestCode);
  for (let i = 0; i < clear; i++) [last[i], lengths[i]] = [i, 1];
  const indices = new Uint8Array(expected);
  let [next, size, previous, to] = [end + 1, bits + 1, -1, 0];
  let [held, count, from] = [0, 0, 0];
  while (to < expected) {
    while (count < size) {
      if (from === packed.length) throw damaged("the file ends before the image does", "truncated");
      held |= packed[from++]! << count;
      count += 8;
    }
    const code = held & (2 ** size - 1);
    held >>>= size;
    count -= size;
    if (code === clear) {
      [next, size, previous] = [end + 1, bits + 1, -1];
      continue;
    }
    if (code === end) throw damaged("its end is said before the last pixel's", "truncated");
    if (previous < 0 ? code >= clear : code > next || (code === next && next === 2 ** longestCode))
      throw damaged(`code ${code}, where ${next} come before`);
    // A code that is only now being made: the one before, with its own first index behind it.
    const isNew = code === next;
    const first = firstOf(isNew ? previous : code, before, lengths, last);
    if (previous >= 0 && next < 2 ** longestCode) {
      [before[next], last[next], lengths[next]] = [previous, first, lengths[previous]! + 1];
      next++;
      if (next === 2 ** size && size < longestCode) size++;
    }
    const length = lengths[code]!;
    if (to + length > expected) throw damaged("more pixels than its first picture has");
    for (let i = to + length - 1, c = code; i >= to; i--) {
      indices[i] = last[c]!;
      c = before[c]!;
    }
    to += length;
    previous = code;
  }
  return indices;
}

function firstOf(code: number, before: Uint16Array, lengths: Uint16Array, last: Uint8Array): number {
  let c = code;
  while (lengths[c]! > 1) c = before[c]!;
  return last[c]!;
}

class Cursor {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  #take(count: number): Uint8Array {
    const taken = this.#bytes.subarray(this.#at, this.#at + count);
    if (taken.length < count) throw damaged("the file ends before the image does", "truncated");
    this.#at += count;
    return taken;
  }

  skip(count: number): void {
    this.#take(count);
  }

  byte(): number {
    return this.#take(1)[0]!;
  }

  short(): number {
    const [low, high] = this.#take(2);
    return low! + 256 * high!;
  }

  /** RGB. */
  table(flags: number): Uint8Array {
    return this.#take(3 * 2 ** ((flags & 7) + 1));
  }

  /** Up to the empty one. */
  blocks(): Uint8Array[] {
    const found: Uint8Array[] = [];
    for (let length = this.byte(); length > 0; length = this.byte()) found.push(this.#take(length));
    return found;
  }
}

function damaged(what: string, how: "damaged" | "truncated" = "damaged"): Error {
  return new Error(`${what} (${how} GIF)`);
}
