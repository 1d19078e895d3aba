/** Features as they lie on disk: numbers of 32 bits, or of 16, which are half as large and true to a part in two thousand. */

import { CuelabError } from "../core/errors.ts";
import { numberToHalf } from "../core/half-floats.ts";
import type { FeatureType } from "./features-about.ts";

export const numberBytes = { float32: 4, float16: 2 } as const satisfies Record<FeatureType, number>;

/** In NumPy's words. */
export const numpyTypes = { float32: "<f4", float16: "<f2" } as const satisfies Record<FeatureType, string>;

/** Bytes to write. What 16 bits cannot hold is an error, not infinity. */
export function encodedNumbers(values: Float32Array, type: FeatureType): Uint8Array {
  if (type === "float32") return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const bits = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i++) {
    bits[i] = numberToHalf(values[i]!);
    if ((bits[i]! & 0x7c00) === 0x7c00 && Number.isFinite(values[i]!)) throw tooLarge(values[i]!);
  }
  return new Uint8Array(bits.buffer);
}

function tooLarge(value: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: "a feature is too large for 16 bits",
    expected: "numbers below 65,520",
    got: `${value}`,
    todo: "give --type float32",
  });
}
