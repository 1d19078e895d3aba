/** How well the fitted line itself is known, from place to place. */

import type { BandPoint } from "../../charts/accuracy-chart.ts";
import { studentCritical } from "../../core/statistics/distributions.ts";
import { mean } from "../../core/statistics/index.ts";
import type { LineFit } from "./fit.ts";

/**
 * The line and its pointwise 95% confidence band over the range of x; empty where there is no line or a perfect one. The band
 * is of independent points: where these belong together in clusters, it would be too narrow, and there is the line alone.
 */
export function lineBand(x: Float64Array, y: Float64Array, fit: LineFit, steps = 40): BandPoint[] {
  if (fit.slope === null || fit.intercept === null || x.length < 3) return [];
  const [slope, intercept] = [fit.slope, fit.intercept];
  const centre = mean(x);
  let [squares, residuals, least, most] = [0, 0, x[0]!, x[0]!];
  for (let i = 0; i < x.length; i++) {
    squares += (x[i]! - centre) ** 2;
    residuals += (y[i]! - intercept - slope * x[i]!) ** 2;
    least = Math.min(least, x[i]!);
    most = Math.max(most, x[i]!);
  }
  const t = fit.clusters === undefined ? studentCritical(0.05, x.length - 2) : 0;
  const spread = Math.sqrt(residuals / (x.length - 2));
  return Array.from({ length: steps + 1 }, (_, i) => {
    const at = least + ((most - least) * i) / steps;
    const half = t * spread * Math.sqrt(1 / x.length + (at - centre) ** 2 / squares);
    const middle = intercept + slope * at;
    return { x: at, y: middle, low: middle - half, high: middle + half };
  });
}
