/**
 * Drawn photographs: each class has a scene of its own, and its object stands somewhere in it, mostly near the middle, as
 * people frame what they photograph.
 */

import type { Pixels } from "../../core/dataset.ts";
import { type Random, randomStream } from "../../core/random.ts";
import { type Cutout, paste, pasteMask } from "../../images/compose.ts";
import {
  type Artist,
  createArtist,
  drawingsLicense,
  type ObjectName,
  type SceneName,
} from "../../sources/drawn/index.ts";
import type { Photographs, Split } from "./photographs.ts";

interface Habit {
  scene: SceneName;
  /** Longest side of the object as a share of the photograph's: what is usual, and how far it goes either way. */
  reach: number;
  spread: number;
  /** Standard deviation of the object's centre, as a share of the photograph's side. */
  wander: number;
}

/** How each class is photographed: some large and in the middle, others small and at the side, as in ImageNet. */
const habits: Record<ObjectName, Habit> = {
  sedan: { scene: "downtown", reach: 0.72, spread: 0.2, wander: 0.06 },
  hatchback: { scene: "alley", reach: 0.7, spread: 0.2, wander: 0.06 },
  coupe: { scene: "driveway", reach: 0.78, spread: 0.16, wander: 0.04 },
  pickup: { scene: "desert-road", reach: 0.74, spread: 0.18, wander: 0.06 },
  van: { scene: "gas-station", reach: 0.74, spread: 0.18, wander: 0.05 },
  suv: { scene: "mountain-lake", reach: 0.74, spread: 0.2, wander: 0.06 },
  truck: { scene: "harbour", reach: 0.8, spread: 0.16, wander: 0.05 },
  fireplug: { scene: "crosswalk", reach: 0.5, spread: 0.22, wander: 0.1 },
  "stop-sign": { scene: "forest-road", reach: 0.58, spread: 0.26, wander: 0.1 },
  "street-sign": { scene: "living-room", reach: 0.48, spread: 0.22, wander: 0.13 },
  "parking-meter": { scene: "garage", reach: 0.6, spread: 0.22, wander: 0.1 },
  "traffic-light": { scene: "stadium", reach: 0.46, spread: 0.2, wander: 0.14 },
  cow: { scene: "field-road", reach: 0.64, spread: 0.24, wander: 0.1 },
  horse: { scene: "beach", reach: 0.68, spread: 0.22, wander: 0.08 },
  sheep: { scene: "snowfield", reach: 0.54, spread: 0.26, wander: 0.12 },
};

export interface EmbeddedOptions {
  classes: readonly ObjectName[];
  /** Photographs of each class, by split. */
  counts: Readonly<Record<Split, number>>;
  /** Of a photograph, in pixels. */
  side: number;
  seed: number;
}

interface Sitter {
  name: ObjectName;
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
    place: (photograph) => ({ box: pose(sitters[photograph]!).box, width: side, height: side }),
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
