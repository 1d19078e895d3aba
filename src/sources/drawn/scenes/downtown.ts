/** A street between the buildings of a city, running away from the viewer. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { drawBuildingRow } from "./building-row.ts";
import { type Camera, cover, frontWall, ground, patch, placeCamera, sideWall } from "./camera.ts";
import { count } from "./chance.ts";
import { css, hsl, mix, shade } from "./colour.ts";
import { asphalt, concrete, farAway, lay, layGround, wear } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { chooseWood, drawTree } from "./plants.ts";
import { lineAlong } from "./road.ts";
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
  drawBuildingRow(pen, random, light, camera, kerbLeft - pavement, -1);
  drawBuildingRow(pen, random, light, camera, kerbRight + pavement, 1);
  drawStreet(pen, random, light, camera, kerbLeft, kerbRight);
  if (random.boolean(0.12)) drawBridge(pen, random, light, camera, kerbLeft, kerbRight);
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
    const colour = faded(hsl(between(random, 200, 240), 8, between(random, 35, 60)), z * 0.7, light);
    cover(pen, wall, colour);
    pen.beginPath();
    for (let up = 4; up < wall.height - 2; up += 6) patch(pen, wall, 1.5, up, wall.width - 1.5, up + 2.2);
    pen.fillStyle = css(light.lamps ? mix(colour, hsl(44, 80, 66), 0.5) : shade(colour, 0.8));
    pen.fill();
    if (random.boolean(0.3)) {
      const mast = wall.width * between(random, 0.3, 0.7);
      cover(pen, wall, colour, [mast, wall.height, mast + 1.2, wall.height * 1.25]);
    }
  }
}

/** A railway or a footbridge over the street. */
function drawBridge(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  left: number,
  right: number,
): void {
  const z = between(random, 24, 60);
  const metal = faded(
    hsl(between(random, 0, 360), between(random, 4, 25), between(random, 22, 45)),
    z,
    light,
  );
  const deck = frontWall(camera, left - 10, right + 10, z, 1.6, between(random, 5, 7));
  cover(pen, deck, metal);
  pen.beginPath();
  for (let along = 0; along < deck.width; along += 1.8) patch(pen, deck, along, 0.25, along + 1.4, 1.2);
  pen.fillStyle = css(shade(metal, 0.7));
  pen.fill();
  for (const x of [left - 0.6, right]) {
    cover(pen, frontWall(camera, x, x + 0.6, z, 6), shade(metal, 0.85));
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
  const style = oneOf(random, ["centre", "double", "lanes", "none"]);
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
    const furniture = oneOf(random, ["trees", "lamps", "bollards", "none"] as const);
    const x = kerb + direction * 0.8;
    if (furniture === "trees") {
      const { species, leaves } = chooseWood(random);
      for (let z = 46; z > 11; z -= 12) {
        const [across, base] = camera.at(x, 0, z);
        const stand = { x: across, base, height: between(random, 5, 8) / z, metres: z };
        drawTree(pen, random, light, stand, oneOf(random, species), oneOf(random, leaves));
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
