/** Numbers that scripts of test/references make by the same formula, in NumPy. */

/** Uniform on [0, 1) in steps of 2^-24: murmur3's finaliser of index and salt. */
export function hashUniform(length: number, salt: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => {
    let x = (Math.imul(i, 2654435761) + salt * 40503 + 1) >>> 0;
    x = Math.imul(x ^ (x >>> 16), 0x85ebca6b) >>> 0;
    x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35) >>> 0;
    x = (x ^ (x >>> 16)) >>> 0;
    return (x >>> 8) / 2 ** 24;
  });
}
