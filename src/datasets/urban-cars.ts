/**
 * UrbanCars: a car, town or country, in front of a background and beside an object that both go with it nearly always.
 * Two shortcuts at once show whether losing one makes a network lean on the other. After Li et al. 2023, section 2.1.
 */

import { type Attribute, type Dataset, standardSplits } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { defineDataset } from "./definition.ts";
import { drawnParts } from "./urban-cars/drawn-parts.ts";
import { assignGroups, carGroupCounts } from "./urban-cars/groups.ts";
import type { PartSplit, UrbanCarsParts } from "./urban-cars/parts.ts";
import { photoParts } from "./urban-cars/photo-parts.ts";
import { arrange, carMask, compose, coverObjects, type Scene } from "./urban-cars/scene.ts";
import { photoPlaces, photoSettingNames, settings } from "./urban-cars/settings.ts";
import { worlds } from "./urban-cars/worlds.ts";
import { withWatermark } from "./watermark-shortcut.ts";

export const urbanCars = defineDataset({
  name: "urban-cars",
  title: "UrbanCars",
  description: whatIsIn(
    "A drawn car",
    { bgCorrelation: 0.95, coObjCorrelation: 0.95 },
    ", unless set otherwise",
  ),
  paper: "Li et al. 2023",
  version: 2,
  pixelsDependOnProcessor: true,
  settings,
  places: photoSettingNames,
  examples: ["size=64", "bgCorrelation=0.95", "coObjCorrelation=0.95", "count.train=4000"],
  small: [
    "size=64",
    "count.train=160",
    "count.val=24",
    "count.test=24",
    "backgrounds.train=6",
    "backgrounds.val=2",
    "backgrounds.test=2",
  ],
  build: async (chosen, seed): Promise<Dataset> => {
    const splits = standardSplits.map((name) => {
      const balanced = { background: 0.5, thing: 0.5 };
      const training = { background: chosen.bgCorrelation, thing: chosen.coObjCorrelation };
      const count = chosen.count[name];
      const counts = carGroupCounts(count, name === "train" ? training : balanced);
      const groups = assignGroups(counts, randomStream(seed, `urban-cars/groups/${name}`));
      return { name, count, poolSize: chosen.backgrounds[name], ...groups };
    });
    const folders = photoPlaces(chosen);
    const parts = folders
      ? await photoParts(splits, chosen.size, seed, folders, chosen)
      : await drawnParts(splits, chosen.size, seed, chosen);
    const dataset: Dataset = {
      ...urbanCarsText(splits, parts),
      ...pictures(
        parts,
        chosen.size,
        splits.reduce((sum, { count }) => sum + count, 0),
      ),
      provenance: {
        title: urbanCars.title,
        description: folders
          ? `Composed of photos. ${whatIsIn("A car", chosen)}`
          : whatIsIn("A drawn car", chosen),
        generator: { name: urbanCars.name, version: urbanCars.version },
        settings: folders ? { ...chosen, ...folders } : chosen,
        seed,
        sources: parts.sources,
        citation: urbanCars.paper,
        license: parts.license,
        skipped: parts.skipped,
        statisticsBy: "broken",
        shiftedSplits: ["val", "test"],
      },
    };
    return withWatermark(dataset, chosen, seed);
  },
});

function whatIsIn(
  car: string,
  { bgCorrelation, coObjCorrelation }: { bgCorrelation: number; coObjCorrelation: number },
  reservation = "",
): string {
  const percent = (share: number) => `${Number((100 * share).toFixed(2))}%`;
  const shares =
    bgCorrelation === coObjCorrelation
      ? `both the background and the co-occurring object are of the car's world in ${percent(bgCorrelation)} of the images`
      : `the background is of the car's world in ${percent(bgCorrelation)} of the images, and the co-occurring object in ` +
        `${percent(coObjCorrelation)}`;
  return (
    `${car} in the middle, an object to its right, a background. The label is whether the car is an urban one (sedan, ` +
    "hatchback, coupe) or one of the country (pickup, van, SUV, truck). " +
    `In training ${shares}${reservation}; validation and test have all eight combinations equally often.`
  );
}

/** Which shortcuts an image breaks. */
const brokenNames = ["none", "coObject", "background", "background, coObject"];

function urbanCarsText(
  splits: readonly PartSplit[],
  { kinds }: UrbanCarsParts,
): Pick<Dataset, "name" | "labels" | "classNames" | "splits" | "attributes"> {
  const column = (key: "labels" | "backgrounds" | "things") =>
    Uint16Array.from(splits.flatMap((split) => [...split[key]]));
  const [labels, backgrounds, things] = [column("labels"), column("backgrounds"), column("things")];
  const cue = (values: Uint16Array, description: string): Attribute => ({
    values,
    valueNames: worlds,
    role: "cue",
    description,
    classValues: [0, 1],
  });
  const broken = labels.map((label, i) => (backgrounds[i] === label ? 0 : 2) + (things[i] === label ? 0 : 1));
  return {
    name: urbanCars.name,
    labels,
    classNames: worlds,
    splits: {
      names: splits.map(({ name }) => name),
      values: Uint8Array.from(splits.flatMap(({ count }, code) => Array<number>(count).fill(code))),
    },
    attributes: {
      background: cue(backgrounds, "world of the background"),
      coObject: cue(things, "world of the co-occurring object"),
      broken: {
        values: broken,
        valueNames: brokenNames,
        role: "other",
        description: "which of the two is not of the car's world",
      },
      carKind: { ...kinds.car, role: "other", description: "what the car is" },
      scene: { ...kinds.background, role: "other", description: "what the background shows" },
      thing: { ...kinds.thing, role: "other", description: "what the co-occurring object is" },
    },
  };
}

/** Images, masks, backgrounds alone and boxes, all from one arrangement of each image's parts. */
function pictures(
  parts: UrbanCarsParts,
  size: number,
  count: number,
): Pick<Dataset, "images" | "sideImages" | "boxes"> {
  // An image's masks are asked for right after it: what was drawn last need not be drawn again.
  let latest: { index: number; scene: Promise<Scene> } | undefined;
  const arranged = async (index: number): Promise<Scene> =>
    arrange(await parts.background(index), await parts.car(index), await parts.thing(index));
  const sceneOf = (index: number): Promise<Scene> => {
    if (latest?.index !== index) latest = { index, scene: arranged(index) };
    return latest.scene;
  };
  const mask = { height: size, width: size, channels: 1 };
  const image = { ...mask, channels: 3 };
  return {
    images: {
      count,
      shape: image,
      costly: true,
      describe: (index) => `urban-cars image ${index}`,
      pixels: async (index) => compose(await sceneOf(index)),
    },
    sideImages: {
      mask: {
        shape: mask,
        description: "white where the car is",
        pixels: async (index) => carMask((await sceneOf(index)).car, size),
      },
      co_occur_obj_mask: {
        shape: mask,
        description: "white where the co-occurring object is",
        pixels: async (index) => carMask((await sceneOf(index)).thing, size),
      },
      bg_only: {
        shape: image,
        description: "the image with its left quarter repeated over the car and the object",
        pixels: async (index) => coverObjects(compose(await sceneOf(index))),
      },
    },
    boxes: {
      car: { description: "the car", at: async (index) => (await sceneOf(index)).car.box },
      coObject: {
        description: "the co-occurring object",
        at: async (index) => (await sceneOf(index)).thing.box,
      },
    },
  };
}
