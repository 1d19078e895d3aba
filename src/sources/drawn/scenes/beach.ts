/** A beach: sand, surf, the sea to the horizon, palms or parasols. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Camera, placeCamera } from "./camera.ts";
import { count } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade, white } from "./colour.ts";
import { layGround } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { drawTree } from "./plants.ts";
import { drawRidge } from "./ridge.ts";
import { drawWater } from "./water.ts";

export const drawBeach: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { low: 0.34, high: 0.44 });
  const sea = hsl(between(random, 170, 212), between(random, 30, 65), between(random, 36, 58));
  const sand = hsl(between(random, 32, 46), between(random, 25, 55), between(random, 64, 80));
  paintSky(pen, random, light, camera.horizon);
  if (random.boolean(0.35)) {
    const colour = faded(hsl(between(random, 90, 220), 18, 38), 120, light);
    const height = between(random, 0.02, 0.07);
    drawRidge(pen, random, {
      base: camera.horizon + 0.002,
      height,
      rough: 0.4,
      colour,
      tile: "leaves",
      speckle: 0.2,
    });
  }
  layGround(pen, random, light, camera, {
    colour: sand,
    tile: "grain",
    strength: between(random, 0.18, 0.3),
    fine: 40,
  });
  drawShore(pen, random, light, camera, sea, sand);
  const dressing = oneOf(random, ["palms", "parasols", "both", "none"] as const);
  if (dressing === "parasols" || dressing === "both") drawParasols(pen, random, light, camera);
  if (dressing === "palms" || dressing === "both") drawPalms(pen, random, light, camera);
  finish(pen, random, light);
};

/** The water's edge slants across the picture; foam follows it. */
function drawShore(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  sea: SceneColour,
  sand: SceneColour,
): void {
  const left = between(random, 0.48, 0.57);
  const right = between(random, 0.48, 0.57);
  const swing = between(random, 0.005, 0.02);
  const phase = random.uniform() * 6;
  const edge = (offset: number) => {
    pen.beginPath();
    pen.moveTo(-0.02, camera.horizon);
    for (let step = 0; step <= 20; step++) {
      const x = -0.02 + (1.04 * step) / 20;
      const y =
        left +
        (right - left) * x +
        swing * Math.sin(x * 9 + phase) +
        swing * 0.5 * Math.sin(x * 23 + phase * 2);
      pen.lineTo(x, y + offset);
    }
    pen.lineTo(1.02, camera.horizon);
    pen.closePath();
  };
  edge(0.05);
  pen.fillStyle = css(faded(shade(sand, 0.72), 10, light), 0.8);
  pen.fill();
  edge(0.012);
  pen.fillStyle = css(faded(mix(white, sea, 0.1), 10, light), 0.95);
  pen.fill();
  pen.save();
  edge(0);
  pen.clip();
  drawWater(pen, random, light, { top: camera.horizon, bottom: Math.max(left, right) + 0.03, colour: sea });
  pen.beginPath();
  const waves = count(random, 2, 5);
  for (let wave = 0; wave < waves; wave++) {
    const y = camera.horizon + (Math.min(left, right) - camera.horizon) * between(random, 0.35, 0.9);
    const from = between(random, -0.4, 0.6);
    const to = from + between(random, 0.3, 0.9);
    const thick = (y - camera.horizon) * between(random, 0.04, 0.11);
    pen.moveTo(from, y);
    pen.quadraticCurveTo((from + to) / 2, y - thick * 2.4, to, y);
    pen.quadraticCurveTo((from + to) / 2, y - thick * 0.6, from, y);
  }
  pen.fillStyle = css(faded([246, 250, 250], 12, light), 0.85);
  pen.fill();
  pen.restore();
}

function drawParasols(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const parasols = count(random, 2, 5);
  for (let index = 0; index < parasols; index++) {
    const z = 9.2 - (2.6 * index) / parasols;
    const x = random.boolean(0.7) ? between(random, -0.02, 0.3) : between(random, 0.6, 1);
    const base = camera.horizon + camera.eye / z;
    const size = 1.5 / z;
    const top = base - 2.3 / z;
    const colour = faded(
      hsl(between(random, 0, 360), between(random, 55, 85), between(random, 42, 58)),
      z,
      light,
    );
    pen.beginPath();
    pen.ellipse(x, base, size, size * 0.16, 0, 0, 2 * Math.PI);
    pen.fillStyle = css([40, 30, 30], 0.25);
    pen.fill();
    pen.fillStyle = css([225, 220, 210]);
    pen.fillRect(x - 0.04 / z, top, 0.08 / z, base - top);
    for (let stripe = 0; stripe < 6; stripe++) {
      pen.beginPath();
      pen.moveTo(x, top - size * 0.5);
      pen.lineTo(x + size * (stripe / 3 - 1), top + size * 0.1);
      pen.lineTo(x + size * ((stripe + 1) / 3 - 1), top + size * 0.1);
      pen.fillStyle = css(stripe % 2 === 0 ? colour : faded([240, 236, 226], z, light));
      pen.fill();
    }
  }
}

function drawPalms(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const palms = count(random, 1, 4);
  const leaves = hsl(between(random, 85, 130), between(random, 28, 45), between(random, 22, 34));
  for (let palm = 0; palm < palms; palm++) {
    const z = between(random, 7, 9.5);
    const x = random.boolean(0.6) ? between(random, 0, 0.28) : between(random, 0.6, 1);
    const stand = {
      x,
      base: camera.horizon + camera.eye / z,
      height: between(random, 4, 6) / z,
      metres: z,
    };
    drawTree(pen, random, light, stand, "palm", leaves);
  }
}
