/** The ground, and roads upon it. */

import type { Random } from "../../../core/random.ts";
import { between } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { boundsOf, type Camera, ground, patch, type Surface } from "./camera.ts";
import { css, hsl, mix, type SceneColour, shade } from "./colour.ts";
import { faded, type Light } from "./light.ts";
import { layTile, type TileName, tileSide } from "./tiles.ts";

/** As far as anyone looks. */
export const farAway = 400;

export interface Cover {
  colour: SceneColour;
  /** What it is made of. */
  tile: TileName;
  strength: number;
  /** Texels a metre. */
  fine?: number;
}

/** All the ground up to the horizon. */
export function layGround(pen: Pen, random: Random, light: Light, camera: Camera, what: Cover): void {
  lay(pen, random, light, camera, ground(camera, -farAway, farAway, camera.near * 0.9, farAway), what);
}

/** A piece of ground, fading with distance, its texture finer the farther it lies. */
export function lay(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  piece: Surface,
  { colour, tile, strength, fine = 24 }: Cover,
): void {
  const { y, height } = boundsOf(piece);
  const near = faded(colour, camera.near, light);
  const gradient = pen.createLinearGradient(0, camera.horizon, 0, 1);
  gradient.addColorStop(0, css(faded(colour, farAway, light)));
  gradient.addColorStop(0.06, css(faded(colour, 40, light)));
  gradient.addColorStop(0.3, css(faded(colour, 10, light)));
  gradient.addColorStop(1, css(shade(near, 0.94)));
  pen.save();
  pen.beginPath();
  patch(pen, piece, 0, 0, piece.width, piece.height);
  pen.fillStyle = gradient;
  pen.fill();
  pen.clip();
  layInPerspective(pen, random, light, camera, { tile, strength, fine }, [y, y + height]);
  pen.restore();
}

/** Strip by strip, each a piece of the tile that begins where the one below it ended. */
function layInPerspective(
  pen: Pen,
  random: Random,
  light: Light,
  camera: Camera,
  { tile, strength, fine }: { tile: TileName; strength: number; fine: number },
  [from, to]: readonly [number, number],
): void {
  const start = random.uniform() * tileSide;
  let top = Math.max(from, camera.horizon + 0.006);
  while (top < to - 0.001) {
    const bottom = Math.min(to, camera.horizon + (top - camera.horizon) * 1.2 + 0.004);
    const far = camera.eye / (top - camera.horizon);
    const near = camera.eye / (bottom - camera.horizon);
    // Far away a tile is not wide enough for the picture: its texels then stand for twice as many metres, or more.
    const coarse = 2 ** Math.max(0, Math.ceil(Math.log2((far * fine) / (0.7 * tileSide))));
    const width = ((far + near) / 2) * (fine / coarse);
    const height = Math.min(tileSide, (far - near) * (fine / coarse));
    const row = (((start - far * (fine / coarse)) % tileSide) + tileSide) % tileSide;
    layTile(
      pen,
      tile,
      { x: tileSide / 2 - camera.centre * width, y: row, width, height },
      { x: 0, y: top, width: 1, height: bottom - top },
      strength / (1 + light.fog * far * 2),
    );
    top = bottom;
  }
}

export function asphalt(random: Random, light: Light): Cover {
  const dry = hsl(between(random, 200, 260), between(random, 0, 8), between(random, 30, 56));
  return {
    colour: light.wet
      ? mix(shade(dry, 0.7), light.skyTop, 0.25)
      : mix(dry, hsl(35, 30, 45), between(random, 0, 0.25)),
    tile: "grain",
    strength: between(random, 0.12, 0.3),
    fine: 64,
  };
}

export function concrete(random: Random, light: Light): Cover {
  const dry = hsl(between(random, 25, 60), between(random, 2, 14), between(random, 56, 76));
  return {
    colour: light.wet ? mix(shade(dry, 0.75), light.skyTop, 0.2) : dry,
    tile: "mottle",
    strength: between(random, 0.1, 0.25),
    fine: 30,
  };
}

/** Dark patches that soften what stands on the ground. */
export function shadowOn(pen: Pen, piece: Surface, opacity: number): void {
  pen.beginPath();
  patch(pen, piece, 0, 0, piece.width, piece.height);
  pen.fillStyle = css([15, 15, 25], opacity);
  pen.fill();
}

/** Cracks and mended patches of worn asphalt. */
export function wear(pen: Pen, random: Random, camera: Camera, left: number, right: number): void {
  const patches = random.integer(4);
  for (let index = 0; index < patches; index++) {
    const x = between(random, left, right);
    const z = between(random, camera.near, 22);
    const piece = ground(camera, x, x + between(random, 0.5, 3), z, z + between(random, 0.5, 4));
    shadowOn(pen, piece, between(random, 0.05, 0.2));
  }
  pen.beginPath();
  const cracks = random.integer(5);
  for (let index = 0; index < cracks; index++) {
    let x = between(random, left, right);
    let z = between(random, camera.near, 16);
    pen.moveTo(...camera.at(x, 0, z));
    for (let step = 0; step < 5; step++) {
      x += between(random, -0.7, 0.9);
      z += between(random, -0.2, 0.9);
      pen.lineTo(...camera.at(x, 0, Math.max(camera.near, z)));
    }
  }
  pen.strokeStyle = css([20, 20, 22], 0.35);
  pen.lineWidth = 0.003;
  pen.stroke();
}
