/**
 * A camera over level ground, and flat surfaces seen by it. Metres: x to the right, y up, z away from the viewer.
 * A car of four to five metres, half as wide as the picture and centred in it, then stands at the right scale.
 */

import type { Random } from "../../../core/random.ts";
import { between } from "../choices.ts";
import type { Pen } from "../paper.ts";
import type { SceneColour } from "./colour.ts";
import { css } from "./colour.ts";

/** Where the wheels of a car in the middle of the picture touch the ground, and how far away that is. */
const wheelsRow = 0.6;
const wheelsMetres = 9;

export type ScenePoint = readonly [across: number, down: number];

export interface Camera {
  horizon: number;
  centre: number;
  eye: number;
  /** The distance at which the ground meets the bottom of the picture. */
  near: number;
  at(x: number, y: number, z: number): ScenePoint;
}

/** `sway` is how far the vanishing point may lie from the middle. */
export function placeCamera(
  random: Random,
  { sway = 0.15, low = 0.36, high = 0.47 }: { sway?: number; low?: number; high?: number } = {},
): Camera {
  const horizon = between(random, low, high);
  const centre = 0.5 + between(random, -sway, sway);
  const eye = (wheelsRow - horizon) * wheelsMetres;
  return {
    horizon,
    centre,
    eye,
    near: eye / (1 - horizon),
    at: (x, y, z) => [centre + x / z, horizon + (eye - y) / z],
  };
}

/** A flat rectangle in space; `at` takes metres along it and up it. */
export interface Surface {
  width: number;
  height: number;
  /** Metres from the viewer to its nearest edge. */
  distance: number;
  at(along: number, up: number): ScenePoint;
}

/** A wall that faces the viewer. */
export function frontWall(
  camera: Camera,
  left: number,
  right: number,
  z: number,
  height: number,
  base = 0,
): Surface {
  return {
    width: right - left,
    height,
    distance: z,
    at: (along, up) => camera.at(left + along, base + up, z),
  };
}

/** A wall that runs away from the viewer, at x, from z = near. */
export function sideWall(
  camera: Camera,
  x: number,
  near: number,
  far: number,
  height: number,
  base = 0,
): Surface {
  return {
    width: far - near,
    height,
    distance: near,
    at: (along, up) => camera.at(x, base + up, near + along),
  };
}

/** A piece of the ground, or of any level plane at `y`; along is x and up is z. */
export function ground(
  camera: Camera,
  left: number,
  right: number,
  near: number,
  far: number,
  y = 0,
): Surface {
  return {
    width: right - left,
    height: far - near,
    distance: near,
    at: (along, up) => camera.at(left + along, y, near + up),
  };
}

/** Adds a rectangle of a surface to the pen's path. */
export function patch(
  pen: Pen,
  surface: Surface,
  left: number,
  low: number,
  right: number,
  high: number,
): void {
  pen.moveTo(...surface.at(left, low));
  pen.lineTo(...surface.at(right, low));
  pen.lineTo(...surface.at(right, high));
  pen.lineTo(...surface.at(left, high));
  pen.closePath();
}

/** Adds a polygon to the pen's path. */
export function polygon(pen: Pen, [first, ...rest]: readonly ScenePoint[]): void {
  if (first === undefined) return;
  pen.moveTo(...first);
  for (const point of rest) pen.lineTo(...point);
  pen.closePath();
}

/** Whether what stands upon this line, from one end to the other, is beside or above the picture. */
export function outside([fromX, fromY]: ScenePoint, [toX, toY]: ScenePoint): boolean {
  return (fromX < 0 && toX < 0) || (fromX > 1 && toX > 1) || (fromY < 0 && toY < 0);
}

/** Fills a rectangle of a surface: all of it unless said otherwise. */
export function cover(
  pen: Pen,
  surface: Surface,
  colour: SceneColour,
  [left, low, right, high]: readonly [number, number, number, number] = [0, 0, surface.width, surface.height],
): void {
  pen.beginPath();
  patch(pen, surface, left, low, right, high);
  pen.fillStyle = css(colour);
  pen.fill();
}

/** The upright box around a surface on the picture, cut to the picture. */
export function boundsOf(surface: Surface): { x: number; y: number; width: number; height: number } {
  const corners = [
    surface.at(0, 0),
    surface.at(surface.width, 0),
    surface.at(surface.width, surface.height),
    surface.at(0, surface.height),
  ];
  const inside = (value: number) => Math.min(1, Math.max(0, value));
  const across = corners.map(([x]) => inside(x));
  const down = corners.map(([, y]) => inside(y));
  const x = Math.min(...across);
  const y = Math.min(...down);
  return { x, y, width: Math.max(...across) - x, height: Math.max(...down) - y };
}
