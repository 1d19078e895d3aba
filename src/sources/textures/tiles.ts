/** A chequered floor: light and dark stone tiles, blotched, with thin joints of a grey between the two. */

import type { Random } from "../../core/random.ts";
import { between, type Field, fractalNoise, grain, smoothStep, within } from "./noise.ts";

export function tiles(random: Random): Field {
  const side = within(random, 37, 48);
  const joint = within(random, 1, 2.2) / side;
  const offsetX = within(random, 0, 2 * side);
  const offsetY = within(random, 0, 2 * side);
  const blotch = within(random, 9, 15);
  const stone = fractalNoise(random, 4, 0.62);
  const speckle = grain(random);
  const cut = grain(random);
  return (x, y) => {
    const across = (x + offsetX) / side;
    const down = (y + offsetY) / side;
    const column = Math.floor(across);
    const row = Math.floor(down);
    if (across - column < joint || down - row < joint) return 0.5 + 0.01 * speckle(x, y);
    // Each tile is cut from another place of the quarry.
    const placeX = 200 * cut(column, row);
    const placeY = 200 * cut(row + 50, column);
    const vein = stone(x / blotch + placeX, y / blotch + placeY) + 0.25 * (speckle(x, y) - 0.5);
    const wear = 0.35 * (cut(column + 90, row) - 0.5);
    const dark = (column + row) % 2 === 0;
    // Worn places of both kinds come near the grey of the joints.
    const polish = smoothStep(-0.3, 0.45, vein + wear);
    const tone = dark ? between(0.48, 0, polish) : between(0.56, 1, smoothStep(-0.5, 0.2, vein + wear));
    return tone + 0.02 * vein;
  };
}
