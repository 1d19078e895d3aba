/** Axes of accuracies on a probit or other scale, labelled in per cent. */

import { fromScale, type Transform, toScale } from "../core/accuracy-scale.ts";

export type AxisDomain = readonly [low: number, high: number];

/** Round accuracies, those that matter most first. */
const ticks = [
  [0.5, 0.1, 0.9, 0.01, 0.99],
  [0.25, 0.75, 0.05, 0.95, 0.02, 0.98],
  [0.2, 0.3, 0.4, 0.6, 0.7, 0.8],
  [0.15, 0.35, 0.45, 0.55, 0.65, 0.85, 0.92, 0.94, 0.96, 0.97, 0.03, 0.04, 0.06, 0.08],
  [0.82, 0.84, 0.86, 0.88, 0.62, 0.64, 0.66, 0.68, 0.72, 0.74, 0.76, 0.78, 0.52, 0.54, 0.56, 0.58],
].map((group) => [...group]);

/** A label needs this many pixels. */
const leastPixels = 34;
const enoughTicks = 6;
/** On an axis shorter than this two round numbers are worth more than three others. */
const smallPixels = 150;

/** Values on the scale with room around them. */
export function domainOf(columns: readonly ArrayLike<number>[]): AxisDomain {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const column of columns) {
    for (let i = 0; i < column.length; i++) {
      if (column[i]! < least) least = column[i]!;
      if (column[i]! > most) most = column[i]!;
    }
  }
  if (!(least <= most)) return [-1, 1];
  const room = least === most ? 0.1 : (most - least) / 20;
  return [least - room, most + room];
}

/** A vega-lite axis and scale for values that are on the transform's scale. */
export function accuracyAxis(title: string, transform: Transform, domain: AxisDomain, pixels: number) {
  const chosen: { at: number; label: string }[] = [];
  const place = (at: number) => ((at - domain[0]) / (domain[1] - domain[0])) * pixels;
  for (const group of ticks) {
    if (chosen.length >= enoughTicks) break;
    for (const accuracy of group) {
      const at = toScale(accuracy, { transform, clip: [0, 1] });
      const inside = at >= domain[0] && at <= domain[1];
      const free = chosen.every((other) => Math.abs(place(other.at) - place(at)) >= leastPixels);
      if (inside && free) chosen.push({ at, label: `${Math.round(100 * accuracy)}%` });
    }
  }
  // A range too narrow for round numbers gets its ends and middle.
  if (chosen.length < (pixels < smallPixels ? 2 : 3)) {
    chosen.length = 0;
    for (const part of [0.1, 0.5, 0.9]) {
      const at = domain[0] + part * (domain[1] - domain[0]);
      chosen.push({ at, label: `${(100 * fromScale(at, transform)).toFixed(2)}%` });
    }
  }
  chosen.sort((one, other) => one.at - other.at);
  const labels = chosen.map(({ at, label }) => `abs(datum.value - ${at}) < 1e-9 ? '${label}'`);
  return {
    type: "quantitative",
    scale: { domain: [...domain], zero: false, nice: false },
    axis: {
      title,
      values: chosen.map(({ at }) => at),
      // Vega leaves out every other value where there are more than this.
      tickCount: chosen.length,
      labelExpr: `${labels.join(" : ")} : ''`,
    },
  } as const;
}
