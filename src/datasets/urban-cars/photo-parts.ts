/**
 * Parts from people's own copies of Stanford Cars, Places and LVIS, as Li et al. 2023 composed theirs. Photos are
 * shuffled and dealt out to the splits: none is in two of them, and unless it is allowed none is used twice.
 */

import { lookUp } from "../../core/look-up.ts";
import { randomStream } from "../../core/random.ts";
import { countryObjects, readCocoObjects, urbanObjects } from "../../layouts/coco/index.ts";
import { countryPlaces, readPlaces, urbanPlaces } from "../../layouts/places/index.ts";
import { readStanfordCars } from "../../layouts/stanford-cars/index.ts";
import type { BackgroundSource, ObjectSource } from "../../sources/photo-source.ts";
import { dealOut } from "./deal-out.ts";
import type { PartSplit, UrbanCarsParts } from "./parts.ts";
import { worlds } from "./worlds.ts";

export interface PhotoPlaces {
  cars: string;
  carMasks: string;
  places: string;
  lvis: string;
  lvisImages: string;
  keepCars?: string | undefined;
  excludeCars?: string | undefined;
  keepPlaces?: string | undefined;
  excludePlaces?: string | undefined;
}

interface PhotoChoice {
  skipMissing: boolean;
  reuse: boolean;
}

export async function photoParts(
  splits: readonly PartSplit[],
  size: number,
  seed: number,
  places: PhotoPlaces,
  { skipMissing, reuse }: PhotoChoice,
): Promise<UrbanCarsParts> {
  const cars = await readStanfordCars({
    images: places.cars,
    masks: places.carMasks,
    keep: places.keepCars,
    exclude: places.excludeCars,
    skipMissing,
  });
  const backgrounds = await readPlaces({
    folder: places.places,
    categories: [...urbanPlaces, ...countryPlaces],
    keep: places.keepPlaces,
    exclude: places.excludePlaces,
  });
  const things = await readCocoObjects({
    annotations: places.lvis,
    images: places.lvisImages,
    categories: { ...urbanObjects, ...countryObjects },
    skipMissing,
  });
  const country = new Set<string>([...countryPlaces, ...Object.keys(countryObjects)]);
  const deal = (
    part: "labels" | "backgrounds" | "things",
    name: string,
    items: { count: number; worldOf: (i: number) => number; photoOf: (i: number) => string },
  ) =>
    dealOut(
      Array.from({ length: items.count }, (_, i) => ({ world: items.worldOf(i), photo: items.photoOf(i) })),
      splits.map((split) => split[part]),
      reuse,
      name,
      randomStream(seed, `urban-cars/${name}`),
    );
  const carAt = deal("labels", "cars", {
    count: cars.count,
    worldOf: (i) => worlds.indexOf(cars.kind(i)),
    photoOf: (i) => cars.photo(i),
  });
  const backgroundAt = deal("backgrounds", "backgrounds", {
    count: backgrounds.count,
    worldOf: (i) => (country.has(backgrounds.category(i)) ? 1 : 0),
    photoOf: (i) => backgrounds.describe(i),
  });
  const thingAt = deal("things", "co-occurring objects", {
    count: things.count,
    worldOf: (i) => (country.has(things.className(i)) ? 1 : 0),
    photoOf: (i) => things.photo(i),
  });
  const records = [cars.record, backgrounds.record, things.record];
  return {
    kinds: {
      car: coded(carAt, (i) => cars.className(i)),
      background: coded(backgroundAt, (i) => backgrounds.category(i)),
      thing: coded(thingAt, (i) => things.className(i)),
    },
    car: (index) => cars.cutout(carAt[index]!),
    thing: (index) => things.cutout(thingAt[index]!),
    background: (index) => backgrounds.pixels(backgroundAt[index]!, size),
    sources: records,
    license: records.map(({ name, license }) => `${name}: ${license}`).join("; "),
    skipped: skippedOf([cars, backgrounds, things]),
  };
}

function skippedOf(sources: readonly (ObjectSource | BackgroundSource)[]) {
  return sources.flatMap(({ skipped }) => skipped);
}

function coded(
  photos: Uint32Array,
  nameOf: (photo: number) => string,
): { values: Uint16Array; valueNames: string[] } {
  const names = Array.from(photos, nameOf);
  const valueNames = [...new Set(names)].sort();
  const codes = new Map(valueNames.map((name, code) => [name, code]));
  return { valueNames, values: Uint16Array.from(names, (name) => lookUp(codes, name)) };
}
