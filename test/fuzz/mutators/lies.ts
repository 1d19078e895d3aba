/** Numbers that lie: lengths and counts found in the bytes and changed, alone or wherever they stand; blocks moved, filled and shared. */

import type { Chance } from "../chance.ts";
import type { Mutator } from "../fuzzed-format.ts";

interface Found {
  at: number;
  size: 1 | 2 | 4 | 8;
  big: boolean;
  value: number;
}

function numberAt(bytes: Buffer, at: number, size: Found["size"], big: boolean): number {
  if (size === 8) return Number(big ? bytes.readBigUInt64BE(at) : bytes.readBigUInt64LE(at));
  return big ? bytes.readUIntBE(at, size) : bytes.readUIntLE(at, size);
}

function put(bytes: Buffer, { at, size, big }: Found, value: number): void {
  const whole = BigInt.asUintN(8 * size, BigInt(Math.trunc(value)));
  for (let i = 0; i < size; i++)
    bytes[big ? at + size - 1 - i : at + i] = Number((whole >> BigInt(8 * i)) & 0xffn);
}

/** A place whose number could be a length, a count or a place within the file. */
function likely(bytes: Buffer, chance: Chance): Found | undefined {
  for (let tries = 0; tries < 60; tries++) {
    const size = chance.pick([1, 2, 4, 4, 8] as const);
    if (bytes.length < size) continue;
    const [at, big] = [chance.below(bytes.length - size + 1), chance.happens(0.5)];
    const value = numberAt(bytes, at, size, big);
    if (value > 0 && value <= bytes.length) return { at, size, big, value };
  }
  return undefined;
}

function lie(value: number, length: number, chance: Chance): number {
  return chance.pick([
    value + 1,
    value - 1,
    value * 2,
    Math.floor(value / 2),
    value + 8,
    0,
    length,
    length - 1,
    length + 1,
    value * 65_536,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32 - 1,
    2 ** 53,
    -1,
    -value,
  ]);
}

/** One number. */
const lyingNumber: Mutator = (bytes, chance) => {
  const found = likely(bytes, chance);
  if (found === undefined) return bytes;
  const changed = Buffer.from(bytes);
  put(changed, found, lie(found.value, bytes.length, chance));
  return changed;
};

/** The same number wherever it stands in this form, so that the lie is consistent. */
const consistentLie: Mutator = (bytes, chance) => {
  const found = likely(bytes, chance);
  if (found === undefined || found.size === 1) return lyingNumber(bytes, chance);
  const changed = Buffer.from(bytes);
  const value = lie(found.value, bytes.length, chance);
  for (let at = 0, times = 0; at + found.size <= bytes.length && times < 8; at++) {
    if (numberAt(bytes, at, found.size, found.big) !== found.value) continue;
    put(changed, { ...found, at }, value);
    times++;
  }
  return changed;
};

/** A small step up or down, as counters are wrong by. */
const step: Mutator = (bytes, chance) => {
  if (bytes.length === 0) return bytes;
  const changed = Buffer.from(bytes);
  const at = chance.below(bytes.length);
  changed[at] = changed[at]! + (chance.happens(0.5) ? 1 : -1) * (1 + chance.below(35));
  return changed;
};

/** Two blocks change places, one is written over another, or one is filled. */
const blocks: Mutator = (bytes, chance) => {
  const size = chance.pick([1, 4, 8, 16, 64, 512]);
  if (bytes.length < 2 * size) return bytes;
  const places = Math.floor(bytes.length / size);
  const [one, other] = [chance.below(places) * size, chance.below(places) * size];
  const changed = Buffer.from(bytes);
  const kind = chance.below(3);
  if (kind === 0) changed.fill(chance.pick([0, 0xff, 0x20, 0x80]), one, one + size);
  else {
    bytes.copy(changed, other, one, one + size);
    if (kind === 1) bytes.copy(changed, one, other, other + size);
  }
  return changed;
};

/** More of the same behind the end, which nothing may depend on. */
const tail: Mutator = (bytes, chance) =>
  Buffer.concat([
    bytes,
    chance.pick([
      Buffer.alloc(1 + chance.below(600)),
      bytes,
      bytes.subarray(0, chance.below(bytes.length + 1)),
    ]),
  ]);

const invalidUtf8 = ["ff", "c0af", "eda080", "f4908080", "80", "c3", "efbbbf", "00", "fffe"].map((hex) =>
  Buffer.from(hex, "hex"),
);

/** Bytes that are no text, and marks that are none of it. */
const brokenText: Mutator = (bytes, chance) => {
  const at = chance.happens(0.2) ? 0 : chance.below(bytes.length + 1);
  const stays = bytes.subarray(chance.happens(0.5) ? at : Math.min(bytes.length, at + 1));
  return Buffer.concat([bytes.subarray(0, at), chance.pick(invalidUtf8), stays]);
};

export const lyingMutators: readonly Mutator[] = [lyingNumber, consistentLie, step, blocks, tail, brokenText];
