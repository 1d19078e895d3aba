/**
 * Drawn photographs: each class has a scene of its own, and its object stands somewhere in it, mostly near the middle, as
 * people frame what they photograph.
 */

import type { Pixels } from "../../core/dataset.ts";
import { type Random, randomStream } from "../../core/random.ts";
import { type Cutout, paste, pasteMask } from "../../images/compose.ts";
import { type Artist, createArtist, drawingsLicense } from "../../sources/drawn/index.ts";
import { type DrawnClass, habits } from "./habits.ts";
import type { Photographs, Split } from "./photographs.ts";

export interface EmbeddedOptions {
  classes: readonly DrawnClass[];
  /** Photographs of each class, by split. */
  counts: Readonly<Record<Split, number>>;
  /** Of a photograph, in pixels. */
  side: number;
  seed: number;
}

interface Sitter {
  name: DrawnClass;
  split: Split;
  /** Within its class and split. */
  position: number;
}

export async function embeddedPhotographs(options: EmbeddedOptions): Promise<Photographs> {
  const { counts, side, seed } = options;
  const classNames = options.classes;
  const artist = await createArtist();
  const sitters: Sitter[] = [];
  const enlist = (split: Split) =>
    classNames.map((name) =>
      Array.from({ length: counts[split] }, (_, position) => sitters.push({ name, split, position }) - 1),
    );
  const members = { train: enlist("train"), val: enlist("val"), test: enlist("test") };
  // By class, split and place: more classes or more photographs leave the others as they are.
  const stream = ({ name, split, position }: Sitter, part: string): Random =>
    randomStream(seed, `hard-spurious/${part}/${name}/${split}`).at(position);
  const pose = (sitter: Sitter) => drawSitter(artist, sitter, side, stream(sitter, "object"));
  return {
    classNames,
    members,
    read: (photograph) => {
      const sitter = sitters[photograph]!;
      const { object, box } = pose(sitter);
      const background = artist.scene(habits[sitter.name].scene, stream(sitter, "scene"), side);
      const image: Pixels = { ...background, data: background.data.slice() };
      const mask = { data: new Uint8Array(side * side), height: side, width: side, channels: 1 };
      paste(image, object, box.top, box.left);
      pasteMask(mask, object, box.top, box.left);
      return { image, box, boxes: [box], mask: mask.data, background };
    },
    place: (photograph) => {
      const { box } = pose(sitters[photograph]!);
      return { box, boxes: [box], width: side, height: side };
    },
    describe: (photograph) => {
      const { name, split, position } = sitters[photograph]!;
      return `drawn ${name} ${position} of ${split}`;
    },
    sources: [{ name: "Cuelab's drawings", license: drawingsLicense, sha256: {} }],
    license: drawingsLicense,
    skipped: [],
  };
}

/** The object and where it stands, wholly within the photograph. */
function drawSitter(artist: Artist, { name }: Sitter, side: number, random: Random) {
  const { reach, spread, wander } = habits[name];
  const share = Math.min(0.96, reach + spread * (2 * random.uniform() - 1));
  const [across, down] = [random.normal(), random.normal()];
  const object: Cutout = artist.object(name, random, Math.round(share * side));
  const start = (centre: number, extent: number) =>
    Math.min(side - extent, Math.max(0, Math.round(centre * side - extent / 2)));
  const box = {
    left: start(0.5 + wander * across, object.width),
    // What stands on the ground is a little below the middle.
    top: start(0.54 + wander * down, object.height),
    width: object.width,
    height: object.height,
  };
  return { object, box };
}
