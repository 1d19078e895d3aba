/** Parquet's hybrid of run lengths and bit packing, straight into an array of integers. */

import { CellError } from "./cell-error.ts";

/** Reads `count` values of `width` bits from the bytes between `at` and `end`. */
export function readHybrid(
  bytes: Uint8Array,
  at: number,
  end: number,
  width: number,
  count: number,
  /** Where they go, if it is long enough. */
  into?: Int32Array,
): Int32Array {
  const values = into !== undefined && into.length >= count ? into.subarray(0, count) : new Int32Array(count);
  if (width === 0) return values.fill(0);
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
      const stop = Math.min(count, done + length);
      values.fill(value, done, stop);
      done = stop;
    } else {
      const stop = Math.min(count, done + length * 8);
      if (place + Math.ceil(((stop - done) * width) / 8) > end) throw ends();
      unpack(bytes, place, width, values, done, stop);
      place += length * width;
      done = stop;
    }
  }
  return values;
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
