/** A street between the buildings of a city, running away from the viewer. */

import type { Random } from "../../../core/random.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Camera, cover, frontWall, ground, patch, placeCamera, sideWall } from "./camera.ts";
import { between, count, pick } from "./chance.ts";
import { css, hsl, shade } from "./colour.ts";
import { chooseFacade, drawFacade } from "./facade.ts";
import { asphalt, concrete, farAway, lay, layGround, lineAlong, wear } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { chooseWood, drawTree } from "./plants.ts";
import { shadeOfRoofs } from "./shadow.ts";

export const drawDowntown: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { sway: 0.2 });
  const kerbLeft = -between(random, 4.5, 8);
  const kerbRight = between(random, 4.5, 8);
  const pavement = between(random, 2, 4);
  paintSky(pen, random, light, camera.horizon);
  layGround(pen, random, light, camera, concrete(random, light));
  drawSkyline(pen, random, light, camera);
  drawRow(pen, random, light, camera, kerbLeft - pavement, -1);
  drawRow(pen, random, light, camera, kerbRight + pavement, 1);
  drawStreet(pen, random, light, camera, kerbLeft, kerbRight);
  const wall = light.sunSide < 0 ? kerbLeft - pavement : kerbRight + pavement;
  shadeOfRoofs(pen, random, light, camera, wall);
  drawKerbs(pen, random, light, camera, kerbLeft, kerbRight);
  finish(pen, random, light);
};

/** What closes the view at the end of the street. */
function drawSkyline(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const towers = count(random, 3, 7);
  for (let tower = 0; tower < towers; tower++) {
    const z = between(random, 130, 220);
    const left = between(random, -60, 45);
    const wall = frontWall(camera, left, left + between(random, 10, 28), z, between(random, 15, 75));
    cover(pen, wall, faded(hsl(between(random, 200, 240), 8, between(random, 35, 60)), z * 0.7, light));
  }
}

/** Buildings along one side, the farthest first. */
export function drawRow(
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
    const height = tall * between(random, 0.6, 1.6);
    const style = chooseFacade(random);
    const setback = random.boolean(0.2) ? direction * between(random, 0.5, 2) : 0;
    const [left, right] = direction < 0 ? [x - 40, x + setback] : [x + setback, x + 40];
    // Seen only where the nearer neighbour is lower or lies farther back.
    cover(pen, frontWall(camera, left, right, near, height), faded(shade(style.wall, 0.7), near, light));
    drawFacade(pen, random, light, sideWall(camera, x + setback, near, far, height), style, lit);
  }
}

function drawStreet(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  left: number,
  right: number,
): void {
  const surface = random.boolean(0.85) ? asphalt(random, light) : concrete(random, light);
  lay(pen, random, light, camera, ground(camera, left, right, camera.near * 0.9, farAway), surface);
  wear(pen, random, camera, left, right);
  const paint = random.boolean(0.7) ? hsl(45, 10, 88) : hsl(44, 75, 58);
  const style = pick(random, ["centre", "double", "lanes", "none"]);
  if (style === "centre" || style === "lanes") {
    lineAlong(pen, camera, light, (left + right) / 2, { width: 0.16, colour: paint, dash: 3, gap: 4 });
  }
  if (style === "double") {
    lineAlong(pen, camera, light, -0.18, { width: 0.13, colour: paint, dash: 1, gap: 0 });
    lineAlong(pen, camera, light, 0.18, { width: 0.13, colour: paint, dash: 1, gap: 0 });
  }
  if (style === "lanes") {
    lineAlong(pen, camera, light, left + 2.3, { width: 0.12, colour: hsl(45, 8, 86), dash: 1, gap: 0 });
    lineAlong(pen, camera, light, right - 2.3, { width: 0.12, colour: hsl(45, 8, 86), dash: 1, gap: 0 });
  }
}

function drawKerbs(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  left: number,
  right: number,
): void {
  const stone = faded(hsl(40, 6, between(random, 62, 78)), 8, light);
  for (const [kerb, direction] of [
    [left, -1],
    [right, 1],
  ] as const) {
    cover(pen, sideWall(camera, kerb, camera.near * 0.9, 150, 0.14), shade(stone, 0.62));
    const [from, to] = direction < 0 ? [kerb - 0.3, kerb] : [kerb, kerb + 0.3];
    cover(pen, ground(camera, from, to, camera.near * 0.9, 150, 0.14), shade(stone, 1.1));
    const furniture = pick(random, ["trees", "lamps", "bollards", "none"] as const);
    const x = kerb + direction * 0.8;
    if (furniture === "trees") {
      const { species, leaves } = chooseWood(random);
      for (let z = 46; z > 11; z -= 12) {
        const [across, base] = camera.at(x, 0, z);
        const stand = { x: across, base, height: between(random, 5, 8) / z, metres: z };
        drawTree(pen, random, light, stand, pick(random, species), pick(random, leaves));
      }
    }
    if (furniture === "lamps" || furniture === "bollards") {
      const height = furniture === "lamps" ? 6.5 : 0.9;
      const thick = furniture === "lamps" ? 0.07 : 0.09;
      pen.beginPath();
      for (let z = furniture === "lamps" ? 64 : 40; z > 7; z -= furniture === "lamps" ? 14 : 4) {
        patch(pen, frontWall(camera, x - thick, x + thick, z, height), 0, 0, 2 * thick, height);
        if (furniture === "lamps") {
          const [inner, outer] = direction < 0 ? [x, x + 1.6] : [x - 1.6, x];
          patch(pen, frontWall(camera, inner, outer, z, 0.14, height - 0.1), 0, 0, 1.6, 0.14);
        }
      }
      pen.fillStyle = css(faded(hsl(210, 10, 24), 15, light));
      pen.fill();
    }
  }
}
