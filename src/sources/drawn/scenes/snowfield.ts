/** Open country under snow: drifts, tracks, a fence, firs laden with snow, perhaps a hut. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Camera, cover, frontWall, patch, placeCamera, polygon } from "./camera.ts";
import { count } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade } from "./colour.ts";
import { layGround } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { drawTree, leafColour } from "./plants.ts";
import { drawRidge } from "./ridge.ts";

export const drawSnowfield: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random);
  const snow = hsl(between(random, 195, 225), between(random, 12, 40), between(random, 89, 95));
  paintSky(pen, random, light, camera.horizon);
  const hills = count(random, 1, 2);
  for (let hill = hills; hill > 0; hill--) {
    drawRidge(pen, random, {
      base: camera.horizon + 0.012,
      height: between(random, 0.04, 0.12),
      rough: 0.2,
      colour: faded(mix(snow, [120, 140, 175], 0.25 * hill), 30, light),
      tile: "mottle",
      speckle: 0.12,
    });
  }
  layGround(pen, random, light, camera, {
    colour: snow,
    tile: "mottle",
    strength: between(random, 0.06, 0.14),
    fine: 14,
  });
  drawFirs(pen, random, light, camera, snow);
  if (random.boolean(0.4)) drawHut(pen, random, light, camera, snow);
  drawDrifts(pen, random, camera);
  if (random.boolean(0.6)) drawTracks(pen, random, camera);
  if (random.boolean(0.55)) drawFence(pen, random, light, camera);
  if (random.boolean(0.45)) drawFlakes(pen, random);
  finish(pen, random, light);
};

function drawFirs(pen: Pen, random: Random, light: Light, camera: Camera, snow: SceneColour): void {
  const firs = count(random, 4, 14);
  const bare = random.boolean(0.25);
  const grouped = random.boolean(0.5) ? between(random, 0, 1) : undefined;
  for (let fir = 0; fir < firs; fir++) {
    const z = 70 - (52 * fir) / firs;
    const x = grouped === undefined ? random.uniform() : grouped + between(random, -0.25, 0.25);
    const stand = { x, base: camera.horizon + camera.eye / z, height: between(random, 5, 9) / z, metres: z };
    drawTree(pen, random, light, stand, bare ? "bare" : "conifer", leafColour(random, "dark"));
    if (!bare) drawLoad(pen, random, stand, faded(snow, z, light));
  }
}

/** Snow on the branches. */
function drawLoad(
  pen: Pen,
  random: Random,
  { x, base, height }: { x: number; base: number; height: number },
  snow: SceneColour,
): void {
  pen.beginPath();
  for (let tier = 0; tier < 6; tier++) {
    const low = base - height * (0.93 - tier * 0.135);
    const wide = height * (0.02 + tier * 0.028);
    const offset = wide * between(random, -0.4, 0.4);
    polygon(pen, [
      [x + offset, low - height * 0.07],
      [x + offset + wide, low],
      [x + offset - wide, low],
    ]);
  }
  pen.fillStyle = css(snow, 0.92);
  pen.fill();
}

function drawHut(pen: Pen, random: Random, light: Light, camera: Camera, snow: SceneColour): void {
  const z = between(random, 18, 30);
  const left = between(random, -0.42, 0.25) * z;
  const wall = frontWall(camera, left, left + 5, z, 2.4);
  const wood = faded(
    hsl(between(random, 15, 32), between(random, 25, 50), between(random, 24, 38)),
    z,
    light,
  );
  cover(pen, wall, wood);
  pen.beginPath();
  for (let up = 0.3; up < 2.4; up += 0.3) patch(pen, wall, 0, up, 5, up + 0.06);
  patch(pen, wall, 3.2, 0, 4.2, 1.9);
  pen.fillStyle = css(shade(wood, 0.65));
  pen.fill();
  cover(pen, wall, light.lamps ? hsl(44, 90, 66) : faded([60, 75, 95], z, light), [0.9, 0.9, 2.1, 1.8]);
  pen.beginPath();
  polygon(pen, [wall.at(-0.6, 2.3), wall.at(0.6, 4.1), wall.at(4.4, 4.1), wall.at(5.6, 2.3)]);
  pen.fillStyle = css(faded(snow, z, light));
  pen.fill();
  cover(pen, wall, shade(wood, 0.5), [-0.6, 2.2, 5.6, 2.34]);
}

/** Soft blue hollows between the drifts. */
function drawDrifts(pen: Pen, random: Random, camera: Camera): void {
  const drifts = count(random, 3, 6);
  for (let drift = 0; drift < drifts; drift++) {
    const y = between(random, camera.horizon + 0.06, 0.98);
    const deep = (y - camera.horizon) * between(random, 0.12, 0.3);
    const x = between(random, -0.2, 0.7);
    const wide = between(random, 0.4, 0.9);
    pen.beginPath();
    pen.moveTo(x, y);
    pen.quadraticCurveTo(x + wide * 0.4, y - deep, x + wide, y);
    pen.quadraticCurveTo(x + wide * 0.5, y + deep * 0.4, x, y);
    const gradient = pen.createLinearGradient(0, y - deep * 0.6, 0, y + deep * 0.4);
    gradient.addColorStop(0, css([120, 145, 190], 0.3));
    gradient.addColorStop(1, css([140, 165, 205], 0));
    pen.fillStyle = gradient;
    pen.fill();
  }
}

/** Two ruts of a sledge or a cart. */
function drawTracks(pen: Pen, random: Random, camera: Camera): void {
  const start = between(random, -2.5, 1);
  const drift = between(random, -0.15, 0.15);
  pen.beginPath();
  for (const rut of [0, 1.5]) {
    const points = [camera.near * 0.9, 5, 8, 13, 22, 40].map((z) => [start + rut + drift * z, z] as const);
    polygon(pen, [
      ...points.map(([x, z]) => camera.at(x, 0, z)),
      ...points.map(([x, z]) => camera.at(x + 0.22, 0, z)).reverse(),
    ]);
  }
  pen.fillStyle = css([115, 135, 175], between(random, 0.15, 0.35));
  pen.fill();
}

function drawFence(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const z = between(random, 12, 18);
  const fence = frontWall(camera, -16, 16, z, 1.1);
  const gap = oneOf(random, [2, 2.5, 3]);
  pen.beginPath();
  for (let along = random.uniform(); along < 32; along += gap) patch(pen, fence, along, 0, along + 0.16, 1.1);
  for (const up of [0.45, 0.9]) patch(pen, fence, 0, up, 32, up + 0.09);
  pen.fillStyle = css(faded(hsl(28, 20, between(random, 20, 36)), z, light));
  pen.fill();
}

function drawFlakes(pen: Pen, random: Random): void {
  pen.beginPath();
  for (let flake = 0; flake < 90; flake++) {
    const size = between(random, 0.003, 0.009);
    pen.rect(random.uniform(), random.uniform(), size, size);
  }
  pen.fillStyle = css([255, 255, 255], 0.8);
  pen.fill();
}
