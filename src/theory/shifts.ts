/** Shifts M of the spurious features, drawn in one of several ways. */

import type { RandomStream } from "../core/random.ts";
import { Registry } from "../core/registry.ts";
import {
  dot,
  frobeniusNorm,
  length,
  outer,
  product,
  type RealMatrix,
  scaled,
  scaledIdentity,
  sum,
  transpose,
  type Vector,
} from "./matrix.ts";

export interface NamedShift {
  name: string;
  shift: RealMatrix;
}

export interface DrawShiftsOptions {
  count: number;
  /** How many spurious features there are. */
  dimensions: number;
  /** What it measures is told by the way of drawing. */
  size: number;
  /** Shift i comes from index i, whatever the others are. */
  stream: RandomStream;
}

export interface ShiftKind {
  name: string;
  description: string;
  /** What `size` means, and is unless told. */
  size: { meaning: string; default: number };
  draw(options: DrawShiftsOptions): NamedShift[];
}

const definite: ShiftKind = {
  name: "definite",
  description: "symmetric matrices in pairs, one positive definite and its negative",
  size: { meaning: "the largest Frobenius norm; norms are uniform up to it", default: 10 },
  draw: ({ count, ...options }) =>
    Array.from({ length: count }, (_, i) => {
      const positive = positiveDefinite(Math.floor(i / 2), options);
      const sign = i % 2 === 0 ? 1 : -1;
      return { name: `${sign > 0 ? "+" : "-"}${Math.floor(i / 2) + 1}`, shift: scaled(positive, sign) };
    }),
};

const normal: ShiftKind = {
  name: "normal",
  description: "matrices of independent normal numbers",
  size: { meaning: "the standard deviation of an entry", default: 1 },
  draw: ({ count, ...options }) =>
    Array.from({ length: count }, (_, i) => ({ name: `M${i + 1}`, shift: normalMatrix(i, options) })),
};

const orthogonal: ShiftKind = {
  name: "orthogonal",
  description: "rotations and reflections, each as likely as any",
  size: { meaning: "a factor for all of them", default: 1 },
  draw: ({ count, size, ...options }) =>
    Array.from({ length: count }, (_, i) => ({
      name: `M${i + 1}`,
      shift: scaled(orthonormalRows(normalMatrix(i, { ...options, size: 1 })), size),
    })),
};

const scaledIdentities: ShiftKind = {
  name: "scaled",
  description: "a·I with a in even steps from −size to size",
  size: { meaning: "the largest a", default: 1 },
  draw: ({ count, dimensions, size }) =>
    Array.from({ length: count }, (_, i) => {
      const a = count === 1 ? size : size * ((2 * i) / (count - 1) - 1);
      return { name: `${Number(a.toFixed(4))}·I`, shift: scaledIdentity(dimensions, a) };
    }),
};

export const shiftKinds = new Registry<ShiftKind>("way of drawing shifts", [
  definite,
  normal,
  orthogonal,
  scaledIdentities,
]);

/** GGᵀ of a normal G, scaled to a norm that is uniform up to `size`. */
export function positiveDefinite(index: number, options: Omit<DrawShiftsOptions, "count">): RealMatrix {
  const random = options.stream.at(index);
  const norm = options.size * random.uniform();
  const square = Array.from({ length: options.dimensions }, () =>
    Array.from({ length: options.dimensions }, () => random.normal()),
  );
  const positive = product(square, transpose(square));
  return scaled(positive, norm / frobeniusNorm(positive));
}

/** Reflects what lies along w: Rw = −w, all that is at right angles to w stays (appendix A.7). */
export function reflection(weights: Vector): RealMatrix {
  const direction = weights.map((value) => value / length(weights));
  return sum(scaledIdentity(weights.length), scaled(outer(direction), -2));
}

function normalMatrix(
  index: number,
  { dimensions, size, stream }: Omit<DrawShiftsOptions, "count">,
): RealMatrix {
  const random = stream.at(index);
  return Array.from({ length: dimensions }, () =>
    Array.from({ length: dimensions }, () => size * random.normal()),
  );
}

/** Gram and Schmidt's rows of a normal matrix: uniform over all orthogonal matrices. */
function orthonormalRows(matrix: RealMatrix): RealMatrix {
  const rows: Vector[] = [];
  for (const row of matrix) {
    let rest = row;
    for (const other of rows) {
      const along = dot(rest, other);
      rest = rest.map((value, i) => value - along * other[i]!);
    }
    rows.push(rest.map((value) => value / length(rest)));
  }
  return rows;
}
