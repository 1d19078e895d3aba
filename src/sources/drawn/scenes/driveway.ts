/** A house with its drive, lawn and garage, seen from the street. */

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
  polygon,
  type Surface,
} from "./camera.ts";
import { side } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade } from "./colour.ts";
import { drawCourses, wallColour } from "./facade.ts";
import { asphalt, concrete, lay, layGround, shadowOn } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { chooseWood, drawThicket, drawTree, leafColour } from "./plants.ts";
import { shadeOfLeaves } from "./shadow.ts";
import { roughen } from "./tiles.ts";

interface House {
  left: number;
  right: number;
  z: number;
  eaves: number;
  ridge: number;
  wall: SceneColour;
  roof: SceneColour;
  trim: SceneColour;
  /** Which side the garage is on. */
  garage: -1 | 1;
  gable: boolean;
  cladding: "boards" | "bricks" | "plaster";
}

export const drawDriveway: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { sway: 0.12, low: 0.39, high: 0.46 });
  const house = chooseHouse(random);
  paintSky(pen, random, light, camera.horizon);
  const lawn = leafColour(random, oneOf(random, ["spring", "summer", "summer"]));
  const dry = random.boolean(0.3) ? between(random, 0.3, 0.8) : 0;
  layGround(pen, random, light, camera, {
    colour: mix(shade(lawn, 1.12), hsl(42, 35, 58), dry),
    tile: "blades",
    strength: 0.4,
    fine: 60,
  });
  drawGarden(pen, random, light, camera, house.z + 6);
  drawHouse(pen, random, light, camera, house);
  drawDrive(pen, random, light, camera, house);
  if (random.boolean(0.5)) shadeOfLeaves(pen, random, light, [camera.at(0, 0, house.z - 3)[1], 1]);
  drawFront(pen, random, light, camera, house);
  finish(pen, random, light);
};

function chooseHouse(random: Random): House {
  const storeys = random.boolean(0.5) ? 2 : 1;
  const middle = between(random, -1.5, 1.5);
  const eaves = storeys * 2.7 + between(random, 0, 0.5);
  return {
    left: middle - between(random, 6, 8),
    right: middle + between(random, 6, 8),
    z: between(random, 13.5, 17),
    eaves,
    ridge: eaves + between(random, 1.8, 3.4),
    wall: wallColour(random),
    roof: oneOf(random, [
      hsl(between(random, 5, 20), between(random, 20, 45), between(random, 28, 40)),
      hsl(between(random, 200, 230), between(random, 4, 14), between(random, 24, 42)),
      hsl(between(random, 20, 35), between(random, 14, 30), between(random, 24, 36)),
    ]),
    trim: random.boolean(0.7) ? hsl(45, 15, 92) : hsl(between(random, 0, 360), 30, 35),
    garage: side(random),
    gable: random.boolean(0.5),
    cladding: oneOf(random, ["boards", "bricks", "plaster"]),
  };
}

function drawGarden(pen: Pen, random: Random, light: Light, camera: Camera, z: number): void {
  const { species, leaves } = chooseWood(random);
  const base = camera.at(0, 0, z)[1];
  if (random.boolean(0.7)) {
    const colour = faded(oneOf(random, leaves), z, light);
    drawThicket(
      pen,
      random,
      { left: -0.02, right: 1.02, base, height: between(random, 1.5, 5) / z, lump: 0.04 },
      colour,
    );
  }
  for (let x = -0.05; x < 1.05; x += between(random, 0.15, 0.4)) {
    const stand = { x, base, height: between(random, 5, 11) / z, metres: z };
    drawTree(pen, random, light, stand, oneOf(random, species), oneOf(random, leaves));
  }
}

function drawHouse(pen: Pen, random: Random, light: Light, camera: Camera, house: House): void {
  const { left, right, z, eaves, ridge } = house;
  const seen = (colour: SceneColour) => faded(colour, z, light);
  const front = frontWall(camera, left, right, z, eaves);
  shadowOn(pen, ground(camera, left - 0.3, right + 0.3, z - 1.2, z), 0.28);
  drawCladding(pen, random, front, seen(house.wall), house.cladding);
  // The roof: a long side towards the viewer, and perhaps a gable before it.
  const slope = between(random, 0.6, 2.5);
  drawRoof(pen, random, seen(house.roof), [
    camera.at(left - 0.4, eaves - 0.1, z - 0.3),
    camera.at(left + slope, ridge, z + 3),
    camera.at(right - slope, ridge, z + 3),
    camera.at(right + 0.4, eaves - 0.1, z - 0.3),
  ]);
  const garageLeft = house.garage < 0 ? left + 0.3 : right - 5.2;
  if (house.gable) {
    const from = house.garage < 0 ? right - 5.6 : left;
    const wing = frontWall(camera, from, from + 5.6, z - 0.4, eaves);
    drawCladding(pen, random, wing, seen(shade(house.wall, 1.04)), house.cladding);
    pen.beginPath();
    polygon(pen, [wing.at(-0.4, eaves), wing.at(2.8, ridge - 0.3), wing.at(6, eaves)]);
    pen.fillStyle = css(seen(shade(house.wall, 1.04)));
    pen.fill();
    pen.beginPath();
    pen.moveTo(...wing.at(-0.5, eaves - 0.1));
    pen.lineTo(...wing.at(2.8, ridge - 0.2));
    pen.lineTo(...wing.at(6.1, eaves - 0.1));
    pen.strokeStyle = css(seen(shade(house.roof, 0.85)));
    pen.lineWidth = 0.4 / z;
    pen.stroke();
  }
  if (random.boolean(0.6)) {
    const at = between(random, left + 3, right - 3);
    cover(pen, frontWall(camera, at, at + 0.8, z + 3, 1.4, ridge - 0.4), seen(hsl(12, 35, 36)));
  }
  drawOpenings(pen, random, light, front, house, garageLeft - left);
}

function drawCladding(
  pen: Pen,
  random: Random,
  wall: Surface,
  colour: SceneColour,
  cladding: House["cladding"],
): void {
  cover(pen, wall, colour);
  if (cladding !== "plaster")
    drawCourses(pen, wall, shade(colour, 0.72), cladding === "boards" ? 0.28 : 0.2, 0.002);
  roughen(pen, random, "grain", boundsOf(wall), 0.1);
}

function drawRoof(
  pen: Pen,
  random: Random,
  colour: SceneColour,
  corners: (readonly [number, number])[],
): void {
  pen.save();
  pen.beginPath();
  polygon(pen, corners);
  pen.fillStyle = css(colour);
  pen.fill();
  pen.clip();
  const top = corners[1]![1];
  const height = corners[0]![1] - top;
  roughen(pen, random, "grain", { x: 0, y: top, width: 1, height }, 0.35, { across: 0.6, up: 0.3 });
  pen.beginPath();
  for (let row = 1; row < 8; row++) {
    pen.moveTo(0, top + (height * row) / 8);
    pen.lineTo(1, top + (height * row) / 8);
  }
  pen.strokeStyle = css(shade(colour, 0.7), 0.7);
  pen.lineWidth = 0.0025;
  pen.stroke();
  pen.restore();
}

function drawOpenings(
  pen: Pen,
  random: Random,
  light: Light,
  front: Surface,
  house: House,
  garageAt: number,
): void {
  const seen = (colour: SceneColour) => faded(colour, house.z, light);
  const glass = light.lamps ? hsl(44, 85, 68) : seen(mix(hsl(210, 25, 30), light.skyTop, 0.35));
  const trim = seen(house.trim);
  // The garage door, in panels.
  const door = seen(random.boolean(0.6) ? hsl(40, 8, 88) : shade(house.wall, 0.7));
  cover(pen, front, shade(trim, 0.9), [garageAt - 0.15, 0, garageAt + 5.05, 2.45]);
  cover(pen, front, door, [garageAt, 0, garageAt + 4.9, 2.3]);
  pen.beginPath();
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 6; column++) {
      const from = garageAt + (4.9 * column) / 6;
      patch(pen, front, from + 0.08, row * 0.575 + 0.08, from + 4.9 / 6 - 0.08, row * 0.575 + 0.5);
    }
  }
  pen.fillStyle = css(shade(door, 0.82));
  pen.fill();
  // The rest of the front: a door and windows, mirrored with the garage.
  const place = (along: number) => (house.garage < 0 ? front.width - along : along);
  const box = (
    along: number,
    low: number,
    width: number,
    height: number,
  ): [number, number, number, number] => {
    const from = Math.min(place(along), place(along + width));
    return [from, low, from + width, low + height];
  };
  const entry = seen(hsl(between(random, 0, 360), between(random, 30, 65), between(random, 22, 42)));
  cover(pen, front, trim, box(5.4, 0, 1.4, 2.4));
  cover(pen, front, entry, box(5.55, 0, 1.1, 2.2));
  const rows = house.eaves > 4.5 ? [0.9, 3.6] : [0.9];
  for (const low of rows) {
    for (const along of low > 2 ? [0.9, 3.2, 6, 9] : [0.9, 3.2]) {
      if (along + 1.6 > front.width) continue;
      cover(pen, front, trim, box(along - 0.12, low - 0.12, 1.64, 1.54));
      cover(pen, front, glass, box(along, low, 1.4, 1.3));
      cover(pen, front, trim, box(along + 0.66, low, 0.08, 1.3));
      cover(pen, front, trim, box(along, low + 0.6, 1.4, 0.08));
    }
  }
}

function drawDrive(pen: Pen, random: Random, light: Light, camera: Camera, house: House): void {
  const garageLeft = house.garage < 0 ? house.left + 0.2 : house.right - 5.3;
  const paving = random.boolean(0.65) ? concrete(random, light) : asphalt(random, light);
  // It widens towards the street so that a car stands on it wherever the garage is.
  const near = camera.near * 0.9;
  const drive: Surface = {
    width: 1,
    height: 1,
    distance: near,
    at: (along, up) => {
      const z = near + (house.z - near) * up;
      const left = garageLeft * up + Math.min(garageLeft, -4.6) * (1 - up);
      const right = (garageLeft + 5.1) * up + Math.max(garageLeft + 5.1, 4.6) * (1 - up);
      return camera.at(left + (right - left) * along, 0.01, z);
    },
  };
  lay(pen, random, light, camera, drive, paving);
  pen.beginPath();
  for (const along of [0.25, 0.5, 0.75]) {
    pen.moveTo(...drive.at(along, 0));
    pen.lineTo(...drive.at(along, 1));
  }
  for (const up of [0.12, 0.3, 0.55, 0.8]) {
    pen.moveTo(...drive.at(0, up));
    pen.lineTo(...drive.at(1, up));
  }
  pen.strokeStyle = css(shade(paving.colour, 0.6), 0.5);
  pen.lineWidth = 0.003;
  pen.stroke();
}

/** Hedges, shrubs, a fence or a young tree before the house. */
function drawFront(pen: Pen, random: Random, light: Light, camera: Camera, house: House): void {
  const leaves = leafColour(random, oneOf(random, ["summer", "dark", "spring"]));
  const shrubZ = house.z - 0.8;
  const bed = house.garage < 0 ? [house.left + 6.6, house.right] : [house.left, house.right - 6.6];
  if (random.boolean(0.75)) {
    const [left, base] = camera.at(bed[0]!, 0, shrubZ);
    const [right] = camera.at(bed[1]!, 0, shrubZ);
    const shape = { left, right, base, height: between(random, 0.5, 1) / shrubZ, lump: 0.03 };
    drawThicket(pen, random, shape, faded(leaves, shrubZ, light), { ragged: 0.7 });
  }
  for (const direction of [-1, 1] as const) {
    const kind = oneOf(random, ["hedge", "fence", "tree", "none"] as const);
    const z = between(random, 10, 12);
    const x = direction < 0 ? Math.min(house.left, -5.4) : Math.max(house.right, 5.4);
    const [edge, base] = camera.at(x * 0.95, 0, z);
    const [left, right] = direction < 0 ? [-0.02, edge] : [edge, 1.02];
    if (kind === "hedge" && right > left) {
      drawThicket(
        pen,
        random,
        { left, right, base, height: between(random, 0.9, 1.6) / z, lump: 0.015 },
        faded(leaves, z, light),
        { ragged: 0.1 },
      );
    }
    if (kind === "fence" && right > left) drawFence(pen, light, camera, direction, z, house);
    if (kind === "tree") {
      const stand = { x: camera.at(x, 0, z)[0], base, height: between(random, 3, 5.5) / z, metres: z };
      drawTree(pen, random, light, stand, oneOf(random, ["round", "birch", "conifer"]), leaves);
    }
  }
}

function drawFence(pen: Pen, light: Light, camera: Camera, direction: -1 | 1, z: number, house: House): void {
  const edge = direction < 0 ? Math.min(house.left, -5.2) : Math.max(house.right, 5.2);
  const [left, right] = direction < 0 ? [edge - 9, edge] : [edge, edge + 9];
  const fence = frontWall(camera, left, right, z, 1.1);
  pen.beginPath();
  for (let along = 0; along < fence.width; along += 0.3) patch(pen, fence, along, 0.08, along + 0.16, 1.1);
  patch(pen, fence, 0, 0.3, fence.width, 0.4);
  patch(pen, fence, 0, 0.8, fence.width, 0.9);
  pen.fillStyle = css(faded(house.trim, z, light));
  pen.fill();
}
