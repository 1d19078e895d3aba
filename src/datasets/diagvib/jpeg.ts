/**
 * What JPEG compression does to an image: colours to luma and halved chroma, cosines of 8×8 blocks, rounding to the
 * standard's tables, and back. The entropy coding that follows in a file loses nothing, so it is left out.
 */

/** Tables K.1 and K.2 of the JPEG standard (ITU-T T.81). */
const lumaTable = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];
const chromaTable = [
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
];

/** cos(kπ/16) for k = 0 … 8, written out: their last bits are then the same everywhere. */
const cosines = [
  1,
  0.9807852804032304,
  0.9238795325112867,
  0.8314696123025452,
  Math.SQRT1_2,
  0.5555702330196023,
  0.3826834323650898,
  0.19509032201612825,
  0,
];

/** Rows are frequencies, columns are places; the matrix is orthogonal, so its transpose goes back. */
const transform = Float64Array.from({ length: 64 }, (_, i) => {
  const [frequency, place] = [i >> 3, i & 7];
  return frequency === 0 ? Math.SQRT1_2 / 2 : cosine((2 * place + 1) * frequency) / 2;
});

const transposed = transform.map((_, i) => transform[8 * (i & 7) + (i >> 3)]!);

function cosine(sixteenths: number): number {
  const turn = sixteenths % 32;
  const folded = turn > 16 ? 32 - turn : turn;
  return folded > 8 ? -cosines[16 - folded]! : cosines[folded]!;
}

/** In place, on RGB pixels of a square canvas; quality as libjpeg counts it, from 1 to 100. */
export function compressAsJpeg(pixels: Uint8Array, canvas: number, quality: number): void {
  const [luma, blue, red] = toLumaAndChroma(pixels);
  const half = (canvas + 1) >> 1;
  roundBlocks(luma, canvas, scaled(lumaTable, quality));
  const chroma = [blue, red].map((plane) => {
    const small = halved(plane, canvas, half);
    roundBlocks(small, half, scaled(chromaTable, quality));
    return small;
  }) as [Float64Array, Float64Array];
  toRgb(luma, chroma[0], chroma[1], canvas, half, pixels);
}

/** libjpeg's rule for turning a quality into a table. */
function scaled(table: readonly number[], quality: number): Float64Array {
  const percent = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
  return Float64Array.from(table, (entry) =>
    Math.min(255, Math.max(1, Math.floor((entry * percent + 50) / 100))),
  );
}

/** JFIF's equations; all three planes are centred on zero. */
function toLumaAndChroma(pixels: Uint8Array): [Float64Array, Float64Array, Float64Array] {
  const count = pixels.length / 3;
  const planes = [new Float64Array(count), new Float64Array(count), new Float64Array(count)] as const;
  for (let i = 0, at = 0; i < count; i++, at += 3) {
    const [r, g, b] = [pixels[at]!, pixels[at + 1]!, pixels[at + 2]!];
    planes[0][i] = 0.299 * r + 0.587 * g + 0.114 * b - 128;
    planes[1][i] = -0.168736 * r - 0.331264 * g + 0.5 * b;
    planes[2][i] = 0.5 * r - 0.418688 * g - 0.081312 * b;
  }
  return [...planes];
}

function toRgb(
  luma: Float64Array,
  blue: Float64Array,
  red: Float64Array,
  canvas: number,
  half: number,
  pixels: Uint8Array,
): void {
  for (let y = 0, i = 0; y < canvas; y++) {
    for (let x = 0; x < canvas; x++, i++) {
      const [cb, cr] = [enlarged(blue, half, y, x), enlarged(red, half, y, x)];
      const grey = luma[i]! + 128;
      pixels[3 * i] = byte(grey + 1.402 * cr);
      pixels[3 * i + 1] = byte(grey - 0.344136 * cb - 0.714136 * cr);
      pixels[3 * i + 2] = byte(grey + 1.772 * cb);
    }
  }
}

function byte(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value + 0.5;
}

/** Means of 2×2 pixels; at an odd edge the last row and column count twice. */
function halved(plane: Float64Array, canvas: number, half: number): Float64Array {
  const small = new Float64Array(half * half);
  for (let y = 0; y < half; y++) {
    const [above, below] = [2 * y * canvas, Math.min(2 * y + 1, canvas - 1) * canvas];
    for (let x = 0; x < half; x++) {
      const [left, right] = [2 * x, Math.min(2 * x + 1, canvas - 1)];
      small[y * half + x] =
        (plane[above + left]! + plane[above + right]! + plane[below + left]! + plane[below + right]!) / 4;
    }
  }
  return small;
}

/** Back to full size as decoders do it: three quarters of the nearest, one quarter of the next, along each axis. */
function enlarged(plane: Float64Array, half: number, y: number, x: number): number {
  const [row, column] = [y >> 1, x >> 1];
  const nextRow = Math.min(half - 1, Math.max(0, row + (y & 1 ? 1 : -1)));
  const nextColumn = Math.min(half - 1, Math.max(0, column + (x & 1 ? 1 : -1)));
  const near = 3 * plane[row * half + column]! + plane[row * half + nextColumn]!;
  const far = 3 * plane[nextRow * half + column]! + plane[nextRow * half + nextColumn]!;
  return (3 * near + far) / 16;
}

const block = new Float64Array(64);
const scratch = new Float64Array(64);

/** Each 8×8 block to frequencies, rounded to multiples of the table, and back; blocks beyond the edge repeat it. */
function roundBlocks(plane: Float64Array, side: number, table: Float64Array): void {
  for (let top = 0; top < side; top += 8) {
    for (let left = 0; left < side; left += 8) {
      for (let i = 0; i < 64; i++) {
        const [y, x] = [Math.min(side - 1, top + (i >> 3)), Math.min(side - 1, left + (i & 7))];
        block[i] = plane[y * side + x]!;
      }
      multiply(transform, block, scratch);
      multiply(scratch, transposed, block);
      for (let i = 0; i < 64; i++) block[i] = table[i]! * Math.round(block[i]! / table[i]!);
      multiply(transposed, block, scratch);
      multiply(scratch, transform, block);
      for (let i = 0; i < 64; i++) {
        const [y, x] = [top + (i >> 3), left + (i & 7)];
        if (y < side && x < side) plane[y * side + x] = block[i]!;
      }
    }
  }
}

/** out = a · b. */
function multiply(a: Float64Array, b: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 8; i++) {
    for (let j = 0; j < 8; j++) {
      let sum = 0;
      for (let k = 0; k < 8; k++) sum += a[8 * i + k]! * b[8 * k + j]!;
      out[8 * i + j] = sum;
    }
  }
}
