/** Numbers of 16 bits, which files of weights hold and JavaScript does not have. */

/** IEEE 754 half precision: 1 sign, 5 exponent and 10 fraction bits. */
export function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

const brainBits = new Uint32Array(1);
const brainFloat = new Float32Array(brainBits.buffer);

/** The upper half of a float32. */
export function brainToNumber(bits: number): number {
  brainBits[0] = bits << 16;
  return brainFloat[0]!;
}
