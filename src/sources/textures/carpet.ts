/** Woven carpet: light knots in a chequer, and between them dark gaps crossed by one light thread. */

import type { Random } from "../../core/random.ts";
import { grain, type NoiseField, smoothNoise, within } from "./noise.ts";

export function carpet(random: Random): NoiseField {
  const width = within(random, 7.2, 8.8);
  const height = within(random, 5.1, 6.1);
  const offsetX = within(random, 0, width);
  const offsetY = within(random, 0, height);
  const slack = within(random, 0.2, 1);
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
    const shade = 0.16 * (thread(column, row) - 0.5);
    if ((column + row) % 2 === 0) {
      const edge = Math.max(0, Math.abs(place - 0.5) - 0.3);
      return 0.76 + shade - 0.7 * edge + 0.42 * fibre;
    }
    // One thread of about a pixel and a half lies across the gap.
    const light = Math.max(0, 1 - Math.abs(place - 0.52) / 0.27);
    return 0.1 + light * (0.64 + shade) + 0.3 * fibre * (0.45 + light);
  };
}
