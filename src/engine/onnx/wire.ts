/** Protobuf's wire format, read: fields by number, each bounded by the bytes that there are. */

export interface WireField {
  number: number;
  /** Of integers; of floats those of `bytes`. */
  value: number;
  /** Of texts, messages and packed lists; of fixed numbers their 4 or 8 bytes. */
  bytes: Uint8Array;
}

const nothing = new Uint8Array(0);

export function* wireFields(bytes: Uint8Array): Generator<WireField> {
  const cursor = { bytes, at: 0 };
  while (cursor.at < bytes.length) {
    const tag = readVarint(cursor);
    const [number, kind] = [Math.floor(tag / 8), tag % 8];
    if (kind === 0) {
      yield { number, value: readVarint(cursor), bytes: nothing };
      continue;
    }
    const length = kind === 2 ? readVarint(cursor) : { 1: 8, 5: 4 }[kind];
    if (length === undefined) throw new Error(`a field of wire type ${kind} at byte ${cursor.at}`);
    if (!(length >= 0 && length <= bytes.length - cursor.at))
      throw new Error(
        `a field of ${length} bytes at byte ${cursor.at}, where ${bytes.length - cursor.at} are left`,
      );
    yield { number, value: 0, bytes: bytes.subarray(cursor.at, cursor.at + length) };
    cursor.at += length;
  }
}

/** Signed 64-bit integers; beyond 2⁵³ rounded, which only "to the very end" is. */
function wireIntegers(bytes: Uint8Array): number[] {
  const cursor = { bytes, at: 0 };
  const values: number[] = [];
  while (cursor.at < bytes.length) values.push(readVarint(cursor));
  return values;
}

/** Of a field that may be packed or not. */
export function integersOf({ value, bytes }: WireField): number[] {
  return bytes === nothing ? [value] : wireIntegers(bytes);
}

export function textOf({ bytes }: Pick<WireField, "bytes">): string {
  return new TextDecoder().decode(bytes);
}

export function floatsOf({ bytes }: Pick<WireField, "bytes">): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer, 0, Math.floor(bytes.length / 4));
}

/** Base 128, lowest group first; negative numbers as 64-bit two's complement. */
function readVarint(cursor: { bytes: Uint8Array; at: number }): number {
  let [low, high] = [0, 0];
  for (let group = 0; group < 10; group++) {
    const byte = cursor.bytes[cursor.at++];
    if (byte === undefined) throw new Error("it ends within a number");
    const bits = byte & 127;
    if (group < 4) low += bits * 2 ** (7 * group);
    else if (group === 4) {
      low += (bits & 15) * 2 ** 28;
      high += bits >> 4;
    } else high += bits * 2 ** (7 * group - 32);
    if (byte < 128) return ((high % 2 ** 32) | 0) * 2 ** 32 + low;
  }
  throw new Error(`a number of more than ten bytes at byte ${cursor.at - 10}`);
}
