/** A row of garage doors before a yard. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import {
  boundsOf,
  type Camera,
  cover,
  frontWall,
  ground,
  patch,
  placeCamera,
  type Surface,
  sideWall,
} from "./camera.ts";
import { css, hsl, type SceneColour, shade, vary } from "./colour.ts";
import { chooseFacade, drawCourses, drawFacade, wallColour } from "./facade.ts";
import { asphalt, concrete, layGround, shadowOn, wear } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { chooseWood, drawThicket, drawTree } from "./plants.ts";
import { shadeOfLeaves } from "./shadow.ts";
import { roughen } from "./tiles.ts";

type DoorStyle = "panels" | "ribs" | "planks" | "roller";

interface GarageRow {
  door: DoorStyle;
  doorColours: readonly SceneColour[];
  doorWidth: number;
  doorHeight: number;
  pier: number;
  wall: SceneColour;
  bricks: boolean;
  lights: boolean;
}

export const drawGarage: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { sway: 0.25, low: 0.36, high: 0.45 });
  const z = between(random, 10.5, 14);
  const row = chooseRow(random);
  const height = row.doorHeight + between(random, 0.45, 1);
  paintSky(pen, random, light, camera.horizon);
  drawBehind(pen, random, light, camera, z + 8);
  layGround(
    pen,
    random,
    light,
    camera,
    random.boolean(0.5) ? asphalt(random, light) : concrete(random, light),
  );
  const front = frontWall(camera, -14 + between(random, -2, 2), 15, z, height);
  drawDoors(pen, random, light, front, row, 1);
  cover(
    pen,
    frontWall(camera, -20, 20, z - 0.2, between(random, 0.18, 0.4), height),
    faded(vary(random, [70, 66, 64], 30), z, light),
  );
  shadowOn(pen, ground(camera, -20, 20, z - 1.1, z), 0.3);
  if (random.boolean(0.4)) {
    const direction = oneOf(random, [-1, 1] as const);
    const x = direction * between(random, 5, 6.5) + (0.5 - camera.centre) * 9;
    const wing = sideWall(camera, x, camera.near * 0.9, z, height);
    drawDoors(pen, random, light, wing, row, 0.8);
    cover(pen, sideWall(camera, x, camera.near * 0.9, z, 0.25, height), [60, 58, 58]);
  }
  drawYard(pen, random, camera);
  if (random.boolean(0.5)) shadeOfLeaves(pen, random, light, [camera.horizon + 0.2, 1]);
  finish(pen, random, light);
};

function chooseRow(random: Random): GarageRow {
  const base = oneOf(random, [
    hsl(between(random, 200, 225), between(random, 10, 45), between(random, 35, 62)),
    hsl(between(random, 0, 30), between(random, 25, 60), between(random, 28, 46)),
    hsl(between(random, 90, 160), between(random, 12, 35), between(random, 28, 48)),
    hsl(40, between(random, 3, 18), between(random, 72, 90)),
    hsl(between(random, 22, 36), between(random, 30, 50), between(random, 26, 40)),
    hsl(210, 5, between(random, 35, 60)),
  ]);
  const mixed = random.boolean(0.3);
  return {
    door: oneOf(random, ["panels", "ribs", "planks", "roller"]),
    doorColours: mixed ? [base, wallColour(random), wallColour(random), vary(random, base, 25)] : [base],
    doorWidth: between(random, 2.4, 3.1),
    doorHeight: between(random, 2.1, 2.6),
    pier: between(random, 0.3, 1),
    wall: wallColour(random),
    bricks: random.boolean(0.5),
    lights: random.boolean(0.3),
  };
}

function drawBehind(pen: Pen, random: Random, light: Light, camera: Camera, z: number): void {
  const kind = oneOf(random, ["block", "trees", "houses", "sky"] as const);
  if (kind === "block" || kind === "houses") {
    for (let x = -16; x < 18; ) {
      const next = x + (kind === "block" ? between(random, 14, 30) : between(random, 6, 10));
      const height = kind === "block" ? between(random, 10, 22) : between(random, 5, 8);
      const style = { ...chooseFacade(random), shops: false };
      drawFacade(
        pen,
        random,
        light,
        frontWall(camera, x, next - between(random, 0, 2), z + 8, height),
        style,
        0.95,
      );
      x = next;
    }
  }
  if (kind === "trees" || kind === "houses") {
    const { species, leaves } = chooseWood(random);
    const base = camera.at(0, 0, z)[1];
    for (let x = -0.05; x < 1.05; x += between(random, 0.1, 0.3)) {
      const stand = { x, base, height: between(random, 5, 10) / z, metres: z };
      drawTree(pen, random, light, stand, oneOf(random, species), oneOf(random, leaves));
    }
    if (random.boolean(0.5)) {
      const shape = { left: -0.02, right: 1.02, base, height: 4 / z, lump: 0.05 };
      drawThicket(pen, random, shape, faded(oneOf(random, leaves), z, light));
    }
  }
}

function drawDoors(pen: Pen, random: Random, light: Light, wall: Surface, row: GarageRow, lit: number): void {
  const seen = (colour: SceneColour) => faded(shade(colour, lit), 12, light);
  cover(pen, wall, seen(row.wall));
  if (row.bricks) drawCourses(pen, wall, shade(seen(row.wall), 0.7), 0.2);
  let along = row.pier;
  while (along + row.doorWidth < wall.width) {
    const colour = seen(vary(random, oneOf(random, row.doorColours), 6));
    const right = along + row.doorWidth;
    cover(pen, wall, shade(seen(row.wall), 0.6), [along - 0.12, 0, right + 0.12, row.doorHeight + 0.12]);
    cover(pen, wall, colour, [along, 0.03, right, row.doorHeight]);
    drawPattern(pen, wall, row, along, colour);
    cover(pen, wall, shade(colour, 0.35), [
      along + row.doorWidth / 2 - 0.14,
      0.95,
      along + row.doorWidth / 2 + 0.14,
      1.05,
    ]);
    along = right + row.pier;
  }
  pen.save();
  pen.beginPath();
  patch(pen, wall, 0, 0, wall.width, wall.height);
  pen.clip();
  roughen(pen, random, "mottle", boundsOf(wall), 0.22, { across: 1.3, up: 0.9 });
  pen.restore();
}

/** What tells one kind of door from another. */
function drawPattern(pen: Pen, wall: Surface, row: GarageRow, left: number, colour: SceneColour): void {
  const { doorWidth: width, doorHeight: height } = row;
  const dark = shade(colour, 0.68);
  pen.beginPath();
  if (row.door === "ribs" || row.door === "roller") {
    const ribs = row.door === "ribs" ? 7 : 16;
    for (let rib = 1; rib < ribs; rib++) {
      const up = (height * rib) / ribs;
      patch(pen, wall, left, up, left + width, up + (row.door === "ribs" ? 0.07 : 0.05));
    }
  }
  if (row.door === "planks") {
    for (let plank = 1; plank < 12; plank++) {
      const at = left + (width * plank) / 12;
      patch(pen, wall, at, 0, at + 0.05, height);
    }
    patch(pen, wall, left + width / 2 - 0.04, 0, left + width / 2 + 0.04, height);
  }
  pen.fillStyle = css(dark);
  pen.fill();
  if (row.door === "panels") {
    for (const [tone, inset] of [
      [0.7, 0.1],
      [1.12, 0.15],
    ] as const) {
      pen.beginPath();
      for (let line = 0; line < 4; line++) {
        for (let column = 0; column < 4; column++) {
          const from = left + (width * column) / 4;
          const low = (height * line) / 4;
          patch(pen, wall, from + inset, low + inset, from + width / 4 - 0.1, low + height / 4 - 0.1);
        }
      }
      pen.fillStyle = css(shade(colour, tone));
      pen.fill();
    }
  }
  if (row.lights) {
    pen.beginPath();
    for (let pane = 0; pane < 4; pane++) {
      const from = left + (width * pane) / 4 + 0.12;
      patch(pen, wall, from, height * 0.78, from + width / 4 - 0.24, height * 0.94);
    }
    pen.fillStyle = css([45, 58, 72]);
    pen.fill();
  }
}

/** Joints between slabs, stains of oil, weeds. */
function drawYard(pen: Pen, random: Random, camera: Camera): void {
  wear(pen, random, camera, -5, 5);
  if (random.boolean(0.5)) {
    pen.beginPath();
    for (const z of [4, 6.5, 9]) {
      pen.moveTo(...camera.at(-9, 0, z));
      pen.lineTo(...camera.at(9, 0, z));
    }
    for (let x = -9; x < 10; x += 3) {
      pen.moveTo(...camera.at(x, 0, camera.near * 0.9));
      pen.lineTo(...camera.at(x, 0, 10.5));
    }
    pen.strokeStyle = css([30, 30, 30], 0.4);
    pen.lineWidth = 0.003;
    pen.stroke();
  }
  pen.beginPath();
  const stains = random.integer(5);
  for (let stain = 0; stain < stains; stain++) {
    const z = between(random, 4, 9.5);
    const [across, down] = camera.at(between(random, -4, 4), 0, z);
    pen.moveTo(across, down);
    pen.ellipse(across, down, between(random, 0.2, 0.8) / z, 0.15 / z, 0, 0, 2 * Math.PI);
  }
  pen.fillStyle = css([20, 18, 18], 0.16);
  pen.fill();
}
