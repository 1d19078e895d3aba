/** A road through a wood. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Camera, placeCamera, polygon } from "./camera.ts";
import { count } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade, vary } from "./colour.ts";
import { type Cover, layGround } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { chooseWood, clearness, drawThicket, drawTree } from "./plants.ts";
import { layAcross, layWinding } from "./road.ts";
import { shadeOfLeaves, shadeOfTrunks } from "./shadow.ts";

export const drawForestRoad: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { sway: 0.2 });
  const wood = chooseWood(random);
  const leaves = wood.leaves;
  const across = random.boolean(0.3);
  const half = between(random, 3, 4.8);
  paintSky(pen, random, light, camera.horizon);
  const floor = forestFloor(random, leaves[0]!);
  layGround(pen, random, light, camera, floor);
  const gap = across ? 0 : half + between(random, 0.5, 2);
  drawDepths(pen, random, light, camera, leaves, gap);
  if (across) {
    layAcross(pen, random, light, camera);
  } else {
    layWinding(pen, random, light, camera, half);
  }
  if (random.boolean(0.5)) shadeOfLeaves(pen, random, light, [camera.horizon + 0.03, 1]);
  else shadeOfTrunks(pen, random, light, camera, [camera.near, 30]);
  const rows = count(random, 3, 4);
  for (let row = rows; row >= 1; row--) {
    const z = across ? 12.5 + row * 2.5 : 6 + row * row * 2.2;
    drawStems(pen, random, light, camera, { z, gap, across, wood });
  }
  if (random.boolean(0.6)) drawCanopy(pen, random, light, camera, leaves, across);
  if (light.contrast > 0.5 && random.boolean(0.6)) drawBeams(pen, random, light);
  finish(pen, random, light);
};

function forestFloor(random: Random, leaves: SceneColour): Cover {
  const litter = hsl(between(random, 20, 45), between(random, 20, 40), between(random, 24, 38));
  return {
    colour: mix(litter, leaves, between(random, 0, 0.9)),
    tile: random.boolean(0.5) ? "leaves" : "blades",
    strength: between(random, 0.4, 0.6),
    fine: 34,
  };
}

/** What closes the view: layers of wood that fade into the air. */
function drawDepths(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  leaves: readonly SceneColour[],
  gap: number,
): void {
  for (const z of [90, 45, 24]) {
    const base = camera.at(0, 0, z)[1] + 0.004;
    const height = between(random, 13, 19) / z;
    const colour = faded(vary(random, mix(leaves[0]!, [25, 30, 25], 0.25), 8), z * 1.5, light);
    const open = gap / z;
    const shape = { base, height, lump: 2.4 / z };
    const fine = Math.min(2, z / 22);
    const style = { fine, speckle: 0.8 * clearness(light, z), taper: 5 / z };
    if (gap === 0 || z === 90) {
      drawThicket(pen, random, { ...shape, left: -0.02, right: 1.02 }, colour, style);
    } else {
      drawThicket(pen, random, { ...shape, left: -0.02, right: camera.centre - open }, colour, style);
      drawThicket(pen, random, { ...shape, left: camera.centre + open, right: 1.02 }, colour, style);
    }
  }
}

function drawStems(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  {
    z,
    gap,
    across,
    wood: { species, leaves },
  }: { z: number; gap: number; across: boolean; wood: ReturnType<typeof chooseWood> },
): void {
  const undergrowth = faded(vary(random, mix(leaves[1]!, [60, 80, 40], 0.3), 10), z, light);
  const base = camera.at(0, 0, z)[1];
  const open = across ? -1 : gap / z;
  const sides = across
    ? [[-0.02, 1.02]]
    : [
        [-0.02, camera.centre - open],
        [camera.centre + open, 1.02],
      ];
  for (const [left, right] of sides as [number, number][]) {
    if (right - left < 0.01) continue;
    const step = between(random, 1.6, 3) / z + 0.02;
    for (let x = left + step * random.uniform(); x < right; x += step * between(random, 0.6, 1.6)) {
      const stand = {
        x,
        base: base - between(random, 0, 0.01),
        height: between(random, 8, 13) / z,
        metres: z,
      };
      drawTree(pen, random, light, stand, oneOf(random, species), oneOf(random, leaves));
    }
    if (random.boolean(0.7)) {
      const shape = { left, right, base: base + 0.008, height: between(random, 0.4, 1.1) / z, lump: 0.5 / z };
      drawThicket(pen, random, shape, undergrowth, { ragged: 0.7, taper: 1.5 / z });
    }
  }
}

/** Leaves that hang into the picture from above. */
function drawCanopy(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  leaves: readonly SceneColour[],
  across: boolean,
): void {
  const colour = shade(oneOf(random, leaves), 0.8);
  pen.save();
  pen.scale(1, -1);
  const reach = across ? 1 : camera.centre - between(random, 0.02, 0.2);
  const shape = { base: 0.01, height: between(random, 0.08, 0.2), lump: 0.06 };
  drawThicket(pen, random, { ...shape, left: -0.02, right: reach }, faded(colour, 5, light), {
    ragged: 0.8,
    taper: 0.15,
  });
  if (!across) {
    const from = camera.centre + between(random, 0.02, 0.2);
    drawThicket(pen, random, { ...shape, left: from, right: 1.02 }, faded(colour, 5, light), {
      ragged: 0.8,
      taper: 0.15,
    });
  }
  pen.restore();
}

/** Sunlight that falls through the crowns. */
function drawBeams(pen: Pen, random: Random, light: Light): void {
  const from = light.sunSide > 0 ? 1 : 0;
  pen.save();
  pen.globalCompositeOperation = "screen";
  pen.beginPath();
  const beams = count(random, 2, 4);
  for (let beam = 0; beam < beams; beam++) {
    const x = from - light.sunSide * between(random, 0, 0.6);
    const wide = between(random, 0.03, 0.09);
    polygon(pen, [
      [x, -0.02],
      [x + wide, -0.02],
      [x + wide * 2 - light.sunSide * 0.4, 0.8],
      [x - wide - light.sunSide * 0.4, 0.8],
    ]);
  }
  const glow = pen.createLinearGradient(0, 0, 0, 0.8);
  glow.addColorStop(0, css([255, 240, 190], 0.22));
  glow.addColorStop(1, css([255, 240, 190], 0));
  pen.fillStyle = glow;
  pen.fill();
  pen.restore();
}
