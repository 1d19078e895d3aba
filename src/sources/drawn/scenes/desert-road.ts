/** A road through a desert: sand or gravel, dunes or mesas, rocks, cacti and dry shrubs. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Camera, placeCamera, polygon } from "./camera.ts";
import { count } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade, vary } from "./colour.ts";
import { layGround } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { drawThicket } from "./plants.ts";
import { drawRidge } from "./ridge.ts";
import { layAcross, layWinding } from "./road.ts";
import { roughen } from "./tiles.ts";

export const drawDesertRoad: DrawScene = (pen, random) => {
  const light = chooseLight(random, [
    "clear",
    "clear",
    "clear",
    "hazy",
    "hazy",
    "golden",
    "golden",
    "dusk",
    "overcast",
    "night",
  ]);
  const camera = placeCamera(random, { sway: 0.2 });
  const sand = oneOf(random, [
    hsl(between(random, 30, 42), between(random, 35, 60), between(random, 58, 72)),
    hsl(between(random, 14, 26), between(random, 35, 60), between(random, 42, 58)),
    hsl(between(random, 30, 50), between(random, 8, 22), between(random, 52, 70)),
  ]);
  paintSky(pen, random, light, camera.horizon);
  drawDistance(pen, random, light, camera, sand);
  layGround(pen, random, light, camera, {
    colour: sand,
    tile: oneOf(random, ["grain", "mottle"]),
    strength: between(random, 0.25, 0.4),
    fine: 22,
  });
  if (random.boolean(0.5)) drawRipples(pen, random, camera);
  const half = between(random, 2.9, 4.5);
  const across = random.boolean(0.3);
  scatter(pen, random, light, camera, sand, across ? 0 : half, [20, 60]);
  if (across) {
    layAcross(pen, random, light, camera);
  } else {
    layWinding(pen, random, light, camera, half);
  }
  scatter(pen, random, light, camera, sand, across ? 0 : half, [13, 18]);
  drawHeat(pen, camera, light);
  finish(pen, random, light);
};

function drawDistance(pen: Pen, random: Random, light: Light, camera: Camera, sand: SceneColour): void {
  const rock = mix(hsl(between(random, 8, 28), between(random, 25, 50), between(random, 34, 50)), sand, 0.3);
  const base = camera.horizon + 0.004;
  const kind = oneOf(random, ["mesas", "dunes", "mountains", "both"] as const);
  if (kind === "mountains" || kind === "both") {
    const colour = faded(mix(rock, [120, 110, 130], 0.4), 120, light);
    drawRidge(pen, random, {
      base,
      height: between(random, 0.06, 0.18),
      rough: 0.8,
      colour,
      tile: "mottle",
      speckle: 0.3,
    });
  }
  if (kind === "mesas" || kind === "both") {
    const mesas = count(random, 1, 4);
    for (let mesa = 0; mesa < mesas; mesa++) drawMesa(pen, random, light, base, faded(rock, 60, light));
  }
  if (kind === "dunes") {
    for (const height of [0.14, 0.08]) {
      const colour = faded(shade(sand, height > 0.1 ? 0.88 : 1.04), 60, light);
      drawRidge(pen, random, {
        base: base + 0.01,
        height: height * between(random, 0.7, 1.3),
        rough: 0.1,
        colour,
        tile: "mottle",
        speckle: 0.15,
      });
    }
  }
}

/** A table mountain: steep above, a skirt of rubble below, banded rock. */
function drawMesa(pen: Pen, random: Random, light: Light, base: number, colour: SceneColour): void {
  const x = between(random, -0.1, 1);
  const wide = between(random, 0.08, 0.3);
  const high = between(random, 0.06, 0.2);
  pen.save();
  pen.beginPath();
  const cliff = base - high * 0.45;
  polygon(pen, [
    [x - wide * 0.35, base],
    [x - wide * 0.02, cliff],
    [x + wide * 0.02, base - high],
    [x + wide * 0.5, base - high * between(random, 0.95, 1.03)],
    [x + wide * 0.97, base - high * 0.97],
    [x + wide * 1.03, cliff],
    [x + wide * 1.4, base],
  ]);
  const gradient = pen.createLinearGradient(x, 0, x + wide, 0);
  gradient.addColorStop(0, css(shade(colour, light.sunSide < 0 ? 1.15 : 0.75)));
  gradient.addColorStop(1, css(shade(colour, light.sunSide < 0 ? 0.75 : 1.15)));
  pen.fillStyle = gradient;
  pen.fill();
  pen.clip();
  const box = { x: x - wide * 0.4, y: base - high, width: wide * 1.8, height: high };
  roughen(pen, random, "mottle", box, 0.45, { across: 0.3, up: 4 });
  roughen(pen, random, "blades", { ...box, height: high * 0.55 }, 0.4, { across: 1, up: 0.5 });
  pen.restore();
}

function drawRipples(pen: Pen, random: Random, camera: Camera): void {
  const box = { x: 0, y: camera.horizon + 0.05, width: 1, height: 0.95 - camera.horizon };
  roughen(pen, random, "mottle", box, 0.25, { across: 0.12, up: 1.2 });
}

/** Rocks, cacti and shrubs, farthest first. */
function scatter(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  sand: SceneColour,
  half: number,
  [near, far]: readonly [number, number],
): void {
  const things = count(random, 4, 10);
  const growth = oneOf(random, ["cactus", "shrub", "rock", "all"] as const);
  for (let thing = 0; thing < things; thing++) {
    const z = far - ((far - near) * thing) / things;
    const x = (random.boolean(0.5) ? 1 : -1) * between(random, half + 1.2, half + 2 + z * 0.5);
    const [across, base] = camera.at(x, 0, z);
    const kind = growth === "all" ? oneOf(random, ["cactus", "shrub", "rock"] as const) : growth;
    const size = 1 / z;
    pen.beginPath();
    pen.ellipse(across - light.sunSide * size * 0.4, base, size * 0.9, size * 0.12, 0, 0, 2 * Math.PI);
    pen.fillStyle = css([40, 25, 20], 0.25);
    pen.fill();
    if (kind === "cactus")
      drawCactus(
        pen,
        random,
        across,
        base,
        between(random, 2.5, 5.5) / z,
        faded(hsl(between(random, 85, 140), 28, between(random, 26, 38)), z, light),
      );
    if (kind === "shrub") {
      const colour = faded(
        hsl(between(random, 45, 100), between(random, 12, 30), between(random, 32, 46)),
        z,
        light,
      );
      const wide = between(random, 0.5, 1.2) * size;
      drawThicket(
        pen,
        random,
        {
          left: across - wide,
          right: across + wide,
          base,
          height: between(random, 0.4, 0.9) * size,
          lump: 0.4 * size,
        },
        colour,
        { ragged: 0.6 },
      );
    }
    if (kind === "rock") {
      const colour = faded(vary(random, mix(sand, [110, 80, 65], 0.5), 14), z, light);
      const wide = between(random, 0.5, 1.6) * size;
      const high = between(random, 0.5, 1.3) * size;
      pen.beginPath();
      polygon(pen, [
        [across - wide, base],
        [across - wide * 0.7, base - high * 0.7],
        [across - wide * 0.1, base - high],
        [across + wide * 0.6, base - high * 0.75],
        [across + wide, base],
      ]);
      pen.fillStyle = css(shade(colour, 0.75));
      pen.fill();
      pen.beginPath();
      polygon(pen, [
        [across - wide * 0.7, base - high * 0.7],
        [across - wide * 0.1, base - high],
        [across + wide * 0.6, base - high * 0.75],
        [across + wide * 0.1, base - high * 0.5],
      ]);
      pen.fillStyle = css(shade(colour, 1.12));
      pen.fill();
    }
  }
}

/** A saguaro: a column with arms that turn upwards. */
function drawCactus(
  pen: Pen,
  random: Random,
  x: number,
  base: number,
  height: number,
  colour: SceneColour,
): void {
  pen.lineCap = "round";
  pen.lineJoin = "round";
  const arms = count(random, 1, 3);
  pen.beginPath();
  pen.moveTo(x, base);
  pen.lineTo(x, base - height);
  for (let arm = 0; arm < arms; arm++) {
    const direction = arm % 2 === 0 ? 1 : -1;
    const from = base - height * between(random, 0.35, 0.6);
    const reach = direction * height * between(random, 0.16, 0.24);
    pen.moveTo(x, from);
    pen.lineTo(x + reach, from);
    pen.lineTo(x + reach, from - height * between(random, 0.15, 0.35));
  }
  pen.strokeStyle = css(shade(colour, 0.7));
  pen.lineWidth = height * 0.13;
  pen.stroke();
  pen.strokeStyle = css(colour);
  pen.lineWidth = height * 0.07;
  pen.stroke();
  pen.lineCap = "butt";
  pen.lineJoin = "miter";
}

/** Hot air over the horizon takes the colour of the sky. */
function drawHeat(pen: Pen, camera: Camera, light: Light): void {
  const haze = pen.createLinearGradient(0, camera.horizon - 0.03, 0, camera.horizon + 0.05);
  haze.addColorStop(0, css(light.skyLow, 0));
  haze.addColorStop(0.4, css(light.skyLow, 0.45));
  haze.addColorStop(1, css(light.skyLow, 0));
  pen.fillStyle = haze;
  pen.fillRect(0, camera.horizon - 0.03, 1, 0.08);
}
