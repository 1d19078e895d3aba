/** A stadium without spectators: rows of seats, a striped pitch with its lines and goal, floodlights. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import {
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
import { css, hsl, type SceneColour, shade, white } from "./colour.ts";
import { layGround } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { roughen } from "./tiles.ts";

export const drawStadium: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { sway: 0.1, low: 0.36, high: 0.45 });
  paintSky(pen, random, light, camera.horizon);
  if (random.boolean(0.7)) drawFloodlights(pen, random, light, camera);
  const edge = between(random, 26, 40);
  drawStands(pen, random, light, camera, edge);
  const grass = hsl(between(random, 88, 130), between(random, 32, 50), between(random, 30, 42));
  layGround(pen, random, light, camera, { colour: grass, tile: "blades", strength: 0.3, fine: 80 });
  drawMowing(pen, random, camera, light, edge);
  if (random.boolean(0.5)) drawTrack(pen, random, light, camera, edge);
  drawLines(pen, random, light, camera, edge);
  drawBoards(pen, random, light, camera, edge);
  drawGoal(pen, random, light, camera, edge - 6);
  finish(pen, random, light);
};

function drawFloodlights(pen: Pen, random: Random, light: Light, camera: Camera): void {
  for (const direction of [-1, 1] as const) {
    const z = between(random, 50, 65);
    const x = direction * between(random, 14, 22);
    const high = between(random, 19, 26);
    const metal = faded([110, 112, 118], z, light);
    const mast = frontWall(camera, x - 3, x + 3, z, high);
    cover(pen, mast, metal, [2.7, 0, 3.3, high]);
    cover(pen, mast, shade(metal, 0.6), [0.3, high - 3, 5.7, high + 1.5]);
    pen.beginPath();
    for (let row = 0; row < 3; row++) {
      for (let lamp = 0; lamp < 5; lamp++)
        patch(pen, mast, 0.6 + lamp, high - 2.7 + row * 1.4, 1.4 + lamp, high - 1.7 + row * 1.4);
    }
    pen.fillStyle = css(light.lamps ? [255, 253, 235] : [215, 220, 225]);
    pen.fill();
    if (!light.lamps) continue;
    const [across, down] = mast.at(3, high);
    const glow = pen.createRadialGradient(across, down, 0.01, across, down, 0.22);
    glow.addColorStop(0, css(white, 0.75));
    glow.addColorStop(1, css(white, 0));
    pen.fillStyle = glow;
    pen.fillRect(0, 0, 1, camera.horizon);
  }
}

/** Tiers that rise away from the pitch; each row of seats is a thin band. */
function drawStands(pen: Pen, random: Random, light: Light, camera: Camera, edge: number): void {
  const seats = hsl(between(random, 0, 360), between(random, 35, 75), between(random, 34, 54));
  const second = random.boolean(0.5) ? seats : hsl(between(random, 0, 360), 50, 55);
  const rows = 16;
  const rise = between(random, 0.5, 0.85);
  const roofed = random.boolean(0.6);
  for (let row = rows; row >= 0; row--) {
    const tier = frontWall(camera, -60, 60, edge + 3 + row * 0.9, rise, 1.2 + row * rise);
    cover(pen, tier, faded(shade([150, 148, 145], row % 8 === 0 ? 0.5 : 0.8), edge, light));
    const colour = faded(row % 8 > 4 ? second : seats, edge, light);
    if (row % 8 !== 0)
      cover(pen, tier, shade(colour, row % 2 === 0 ? 1 : 0.86), [0, rise * 0.2, 120, rise * 0.95]);
  }
  const bottom = camera.at(0, 1.2, edge + 3)[1];
  const back = edge + 3 + rows * 0.9;
  const top = camera.at(0, 1.2 + (rows + 1) * rise, back)[1];
  roughen(pen, random, "grain", { x: 0, y: top, width: 1, height: bottom - top }, 0.35, {
    across: 0.9,
    up: 0.8,
  });
  // Stairs cut the stand into blocks.
  pen.beginPath();
  const block = between(random, 7, 12);
  for (let x = -60 + random.uniform() * block; x < 60; x += block) {
    polygon(pen, [
      camera.at(x, 1.2, edge + 3),
      camera.at(x + 1, 1.2, edge + 3),
      camera.at(x + 1, 1.2 + (rows + 1) * rise, back),
      camera.at(x, 1.2 + (rows + 1) * rise, back),
    ]);
  }
  pen.fillStyle = css(faded([190, 188, 184], edge, light));
  pen.fill();
  if (!roofed) return;
  const roof = ground(camera, -70, 70, edge + 2, back + 3, 1.2 + (rows + 4) * rise);
  cover(pen, roof, faded([70, 72, 78], edge, light));
  cover(
    pen,
    frontWall(camera, -70, 70, edge + 2, 1.3, 1.2 + (rows + 4) * rise),
    faded([225, 226, 228], edge, light),
  );
  pen.beginPath();
  for (let x = -60; x < 60; x += 14) {
    patch(pen, frontWall(camera, x, x + 0.6, back, (rows + 4) * rise), 0, 0, 0.6, (rows + 4) * rise);
  }
  pen.fillStyle = css(faded([120, 122, 128], edge, light));
  pen.fill();
}

function drawMowing(pen: Pen, random: Random, camera: Camera, light: Light, edge: number): void {
  const along = random.boolean(0.5);
  pen.beginPath();
  if (along) {
    for (let x = -44; x < 44; x += 8) {
      const strip = ground(camera, x, x + 4, camera.near * 0.9, edge);
      patch(pen, strip, 0, 0, strip.width, strip.height);
    }
  } else {
    for (let z = camera.near * 0.9; z < edge; z += 5) {
      const strip = ground(camera, -80, 80, z, z + 2.5);
      patch(pen, strip, 0, 0, strip.width, strip.height);
    }
  }
  pen.fillStyle = css([200, 230, 120], 0.2 - 0.1 * Math.min(1, 20 * light.fog));
  pen.fill();
}

/** A running track between the pitch and the stand. */
function drawTrack(pen: Pen, random: Random, light: Light, camera: Camera, edge: number): void {
  const track = ground(camera, -80, 80, edge - 5, edge + 2);
  const red = hsl(between(random, 5, 18), between(random, 40, 60), between(random, 40, 50));
  cover(pen, track, faded(red, edge, light));
  pen.beginPath();
  for (let lane = 0; lane <= 5; lane++) patch(pen, track, 0, lane * 1.2, track.width, lane * 1.2 + 0.15);
  pen.fillStyle = css(faded([235, 230, 225], edge, light), 0.8);
  pen.fill();
}

function drawLines(pen: Pen, random: Random, light: Light, camera: Camera, edge: number): void {
  const paint = faded([240, 242, 238], 10, light);
  const far = edge - 6;
  const pitch: Surface = ground(camera, -70, 70, camera.near * 0.9, far);
  pen.beginPath();
  patch(pen, pitch, 0, far - camera.near * 0.9 - 0.3, 140, far - camera.near * 0.9);
  const box = oneOf(random, [9, 12]);
  const line = (x0: number, z0: number, x1: number, z1: number) => {
    const piece = ground(camera, x0, x1, z0, z1);
    patch(pen, piece, 0, 0, piece.width, piece.height);
  };
  line(-box, far - 8, -box + 0.15, far);
  line(box - 0.15, far - 8, box, far);
  line(-box, far - 8, box, far - 7.7);
  const near = between(random, camera.near * 1.2, 6);
  line(-70, near, 70, near + 0.14);
  const lean = side(random) * between(random, 3, 8);
  line(lean, camera.near * 0.9, lean + 0.14, far);
  pen.fillStyle = css(paint, 0.9);
  pen.fill();
  pen.beginPath();
  const [across, down] = camera.at(lean, 0, near);
  pen.ellipse(across, down, 5 / near, 0.9 / near, 0, 0, 2 * Math.PI);
  pen.strokeStyle = css(paint, 0.9);
  pen.lineWidth = 0.007;
  pen.stroke();
}

/** Coloured boards along the edge of the pitch, without writing. */
function drawBoards(pen: Pen, random: Random, light: Light, camera: Camera, edge: number): void {
  for (let x = -50; x < 50; ) {
    const next = x + between(random, 4, 9);
    const colour: SceneColour = hsl(
      between(random, 0, 360),
      between(random, 10, 75),
      between(random, 35, 85),
    );
    cover(pen, frontWall(camera, x, next, edge, 1), faded(colour, edge, light));
    x = next;
  }
}

function drawGoal(pen: Pen, random: Random, light: Light, camera: Camera, z: number): void {
  const x = between(random, -9, 2);
  const goal = frontWall(camera, x, x + 7.3, z, 2.5);
  pen.beginPath();
  for (let along = 0.5; along < 7.3; along += 0.6) patch(pen, goal, along, 0, along + 0.05, 2.4);
  for (let up = 0.3; up < 2.4; up += 0.4) patch(pen, goal, 0, up, 7.3, up + 0.05);
  pen.fillStyle = css([235, 235, 235], 0.4);
  pen.fill();
  const paint = faded([250, 250, 250], z, light);
  cover(pen, goal, paint, [0, 0, 0.2, 2.5]);
  cover(pen, goal, paint, [7.1, 0, 7.3, 2.5]);
  cover(pen, goal, paint, [0, 2.3, 7.3, 2.5]);
}
