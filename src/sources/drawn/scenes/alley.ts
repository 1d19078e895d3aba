/** A narrow way between brick walls, with pipes, doors, fire escapes and bins. */

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
  outside,
  patch,
  placeCamera,
  type Surface,
  sideWall,
} from "./camera.ts";
import { count } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade } from "./colour.ts";
import { chooseFacade, drawCourses, drawFacade, wallColour } from "./facade.ts";
import { asphalt, concrete, lay, layGround, wear } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { roughen } from "./tiles.ts";

export const drawAlley: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { sway: 0.14 });
  const left = -between(random, 2.8, 4.2);
  const right = between(random, 2.8, 4.2);
  const end = between(random, 18, 45);
  paintSky(pen, random, light, camera.horizon);
  layGround(pen, random, light, camera, concrete(random, light));
  // Either a wall closes the alley or one looks out upon a street.
  const back = frontWall(
    camera,
    left - 12,
    right + 12,
    end + (random.boolean(0.5) ? 0.1 : 25),
    between(random, 6, 16),
  );
  drawFacade(pen, random, light, back, chooseFacade(random), 0.9);
  const paving = random.boolean(0.6) ? asphalt(random, light) : concrete(random, light);
  lay(pen, random, light, camera, ground(camera, left, right, camera.near * 0.9, end), paving);
  wear(pen, random, camera, left, right);
  if (random.boolean(0.4)) drawGutter(pen, random, camera, (left + right) / 2 + between(random, -1, 1), end);
  if (light.wet || random.boolean(0.25)) drawPuddles(pen, random, light, camera);
  for (const [x, direction] of [
    [left, -1],
    [right, 1],
  ] as const) {
    const wall = sideWall(camera, x, camera.near * 0.9, end, between(random, 7, 18));
    const lit = light.sunSide === direction ? 1 - 0.45 * light.contrast : 0.95;
    drawWall(pen, random, light, wall, lit);
    drawFittings(pen, random, light, camera, wall, x, direction);
  }
  if (random.boolean(0.5)) drawWires(pen, random, camera, left, right);
  // Little light reaches the foot of the walls.
  const depth = pen.createLinearGradient(0, camera.horizon - 0.2, 0, camera.horizon + 0.25);
  depth.addColorStop(0, css([10, 10, 20], 0));
  depth.addColorStop(0.5, css([10, 10, 20], 0.16));
  depth.addColorStop(1, css([10, 10, 20], 0));
  pen.fillStyle = depth;
  pen.fillRect(0, 0, 1, 1);
  finish(pen, random, light);
};

function drawWall(pen: Pen, random: Random, light: Light, wall: Surface, lit: number): void {
  const brick = random.boolean(0.75)
    ? hsl(between(random, 4, 26), between(random, 25, 52), between(random, 28, 48))
    : wallColour(random);
  const colour = shade(brick, lit);
  pen.save();
  pen.beginPath();
  patch(pen, wall, 0, 0, wall.width, wall.height);
  const [nearEdge] = wall.at(0, 0);
  const [farEdge] = wall.at(wall.width, 0);
  const gradient = pen.createLinearGradient(nearEdge, 0, farEdge, 0);
  gradient.addColorStop(0, css(colour));
  gradient.addColorStop(1, css(faded(shade(colour, 0.8), wall.width, light)));
  pen.fillStyle = gradient;
  pen.fill();
  drawBricks(pen, random, wall, colour);
  pen.beginPath();
  patch(pen, wall, 0, 0, wall.width, wall.height);
  pen.clip();
  roughen(pen, random, "mottle", boundsOf(wall), 0.32, { across: 1.2, up: 0.5 });
  // Damp rises from the ground, soot runs down from above.
  const damp = pen.createLinearGradient(0, wall.at(wall.width, 2.5)[1], 0, wall.at(wall.width, 0)[1]);
  damp.addColorStop(0, css([20, 22, 20], 0));
  damp.addColorStop(1, css([20, 22, 20], 0.35));
  pen.fillStyle = damp;
  pen.fillRect(0, 0, 1, 1);
  pen.restore();
}

function drawBricks(pen: Pen, random: Random, wall: Surface, colour: SceneColour): void {
  const course = 0.3;
  drawCourses(pen, wall, mix(shade(colour, 0.62), [190, 180, 170], between(random, 0, 0.5)), course);
  for (const tone of [0.72, 1.14]) {
    pen.beginPath();
    for (let brick = 0; brick < 70; brick++) {
      const along = (wall.width - 0.62) * random.uniform() ** 2.2;
      const up = course * random.integer(22);
      if (outside(wall.at(along, up), wall.at(along + 0.62, up))) continue;
      patch(pen, wall, along, up, along + 0.62, up + course * 0.92);
    }
    pen.fillStyle = css(shade(colour, tone), 0.75);
    pen.fill();
  }
}

function drawFittings(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  wall: Surface,
  x: number,
  direction: -1 | 1,
): void {
  const metal = hsl(between(random, 190, 230), between(random, 3, 14), between(random, 22, 50));
  const doors = count(random, 1, 2);
  const paint = hsl(between(random, 0, 360), between(random, 10, 45), between(random, 22, 42));
  for (let door = 0; door < doors; door++) {
    const along = between(random, 3, 16);
    cover(pen, wall, shade(paint, 0.6), [along - 0.12, 0, along + 1.35, 2.35]);
    cover(pen, wall, faded(paint, along, light), [along, 0, along + 1.2, 2.2]);
  }
  pen.beginPath();
  const windows = count(random, 1, 4);
  const firstWindow = between(random, 4, 9);
  for (let window = 0; window < windows; window++) {
    const along = firstWindow + window * 3.4;
    for (const up of [3.1, 6.3]) patch(pen, wall, along, up, along + 1.3, up + 1.7);
  }
  pen.fillStyle = css(
    light.lamps && random.boolean(0.6) ? hsl(42, 80, 62) : mix(hsl(215, 20, 22), light.skyTop, 0.25),
  );
  pen.fill();
  if (random.boolean(0.55)) drawEscape(pen, wall, firstWindow - 0.6, windows * 3.4, metal);
  pen.beginPath();
  const pipes = count(random, 1, 4);
  for (let pipe = 0; pipe < pipes; pipe++) {
    const along = between(random, 1.5, 18);
    patch(pen, wall, along, 0, along + 0.16, wall.height);
  }
  const level = between(random, 2.6, 4.5);
  if (random.boolean(0.5)) patch(pen, wall, 0, level, wall.width, level + 0.14);
  pen.fillStyle = css(shade(metal, 0.9));
  pen.fill();
  const boxes = random.integer(4);
  for (let box = 0; box < boxes; box++) {
    const along = between(random, 4, 14);
    const up = between(random, 2.4, 5);
    cover(pen, wall, shade(metal, 1.3), [along, up, along + 0.9, up + 0.6]);
    cover(pen, wall, shade(metal, 0.6), [along + 0.15, up + 0.1, along + 0.6, up + 0.5]);
  }
  if (random.boolean(0.7)) drawBin(pen, random, light, camera, x, direction);
}

/** Balconies of iron with ladders between them. */
function drawEscape(pen: Pen, wall: Surface, along: number, width: number, metal: SceneColour): void {
  pen.beginPath();
  for (const up of [2.8, 6]) {
    patch(pen, wall, along, up, along + width, up + 0.12);
    patch(pen, wall, along, up + 1, along + width, up + 1.07);
    for (let bar = 0; bar <= 8; bar++) {
      const at = along + (width * bar) / 8;
      patch(pen, wall, at, up, at + 0.05, up + 1);
    }
  }
  pen.fillStyle = css(shade(metal, 0.5));
  pen.fill();
  pen.beginPath();
  pen.moveTo(...wall.at(along + 0.3, 2.8));
  pen.lineTo(...wall.at(along + width * 0.8, 6));
  pen.moveTo(...wall.at(along + 0.7, 2.8));
  pen.lineTo(...wall.at(along + width * 0.8 + 0.4, 6));
  pen.strokeStyle = css(shade(metal, 0.45));
  pen.lineWidth = 0.004;
  pen.stroke();
}

function drawBin(pen: Pen, random: Random, light: Light, camera: Camera, x: number, direction: -1 | 1): void {
  const z = between(random, 6, 14);
  const colour = faded(
    hsl(oneOf(random, [130, 150, 210, 25]), between(random, 20, 55), between(random, 20, 34)),
    z,
    light,
  );
  const inner = x - direction * 1.1;
  const [left, right] = direction < 0 ? [x, inner] : [inner, x];
  cover(pen, sideWall(camera, inner, z, z + 1.9, 1.25, 0.12), shade(colour, 0.7));
  cover(pen, frontWall(camera, left, right, z, 1.25, 0.12), colour);
  cover(pen, ground(camera, left, right, z, z + 1.9, 1.37), shade(colour, 1.2));
  cover(pen, frontWall(camera, left, right, z, 0.12), [15, 15, 15]);
}

function drawGutter(pen: Pen, random: Random, camera: Camera, x: number, end: number): void {
  const width = between(random, 0.08, 0.2);
  pen.beginPath();
  const gutter = ground(camera, x - width, x + width, camera.near * 0.9, end);
  patch(pen, gutter, 0, 0, gutter.width, gutter.height);
  pen.fillStyle = css([25, 25, 28], 0.45);
  pen.fill();
}

/** Water that shows the sky. */
function drawPuddles(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const puddles = count(random, 1, 4);
  for (let puddle = 0; puddle < puddles; puddle++) {
    const z = between(random, 4.5, 13);
    const x = between(random, -1.8, 1.8);
    pen.beginPath();
    for (let lobe = 0; lobe < 3; lobe++) {
      const [across, down] = camera.at(x + between(random, -0.6, 0.6), 0, z + between(random, -0.3, 0.3));
      const wide = between(random, 0.3, 0.8) / z;
      pen.moveTo(across + wide, down);
      pen.ellipse(across, down, wide, wide * 0.16, 0, 0, 2 * Math.PI);
    }
    pen.fillStyle = css(mix(light.skyTop, [60, 62, 66], 0.25), 0.55);
    pen.fill();
  }
}

function drawWires(pen: Pen, random: Random, camera: Camera, left: number, right: number): void {
  pen.beginPath();
  const wires = count(random, 1, 4);
  for (let wire = 0; wire < wires; wire++) {
    const z = between(random, 7, 16);
    const y = between(random, 4, 7);
    pen.moveTo(...camera.at(left, y, z));
    const [sagX, sagY] = camera.at((left + right) / 2, y - 0.7, z);
    pen.quadraticCurveTo(sagX, sagY, ...camera.at(right, y + between(random, -0.5, 0.5), z + 1));
  }
  pen.strokeStyle = css([25, 25, 30]);
  pen.lineWidth = 0.0028;
  pen.stroke();
}
