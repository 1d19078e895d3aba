/** Histogram normalisation: greys spread so that each is about as frequent as any other. */

/** Levels into which real numbers are sorted: fine enough that 256 × 256 of them seldom share one by accident. */
const fineLevels = 2 ** 16;

/** The classic equalisation (OpenCV's `equalizeHist`): the darkest grey becomes 0, the lightest 255. */
export function normaliseHistogram(grey: Uint8Array): Uint8Array {
  return equalise(grey, 256);
}

/** The same for real numbers. */
export function normaliseField(values: Float64Array): Uint8Array {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const scale = high > low ? (fineLevels - 1) / (high - low) : 0;
  const levels = new Uint16Array(values.length);
  for (let i = 0; i < levels.length; i++) levels[i] = (values[i]! - low) * scale;
  return equalise(levels, fineLevels);
}

function equalise(levels: Uint8Array | Uint16Array, levelCount: number): Uint8Array {
  const counts = new Uint32Array(levelCount);
  for (const level of levels) counts[level]!++;
  const darkest = counts.find((count) => count > 0) ?? 0;
  const others = levels.length - darkest;
  const grey = new Uint8Array(levelCount);
  let below = -darkest;
  for (let level = 0; level < levelCount; level++) {
    below += counts[level]!;
    grey[level] = others === 0 ? 0 : Math.round((255 * Math.max(0, below)) / others);
  }
  const equal = new Uint8Array(levels.length);
  for (let i = 0; i < equal.length; i++) equal[i] = grey[levels[i]!]!;
  return equal;
}
