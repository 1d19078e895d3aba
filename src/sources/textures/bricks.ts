/** A weathered brick wall: courses in running bond, white mortar with ragged black edges, streaks of lime. */

import type { Random } from "../../core/random.ts";
import { type Field, fractalNoise, grain, smoothNoise, within } from "./noise.ts";

export function bricks(random: Random): Field {
  const width = within(random, 54, 70);
  const height = within(random, 28, 36);
  const offsetX = within(random, 0, width);
  const offsetY = within(random, 0, height);
  const stain = fractalNoise(random, 3, 0.6);
  const course = smoothNoise(random);
  const drip = smoothNoise(random);
  const ragged = smoothNoise(random);
  const speckle = grain(random);
  const fate = grain(random);
  return (x, y) => {
    const grit = speckle(x, y);
    const row = Math.floor((y + offsetY) / height);
    const down = y + offsetY - row * height;
    const along = x + offsetX + (row % 2) * 0.5 * width + 4 * (fate(row, 7) - 0.5);
    const column = Math.floor(along / width);
    const across = along - column * width;
    const wobble = 1.6 * ragged(x / 3.5, y / 3.5) + (grit - 0.5);
    // A black shadow under each brick, then the mortar, then a broken dark line above the next brick.
    if (height - down < 1.7 + 0.3 * wobble) return 0.02 + 0.1 * grit;
    if (down < 2.4 + wobble) return grit < 0.06 ? 0.05 : 0.93 + 0.07 * grit;
    if (down < 3.6 + wobble) return grit < 0.45 ? 0.06 : 0.6 + 0.4 * grit;
    const open = fate(column + 31, row) < 0.3;
    if (across < 1.8 + 0.5 * wobble) return 0.03 + 0.1 * grit;
    if (across < 4.6 + 0.8 * wobble) return grit < (open ? 0.6 : 0.15) ? 0.05 : 0.92 + 0.08 * grit;
    const kind = fate(column, row);
    const lime = drip((x + 400 * kind) / 5, y / 90) + 0.5 * (fate(column, row + 77) - 0.75);
    if (lime > 0.28) return 0.9 + 0.1 * grit;
    if (grit < 0.012) return 0.04;
    return (
      0.28 +
      0.4 * kind +
      0.3 * stain(x / 16, y / 12) +
      0.22 * course(x / 30, y / 3) +
      (0.1 + 0.35 * fate(column + 5, row + 5)) * drip(x / 3 + 90, y / 22) +
      0.2 * (grit - 0.5)
    );
  };
}
