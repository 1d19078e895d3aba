/** A living room: floor, papered wall, a window, a sofa, shelves, pictures, a lamp. */

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
import { count, side } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade, vary } from "./colour.ts";
import { lay } from "./ground.ts";
import { chooseLight, finish, type Light } from "./light.ts";
import { drawThicket, leafColour } from "./plants.ts";
import { roughen } from "./tiles.ts";

export const drawLivingRoom: DrawScene = (pen, random) => {
  const outside = chooseLight(random);
  // The lamps of the room outshine dusk and night.
  const light: Light = {
    ...outside,
    fog: 0,
    tint: outside.lamps
      ? hsl(between(random, 30, 45), between(random, 50, 90), between(random, 80, 90))
      : hsl(40, 30, 96),
  };
  const camera = placeCamera(random, { sway: 0.12, low: 0.36, high: 0.44 });
  const depth = between(random, 8.4, 9.8);
  const half = between(random, 4.6, 7);
  const high = between(random, 3.4, 4.2);
  const paper = hsl(between(random, 0, 360), between(random, 6, 28), between(random, 52, 86));
  pen.fillStyle = css(hsl(40, 12, 90));
  pen.fillRect(0, 0, 1, 1);
  const back = frontWall(camera, -half, half, depth, high);
  drawPaper(pen, random, back, paper);
  for (const x of [-half, half]) {
    const wall = sideWall(camera, x, camera.near * 0.9, depth, high);
    cover(pen, wall, shade(paper, x * light.sunSide > 0 ? 0.78 : 0.92));
    cover(pen, wall, shade(paper, 1.35), [0, 0, wall.width, 0.22]);
  }
  drawFloor(pen, random, light, camera, half, depth);
  cover(pen, back, hsl(40, 12, 90), [0, 0, back.width, 0.25]);
  const mirrored = side(random);
  const place = (x: number) => half + mirrored * x;
  drawWindow(pen, random, outside, back, place(between(random, 2.2, 2.8)));
  if (random.boolean(0.6)) drawShelves(pen, random, back, place(-Math.min(half, 4.6) + 1.3));
  else drawPictures(pen, random, back, place(-Math.min(half, 4.6) + 1.4));
  drawPictures(pen, random, back, place(-0.6));
  if (random.boolean(0.75)) drawRug(pen, random, light, camera);
  drawSofa(pen, random, camera, depth, mirrored * between(random, -1.6, -0.4));
  drawLamp(pen, random, camera, depth, mirrored * between(random, 3.4, 4), outside.lamps);
  finish(pen, random, light);
};

function drawPaper(pen: Pen, random: Random, wall: Surface, colour: SceneColour): void {
  cover(pen, wall, colour);
  const pattern = oneOf(random, ["stripes", "plain", "panels"] as const);
  pen.beginPath();
  if (pattern === "stripes") {
    for (let along = 0; along < wall.width; along += 0.7)
      patch(pen, wall, along, 0, along + 0.3, wall.height);
  }
  if (pattern === "panels") {
    for (let along = 0; along < wall.width; along += 0.5) patch(pen, wall, along, 0, along + 0.42, 1.25);
  }
  pen.fillStyle = css(shade(colour, pattern === "panels" ? 1.3 : 0.93));
  pen.fill();
  roughen(pen, random, "mottle", boundsOf(wall), 0.1, { across: 0.6 });
}

function drawFloor(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  half: number,
  depth: number,
): void {
  const colour = hsl(between(random, 18, 38), between(random, 22, 50), between(random, 28, 56));
  const floor = ground(camera, -half, half, camera.near * 0.9, depth);
  lay(pen, random, light, camera, floor, { colour, tile: "blades", strength: 0.25, fine: 50 });
  pen.beginPath();
  const board = between(random, 0.3, 0.6);
  for (let x = -half; x < half; x += board) {
    pen.moveTo(...camera.at(x, 0, camera.near * 0.9));
    pen.lineTo(...camera.at(x, 0, depth));
  }
  pen.strokeStyle = css(shade(colour, 0.55), 0.6);
  pen.lineWidth = 0.0025;
  pen.stroke();
}

function drawWindow(pen: Pen, random: Random, outside: Light, wall: Surface, middle: number): void {
  const wide = between(random, 2, 2.8);
  const low = between(random, 1, 1.4);
  const high = Math.min(wall.height - 0.4, low + between(random, 2, 2.6));
  const left = middle - wide / 2;
  cover(pen, wall, hsl(40, 10, 94), [left - 0.15, low - 0.15, left + wide + 0.15, high + 0.15]);
  const [x0, y0] = wall.at(left, high);
  const [x1, y1] = wall.at(left + wide, low);
  const gradient = pen.createLinearGradient(0, y0, 0, y1);
  gradient.addColorStop(0, css(outside.skyTop));
  gradient.addColorStop(1, css(outside.skyLow));
  pen.fillStyle = gradient;
  pen.fillRect(x0, y0, x1 - x0, y1 - y0);
  const green = mix(leafColour(random, "summer"), outside.skyLow, 0.3);
  drawThicket(pen, random, { left: x0, right: x1, base: y1, height: (y1 - y0) * 0.35, lump: 0.02 }, green);
  pen.beginPath();
  patch(pen, wall, middle - 0.05, low, middle + 0.05, high);
  patch(pen, wall, left, (low + high) / 2 - 0.04, left + wide, (low + high) / 2 + 0.04);
  pen.fillStyle = css(hsl(40, 10, 94));
  pen.fill();
  if (random.boolean(0.3)) return;
  const cloth = hsl(between(random, 0, 360), between(random, 15, 50), between(random, 35, 75));
  for (const from of [left - 0.6, left + wide - 0.1]) {
    cover(pen, wall, cloth, [from, 0.2, from + 0.7, high + 0.3]);
    pen.beginPath();
    for (const fold of [0.12, 0.34, 0.54]) patch(pen, wall, from + fold, 0.2, from + fold + 0.08, high + 0.3);
    pen.fillStyle = css(shade(cloth, 0.75));
    pen.fill();
  }
}

function drawPictures(pen: Pen, random: Random, wall: Surface, middle: number): void {
  const pictures = count(random, 1, 2);
  for (let picture = 0; picture < pictures; picture++) {
    const wide = between(random, 0.6, 1.1);
    const high = between(random, 0.6, 1);
    const left = middle + (picture - pictures / 2) * 1.3;
    const low = between(random, 1.9, 2.3);
    cover(pen, wall, hsl(32, 35, between(random, 15, 60)), [
      left - 0.08,
      low - 0.08,
      left + wide + 0.08,
      low + high + 0.08,
    ]);
    const tone = hsl(between(random, 0, 360), between(random, 20, 55), between(random, 45, 75));
    cover(pen, wall, tone, [left, low, left + wide, low + high]);
    cover(pen, wall, shade(tone, 0.6), [left, low, left + wide, low + high * between(random, 0.2, 0.5)]);
  }
}

/** A bookcase, full. */
function drawShelves(pen: Pen, random: Random, wall: Surface, middle: number): void {
  const wood = hsl(between(random, 20, 36), between(random, 20, 45), between(random, 22, 60));
  const left = middle - 1;
  cover(pen, wall, wood, [left, 0, left + 2, 3]);
  cover(pen, wall, shade(wood, 0.5), [left + 0.1, 0.1, left + 1.9, 2.9]);
  for (let shelf = 0; shelf < 5; shelf++) {
    const low = 0.12 + shelf * 0.56;
    cover(pen, wall, wood, [left, low - 0.06, left + 2, low]);
    for (let along = 0.14; along < 1.75; ) {
      const thick = between(random, 0.1, 0.24);
      const colour = hsl(between(random, 0, 360), between(random, 15, 55), between(random, 28, 62));
      if (!random.boolean(0.12))
        cover(pen, wall, colour, [
          left + along,
          low,
          left + along + thick * 0.9,
          low + between(random, 0.3, 0.46),
        ]);
      along += thick;
    }
  }
}

function drawSofa(pen: Pen, random: Random, camera: Camera, depth: number, x: number): void {
  const cloth = hsl(between(random, 0, 360), between(random, 10, 50), between(random, 28, 62));
  const z = depth - 0.9;
  const wide = between(random, 3.2, 4.2);
  const body = frontWall(camera, x - wide / 2, x + wide / 2, z, 1.7);
  cover(pen, ground(camera, x - wide / 2, x + wide / 2, z - 0.8, z, 0.01), [20, 15, 12]);
  cover(pen, body, shade(cloth, 0.85), [0, 0.4, wide, 1.55]);
  for (let cushion = 0; cushion < 3; cushion++) {
    const from = 0.4 + ((wide - 0.8) * cushion) / 3;
    const tone = vary(random, cloth, 6);
    cover(pen, body, shade(tone, 1.06), [from + 0.04, 0.75, from + (wide - 0.8) / 3 - 0.04, 1.6]);
    cover(pen, body, shade(tone, 1.16), [from + 0.03, 0.5, from + (wide - 0.8) / 3 - 0.03, 0.8]);
  }
  for (const from of [0, wide - 0.42]) cover(pen, body, shade(cloth, 0.95), [from, 0.1, from + 0.42, 1.1]);
  cover(pen, body, shade(cloth, 0.65), [0.3, 0.12, wide - 0.3, 0.5]);
  if (random.boolean(0.7)) {
    const pillow = hsl(between(random, 0, 360), 50, 55);
    cover(pen, body, pillow, [0.5, 0.8, 1.1, 1.35]);
    cover(pen, body, shade(pillow, 0.85), [wide - 1.15, 0.8, wide - 0.55, 1.35]);
  }
}

function drawLamp(pen: Pen, random: Random, camera: Camera, depth: number, x: number, lit: boolean): void {
  const z = depth - 0.6;
  const stand = frontWall(camera, x - 0.5, x + 0.5, z, 2.6);
  cover(pen, stand, [50, 45, 42], [0.46, 0, 0.54, 2]);
  cover(pen, stand, [50, 45, 42], [0.25, 0, 0.75, 0.08]);
  const shadeColour = lit ? hsl(44, 95, 78) : hsl(between(random, 25, 50), 25, 80);
  if (lit) {
    const [across, down] = stand.at(0.5, 2.3);
    const glow = pen.createRadialGradient(across, down, 0.01, across, down, 0.25);
    glow.addColorStop(0, css([255, 225, 150], 0.6));
    glow.addColorStop(1, css([255, 225, 150], 0));
    pen.fillStyle = glow;
    pen.fillRect(0, 0, 1, 1);
  }
  pen.beginPath();
  const corners = [stand.at(0.08, 1.95), stand.at(0.25, 2.6), stand.at(0.75, 2.6), stand.at(0.92, 1.95)];
  corners.forEach(([across, down], index) => {
    if (index === 0) pen.moveTo(across, down);
    else pen.lineTo(across, down);
  });
  pen.fillStyle = css(shadeColour);
  pen.fill();
}

function drawRug(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const wide = between(random, 2.5, 4);
  const near = between(random, camera.near, 5);
  const rug = ground(camera, -wide, wide, near, between(random, 7.2, 8), 0.01);
  const colour = hsl(between(random, 0, 360), between(random, 12, 42), between(random, 32, 62));
  lay(pen, random, light, camera, rug, { colour, tile: "grain", strength: 0.3, fine: 60 });
  for (const [inset, tone] of [
    [0.25, 1.4],
    [0.45, 0.8],
  ] as const) {
    pen.beginPath();
    patch(pen, rug, inset, inset, rug.width - inset, rug.height - inset);
    pen.strokeStyle = css(shade(colour, tone));
    pen.lineWidth = 0.008;
    pen.stroke();
  }
}
