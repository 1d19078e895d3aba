/** A harbour: the quay's edge, boats at their moorings, cranes or houses on the far side. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Camera, cover, frontWall, ground, patch, placeCamera, polygon } from "./camera.ts";
import { count, side } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade } from "./colour.ts";
import { wallColour } from "./facade.ts";
import { concrete, lay } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { drawWater } from "./water.ts";

export const drawHarbour: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { low: 0.36, high: 0.44 });
  paintSky(pen, random, light, camera.horizon);
  if (random.boolean(0.55)) drawTown(pen, random, light, camera);
  else drawDocks(pen, random, light, camera);
  const sea = hsl(between(random, 185, 225), between(random, 18, 45), between(random, 26, 46));
  drawWater(pen, random, light, { top: camera.horizon + 0.012, bottom: 1, colour: sea });
  const boats = count(random, 3, 6);
  for (let boat = 0; boat < boats; boat++) {
    const z = 42 - (26 * (boat + random.uniform() * 0.5)) / boats;
    drawBoat(pen, random, light, camera, z, ((boat * 0.37 + between(random, 0, 0.3)) % 1) - 0.5);
  }
  drawQuay(pen, random, light, camera);
  finish(pen, random, light);
};

/** Gabled houses along the far quay. */
function drawTown(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const z = 70;
  cover(pen, frontWall(camera, -60, 60, z, 1.2, -0.8), faded([95, 90, 85], z, light));
  for (let x = -50; x < 50; ) {
    const wide = between(random, 5, 10);
    const high = between(random, 6, 13);
    const wall = frontWall(camera, x, x + wide, z, high);
    const colour = faded(wallColour(random), z, light);
    pen.beginPath();
    polygon(pen, [
      wall.at(0, 0),
      wall.at(0, high),
      wall.at(wide / 2, high + between(random, 1, 4)),
      wall.at(wide, high),
      wall.at(wide, 0),
    ]);
    pen.fillStyle = css(colour);
    pen.fill();
    pen.beginPath();
    for (let up = 1.2; up < high - 1.5; up += 3) {
      for (let along = 1; along < wide - 1; along += 2.4) patch(pen, wall, along, up, along + 1.1, up + 1.6);
    }
    pen.fillStyle = css(light.lamps ? hsl(44, 80, 64) : shade(colour, 0.5));
    pen.fill();
    x += wide;
  }
}

/** Stacks of containers and gantry cranes. */
function drawDocks(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const z = 80;
  cover(pen, frontWall(camera, -70, 70, z, 1.5, -0.5), faded([85, 85, 88], z, light));
  for (let x = -60; x < 60; x += 6.4) {
    const stack = random.integer(5);
    for (let level = 0; level < stack; level++) {
      const colour = hsl(
        oneOf(random, [5, 25, 200, 215, 140, 45]),
        between(random, 30, 65),
        between(random, 30, 50),
      );
      cover(pen, frontWall(camera, x, x + 6, z, 2.5, 1 + level * 2.6), faded(colour, z, light));
    }
  }
  const cranes = count(random, 1, 4);
  for (let crane = 0; crane < cranes; crane++) {
    const x = between(random, -38, 30);
    const metal = faded(hsl(oneOf(random, [5, 28, 210, 48]), 60, 42), z * 0.8, light);
    const high = between(random, 18, 26);
    const frame = frontWall(camera, x, x + 10, z, high);
    const direction = side(random);
    pen.beginPath();
    patch(pen, frame, 0, 0, 0.9, high);
    patch(pen, frame, 8, 0, 8.9, high);
    patch(pen, frame, 0, high * 0.45, 8.9, high * 0.5);
    patch(pen, frame, direction < 0 ? -16 : -4, high * 0.76, direction < 0 ? 12 : 25, high * 0.82);
    pen.fillStyle = css(metal);
    pen.fill();
    pen.beginPath();
    pen.moveTo(...frame.at(direction < 0 ? -16 : 25, high * 0.8));
    pen.lineTo(...frame.at(4.5, high * 1.15));
    pen.lineTo(...frame.at(direction < 0 ? 12 : -4, high * 0.8));
    pen.strokeStyle = css(metal);
    pen.lineWidth = 0.004;
    pen.stroke();
  }
}

/** A sailing boat or a fishing boat, with its image in the water. `place` is from -0.5 to 0.5 of the width. */
function drawBoat(pen: Pen, random: Random, light: Light, camera: Camera, z: number, place: number): void {
  const size = between(random, 6, 10) / z;
  const x = 0.5 + place;
  const base = camera.horizon + (camera.eye + 0.6) / z;
  const hull = faded(
    oneOf(random, [[238, 238, 234], hsl(215, 50, 30), hsl(5, 60, 38), hsl(160, 30, 34)]),
    z,
    light,
  );
  const sails = random.boolean(0.6);
  const direction = side(random);
  const at = (along: number, up: number) => [x + direction * along * size, base - up * size] as const;
  pen.beginPath();
  pen.ellipse(x, base + size * 0.03, size * 0.55, size * 0.06, 0, 0, 2 * Math.PI);
  pen.fillStyle = css(shade(hull, 0.5), 0.4);
  pen.fill();
  pen.beginPath();
  polygon(pen, [at(-0.48, 0.15), at(-0.42, 0), at(0.36, 0), at(0.54, 0.2)]);
  pen.fillStyle = css(hull);
  pen.fill();
  pen.beginPath();
  polygon(pen, [at(-0.46, 0.09), at(-0.42, 0), at(0.36, 0), at(0.43, 0.09)]);
  pen.fillStyle = css(shade(mix(hull, [150, 40, 40], 0.5), 0.7));
  pen.fill();
  const metal = faded([205, 205, 205], z, light);
  pen.beginPath();
  if (sails) {
    polygon(pen, [at(-0.2, 0.15), at(-0.15, 0.25), at(0.16, 0.25), at(0.24, 0.16)]);
  } else {
    polygon(pen, [at(-0.05, 0.16), at(-0.05, 0.45), at(0.22, 0.45), at(0.26, 0.16)]);
  }
  pen.fillStyle = css(shade(metal, 1.1));
  pen.fill();
  pen.beginPath();
  const mast = sails ? between(random, 1.1, 1.4) : 0.75;
  pen.moveTo(...at(0.02, 0.1));
  pen.lineTo(...at(0.02, mast));
  pen.moveTo(...at(0.02, sails ? 0.35 : 0.6));
  pen.lineTo(...at(-0.42, sails ? 0.35 : 0.75));
  pen.strokeStyle = css(mix(metal, [90, 70, 50], 0.3));
  pen.lineWidth = size * 0.025;
  pen.stroke();
  pen.beginPath();
  pen.moveTo(...at(0.54, 0.2));
  pen.lineTo(...at(0.02, mast));
  pen.lineTo(...at(-0.48, 0.15));
  pen.lineWidth = size * 0.008;
  pen.stroke();
  if (!sails || random.boolean(0.3)) return;
  pen.beginPath();
  polygon(pen, [at(0, 0.38), at(0, mast * 0.97), at(-0.4, 0.38)]);
  pen.fillStyle = css(
    faded(oneOf<SceneColour>(random, [[242, 238, 226], [242, 238, 226], hsl(12, 55, 45)]), z, light),
  );
  pen.fill();
}

function drawQuay(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const edge = between(random, 11, 13);
  const planks = random.boolean(0.35);
  const stone = planks
    ? { colour: hsl(between(random, 22, 36), 24, 42), tile: "blades" as const, strength: 0.3, fine: 60 }
    : concrete(random, light);
  lay(pen, random, light, camera, ground(camera, -60, 60, camera.near * 0.9, edge), stone);
  cover(pen, ground(camera, -60, 60, edge - 0.5, edge), faded(shade(stone.colour, 1.2), edge, light));
  pen.beginPath();
  for (const z of planks ? [] : [4, 5.5, 7.5, 9.5]) {
    pen.moveTo(...camera.at(-12, 0, z));
    pen.lineTo(...camera.at(12, 0, z));
  }
  for (let x = -12; x <= 12; x += planks ? 0.35 : 2) {
    pen.moveTo(...camera.at(x, 0, camera.near * 0.9));
    pen.lineTo(...camera.at(x, 0, edge));
  }
  pen.strokeStyle = css([25, 25, 28], 0.35);
  pen.lineWidth = 0.003;
  pen.stroke();
  // Bollards of iron, waisted.
  const iron = faded(hsl(between(random, 10, 220), 8, between(random, 15, 28)), edge, light);
  for (let x = -5.5 + random.uniform(); x < 7; x += 3.6) {
    const z = edge - 0.6;
    const [across, base] = camera.at(x, 0, z);
    const size = 0.45 / z;
    pen.fillStyle = css(iron);
    pen.fillRect(across - size * 0.5, base - size * 0.7, size, size * 0.7);
    pen.fillStyle = css(shade(iron, 1.15));
    pen.fillRect(across - size * 0.85, base - size * 1, size * 1.7, size * 0.45);
  }
}
