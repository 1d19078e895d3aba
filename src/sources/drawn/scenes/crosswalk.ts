/** A zebra crossing at the corner of two streets. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { drawBuildingRow } from "./building-row.ts";
import { type Camera, cover, frontWall, ground, patch, placeCamera } from "./camera.ts";
import { css, hsl, shade } from "./colour.ts";
import { chooseFacade, drawFacade } from "./facade.ts";
import { asphalt, concrete, farAway, lay, layGround, wear } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { chooseWood, drawThicket, drawTree, leafColour } from "./plants.ts";
import { lineAlong } from "./road.ts";
import { shadeOfRoofs } from "./shadow.ts";

export const drawCrosswalk: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { sway: 0.15, low: 0.33, high: 0.43 });
  paintSky(pen, random, light, camera.horizon);
  const road = asphalt(random, light);
  layGround(pen, random, light, camera, road);
  drawBeyond(pen, random, light, camera);
  wear(pen, random, camera, -8, 8);
  drawStripes(pen, random, light, camera);
  if (random.boolean(0.5)) shadeOfRoofs(pen, random, light, camera, light.sunSide * between(random, 7, 12));
  finish(pen, random, light);
};

/** The far side: pavement and fronts, open in the middle where the street goes on, or closed all along. */
function drawBeyond(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const kerb = between(random, 13, 20);
  const paving = concrete(random, light);
  const half = between(random, 4, 6.5);
  const open = random.boolean(0.55);
  const middle = open ? between(random, -3, 3) : 0;
  const blocks = open
    ? [
        [-60, middle - half],
        [middle + half, 60],
      ]
    : [[-60, 60]];
  for (const [left, right] of blocks as [number, number][]) {
    lay(pen, random, light, camera, ground(camera, left, right, kerb, farAway), paving);
    cover(pen, frontWall(camera, left, right, kerb, 0.16), faded(shade(paving.colour, 0.7), kerb, light));
  }
  const front = kerb + between(random, 3, 5);
  if (open) {
    lineAlong(pen, camera, light, middle, {
      width: 0.15,
      colour: hsl(45, 8, 86),
      dash: 3,
      gap: 4,
      near: kerb + 1,
    });
    drawBuildingRow(pen, random, light, camera, middle - half - 3, -1, front);
    drawBuildingRow(pen, random, light, camera, middle + half + 3, 1, front);
  }
  for (const direction of [-1, 1] as const) {
    let x = open ? middle + direction * (half + 3) : direction < 0 ? 0 : 0.01;
    while (Math.abs(x) < 0.7 * front + 3) {
      const next = x + direction * between(random, 7, 16);
      const wall = frontWall(camera, Math.min(x, next), Math.max(x, next), front, between(random, 7, 22));
      drawFacade(pen, random, light, wall, chooseFacade(random), 1);
      x = next;
    }
  }
  if (random.boolean(0.45)) {
    const { species, leaves } = chooseWood(random);
    for (let x = -11; x < 12; x += between(random, 4, 8)) {
      if (open && Math.abs(x - middle) < half + 0.5) continue;
      const [across, base] = camera.at(x, 0, kerb + 1);
      const stand = { x: across, base, height: between(random, 4.5, 7) / (kerb + 1), metres: kerb };
      drawTree(pen, random, light, stand, oneOf(random, species), oneOf(random, leaves));
    }
  } else if (random.boolean(0.3)) {
    const base = camera.at(0, 0, kerb + 2)[1];
    const colour = faded(leafColour(random, "summer"), kerb, light);
    drawThicket(
      pen,
      random,
      { left: -0.02, right: between(random, 0.2, 0.45), base, height: 0.05, lump: 0.02 },
      colour,
    );
  }
}

function drawStripes(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const paint = faded(
    hsl(between(random, 35, 60), between(random, 4, 14), between(random, 80, 93)),
    8,
    light,
  );
  const stripe = between(random, 0.45, 0.65);
  const gap = stripe * between(random, 0.8, 1.3);
  const yellow = random.boolean(0.12);
  pen.beginPath();
  if (random.boolean(0.65)) {
    // The crossing leads from left to right before the viewer.
    const near = between(random, camera.near * 1.1, camera.near * 1.5);
    const area = ground(camera, -12, 12, near, near + between(random, 3, 4.5));
    for (let x = between(random, 0, gap); x < 24; x += stripe + gap)
      patch(pen, area, x, 0, x + stripe, area.height);
  } else {
    // It leads away from the viewer, over to the other side.
    const left = between(random, -5.5, -2.5);
    const area = ground(camera, left, left + between(random, 3.5, 6.5), camera.near * 0.9, 17);
    for (let z = 0; z < area.height; z += stripe + gap) patch(pen, area, 0, z, area.width, z + stripe);
  }
  pen.fillStyle = css(yellow ? hsl(46, 80, 58) : paint, between(random, 0.75, 0.97));
  pen.fill();
}
