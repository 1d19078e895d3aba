/** Changes of resolution, as products with matrices that hold each new row's share of the old ones. */

import { constant, matmul, type Tensor, transpose } from "../../../engine/expressions.ts";
import { sameShape } from "../../../engine/shapes.ts";
import type { OperatorCall, OperatorFamily } from "../call.ts";

/** Weights of the old places that one new place is made of. */
type OldPlaces = readonly (readonly [place: number, weight: number])[];

function resized(call: OperatorCall): Tensor {
  const x = call.input(0);
  const scales = call.optionalNumbers(2) ?? [];
  const sizes = call.optionalNumbers(3) ?? [];
  const target = x.shape.map((length, axis) => {
    // Sizes that are written down hold a number of images, too.
    if (axis === 0) return length;
    return sizes.length > 0 ? sizes[axis]! : Math.floor(length * (scales[axis] ?? 1));
  });
  if (sameShape(target, x.shape)) return x;
  const fits =
    x.shape.length === 4 &&
    target[1] === x.shape[1] &&
    (call.list("axes") ?? []).length === 0 &&
    call.number("antialias", 0) === 0;
  if (!fits)
    throw call.fail({
      what: "resizes in a way that is not read",
      expected: "[batch, channels, rows, columns], of which rows and columns change; no anti-aliasing",
      got: `${x.toString()} to [${target.join(", ")}]`,
    });
  call.requireSize(target);
  const [rows, columns] = [2, 3].map((axis) => {
    const scale = sizes.length > 0 ? target[axis]! / x.shape[axis]! : scales[axis]!;
    return matrix(call, x.shape[axis]!, target[axis]!, scale);
  }) as [Tensor, Tensor];
  return matmul(rows, matmul(x, transpose(columns)));
}

/** [to, from]. */
function matrix(call: OperatorCall, from: number, to: number, scale: number): Tensor {
  const values = new Float64Array(to * from);
  for (let i = 0; i < to; i++) {
    const share = shareOf(call, originOf(call, i, from, to, scale));
    for (const [place, weight] of share) values[i * from + Math.min(from - 1, Math.max(0, place))]! += weight;
  }
  return constant(values, [to, from]);
}

/** Where a new place lies among the old ones. */
function originOf(call: OperatorCall, i: number, from: number, to: number, scale: number): number {
  const mode = call.text("coordinate_transformation_mode", "half_pixel");
  const known: Record<string, number> = {
    half_pixel: (i + 0.5) / scale - 0.5,
    pytorch_half_pixel: to > 1 ? (i + 0.5) / scale - 0.5 : 0,
    asymmetric: i / scale,
    align_corners: to > 1 ? (i * (from - 1)) / (to - 1) : 0,
  };
  const origin = known[mode];
  if (origin === undefined) throw call.fail({ what: "places pixels in an unknown way", got: mode });
  return origin;
}

function shareOf(call: OperatorCall, at: number): OldPlaces {
  const [mode, left] = [call.text("mode", "nearest"), Math.floor(at)];
  if (mode === "linear")
    return [
      [left, 1 - (at - left)],
      [left + 1, at - left],
    ];
  if (mode === "cubic") return cubicShare(call, at);
  const rounding: Record<string, number> = {
    round_prefer_floor: Math.ceil(at - 0.5),
    round_prefer_ceil: Math.floor(at + 0.5),
    floor: left,
    ceil: Math.ceil(at),
  };
  return [[rounding[call.text("nearest_mode", "round_prefer_floor")] ?? left, 1]];
}

/** Keys' kernel over four places. */
function cubicShare(call: OperatorCall, at: number): OldPlaces {
  if (call.number("exclude_outside", 0) === 1)
    throw call.fail({ what: "leaves out what lies outside", expected: "exclude_outside = 0" });
  const a = call.number("cubic_coeff_a", -0.75);
  const left = Math.floor(at);
  return [-1, 0, 1, 2].map((offset) => {
    const x = Math.abs(at - left - offset);
    const weight =
      x <= 1 ? (a + 2) * x ** 3 - (a + 3) * x ** 2 + 1 : a * x ** 3 - 5 * a * x ** 2 + 8 * a * x - 4 * a;
    return [left + offset, weight] as const;
  });
}

export const resize: OperatorFamily = { Resize: resized };
