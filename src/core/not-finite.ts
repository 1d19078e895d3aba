/** Numbers that are none, or infinite. */

/** How many there are, in one pass: only of those the difference with themselves is not zero. */
export function countNotFinite(values: Float32Array): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! - values[i]! !== 0) count++;
  return count;
}
