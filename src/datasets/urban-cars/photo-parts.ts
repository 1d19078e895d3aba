/**
 * Parts from people's own copies of Stanford Cars, Places and LVIS, as Li et al. 2023 composed theirs. Photos are
 * shuffled and dealt out to the splits: none is in two of them, and unless it is allowed none is used twice.
 */

import { CuelabError } from "../../core/errors.ts";
import { type RandomStream, randomStream } from "../../core/random.ts";
import { countryObjects, readCocoObjects, urbanObjects } from "../../sources/coco/index.ts";
import type { BackgroundSource, ObjectSource } from "../../sources/photo-source.ts";
import { countryPlaces, readPlaces, urbanPlaces } from "../../sources/places/index.ts";
import { readStanfordCars } from "../../sources/stanford-cars/index.ts";
import type { PartSplit, Parts } from "./parts.ts";
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
): Promise<Parts> {
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
  const deal = (part: "labels" | "backgrounds" | "things", name: string, worldOf: readonly number[]) =>
    dealOut(
      worldOf,
      splits.map((split) => split[part]),
      reuse,
      name,
      randomStream(seed, `urban-cars/${name}`),
    );
  const count = (source: { count: number }) => Array.from({ length: source.count }, (_, i) => i);
  const carAt = deal(
    "labels",
    "cars",
    count(cars).map((i) => worlds.indexOf(cars.kind(i))),
  );
  const backgroundAt = deal(
    "backgrounds",
    "backgrounds",
    count(backgrounds).map((i) => (country.has(backgrounds.category(i)) ? 1 : 0)),
  );
  const thingAt = deal(
    "things",
    "co-occurring objects",
    count(things).map((i) => (country.has(things.className(i)) ? 1 : 0)),
  );
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

/** For each image of all splits a photo of its world. */
function dealOut(
  worldOf: readonly number[],
  splits: readonly Uint8Array[],
  reuse: boolean,
  name: string,
  stream: RandomStream,
): Uint32Array {
  const dealt = splits.map((images) => new Uint32Array(images.length));
  for (const [world, worldName] of worlds.entries()) {
    const photos = worldOf.flatMap((own, i) => (own === world ? [i] : []));
    stream.at(world).shuffle(photos);
    const wanted = splits.map((images) => images.filter((own) => own === world).length);
    const shares = sharesOf(photos.length, wanted, reuse, `${worldName} ${name}`);
    let first = 0;
    for (const [split, images] of splits.entries()) {
      let used = 0;
      for (const [i, own] of images.entries()) {
        if (own === world) dealt[split]![i] = photos[first + (used++ % shares[split]!)]!;
      }
      first += shares[split]!;
    }
  }
  return Uint32Array.from(dealt.flatMap((part) => [...part]));
}

/** How many photos each split has for itself. */
function sharesOf(available: number, wanted: readonly number[], reuse: boolean, what: string): number[] {
  const total = wanted.reduce((sum, n) => sum + n, 0);
  if (available >= total) return [...wanted];
  const shares = wanted.map((n) => Math.floor((available * n) / total));
  if (reuse && shares.every((share, split) => share > 0 || wanted[split] === 0)) return shares;
  throw new CuelabError({
    kind: "input",
    what: `there are too few ${what}`,
    expected: `${total}: ${wanted.join(" + ")} for train, val and test`,
    got: `${available}`,
    todo: "lower count.train, count.val and count.test, or pass --set reuse=true to use photos again within a split",
  });
}

function coded(
  photos: Uint32Array,
  nameOf: (photo: number) => string,
): { values: Uint16Array; valueNames: string[] } {
  const names = Array.from(photos, nameOf);
  const valueNames = [...new Set(names)].sort();
  const codes = new Map(valueNames.map((name, code) => [name, code]));
  return { valueNames, values: Uint16Array.from(names, (name) => codes.get(name)!) };
}
