/** Parquet's hybrid of run lengths and bit packing, straight into an array of integers. */

import { CellError } from "../core/cell-error.ts";

/** Values of so many bits each, between two places. */
export interface PackedValues {
  bytes: Uint8Array;
  at: number;
  end: number;
  width: number;
}

/** Takes values in their order: some equal ones, or those packed from a place of the bytes on. */
interface Taker {
  run: (value: number, first: number, last: number) => void;
  packed: (bytes: Uint8Array, at: number, width: number, first: number, last: number) => void;
}

/** Reads `count` values of `width` bits from the bytes between `at` and `end`. */
export function readHybrid(
  packed: PackedValues,
  count: number,
  /** Where they go, if it is long enough. */
  into?: Int32Array,
): Int32Array {
  const values = into !== undefined && into.length >= count ? into.subarray(0, count) : new Int32Array(count);
  eachRun(packed, count, {
    run: (value, first, last) => values.fill(value, first, last),
    packed: (bytes, at, width, first, last) => unpack(bytes, at, width, values, first, last),
  });
  return values;
}

/**
 * Adds to a key for each of `count` values, after `skip` others, what is said of the value; false where nothing is said
 * of one (less than nothing), and some keys are then wrong. Values must have at most 16 bits.
 */
export function addHybrid(
  packed: PackedValues,
  { skip, count }: { skip: number; count: number },
  amounts: Int32Array,
  keys: Int32Array,
  to: number,
): boolean {
  // Any amount below 0 leaves the sign.
  let all = 0;
  const shift = to - skip;
  eachRun(packed, skip + count, {
    run: (value, first, last) => {
      const amount = value < amounts.length ? amounts[value]! : -1;
      all |= amount;
      for (let i = Math.max(first, skip); i < last; i++) keys[shift + i]! += amount;
    },
    packed: (bytes, at, width, first, last) => {
      if (last <= skip) return;
      const from = Math.max(first, skip);
      all |= addPacked(bytes, at, width, from - first, amounts, keys, shift + from, shift + last);
    },
  });
  return all >= 0;
}

function eachRun({ bytes, at, end, width }: PackedValues, count: number, taker: Taker): void {
  if (width === 0) {
    taker.run(0, 0, count);
    return;
  }
  if (width > 32) throw new CellError("the Parquet page is damaged", { got: `values of ${width} bits` });
  let [place, done] = [at, 0];
  while (done < count) {
    let [header, shift] = [0, 0];
    for (;;) {
      if (place >= end || shift > 28) throw ends();
      const byte = bytes[place++]!;
      header |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
      shift += 7;
    }
    const length = header >>> 1;
    if ((header & 1) === 0) {
      let value = 0;
      for (let i = 0; i < (width + 7) >> 3; i++) value |= bytes[place++]! << (8 * i);
      if (place > end) throw ends();
      if (width < 32 && value >>> width !== 0)
        throw new CellError("the Parquet page is damaged", { got: `${value >>> 0} in ${width} bits` });
      const stop = Math.min(count, done + length);
      taker.run(value, done, stop);
      done = stop;
    } else {
      const stop = Math.min(count, done + length * 8);
      if (place + Math.ceil(((stop - done) * width) / 8) > end) throw ends();
      taker.packed(bytes, place, width, done, stop);
      place += length * width;
      done = stop;
    }
  }
}

/** Whether all values are this one, in a single run, as writers put columns without empty cells. */
export function isOneRun(bytes: Uint8Array, at: number, end: number, value: number, count: number): boolean {
  let [header, place, shift] = [0, at, 0];
  while (place < end && shift <= 28) {
    const byte = bytes[place++]!;
    header |= (byte & 0x7f) << shift;
    if (byte < 0x80)
      return (header & 1) === 0 && header >>> 1 >= count && place < end && bytes[place] === value;
    shift += 7;
  }
  return false;
}

/** All amounts that were added, as bits. */
function addPacked(
  bytes: Uint8Array,
  at: number,
  width: number,
  skip: number,
  amounts: Int32Array,
  keys: Int32Array,
  first: number,
  last: number,
): number {
  const mask = (1 << width) - 1;
  let all = 0;
  let i = first;
  let bit = skip * width;
  if (width === 4 && (bit & 7) === 0) {
    for (; i + 1 < last; i += 2, bit += 8) {
      const pair = bytes[at + (bit >>> 3)]!;
      const low = amounts[pair & 15]!;
      const high = amounts[pair >>> 4]!;
      keys[i]! += low;
      keys[i + 1]! += high;
      all |= low | high;
    }
  } else if (width === 1 && (bit & 7) === 0 && (amounts[0]! | amounts[1]!) >= 0) {
    const no = amounts[0]!;
    const more = amounts[1]! - no;
    for (; i + 7 < last; i += 8, bit += 8) {
      const byte = bytes[at + (bit >>> 3)]!;
      for (let place = 0; place < 8; place++) keys[i + place]! += no + more * ((byte >>> place) & 1);
    }
  }
  for (; i < last; i++, bit += width) {
    const byte = at + (bit >>> 3);
    const word = bytes[byte]! | (bytes[byte + 1]! << 8) | (bytes[byte + 2]! << 16);
    const amount = amounts[(word >>> (bit & 7)) & mask]!;
    keys[i]! += amount;
    all |= amount;
  }
  return all;
}

function unpack(
  bytes: Uint8Array,
  at: number,
  width: number,
  values: Int32Array,
  first: number,
  last: number,
): void {
  const mask = width === 32 ? -1 : (1 << width) - 1;
  let bit = 0;
  if (width === 4) {
    const pairs = last - ((last - first) & 1);
    for (let [i, byte] = [first, at]; i < pairs; i += 2, byte++) {
      values[i] = bytes[byte]! & 15;
      values[i + 1] = bytes[byte]! >>> 4;
    }
    if (pairs < last) values[pairs] = bytes[at + ((pairs - first) >>> 1)]! & 15;
  } else if (width <= 8) {
    for (let i = first; i < last; i++, bit += width) {
      const byte = at + (bit >>> 3);
      values[i] = ((bytes[byte]! | (bytes[byte + 1]! << 8)) >>> (bit & 7)) & mask;
    }
  } else if (width <= 24) {
    for (let i = first; i < last; i++, bit += width) {
      const byte = at + (bit >>> 3);
      const word =
        bytes[byte]! | (bytes[byte + 1]! << 8) | (bytes[byte + 2]! << 16) | (bytes[byte + 3]! << 24);
      values[i] = (word >>> (bit & 7)) & mask;
    }
  } else {
    for (let i = first; i < last; i++, bit += width) {
      let value = 0;
      for (let b = 0; b < width; b++) {
        value |= ((bytes[at + ((bit + b) >>> 3)]! >>> ((bit + b) & 7)) & 1) << b;
      }
      values[i] = value;
    }
  }
}

function ends(): CellError {
  return new CellError("the Parquet page is damaged", { got: "it ends before its values do" });
}
