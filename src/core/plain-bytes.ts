/**
 * The same memory as a plain array. A Buffer's `slice` is a view where an array's is a copy, so that whoever paints on "a copy" of a
 * Buffer's pixels paints on the picture itself.
 */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}
