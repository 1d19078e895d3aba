/** Gaussian noise on every value (the first corruption of Hendrycks & Dietterich 2019). */

import type { Pixels } from "../../core/dataset.ts";
import type { Random } from "../../core/random.ts";
import { type Severity, severityOf } from "./severity.ts";

/** Its deviation, where white is 1. */
const deviations = [0.08, 0.12, 0.18, 0.26, 0.38];

export function noise(image: Pixels, severity: Severity, random: Random): Pixels {
  const deviation = 255 * severityOf(deviations, severity);
  const data = image.data.map((value) => clipped(value + deviation * random.normal()));
  return { ...image, data };
}

/** Cut off, as NumPy's cast to bytes does. */
function clipped(value: number): number {
  return Math.trunc(Math.min(255, Math.max(0, value)));
}
