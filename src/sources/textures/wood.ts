/** A sawn board: fine grain along x, which bends, widens and closes into arches where the saw met old branches. */

import type { Random } from "../../core/random.ts";
import { type Field, fractalNoise, grain, smoothNoise, within } from "./noise.ts";

export function wood(random: Random): Field {
  const ring = within(random, 3, 4.2);
  const bend = within(random, 3.2, 5);
  const length = within(random, 60, 95);
  const height = within(random, 18, 26);
  const depth = fractalNoise(random, 2, 0.45);
  const fibres = smoothNoise(random);
  const tone = smoothNoise(random);
  const speckle = grain(random);
  const offset = within(random, 0, 100);
  return (x, y) => {
    // The board is a plane through nested shells: its grain is the contour lines of their depth.
    const shells = y / ring + bend * depth(x / length + offset, y / height);
    const ringPlace = shells - Math.floor(shells);
    // Early wood lightens slowly, late wood ends in a dark line.
    const rings = ringPlace < 0.7 ? ringPlace / 0.7 : (1 - ringPlace) / 0.3;
    return (
      rings +
      0.5 * fibres(x / 22, y / 1.7) +
      0.8 * tone(x / 70 + offset, y / 16) +
      0.12 * (speckle(x, y) - 0.5)
    );
  };
}
