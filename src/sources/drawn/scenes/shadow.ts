/** Shadows that fall upon the ground from whatever stands beside the picture. */

import type { Random } from "../../../core/random.ts";
import { between } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { type Camera, polygon } from "./camera.ts";
import { css } from "./colour.ts";
import type { Light } from "./light.ts";
import { roughen } from "./tiles.ts";

/** The outline of roofs, from the side of the sun to somewhere on the street. */
export function shadeOfRoofs(pen: Pen, random: Random, light: Light, camera: Camera, wall: number): void {
  if (light.contrast < 0.45) return;
  const reach = wall - light.sunSide * between(random, 1, 9);
  const near = camera.near * 0.9;
  const edge: (readonly [number, number])[] = [];
  for (let z = near; z < 70; ) {
    const next = z + between(random, 3, 9) * (1 + z / 25);
    const x = reach + light.sunSide * between(random, -1.6, 1.6);
    edge.push(camera.at(x, 0, z), camera.at(x, 0, next));
    z = next;
  }
  pen.beginPath();
  polygon(pen, [camera.at(wall, 0, near), ...edge, camera.at(wall, 0, 90)]);
  pen.fillStyle = css([18, 20, 40], 0.38 * light.contrast);
  pen.fill();
}

/** Spots of shade under leaves, on the ground between two rows of the picture. */
export function shadeOfLeaves(
  pen: Pen,
  random: Random,
  light: Light,
  [top, bottom]: readonly [number, number],
): void {
  if (light.contrast < 0.45) return;
  const box = { x: 0, y: top, width: 1, height: bottom - top };
  roughen(pen, random, "mottle", box, 0.5 * light.contrast, {
    darken: true,
    across: between(random, 0.3, 0.6),
    up: between(random, 1.2, 2),
  });
}

/** Trees beside the road throw long bars across it. */
export function shadeOfTrunks(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  [near, far]: readonly [number, number],
): void {
  if (light.contrast < 0.45) return;
  pen.beginPath();
  for (let z = near; z < far; z += between(random, 1.2, 5)) {
    const from = light.sunSide * 30;
    const to = -light.sunSide * between(random, -2, 30);
    const slant = between(random, 0, 1.2);
    const thick = between(random, 0.15, 0.7);
    polygon(pen, [
      camera.at(from, 0, z),
      camera.at(from, 0, z + thick),
      camera.at(to, 0, z + thick * 1.4 + slant),
      camera.at(to, 0, z + slant),
    ]);
  }
  pen.fillStyle = css([18, 20, 35], 0.26 * light.contrast);
  pen.fill();
}
