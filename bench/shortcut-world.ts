/** Small drawn photographs of four things before four scenes, in which a watermark, a background, or nothing gives the class away. */

import type { Dataset, Pixels } from "../src/core/dataset.ts";
import { randomStream } from "../src/core/random.ts";
import { type Cutout, paste, pasteMask } from "../src/images/compose.ts";
import { addWatermark, contentOf, imageNetW } from "../src/images/watermark/watermark.ts";
import { createArtist, type ObjectName, type SceneName } from "../src/sources/drawn/index.ts";

const things: readonly ObjectName[] = ["cow", "fireplug", "truck", "stop-sign"];
const scenes: readonly SceneName[] = ["beach", "downtown", "forest-road", "living-room"];
const side = 32;
const thingSide = 22;
/** Drawings of each kind, for training and for tests. */
const drawings = { train: 60, test: 40 };
const counts = { train: 1600, test: 300 };

export interface Planted {
  /** Share of the first class's training images that have a watermark; of the others none has. */
  watermark: number;
  /** Share of images that are before the scene of their class; by chance a quarter is. */
  background: number;
}

type Part = "train" | "test";

/** Test images have no watermark, and backgrounds as in training: where these do not go with classes, exchanging them shows nothing. */
export async function drawShortcutWorld(seed: number, planted: Planted): Promise<Record<Part, Dataset>> {
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
      const cutout = cutouts[label]![random.integer(drawings[name])]!;
      const background =
        backgrounds[own ? label : random.integer(scenes.length)]![random.integer(drawings[name])]!;
      const top = random.integer(side - cutout.height + 1);
      const left = random.integer(side - cutout.width + 1);
      const marked = name === "train" && label === 0 && random.boolean(planted.watermark);
      return { ...composed(background, cutout, top, left, marked), label };
    });
    return asDataset(name, images);
  };
  return { train: part("train"), test: part("test") };
}

function composed(background: Pixels, cutout: Cutout, top: number, left: number, marked: boolean) {
  const picture = { ...background, data: Uint8Array.from(background.data) };
  paste(picture, cutout, top, left);
  const mask = { height: side, width: side, channels: 1, data: new Uint8Array(side * side) };
  pasteMask(mask, cutout, top, left);
  return {
    picture: marked ? addWatermark(picture, { ...imageNetW, ...contentOf("korean") }) : picture,
    mask,
  };
}

function asDataset(name: Part, images: readonly { picture: Pixels; mask: Pixels; label: number }[]): Dataset {
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
    attributes: {},
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
