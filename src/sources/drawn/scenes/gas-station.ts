/** A gas station: a canopy on posts, pumps on their islands, a shop behind. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { DrawScene } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Camera, cover, frontWall, ground, patch, placeCamera, sideWall } from "./camera.ts";
import { count } from "./chance.ts";
import { css, hsl, mix, type SceneColour, shade, white } from "./colour.ts";
import { asphalt, concrete, lay, layGround, shadowOn, wear } from "./ground.ts";
import { chooseLight, faded, finish, type Light, paintSky } from "./light.ts";
import { chooseWood, drawTree } from "./plants.ts";

interface Station {
  brand: SceneColour;
  second: SceneColour;
  left: number;
  right: number;
  near: number;
  far: number;
  /** Of the canopy's lower edge, and how thick it is. */
  clear: number;
  thick: number;
}

export const drawGasStation: DrawScene = (pen, random) => {
  const light = chooseLight(random);
  const camera = placeCamera(random, { sway: 0.15, low: 0.38, high: 0.46 });
  const station = chooseStation(random);
  paintSky(pen, random, light, camera.horizon);
  layGround(pen, random, light, camera, asphalt(random, light));
  drawBehind(pen, random, light, camera);
  const forecourt = ground(camera, station.left - 1, station.right + 1, camera.near * 0.9, station.far + 6);
  lay(pen, random, light, camera, forecourt, concrete(random, light));
  drawShop(pen, random, light, camera, station);
  shadowOn(
    pen,
    ground(camera, station.left, station.right, station.near, station.far),
    0.22 * (0.4 + light.contrast),
  );
  drawCanopy(pen, random, light, camera, station);
  drawPumps(pen, random, light, camera, station);
  wear(pen, random, camera, -6, 6);
  finish(pen, random, light);
};

function chooseStation(random: Random): Station {
  const hue = between(random, 0, 360);
  const near = between(random, 8, 10.5);
  return {
    brand: hsl(hue, between(random, 40, 72), between(random, 30, 50)),
    second: random.boolean(0.5) ? white : hsl(hue + between(random, 40, 180), 70, 55),
    left: -between(random, 5.5, 11),
    right: between(random, 5.5, 11),
    near,
    far: near + between(random, 6, 10),
    clear: between(random, 4, 4.8),
    thick: between(random, 0.6, 1.1),
  };
}

function drawBehind(pen: Pen, random: Random, light: Light, camera: Camera): void {
  const kind = oneOf(random, ["trees", "city", "open"] as const);
  if (kind === "trees") {
    const { species, leaves } = chooseWood(random);
    for (let x = -0.05; x < 1.05; x += between(random, 0.06, 0.2)) {
      const z = between(random, 34, 50);
      const stand = { x, base: camera.at(0, 0, z)[1], height: between(random, 6, 12) / z, metres: z };
      drawTree(pen, random, light, stand, oneOf(random, species), oneOf(random, leaves));
    }
  }
  if (kind !== "city") return;
  for (let x = -50; x < 55; x += between(random, 8, 18)) {
    const wall = frontWall(
      camera,
      x,
      x + between(random, 9, 18),
      between(random, 60, 80),
      between(random, 7, 30),
    );
    cover(pen, wall, faded(hsl(between(random, 0, 360), 10, between(random, 40, 65)), 60, light));
  }
}

function drawShop(pen: Pen, random: Random, light: Light, camera: Camera, station: Station): void {
  const z = station.far + between(random, 3, 6);
  const left = between(random, -12, -3);
  const wall = frontWall(camera, left, left + between(random, 9, 16), z, between(random, 3, 3.8));
  const seen = (colour: SceneColour) => faded(colour, z, light);
  cover(pen, wall, seen(hsl(40, between(random, 2, 20), between(random, 60, 88))));
  const bright = light.lamps || random.boolean(0.4);
  cover(pen, wall, bright ? hsl(48, 65, 78) : seen(hsl(205, 25, 36)), [0.4, 0.4, wall.width - 0.4, 2.5]);
  pen.beginPath();
  for (let pane = 1; pane < 8; pane++) {
    const along = (wall.width * pane) / 8;
    patch(pen, wall, along - 0.05, 0.4, along + 0.05, 2.5);
  }
  // Shelves show through the glass.
  patch(pen, wall, 0.4, 1.1, wall.width - 0.4, 1.2);
  pen.fillStyle = css(seen([90, 92, 95]));
  pen.fill();
  cover(pen, wall, seen(station.brand), [0, 2.6, wall.width, 3.1]);
}

function drawCanopy(pen: Pen, random: Random, light: Light, camera: Camera, station: Station): void {
  const { left, right, near, far, clear, thick } = station;
  const under = ground(camera, left, right, near, far, clear);
  cover(pen, under, light.lamps ? hsl(50, 25, 82) : faded(hsl(210, 5, between(random, 58, 78)), 12, light));
  pen.beginPath();
  for (let row = 1; row < 4; row++) {
    for (let lamp = 1; lamp < 7; lamp++) {
      const x = (under.width * lamp) / 7;
      const z = (under.height * row) / 4;
      patch(pen, under, x - 0.35, z - 0.35, x + 0.35, z + 0.35);
    }
  }
  pen.fillStyle = css(light.lamps ? [255, 252, 230] : [238, 240, 240]);
  pen.fill();
  const posts = random.boolean(0.5) ? [0.2, 0.8] : [0.12, 0.5, 0.88];
  const metal = faded(random.boolean(0.6) ? hsl(210, 4, 80) : station.brand, near, light);
  for (const z of [far - 1, near + 1]) {
    for (const share of posts) {
      const x = left + (right - left) * share;
      cover(pen, frontWall(camera, x - 0.2, x + 0.2, z, clear), shade(metal, 0.9));
      cover(pen, frontWall(camera, x + 0.06, x + 0.2, z, clear), shade(metal, 0.65));
    }
  }
  // Only the front of the slab shows: the viewer stands below it and before it.
  const edge = frontWall(camera, left, right, near, thick, clear);
  const brand = faded(station.brand, near, light);
  cover(pen, edge, random.boolean(0.55) ? faded([242, 242, 240], near, light) : brand);
  cover(pen, edge, brand, [0, 0, edge.width, thick * 0.5]);
  cover(pen, edge, faded(station.second, near, light), [0, thick * 0.5, edge.width, thick * 0.62]);
}

function drawPumps(pen: Pen, random: Random, light: Light, camera: Camera, station: Station): void {
  const rows = [station.far - 1.5, station.near + 1.2];
  const perRow = count(random, 2, 3);
  const body = random.boolean(0.5) ? hsl(210, 4, 88) : mix(station.brand, white, 0.1);
  const modern = random.boolean(0.6);
  for (const z of rows) {
    for (let index = 0; index < perRow; index++) {
      const x = station.left + ((station.right - station.left) * (index + 0.5)) / perRow;
      drawIsland(pen, light, camera, x, z);
      for (const offset of [-0.75, 0.45])
        drawPump(pen, light, camera, x + offset, z, { body, station, modern });
    }
  }
}

function drawIsland(pen: Pen, light: Light, camera: Camera, x: number, z: number): void {
  const stone = faded([196, 194, 188], z, light);
  cover(pen, ground(camera, x - 1.6, x + 1.6, z - 0.5, z + 0.8, 0.15), stone);
  cover(pen, frontWall(camera, x - 1.6, x + 1.6, z - 0.5, 0.15), shade(stone, 0.65));
  shadowOn(pen, ground(camera, x - 1.7, x + 1.7, z - 0.75, z - 0.5), 0.3);
}

function drawPump(
  pen: Pen,
  light: Light,
  camera: Camera,
  x: number,
  z: number,
  { body, station, modern }: { body: SceneColour; station: Station; modern: boolean },
): void {
  const height = modern ? 1.9 : 1.6;
  const face = frontWall(camera, x, x + 0.62, z, height, 0.15);
  const seen = (colour: SceneColour) => faded(colour, z, light);
  cover(
    pen,
    sideWall(camera, camera.centre + x / z < 0.5 ? x + 0.62 : x, z, z + 0.5, height, 0.15),
    shade(seen(body), 0.6),
  );
  cover(pen, face, seen(body));
  cover(pen, face, seen(station.brand), [0, height - 0.35, 0.62, height]);
  cover(pen, face, seen([30, 40, 46]), [0.1, height * 0.55, 0.52, height * 0.75]);
  cover(pen, face, seen(shade(station.brand, 0.8)), [0, 0, 0.62, 0.3]);
  // The hose, hanging in a loop.
  pen.beginPath();
  pen.moveTo(...camera.at(x + 0.62, 1.3, z));
  const [downX, downY] = camera.at(x + 0.95, 0.1, z);
  pen.quadraticCurveTo(downX, downY, ...camera.at(x + 0.66, 0.9, z));
  pen.strokeStyle = css(seen([20, 20, 22]));
  pen.lineWidth = 0.07 / z;
  pen.stroke();
}
