/** The types of numbers that safetensors are read in. */

import { brainToNumber, halfToNumber } from "../core/half-floats.ts";

interface NumberType {
  bytes: number;
  read(bytes: Uint8Array): Float32Array;
}

/** Copied first: a view must begin at a multiple of its numbers' size. */
function converted(
  Numbers: new (buffer: ArrayBuffer) => { length: number; [index: number]: number | bigint },
  bytes: number,
  of: (value: number) => number = (value) => value,
): NumberType {
  return {
    bytes,
    read(from) {
      const values = new Numbers(Uint8Array.from(from).buffer);
      const result = new Float32Array(values.length);
      for (let i = 0; i < result.length; i++) result[i] = of(Number(values[i]!));
      return result;
    },
  };
}

/** Everything becomes float32, as the engine holds it; half precision loses nothing by that. */
export const numberTypes: Readonly<Record<string, NumberType>> = {
  F32: {
    bytes: 4,
    read(from) {
      const data = new Float32Array(from.length / 4);
      new Uint8Array(data.buffer).set(from);
      return data;
    },
  },
  F16: converted(Uint16Array, 2, halfToNumber),
  BF16: converted(Uint16Array, 2, brainToNumber),
  F64: converted(Float64Array, 8),
  I64: converted(BigInt64Array, 8),
  I32: converted(Int32Array, 4),
  U8: converted(Uint8Array, 1),
  BOOL: converted(Uint8Array, 1),
};
