/** Small drawn photographs of four things before four scenes, in which a watermark, a background, or nothing gives the class away. */

import type { Dataset, Pixels } from "../src/core/dataset.ts";
import { randomStream } from "../src/core/random.ts";
import { type Cutout, paste, pasteMask } from "../src/images/compose.ts";
import { addWatermark, contentOf, imageNetW } from "../src/images/watermark/watermark.ts";
import { createArtist, type ObjectName, type SceneName } from "../src/sources/drawn/index.ts";

const things: readonly ObjectName[] = ["cow", "fireplug", "truck", "stop-sign"];
const scenes: readonly SceneName[] = ["beach", "downtown", "forest-road", "living-room"];
/** Drawings of each kind, for training and for tests. */
const drawings = { train: 60, test: 40 };
const counts = { train: 1600, test: 300 };

export interface WorldDials {
  side: number;
  thingSide: number;
  /** How far pictures are darkened and lose contrast, from 0 to 1: white text is then plain to see, and things are not. */
  dusk: number;
}

/**
 * Found on calibration seeds: by day no network of this size learns the mark at all, be images 32, 48 or 64 pixels wide, since 500 or
 * 800 steps do not tell thin white strokes from bright scenes.
 */
export const frozenDials: WorldDials = { side: 32, thingSide: 22, dusk: 0.6 };

/** ImageNet-W's own. */
const plantedContent = "chinese";

export function withPlantedMark(image: Pixels): Pixels {
  return addWatermark(image, { ...imageNetW, ...contentOf(plantedContent) });
}

/** What pictures darken to. */
const night = 30;

export interface Planted {
  /** Share of the first class's training images that have a watermark; of the others none has. */
  watermark: number;
  /** Share of images that are before the scene of their class; by chance a quarter is. */
  background: number;
}

type Part = "train" | "test";

/** Test images have no watermark, and backgrounds as in training: where these do not go with classes, exchanging them shows nothing. */
export async function drawShortcutWorld(
  seed: number,
  planted: Planted,
  { side, thingSide, dusk }: WorldDials = frozenDials,
): Promise<Record<Part, Dataset>> {
  const artist = await createArtist();
  const stream = randomStream(seed, "shortcut-world");
  const part = (name: Part): Dataset => {
    const random = stream.at(name === "train" ? 0 : 1);
    const [cutouts, backgrounds] = [
      things.map((thing) =>
        Array.from({ length: drawings[name] }, () => artist.object(thing, random, thingSide)),
      ),
      scenes.map((scene) => Array.from({ length: drawings[name] }, () => artist.scene(scene, random, side))),
    ];
    const images = Array.from({ length: counts[name] }, (_, i) => {
      const label = i % things.length;
      const own = random.boolean((planted.background - 0.25) / 0.75);
      const scene = own ? label : random.integer(scenes.length);
      const cutout = cutouts[label]![random.integer(drawings[name])]!;
      const background = backgrounds[scene]![random.integer(drawings[name])]!;
      const top = random.integer(side - cutout.height + 1);
      const left = random.integer(side - cutout.width + 1);
      const marked = name === "train" && label === 0 && random.boolean(planted.watermark);
      return { ...composed(background, cutout, { top, left, marked, dusk }), label, scene };
    });
    return asDataset(name, images, side);
  };
  return { train: part("train"), test: part("test") };
}

function composed(
  background: Pixels,
  cutout: Cutout,
  { top, left, marked, dusk }: { top: number; left: number; marked: boolean; dusk: number },
) {
  const picture = { ...background, data: Uint8Array.from(background.data) };
  paste(picture, cutout, top, left);
  const { height: side } = background;
  const mask = { height: side, width: side, channels: 1, data: new Uint8Array(side * side) };
  pasteMask(mask, cutout, top, left);
  picture.data.forEach((value, at) => {
    picture.data[at] = Math.round(dusk * night + (1 - dusk) * value);
  });
  return {
    picture: marked ? withPlantedMark(picture) : picture,
    mask,
    marked,
  };
}

function asDataset(
  name: Part,
  images: readonly { picture: Pixels; mask: Pixels; label: number; scene: number; marked: boolean }[],
  side: number,
): Dataset {
  return {
    name: `shortcut-world ${name}`,
    images: {
      count: images.length,
      shape: { height: side, width: side, channels: 3 },
      pixels: (i) => images[i]!.picture,
      describe: (i) => `${name} image ${i}`,
    },
    labels: Uint16Array.from(images, ({ label }) => label),
    classNames: things,
    attributes: {
      scene: { valueNames: scenes, values: Uint16Array.from(images, ({ scene }) => scene), role: "cue" },
      watermark: {
        valueNames: ["without", "with"],
        values: Uint16Array.from(images, ({ marked }) => Number(marked)),
        role: "cue",
      },
    },
    splits: { names: ["train"], values: new Uint8Array(images.length) },
    sideImages: {
      mask: {
        shape: { height: side, width: side, channels: 1 },
        description: "white where the thing is",
        pixels: (i) => images[i]!.mask,
      },
    },
    provenance: {
      title: "Things before scenes",
      description: "Drawn things before drawn scenes, to plant shortcuts in.",
      generator: { name: "shortcut-world", version: 1 },
      settings: {},
      seed: 0,
      sources: [],
      license: "CC0-1.0",
      skipped: [],
    },
  };
}
