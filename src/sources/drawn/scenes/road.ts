/** Roads of the country and the lines painted on them. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { type Camera, ground, patch, polygon } from "./camera.ts";
import { css, hsl, mix, type SceneColour, shade } from "./colour.ts";
import { asphalt, type Cover, lay, layGround } from "./ground.ts";
import { faded, type Light } from "./light.ts";

interface Road {
  cover: Cover;
  /** Paint of its lines; none on earth and gravel. */
  paint: SceneColour | undefined;
}

function chooseRoad(random: Random, light: Light): Road {
  if (random.boolean(0.5)) {
    const paint = random.boolean(0.6) ? hsl(45, 8, 86) : hsl(44, 75, 55);
    return { cover: asphalt(random, light), paint: faded(paint, 8, light) };
  }
  const cover: Cover = {
    colour: hsl(between(random, 22, 42), between(random, 12, 34), between(random, 42, 62)),
    tile: random.boolean(0.5) ? "mottle" : "grain",
    strength: between(random, 0.2, 0.35),
    fine: 30,
  };
  return { cover, paint: undefined };
}

/** A road from left to right, close to the viewer. */
export function layAcross(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const { cover, paint } = chooseRoad(random, light);
  const near = between(random, camera.near, camera.near * 1.25);
  const far = between(random, 10.5, 12.5);
  const road = ground(camera, -60, 60, near, far);
  lay(pen, random, light, camera, road, cover);
  pen.beginPath();
  if (paint === undefined) {
    for (const rut of [0.18, 0.4, 0.6, 0.85]) {
      patch(pen, road, 0, road.height * rut, road.width, road.height * (rut + 0.06));
    }
    pen.fillStyle = css([30, 22, 15], 0.13);
    pen.fill();
    return;
  }
  const style = oneOf(random, ["edges", "centre", "both", "none"] as const);
  if (style === "edges" || style === "both")
    patch(pen, road, 0, road.height - 0.5, road.width, road.height - 0.3);
  if (style === "centre" || style === "both") {
    const middle = road.height * between(random, 0.25, 0.5);
    for (let x = random.uniform() * 6; x < 120; x += 6) patch(pen, road, x, middle, x + 3, middle + 0.15);
  }
  pen.fillStyle = css(paint, 0.9);
  pen.fill();
}

/** A road to the horizon that may bend: its middle shifts with the square of the distance. */
export function layWinding(pen: Pen, random: Random, light: Light, camera: Camera, half: number): void {
  const { cover, paint } = chooseRoad(random, light);
  const bend = random.boolean(0.5) ? between(random, -0.006, 0.006) : 0;
  const near = camera.near * 0.9;
  const middle = (z: number) => bend * (z - near) ** 2;
  const depths = [near, 6, 9, 13, 18, 26, 40, 70, 140];
  const strip = (from: number, to: number) => [
    ...depths.map((z) => camera.at(middle(z) + from, 0, z)),
    ...depths.map((z) => camera.at(middle(z) + to, 0, z)).reverse(),
  ];
  // The verge, worn by wheels.
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
  pen.beginPath();
  if (paint === undefined) {
    // Wheels leave two tracks, and grass grows between them.
    polygon(pen, strip(-1.5, -0.7));
    polygon(pen, strip(0.7, 1.5));
    pen.fillStyle = css([30, 22, 15], 0.22);
    pen.fill();
    if (random.boolean(0.5)) return;
    pen.beginPath();
    polygon(pen, strip(-0.35, 0.35));
    pen.fillStyle = css(hsl(between(random, 60, 100), 26, 34), 0.42);
    pen.fill();
    return;
  }
  const style = oneOf(random, ["centre", "edges", "both", "both", "none"] as const);
  if (style === "edges" || style === "both") {
    polygon(pen, strip(-half + 0.25, -half + 0.42));
    polygon(pen, strip(half - 0.42, half - 0.25));
  }
  pen.fillStyle = css(paint, 0.9);
  pen.fill();
  if (bend === 0 && (style === "centre" || style === "both")) {
    lineAlong(pen, camera, light, 0, { width: 0.15, colour: paint, dash: 3, gap: 3.5 });
  }
}

interface Line {
  width: number;
  colour: SceneColour;
  dash: number;
  /** Between two dashes; 0 makes it continuous. */
  gap: number;
  near?: number;
}

/** A line along a road that runs away from the viewer, at x. */
export function lineAlong(
  pen: Pen,
  camera: Camera,
  light: Light,
  x: number,
  { width, colour, dash, gap, near = camera.near * 0.9 }: Line,
): void {
  const line = ground(camera, x - width / 2, x + width / 2, near, 120);
  pen.beginPath();
  if (gap === 0) patch(pen, line, 0, 0, width, line.height);
  else for (let from = 0; from < 70; from += dash + gap) patch(pen, line, 0, from, width, from + dash);
  pen.fillStyle = css(faded(colour, 12, light));
  pen.fill();
}
