/** Cooling lava: soft light and dark masses drawn out into threads along a winding flow. */

import type { Random } from "../../core/random.ts";
import { type Field, fractalNoise, smoothNoise, within } from "./noise.ts";

export function lava(random: Random): Field {
  const wave = within(random, 50, 75);
  const swing = within(random, 28, 44);
  const mass = within(random, 34, 46);
  const flow = smoothNoise(random);
  const shear = smoothNoise(random);
  const masses = fractalNoise(random, 2, 0.5);
  const threads = fractalNoise(random, 3, 0.62);
  return (x, y) => {
    // Threads follow the lines of equal `level`.
    const level = y + swing * flow(x / wave, y / wave);
    const drift = x + swing * shear(x / wave, y / wave);
    return masses(drift / mass, level / (0.75 * mass)) + 0.75 * threads(drift / 30 + 17, level / 9);
  };
}
