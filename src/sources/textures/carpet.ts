/** Woven carpet: light knots in a chequer, and between them dark gaps crossed by one light thread. */

import type { Random } from "../../core/random.ts";
import { type Field, grain, smoothNoise, within } from "./noise.ts";

export function carpet(random: Random): Field {
  const width = within(random, 7, 9);
  const height = within(random, 5, 6.4);
  const offsetX = within(random, 0, width);
  const offsetY = within(random, 0, height);
  const slack = within(random, 0, 0.5);
  const pull = smoothNoise(random);
  const wool = grain(random);
  const thread = grain(random);
  return (x, y) => {
    const across = (x + offsetX) / width;
    const down = (y + offsetY + slack * pull(x / 40, y / 40)) / height;
    const column = Math.floor(across);
    const row = Math.floor(down);
    const place = down - row;
    const fibre = wool(x, y) - 0.5;
    const knot = 0.25 * (thread(column, row) - 0.5);
    if ((column + row) % 2 === 0) {
      const edge = Math.max(0, Math.abs(place - 0.5) - 0.32);
      return 0.75 + knot - 0.9 * edge + 0.42 * fibre;
    }
    const light = Math.max(0, 1 - Math.abs(place - 0.5) / 0.26);
    return 0.08 + 0.5 * light + knot * light + 0.3 * fibre * (0.4 + light);
  };
}
