/** Anti-aliased resizing by separable filters: each output pixel weighs the inputs under a kernel of its own width. */

export type Filter = keyof typeof kernels;

/** For one axis: output i is Σ weights[i · width + k] · input[start[i] + k]. */
export interface Taps {
  start: Int32Array;
  width: number;
  weights: Float64Array;
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

const kernels = {
  triangle: { support: 1, at: (x: number) => Math.max(0, 1 - Math.abs(x)) },
  // Keys' cubic with a = -1/2.
  bicubic: {
    support: 2,
    at: (signed: number) => {
      const x = Math.abs(signed);
      if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
      return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
    },
  },
  lanczos: { support: 3, at: (x: number) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

const filters = Object.keys(kernels);

const tables = new Map<number, Taps>();

/** Computed once for each pair of sizes. */
export function tapsOf(filter: Filter, from: number, to: number): Taps {
  const key = filters.indexOf(filter) * 2 ** 40 + from * 2 ** 20 + to;
  let taps = tables.get(key);
  if (taps === undefined) {
    taps = computeTaps(filter, from, to);
    tables.set(key, taps);
  }
  return taps;
}

function computeTaps(filter: Filter, from: number, to: number): Taps {
  const { support, at } = kernels[filter];
  const scale = from / to;
  // When shrinking, the kernel widens with the scale, so that no input pixel is skipped.
  const stretch = Math.max(1, scale);
  const radius = support * stretch;
  const first = (i: number) => Math.max(0, Math.trunc((i + 0.5) * scale - radius + 0.5));
  const end = (i: number) => Math.min(from, Math.trunc((i + 0.5) * scale + radius + 0.5));
  let width = 0;
  for (let i = 0; i < to; i++) width = Math.max(width, end(i) - first(i));
  const start = new Int32Array(to);
  const weights = new Float64Array(to * width);
  for (let i = 0; i < to; i++) {
    const weigh = (x: number) => at((x + 0.5 - (i + 0.5) * scale) / stretch);
    // All outputs have equally many taps; those beyond the kernel weigh nothing.
    start[i] = Math.min(first(i), from - width);
    let total = 0;
    for (let x = first(i); x < end(i); x++) total += weigh(x);
    for (let x = first(i); x < end(i); x++) weights[i * width + x - start[i]!] = weigh(x) / total;
  }
  return { start, width, weights };
}
