/** A lake among mountains that shows them upside down, with a shore of stones and firs. */

import { Random } from "../../../core/random.ts";
import { between } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Camera, placeCamera } from "./camera.ts";
import { count } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade, vary } from "./colour.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { drawThicket, drawTree, leafColour } from "./plants.ts";
import { drawRidge } from "./ridge.ts";
import { roughen } from "./tiles.ts";
import { drawWater } from "./water.ts";

export const drawMountainLake: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { low: 0.4, high: 0.47 });
  paintSky(pen, random, light, camera.horizon);
  const shore = camera.horizon + 0.012;
  const wood = leafColour(random, random.boolean(0.7) ? "dark" : "autumn");
  const range = chooseRange(random, light, shore, wood);
  for (const draw of range) draw(pen);
  // The same range upside down, pressed a little, under a skin of water.
  pen.save();
  pen.beginPath();
  pen.rect(0, shore, 1, 1 - shore);
  pen.clip();
  const mirror = pen.createLinearGradient(0, shore, 0, 1);
  mirror.addColorStop(0, css(light.skyLow));
  mirror.addColorStop(1, css(light.skyTop));
  pen.fillStyle = mirror;
  pen.fillRect(0, shore, 1, 1 - shore);
  pen.translate(0, shore * 1.92);
  pen.scale(1, -0.92);
  for (const draw of range) draw(pen);
  pen.restore();
  const water = hsl(between(random, 175, 215), between(random, 25, 55), between(random, 28, 44));
  drawWater(pen, random, light, { top: shore, bottom: 1, colour: water, calm: between(random, 0.35, 0.65) });
  pen.fillStyle = css(faded(mix(wood, [150, 140, 120], 0.6), 60, light));
  pen.fillRect(0, shore - 0.004, 1, 0.008);
  drawNearShore(pen, random, light, camera);
  finish(pen, random, light);
};

/** Peaks with snow and a belt of wood, decided once so that they can be drawn twice alike. */
function chooseRange(random: Random, light: Light, shore: number, wood: SceneColour): ((pen: Pen) => void)[] {
  const rock = hsl(between(random, 200, 250), between(random, 6, 22), between(random, 38, 54));
  const layers = count(random, 2, 3);
  const draws: ((pen: Pen) => void)[] = [];
  for (let layer = layers; layer > 0; layer--) {
    const state = random.state();
    random.uniform();
    const height = between(random, 0.14, 0.24) * (0.55 + 0.4 * layer);
    const colour = faded(vary(random, rock, 8), 50 * layer, light);
    const snowy = random.boolean(0.75);
    draws.push((pen) => {
      const again = Random.restore(state);
      const peaks = drawRidge(pen, again, {
        base: shore,
        height,
        rough: 0.9,
        colour,
        tile: "mottle",
        speckle: 0.4,
      });
      if (snowy) drawSnow(pen, again, peaks, shore, height, faded([244, 247, 252], 30 * layer, light));
    });
    for (let skip = 0; skip < 30; skip++) random.uniform();
  }
  const state = random.state();
  const belt = faded(wood, 60, light);
  draws.push((pen) => {
    const again = Random.restore(state);
    const shape = { left: -0.02, right: 1.02, base: shore, height: between(again, 0.02, 0.06), lump: 0.012 };
    drawThicket(pen, again, shape, belt, { ragged: 0.8, fine: 1.6 });
  });
  return draws;
}

/** Snow lies above a line that follows the peaks. */
function drawSnow(
  pen: Pen,
  random: Random,
  peaks: readonly (readonly [number, number])[],
  base: number,
  height: number,
  snow: SceneColour,
): void {
  const line = base - height * between(random, 0.45, 0.65);
  pen.save();
  pen.beginPath();
  peaks.forEach(([x, y], index) => {
    if (index === 0) pen.moveTo(x, Math.min(y, line));
    else pen.lineTo(x, Math.min(y, line));
  });
  for (let index = peaks.length - 1; index >= 0; index--) {
    const [x, y] = peaks[index]!;
    pen.lineTo(x, Math.min(line, y + (line - y) * between(random, 0.35, 1)));
  }
  pen.closePath();
  pen.fillStyle = css(snow, 0.92);
  pen.fill();
  pen.restore();
}

function drawNearShore(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const left = between(random, 0.66, 0.84);
  const right = between(random, 0.66, 0.84);
  const earth = hsl(between(random, 25, 90), between(random, 10, 32), between(random, 36, 54));
  pen.save();
  pen.beginPath();
  pen.moveTo(-0.02, left);
  for (let step = 0; step <= 14; step++) {
    const x = -0.02 + (1.04 * step) / 14;
    pen.lineTo(x, left + (right - left) * x + between(random, -0.012, 0.012));
  }
  pen.lineTo(1.02, 1.02);
  pen.lineTo(-0.02, 1.02);
  pen.closePath();
  pen.fillStyle = css(faded(earth, 6, light));
  pen.fill();
  pen.clip();
  roughen(pen, random, "leaves", { x: 0, y: 0.6, width: 1, height: 0.4 }, 0.45, { across: 1, up: 1.8 });
  pen.restore();
  const stones = count(random, 4, 12);
  for (let stone = 0; stone < stones; stone++) {
    const x = random.uniform();
    const y = left + (right - left) * x + between(random, -0.03, 0.12);
    const size = (y - camera.horizon) * between(random, 0.05, 0.16);
    const colour = faded(vary(random, hsl(between(random, 20, 230), 6, 50), 20), 8, light);
    pen.beginPath();
    pen.ellipse(x, y, size, size * 0.55, 0, Math.PI, 2 * Math.PI);
    pen.closePath();
    pen.fillStyle = css(colour);
    pen.fill();
    pen.beginPath();
    pen.ellipse(
      x - light.sunSide * size * -0.2,
      y - size * 0.2,
      size * 0.6,
      size * 0.3,
      0,
      Math.PI,
      2 * Math.PI,
    );
    pen.fillStyle = css(shade(colour, 1.2));
    pen.fill();
  }
  const firs = random.integer(4);
  for (let fir = 0; fir < firs; fir++) {
    const x = random.boolean(0.6) ? between(random, 0, 0.2) : between(random, 0.8, 1);
    const base = left + (right - left) * x + 0.02;
    const stand = { x, base, height: between(random, 0.25, 0.55), metres: 10 };
    drawTree(pen, random, light, stand, "conifer", leafColour(random, "dark"));
  }
}
