/** Drawn scenes: what they promise to whoever pastes objects on them, and that no plain colour gives them away. */

import { beforeAll, expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { type Artist, createArtist } from "./index.ts";
import { newPaper } from "./paper.ts";
import { countryScenes, type SceneName, sceneNames, scenes, urbanScenes } from "./scenes.ts";

const thumbnailSide = 16;
const drawnSide = 64;
/** Of each scene: the first half to learn from, the second to be told apart. */
const drawings = 16;

let artist: Artist;
let thumbnails: Map<SceneName, Float64Array[]>;

beforeAll(async () => {
  artist = await createArtist();
  thumbnails = new Map(
    sceneNames.map((name) => [
      name,
      Array.from({ length: drawings }, (_, index) => thumbnail(draw(name, index))),
    ]),
  );
});

test("no scene is both urban and country", () => {
  const listed: string[] = [...urbanScenes, ...countryScenes];
  expect(new Set(listed).size).toBe(9);
});

test("scenes cover the whole picture at any size", async () => {
  const library = await import("@napi-rs/canvas");
  for (const name of sceneNames) {
    for (const side of [64, 37]) {
      const paper = newPaper(library, { width: 1, height: 1 }, side);
      scenes[name](paper.pen, randomStream(2, name).at(side));
      const rgba = paper.canvas.data();
      expect(rgba.length, name).toBe(4 * side * side);
      expect(rgba.filter((value, at) => at % 4 === 3 && value !== 255).length, `${name} at ${side}`).toBe(0);
    }
  }
});

test("equal numbers give equal bytes, whatever was drawn before; other numbers give others", () => {
  for (const name of sceneNames) {
    const first = draw(name, 1);
    const other = draw(name, 2);
    draw(sceneNames[(sceneNames.indexOf(name) + 7) % sceneNames.length]!, 3);
    expect(Buffer.compare(draw(name, 1), first), name).toBe(0);
    expect(apart(thumbnail(first), thumbnail(other)), name).toBeGreaterThan(10);
  }
});

test("a scene is the same picture at every size", () => {
  for (const name of sceneNames) {
    const small = thumbnail(draw(name, 4));
    const large = thumbnail(draw(name, 4, 2 * drawnSide), 2 * drawnSide);
    // Noise is sampled at other places, which leaves 5 at most; two drawings of one scene are 19 to 100 apart.
    expect(apart(small, large), name).toBeLessThan(8);
  }
});

test("the average colour does not tell urban from country", () => {
  expect(tellApart(averageColour)).toBeLessThan(0.8);
});

test("a thumbnail tells urban from country, and most of the scenes", () => {
  expect(tellApart(levelled)).toBeGreaterThan(0.7);
  const learnt = sceneNames.map((name) => centroid(learning(name).map(edges)));
  let right = 0;
  for (const [index, name] of sceneNames.entries()) {
    for (const seen of held(name).map(edges)) {
      const distances = learnt.map((mean) => distance(mean, seen));
      if (distances.indexOf(Math.min(...distances)) === index) right++;
    }
  }
  // One in as many as there are is chance: with fifteen, 7%.
  expect(right / (sceneNames.length * (drawings / 2))).toBeGreaterThan(0.5);
});

function draw(name: SceneName, index: number, side = drawnSide): Uint8Array {
  return artist.scene(name, randomStream(5, name).at(index), side).data as Uint8Array;
}

/** How many held-out drawings have their nearest neighbour on their own side, both sides counting alike. */
function tellApart(describe: (picture: Float64Array) => Float64Array): number {
  const urban = urbanScenes.flatMap((name) => learning(name).map(describe));
  const country = countryScenes.flatMap((name) => learning(name).map(describe));
  const nearest = (known: Float64Array[], seen: Float64Array) =>
    Math.min(...known.map((one) => distance(one, seen)));
  const share = (names: readonly SceneName[], own: Float64Array[], foreign: Float64Array[]) => {
    const seen = names.flatMap((name) => held(name).map(describe));
    return seen.filter((one) => nearest(own, one) < nearest(foreign, one)).length / seen.length;
  };
  return (share(urbanScenes, urban, country) + share(countryScenes, country, urban)) / 2;
}

function learning(name: SceneName): Float64Array[] {
  return thumbnails.get(name)!.slice(0, drawings / 2);
}

function held(name: SceneName): Float64Array[] {
  return thumbnails.get(name)!.slice(drawings / 2);
}

/** Averages of square blocks, RGB. */
function thumbnail(pixels: Uint8Array, side = drawnSide): Float64Array {
  const block = side / thumbnailSide;
  const small = new Float64Array(3 * thumbnailSide ** 2);
  for (let at = 0; at < pixels.length; at++) {
    const row = Math.floor(at / 3 / side / block);
    const column = Math.floor((Math.floor(at / 3) % side) / block);
    small[3 * (row * thumbnailSide + column) + (at % 3)]! += pixels[at]! / block ** 2;
  }
  return small;
}

function averageColour(picture: Float64Array): Float64Array {
  const mean = new Float64Array(3);
  picture.forEach((value, at) => {
    mean[at % 3]! += (3 * value) / picture.length;
  });
  return mean;
}

/** Without the average colour and the contrast. */
function levelled(picture: Float64Array): Float64Array {
  const mean = averageColour(picture);
  const rest = picture.map((value, at) => value - mean[at % 3]!);
  const spread = Math.sqrt(rest.reduce((sum, value) => sum + value * value, 0) / rest.length);
  return rest.map((value) => value / spread);
}

/** How much brightness changes to the right and downwards. */
function edges(picture: Float64Array): Float64Array {
  const bright = (column: number, row: number) => {
    const at = 3 * (row * thumbnailSide + column);
    return picture[at]! + picture[at + 1]! + picture[at + 2]!;
  };
  const steps: number[] = [];
  for (let row = 0; row < thumbnailSide - 1; row++) {
    for (let column = 0; column < thumbnailSide - 1; column++) {
      steps.push(Math.abs(bright(column + 1, row) - bright(column, row)));
      steps.push(Math.abs(bright(column, row + 1) - bright(column, row)));
    }
  }
  return Float64Array.from(steps);
}

function centroid(pictures: Float64Array[]): Float64Array {
  const mean = new Float64Array(pictures[0]!.length);
  for (const picture of pictures) {
    for (let at = 0; at < mean.length; at++) mean[at]! += picture[at]! / pictures.length;
  }
  return mean;
}

/** Root mean square, in steps of 256. */
function apart(first: Float64Array, second: Float64Array): number {
  return Math.sqrt(distance(first, second) / first.length);
}

function distance(first: Float64Array, second: Float64Array): number {
  let total = 0;
  for (let at = 0; at < first.length; at++) total += (first[at]! - second[at]!) ** 2;
  return total;
}
