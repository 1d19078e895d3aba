/** A road through a wood. */

import type { Random } from "../../../core/random.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Camera, ground, placeCamera, polygon } from "./camera.ts";
import { between, count, pick } from "./chance.ts";
import { type Colour, css, hsl, mix, shade, vary } from "./colour.ts";
import { asphalt, type Cover, lay, layGround, lineAlong } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { chooseWood, clearness, drawThicket, drawTree } from "./plants.ts";
import { shadeOfLeaves, shadeOfTrunks } from "./shadow.ts";

export const drawForestRoad: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { sway: 0.2 });
  const wood = chooseWood(random);
  const leaves = wood.leaves;
  const across = random.boolean(0.3);
  const half = between(random, 3.6, 6);
  paintSky(pen, random, light, camera.horizon);
  const floor = forestFloor(random, leaves[0]!);
  layGround(pen, random, light, camera, floor);
  const gap = across ? 0 : half + between(random, 0.5, 2);
  drawDepths(pen, random, light, camera, leaves, gap);
  if (across) {
    const near = between(random, camera.near, camera.near * 1.25);
    lay(
      pen,
      random,
      light,
      camera,
      ground(camera, -60, 60, near, between(random, 10.5, 12.5)),
      roadCover(random, light),
    );
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

function forestFloor(random: Random, leaves: Colour): Cover {
  const litter = hsl(between(random, 20, 45), between(random, 20, 40), between(random, 24, 38));
  return {
    colour: mix(litter, leaves, between(random, 0, 0.9)),
    tile: random.boolean(0.5) ? "leaves" : "blades",
    strength: between(random, 0.4, 0.6),
    fine: 34,
  };
}

export function roadCover(random: Random, light: Light): Cover {
  if (random.boolean(0.5)) return asphalt(random, light);
  return {
    colour: hsl(between(random, 22, 42), between(random, 12, 34), between(random, 42, 62)),
    tile: random.boolean(0.5) ? "mottle" : "grain",
    strength: between(random, 0.2, 0.35),
    fine: 24,
  };
}

/** A road to the horizon that may bend: its middle shifts with the square of the distance. */
export function layWinding(pen: Pen, random: Random, light: Light, camera: Camera, half: number): void {
  const cover = roadCover(random, light);
  const bend = random.boolean(0.5) ? between(random, -0.006, 0.006) : 0;
  const near = camera.near * 0.9;
  const middle = (z: number) => bend * (z - near) ** 2;
  const depths = [near, 6, 9, 13, 18, 26, 40, 70, 140];
  const strip = (from: number, to: number) => [
    ...depths.map((z) => camera.at(middle(z) + from, 0, z)),
    ...depths.map((z) => camera.at(middle(z) + to, 0, z)).reverse(),
  ];
  pen.save();
  pen.beginPath();
  polygon(pen, strip(-half - 0.6, half + 0.6));
  pen.fillStyle = css(faded(shade(mix(cover.colour, hsl(35, 30, 40), 0.5), 0.85), 10, light), 0.6);
  pen.fill();
  pen.beginPath();
  polygon(pen, strip(-half, half));
  pen.clip();
  layGround(pen, random, light, camera, cover);
  pen.restore();
  if (cover.fine === 64) {
    const paint = faded(random.boolean(0.6) ? hsl(45, 8, 86) : hsl(44, 75, 55), 8, light);
    const style = pick(random, ["centre", "edges", "both", "both", "none"] as const);
    pen.beginPath();
    if (style === "edges" || style === "both") {
      polygon(pen, strip(-half + 0.25, -half + 0.42));
      polygon(pen, strip(half - 0.42, half - 0.25));
    }
    pen.fillStyle = css(paint, 0.9);
    pen.fill();
    if (bend === 0 && (style === "centre" || style === "both")) {
      lineAlong(pen, camera, light, 0, { width: 0.15, colour: paint, dash: 3, gap: 3.5 });
    }
  } else {
    // Wheels leave two tracks, and grass grows between them.
    pen.beginPath();
    polygon(pen, strip(-1.5, -0.7));
    polygon(pen, strip(0.7, 1.5));
    pen.fillStyle = css([30, 22, 15], 0.22);
    pen.fill();
    if (random.boolean(0.5)) {
      pen.beginPath();
      polygon(pen, strip(-0.35, 0.35));
      pen.fillStyle = css(hsl(between(random, 60, 100), 26, 34), 0.42);
      pen.fill();
    }
  }
}

/** What closes the view: layers of wood that fade into the air. */
function drawDepths(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  leaves: readonly Colour[],
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
      drawTree(pen, random, light, stand, pick(random, species), pick(random, leaves));
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
  leaves: readonly Colour[],
  across: boolean,
): void {
  const colour = shade(pick(random, leaves), 0.8);
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
  glow.addColorStop(0, css([255, 240, 190], 0.34));
  glow.addColorStop(1, css([255, 240, 190], 0));
  pen.fillStyle = glow;
  pen.fill();
  pen.restore();
}
