/** How many points have the coordinates of an earlier one. */

/** By a table of row numbers with open places, which holds a million points in a few megabytes. */
export function repeatedPoints(x: Float64Array, y: Float64Array): number {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, 2 * x.length)));
  const first = new Int32Array(size).fill(-1);
  const bits = new Float64Array(2);
  const words = new Uint32Array(bits.buffer);
  let repeated = 0;
  for (let i = 0; i < x.length; i++) {
    // Minus zero equals zero but has other bits.
    bits[0] = x[i]! + 0;
    bits[1] = y[i]! + 0;
    let hash = 0;
    for (const word of words) {
      hash = Math.imul(hash ^ word, 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    let place = (hash >>> 0) & (size - 1);
    while (first[place] !== -1 && !(x[first[place]!] === x[i] && y[first[place]!] === y[i])) {
      place = (place + 1) & (size - 1);
    }
    if (first[place] === -1) first[place] = i;
    else repeated++;
  }
  return repeated;
}
