/** A sawn board: fine grain along x, which bends, widens and closes into arches around old branches. */

import type { Random } from "../../core/random.ts";
import { fractalNoise, grain, type NoiseField, smoothNoise, textureSize, within } from "./noise.ts";

/** The end of a branch, where the shells bulge out of the board. */
interface Branch {
  x: number;
  y: number;
  length: number;
  height: number;
  bulge: number;
}

export function wood(random: Random): NoiseField {
  const ring = within(random, 3.2, 4.4);
  const bend = within(random, 3, 5);
  const length = within(random, 85, 130);
  const height = within(random, 17, 25);
  const depth = fractalNoise(random, 2, 0.4);
  const fibres = smoothNoise(random);
  const tone = smoothNoise(random);
  const speckle = grain(random);
  const offset = within(random, 0, 100);
  const branches = Array.from({ length: 5 + random.integer(5) }, () => branch(random));
  return (x, y) => {
    // The board is a plane through nested shells: its grain is the contour lines of their depth.
    const fibre = fibres(x / 32, y / 2);
    let shells = y / ring + bend * depth(x / length + offset, y / height) + 0.4 * fibre;
    for (const knot of branches) {
      const right = (x - knot.x) / knot.length;
      const below = (y - knot.y) / knot.height;
      const share = 1 + right * right + below * below;
      shells += knot.bulge / (share * share);
    }
    const place = shells - Math.floor(shells);
    // Early wood lightens slowly, late wood ends in a dark line.
    const rings = place < 0.65 ? place / 0.65 : (1 - place) / 0.35;
    return rings + 0.5 * fibre + 0.8 * tone(x / 80 + offset, y / 14) + 0.18 * (speckle(x, y) - 0.5);
  };
}

function branch(random: Random): Branch {
  return {
    x: within(random, 0, textureSize),
    y: within(random, 0, textureSize),
    length: within(random, 22, 60),
    height: within(random, 9, 17),
    bulge: within(random, 2, 4.5),
  };
}
