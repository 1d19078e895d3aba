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

/** The nearest half to a number, ties to the even one, as IEEE 754 rounds; beyond its range infinite. */
export function numberToHalf(value: number): number {
  brainFloat[0] = value;
  const bits = brainBits[0]!;
  const sign = (bits >>> 16) & 0x8000;
  const rest = bits & 0x7fffffff;
  if (rest > 0x7f800000) return sign | 0x7e00;
  // From 65520 on the nearest half is infinite.
  if (rest >= 0x477ff000) return sign | 0x7c00;
  if (rest < 0x38800000) return sign | halfToEven(Math.abs(brainFloat[0]!) * 2 ** 24);
  const shifted = rest - 0x38000000;
  return sign | ((shifted + 0xfff + ((shifted >>> 13) & 1)) >>> 13);
}

function halfToEven(value: number): number {
  const floor = Math.floor(value);
  const over = value - floor;
  return over > 0.5 || (over === 0.5 && floor % 2 === 1) ? floor + 1 : floor;
}

let halves: Float32Array | undefined;

/** Many at once, into memory that is there: by a table of all there are. */
export function halvesInto(bits: Uint16Array, into: Float32Array): void {
  halves ??= Float32Array.from({ length: 65_536 }, (_, each) => halfToNumber(each));
  for (let i = 0; i < bits.length; i++) into[i] = halves[bits[i]!]!;
}
