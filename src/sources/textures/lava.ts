/** Cooling lava: soft light and dark masses, drawn out into threads along a winding flow. */

import type { Random } from "../../core/random.ts";
import { fractalNoise, type NoiseField, smoothNoise, within } from "./noise.ts";

export function lava(random: Random): NoiseField {
  const wave = within(random, 55, 80);
  const swing = within(random, 36, 56);
  const mass = within(random, 32, 44);
  const flow = smoothNoise(random);
  const masses = fractalNoise(random, 4, 0.55);
  const threads = fractalNoise(random, 2, 0.6);
  const rifts = smoothNoise(random);
  return (x, y) => {
    // Threads follow the lines of equal `level`.
    const level = y + swing * flow(x / wave, y / wave);
    const rift = Math.abs(rifts(x / 30, level / 13));
    return (
      masses(x / mass, (0.5 * (y + level)) / (0.85 * mass)) +
      0.45 * threads(x / 24 + 17, level / 7) +
      0.5 * Math.min(rift, 0.25)
    );
  };
}
