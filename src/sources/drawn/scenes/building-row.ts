/** Buildings side by side along a street. */

import type { Random } from "../../../core/random.ts";
import { between } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { type Camera, cover, frontWall, outside, sideWall } from "./camera.ts";
import { shade } from "./colour.ts";
import { chooseFacade, drawFacade } from "./facade.ts";
import { faded, type Light } from "./light.ts";

/** Along one side of a street that runs away from the viewer, the farthest first. */
export function drawBuildingRow(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  x: number,
  direction: -1 | 1,
  from = camera.near,
): void {
  const plots: { near: number; far: number }[] = [];
  for (let near = from; near < 110; ) {
    const far = near + between(random, 9, 24) * (1 + near / 80);
    plots.push({ near, far });
    near = far + (random.boolean(0.12) ? between(random, 2, 8) : 0);
  }
  const lit = light.sunSide === direction ? 1 - 0.4 * light.contrast : 1;
  const tall = between(random, 10, 30);
  for (const { near, far } of plots.reverse()) {
    if (outside(camera.at(x, 0, near), camera.at(x, 0, far))) continue;
    const height = tall * between(random, 0.6, 1.6);
    const style = chooseFacade(random);
    const setback = random.boolean(0.2) ? direction * between(random, 0.5, 2) : 0;
    const [left, right] = direction < 0 ? [x - 40, x + setback] : [x + setback, x + 40];
    // Seen only where the nearer neighbour is lower or lies farther back.
    cover(pen, frontWall(camera, left, right, near, height), faded(shade(style.wall, 0.7), near, light));
    drawFacade(pen, random, light, sideWall(camera, x + setback, near, far, height), style, lit);
  }
}
