/** A chequered floor: light and dark stone tiles, worn in patches, with thin joints of a grey between the two. */

import type { Random } from "../../core/random.ts";
import { between, fractalNoise, grain, type NoiseField, smoothStep, within } from "./noise.ts";

export function tiles(random: Random): NoiseField {
  const side = within(random, 38, 48);
  const joint = within(random, 1, 2.2) / side;
  const offsetX = within(random, 0, 2 * side);
  const offsetY = within(random, 0, 2 * side);
  const patch = within(random, 9, 14);
  const stone = fractalNoise(random, 5, 0.66);
  const speckle = grain(random);
  const cut = grain(random);
  return (x, y) => {
    const grit = speckle(x, y) - 0.5;
    const across = (x + offsetX) / side;
    const down = (y + offsetY) / side;
    const column = Math.floor(across);
    const row = Math.floor(down);
    if (across - column < joint || down - row < joint) return 0.5 + 0.02 * grit;
    // Each tile is cut from another place of the quarry, and is more or less worn.
    const placeX = 200 * cut(column, row);
    const placeY = 200 * cut(row + 50, column);
    const vein = stone(x / patch + placeX, y / patch + placeY);
    const polish = smoothStep(-0.16, 0.14, vein + 0.4 * (cut(column + 90, row) - 0.35));
    const detail = 0.36 * vein + 0.12 * grit;
    // Worn places of both kinds come near the grey of the joints.
    const dark = (column + row) % 2 === 0;
    return dark
      ? between(0.46 - 0.08 * vein, 0.2 - detail, polish)
      : between(0.58 + 0.08 * vein, 0.78 + detail, polish);
  };
}
