/** Numbers that are none, or infinite. */

/** How many there are, in one pass: only of those the difference with themselves is not zero. */
export function countNotFinite(values: Float32Array): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! - values[i]! !== 0) count++;
  return count;
}

/** The first row with numbers that are not finite, and how many they are. */
export function harmedRow(rows: Float32Array, width: number): { row: number; count: number } | undefined {
  if (countNotFinite(rows) === 0) return undefined;
  for (let row = 0; ; row++) {
    const count = countNotFinite(rows.subarray(row * width, (row + 1) * width));
    if (count > 0) return { row, count };
  }
}
