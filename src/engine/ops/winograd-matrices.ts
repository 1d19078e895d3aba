/**
 * The small matrices of fast convolution (Toom–Cook): a product of two polynomials follows from their values at a few
 * points, and a convolution is the transpose of such a product.
 */

export type WinogradMatrix = readonly (readonly number[])[];

/** Side of the kernel. */
export const kernel = 3;

/**
 * The points by the side of a tile, chosen for small rounding: with these five, errors are 3.6 times those of a plain
 * sum over 64 channels, with 0, ±1 and ±2 they were 7.6 times; with these three they are about equal. After them comes
 * infinity, where a polynomial has its highest coefficient.
 */
const points = { 2: [0, 1, -1], 4: [0, 0.75, -0.75, 1.5, -1.5] };

/** Results on the side of a tile. */
export type Side = keyof typeof points;

/** Values on the side of a tile with `side` results. */
export function valuesOf(side: Side): number {
  return side + kernel - 1;
}

/**
 * The values of a polynomial with `length` coefficients at all points of a tile. "scaled" divides them by what
 * interpolation would have to divide by.
 */
export function evaluation(length: number, side: Side, scale: "plain" | "scaled" = "plain"): WinogradMatrix {
  const finite = points[side].map((point, i, all) => {
    const divisor =
      scale === "plain" ? 1 : all.reduce((d, other, j) => (i === j ? d : d * (point - other)), 1);
    return Array.from({ length }, (_, power) => point ** power / divisor);
  });
  return [...finite, Array.from({ length }, (_, power) => (power === length - 1 ? 1 : 0))];
}

/** The transpose of interpolation: row i has the coefficients of Π (z − point) over all finite points but the i-th. */
export function interpolation(side: Side): WinogradMatrix {
  const finite = points[side];
  return [...finite.keys(), finite.length].map((skipped) => {
    const row = Array.from({ length: valuesOf(side) }, () => 0);
    row[0] = 1;
    for (const [i, point] of finite.entries()) {
      if (i === skipped) continue;
      // Times (z − point), from the highest power down.
      for (let power = row.length - 1; power >= 0; power--)
        row[power] = (row[power - 1] ?? 0) - point * row[power]!;
    }
    return row;
  });
}

export function transposed(m: WinogradMatrix): WinogradMatrix {
  return m[0]!.map((_, column) => m.map((row) => row[column]!));
}

/** What m does along rows and columns of a square: the Kronecker product of m with itself. */
export function onSquare(m: WinogradMatrix): WinogradMatrix {
  return m.flatMap((outer) => m.map((inner) => outer.flatMap((a) => inner.map((b) => a * b))));
}
