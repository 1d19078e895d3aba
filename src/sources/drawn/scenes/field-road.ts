/** A road between fields: crops, meadows, fences, hay, hills far away. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { boundsOf, type Camera, frontWall, ground, patch, placeCamera, polygon, sideWall } from "./camera.ts";
import { count } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade } from "./colour.ts";
import { type Cover, farAway, lay, layGround } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { chooseWood, clearness, drawThicket, drawTree } from "./plants.ts";
import { drawRidge } from "./ridge.ts";
import { layAcross, layWinding } from "./road.ts";
import { shadeOfTrunks } from "./shadow.ts";
import { roughen } from "./tiles.ts";

type Crop = "meadow" | "wheat" | "rows" | "ploughed" | "rape";

export const drawFieldRoad: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { sway: 0.2 });
  paintSky(pen, random, light, camera.horizon);
  drawHills(pen, random, light, camera);
  const left = oneOf<Crop>(random, ["meadow", "wheat", "rows", "ploughed", "rape"]);
  const across = random.boolean(0.3);
  const right =
    across || random.boolean(0.5)
      ? left
      : oneOf<Crop>(random, ["meadow", "wheat", "rows", "ploughed", "rape"]);
  layGround(pen, random, light, camera, cropCover(random, left));
  const half = between(random, 2.8, 4.3);
  if (right !== left) {
    lay(
      pen,
      random,
      light,
      camera,
      ground(camera, 0, farAway, camera.near * 0.9, farAway),
      cropCover(random, right),
    );
  }
  drawRows(pen, random, camera, left, -1);
  drawRows(pen, random, camera, right, 1);
  drawFarEdge(pen, random, light, camera);
  drawHay(pen, random, light, camera, half);
  if (across) {
    layAcross(pen, random, light, camera);
  } else {
    layWinding(pen, random, light, camera, half);
  }
  if (random.boolean(0.3)) shadeOfTrunks(pen, random, light, camera, [camera.near, 16]);
  for (const [crop, direction] of [
    [left, -1],
    [right, 1],
  ] as const) {
    if (!across && random.boolean(0.65))
      drawStand(pen, random, light, camera, crop, direction * (half + 1.2));
  }
  drawBorder(pen, random, light, camera, across ? 0 : half);
  finish(pen, random, light);
};

function cropCover(random: Random, crop: Crop): Cover {
  const colours: Record<Crop, SceneColour> = {
    meadow: hsl(between(random, 62, 105), between(random, 25, 45), between(random, 36, 52)),
    wheat: hsl(between(random, 38, 48), between(random, 40, 62), between(random, 50, 64)),
    rows: hsl(between(random, 75, 112), between(random, 26, 42), between(random, 28, 44)),
    ploughed: hsl(between(random, 18, 34), between(random, 20, 38), between(random, 26, 40)),
    rape: hsl(between(random, 50, 58), between(random, 60, 85), between(random, 46, 58)),
  };
  return {
    colour: colours[crop],
    tile: crop === "ploughed" ? "mottle" : "blades",
    strength: between(random, 0.4, 0.6),
    fine: 44,
  };
}

function drawHills(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const ridges = random.integer(3);
  for (let ridge = ridges; ridge > 0; ridge--) {
    const colour = hsl(between(random, 80, 210), between(random, 12, 30), between(random, 36, 52));
    drawRidge(pen, random, {
      base: camera.horizon + 0.01,
      height: between(random, 0.03, 0.1),
      rough: 0.25,
      colour: faded(colour, 40 * ridge + 60, light),
      tile: "leaves",
      speckle: 0.2,
    });
  }
}

/** Rows of plants or furrows run towards the vanishing point. */
function drawRows(pen: Pen, random: Random, camera: Camera, crop: Crop, direction: -1 | 1): void {
  if (crop !== "rows" && crop !== "ploughed") return;
  pen.beginPath();
  const pitch = between(random, 0.9, 1.6);
  for (let row = 0; row < 26; row++) {
    const x = direction * (3 + row * pitch);
    const strip = ground(camera, x, x + pitch * 0.45, camera.near * 0.9, 90);
    patch(pen, strip, 0, 0, strip.width, strip.height);
  }
  pen.fillStyle = css(crop === "rows" ? hsl(28, 30, 26) : hsl(25, 28, 18), 0.5);
  pen.fill();
}

/** Crops stand as high as they are: a wall along the road, and its top where the eye looks over it. */
function drawStand(pen: Pen, random: Random, light: Light, camera: Camera, crop: Crop, x: number): void {
  if (crop === "meadow" || crop === "ploughed") return;
  const { colour } = cropCover(random, crop);
  const high = crop === "rows" ? between(random, 0.5, 2.4) : between(random, 0.5, 0.9);
  const [left, right] = x < 0 ? [x - 60, x] : [x, x + 60];
  const near = camera.near * 0.9;
  if (high < camera.eye) {
    const top = ground(camera, left, right, near, 120, high);
    lay(pen, random, light, { ...camera, eye: camera.eye - high }, top, {
      colour,
      tile: "blades",
      strength: 0.6,
      fine: 44,
    });
  }
  const wall = sideWall(camera, x, near, 120, high);
  pen.save();
  pen.beginPath();
  patch(pen, wall, 0, 0, wall.width, wall.height);
  pen.fillStyle = css(faded(shade(colour, x * light.sunSide > 0 ? 0.62 : 0.82), 10, light));
  pen.fill();
  pen.clip();
  roughen(pen, random, "blades", boundsOf(wall), 0.9, { across: 1, up: 0.6 });
  pen.restore();
}

function drawFarEdge(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const { species, leaves } = chooseWood(random);
  const z = between(random, 60, 130);
  const base = camera.at(0, 0, z)[1];
  if (random.boolean(0.6)) {
    const shape = {
      left: random.boolean(0.3) ? between(random, 0.2, 0.6) : -0.02,
      right: 1.02,
      base,
      height: between(random, 2, 8) / z,
      lump: 2 / z,
    };
    drawThicket(pen, random, shape, faded(oneOf(random, leaves), z, light), {
      fine: 2,
      speckle: 0.8 * clearness(light, z),
    });
  }
  const trees = random.integer(6);
  for (let tree = 0; tree < trees; tree++) {
    const depth = between(random, 22, 60);
    const stand = {
      x: random.uniform(),
      base: camera.at(0, 0, depth)[1],
      height: between(random, 5, 10) / depth,
      metres: depth,
    };
    drawTree(pen, random, light, stand, oneOf(random, species), oneOf(random, leaves));
  }
  if (random.boolean(0.25)) drawBarn(pen, random, light, camera);
}

function drawBarn(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const z = between(random, 40, 70);
  const left = between(random, -0.4, 0.35) * z;
  const wall = frontWall(camera, left, left + 10, z, 4);
  const red = faded(hsl(between(random, 2, 30), between(random, 20, 50), 34), z, light);
  pen.beginPath();
  polygon(pen, [
    wall.at(0, 0),
    wall.at(0, 4),
    wall.at(2, 6.2),
    wall.at(5, 7.6),
    wall.at(8, 6.2),
    wall.at(10, 4),
    wall.at(10, 0),
  ]);
  pen.fillStyle = css(red);
  pen.fill();
  pen.beginPath();
  patch(pen, wall, 3.5, 0, 6.5, 3.4);
  pen.fillStyle = css(shade(red, 0.55));
  pen.fill();
}

/** Round bales, with the spiral of their ends. */
function drawHay(pen: Pen, random: Random, light: Light, camera: Camera, half: number): void {
  if (random.boolean(0.6)) return;
  const bales = count(random, 2, 7);
  const straw = hsl(between(random, 38, 46), 45, between(random, 48, 60));
  for (let bale = 0; bale < bales; bale++) {
    const z = 45 - (bale / bales) * 32;
    const x = (random.boolean(0.5) ? 1 : -1) * between(random, half + 2, half + 2 + z * 0.4);
    const [across, down] = camera.at(x, 0.75, z);
    const radius = 0.75 / z;
    const colour = faded(straw, z, light);
    pen.beginPath();
    pen.rect(across - radius * 0.2, down - radius, radius * 1.7, radius * 2);
    pen.fillStyle = css(shade(colour, 0.7));
    pen.fill();
    pen.beginPath();
    pen.ellipse(across, down, radius, radius, 0, 0, 2 * Math.PI);
    pen.fillStyle = css(colour);
    pen.fill();
    pen.beginPath();
    pen.ellipse(across, down, radius * 0.6, radius * 0.6, 0, 0, 2 * Math.PI);
    pen.strokeStyle = css(shade(colour, 0.7));
    pen.lineWidth = radius * 0.12;
    pen.stroke();
  }
}

/** What runs along the road: a fence of posts, a hedge, tall grass, poles with a wire. */
function drawBorder(pen: Pen, random: Random, light: Light, camera: Camera, half: number): void {
  for (const direction of [-1, 1] as const) {
    const kind = oneOf(random, ["posts", "rails", "poles", "grass", "none"] as const);
    const x = direction * (half + between(random, 0.8, 1.8));
    const wood = hsl(between(random, 22, 40), between(random, 8, 30), between(random, 28, 60));
    const depths = half === 0 ? [] : [60, 46, 36, 28, 22, 18, 14.5, 12, 10, 8];
    if (kind === "grass") {
      const z = half === 0 ? 12.6 : 14;
      const base = camera.at(0, 0, z)[1] + 0.006;
      const edge = half === 0 ? 1.02 : camera.at(x, 0, z)[0];
      const [left, right] = direction < 0 ? [-0.02, Math.min(1.02, edge)] : [half === 0 ? 0.5 : edge, 1.02];
      const colour = faded(mix(hsl(between(random, 45, 100), 35, 40), [90, 80, 40], 0.2), z, light);
      if (right > left)
        drawThicket(pen, random, { left, right, base, height: 0.5 / z, lump: 0.25 / z }, colour, {
          ragged: 0.8,
        });
      continue;
    }
    if (kind === "none") continue;
    const high = kind === "poles" ? 7 : 1.2;
    pen.beginPath();
    if (half === 0) {
      const fence = frontWall(camera, -14, 14, 13, high);
      const step = kind === "poles" ? 12 : 2;
      for (let along = 1; along < 28; along += step) patch(pen, fence, along, 0, along + 0.16, high);
      if (kind === "rails") for (const up of [0.4, 0.95]) patch(pen, fence, 0, up, 28, up + 0.12);
    }
    for (const z of kind === "poles" ? depths.filter((_, index) => index % 3 === 0) : depths) {
      patch(pen, frontWall(camera, x - 0.09, x + 0.09, z, high), 0, 0, 0.18, high);
    }
    if (kind === "rails" && half > 0) {
      for (const up of [0.4, 0.95]) {
        polygon(pen, [
          camera.at(x, up, 8),
          camera.at(x, up + 0.12, 8),
          camera.at(x, up + 0.12, 60),
          camera.at(x, up, 60),
        ]);
      }
    }
    pen.fillStyle = css(faded(wood, 15, light));
    pen.fill();
    if (half === 0) break;
  }
}
