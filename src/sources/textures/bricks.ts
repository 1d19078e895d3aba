/** A weathered brick wall: courses in running bond, white mortar with ragged black edges, streaks of lime. */

import type { Random } from "../../core/random.ts";
import { fractalNoise, grain, type NoiseField, smoothNoise, within } from "./noise.ts";

export function bricks(random: Random): NoiseField {
  const width = within(random, 56, 70);
  const height = within(random, 29, 36);
  const offsetX = within(random, 0, width);
  const offsetY = within(random, 0, height);
  const mortar = joints(random);
  const damp = smoothNoise(random);
  const stain = fractalNoise(random, 3, 0.75);
  const layers = smoothNoise(random);
  const drip = smoothNoise(random);
  const speckle = grain(random);
  const fate = grain(random);
  return (x, y) => {
    const grit = speckle(x, y);
    const row = Math.floor((y + offsetY) / height);
    const down = y + offsetY - row * height;
    const along = x + offsetX + (row % 2) * 0.5 * width + 4 * (fate(row, 7) - 0.5);
    const column = Math.floor(along / width);
    const across = along - column * width;
    if (down < 5 || across < 6 || height - down < 2) {
      const crumbling = fate(column + 31, row) < 0.3;
      const tone = mortar({ x, y, down, up: height - down, across, grit, crumbling });
      if (tone !== null) return tone;
    }
    const kind = fate(column, row);
    const lime = drip((x + 400 * kind) / 5, y / 90) + 0.6 * (fate(column, row + 77) - 0.75);
    if (lime > 0.27) return 0.84 + 0.16 * grit;
    if (grit < 0.008) return pit;
    const dripping = 0.1 + 0.3 * fate(column + 5, row + 5);
    return (
      0.26 +
      0.42 * kind +
      0.35 * damp(x / 130, y / 80) +
      0.34 * stain(x / 11, y / 9) +
      0.2 * layers(x / 26, y / 3.4) +
      dripping * drip(x / 4 + 90, y / 26) +
      0.13 * (grit - 0.5)
    );
  };
}

/** The grey of holes and shadows. */
const pit = 0.04;

interface JointPlace {
  x: number;
  y: number;
  /** Pixels from the top of the course, from its bottom, and from the left end of the brick. */
  down: number;
  up: number;
  across: number;
  grit: number;
  crumbling: boolean;
}

/** The tone of joints and their edges, or null where the place belongs to the brick. */
function joints(random: Random): (place: JointPlace) => number | null {
  const ragged = smoothNoise(random);
  return ({ x, y, down, up, across, grit, crumbling }) => {
    // Here and there the joint is as grey as the bricks.
    if (ragged(x / 14 + 60, y / 14) > 0.3) return null;
    const wobble = 2 * ragged(x / 4, y / 4) + 0.6 * (grit - 0.5);
    // A black shadow under each brick, then the mortar, then a broken dark line above the next brick.
    if (up < 1.5 + 0.3 * wobble) return pit + 0.1 * grit;
    if (down < 2.4 + wobble) return grit < 0.03 ? pit : 0.84 + 0.16 * grit;
    if (down < 3.3 + wobble) return grit < 0.35 ? pit : 0.5 + 0.5 * grit;
    if (across < 1.6 + 0.5 * wobble) return pit + 0.1 * grit;
    if (across < 4.3 + 0.8 * wobble) return grit < (crumbling ? 0.5 : 0.06) ? pit : 0.84 + 0.16 * grit;
    return null;
  };
}
