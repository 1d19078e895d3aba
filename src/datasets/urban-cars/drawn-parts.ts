/**
 * Parts that are drawn: a car and a thing of its own for every image, and backgrounds from a pool, since a background
 * takes longer to draw than all the rest. No split uses a drawing of another.
 */

import { type Random, randomStream } from "../../core/random.ts";
import { sharedPool } from "../../images/shared-pool.ts";
import {
  type Artist,
  createArtist,
  drawingsLicense,
  type ObjectName,
  type SceneName,
} from "../../sources/drawn/index.ts";
import { type Dials, inHaze, type KindsOfWorlds, kindsOf } from "./dials.ts";
import type { PartSplit, UrbanCarsParts } from "./parts.ts";
import { sidesAt } from "./scene.ts";
import { drawnKinds, type PartName } from "./worlds.ts";

export interface DrawnCarSplit extends PartSplit {
  /** Different backgrounds of each world. */
  poolSize: number;
}

/** Where an image is: its split, and its place in it. */
interface DrawnPlace {
  split: DrawnCarSplit;
  position: number;
}

export async function drawnParts(
  splits: readonly DrawnCarSplit[],
  size: number,
  seed: number,
  dials: Dials,
): Promise<UrbanCarsParts> {
  const artist = await createArtist();
  const kinds = kindsOf(dials);
  const places = splits.flatMap((split) =>
    Array.from({ length: split.count }, (_, position): DrawnPlace => ({ split, position })),
  );
  const backdrops = new Backdrops(artist, splits, size, seed, kinds.background, dials.backgroundHaze);
  const sides = sidesAt(size);
  const [cars, things] = [randomOf(seed, splits, "car"), randomOf(seed, splits, "thing")];
  const carKind = (place: DrawnPlace, random: Random) =>
    chosen(kinds.car[place.split.labels[place.position]!]!, random);
  const thingKind = (place: DrawnPlace, random: Random) =>
    chosen(kinds.thing[place.split.things[place.position]!]!, random);
  /** The first number chooses the kind; those after it are the artist's. */
  const draw =
    (
      randomAt: (place: DrawnPlace) => Random,
      kindOf: (place: DrawnPlace, random: Random) => ObjectName,
      side: number,
      haze = 0,
    ) =>
    (index: number) => {
      const place = places[index]!;
      const random = randomAt(place);
      return inHaze(artist.object(kindOf(place, random), random, side), haze);
    };
  return {
    kinds: {
      car: coded("car", places, (place) => carKind(place, cars(place))),
      thing: coded("thing", places, (place) => thingKind(place, things(place))),
      background: coded("background", places, (place) => backdrops.kindOf(place)),
    },
    car: draw(cars, carKind, sides.car),
    thing: draw(things, thingKind, sides.thing, dials.coObjHaze),
    background: (index) => backdrops.of(places[index]!),
    sources: [],
    license: `${drawingsLicense}: drawn by Cuelab`,
    skipped: [],
  };
}

function randomOf(
  seed: number,
  splits: readonly DrawnCarSplit[],
  part: string,
): (place: DrawnPlace) => Random {
  const streams = new Map(
    splits.map((split) => [split, randomStream(seed, `urban-cars/${part}/${split.name}`)]),
  );
  return ({ split, position }) => streams.get(split)!.at(position);
}

function chosen<Kind>(kinds: readonly Kind[], random: Random): Kind {
  return kinds[random.integer(kinds.length)]!;
}

function coded(part: PartName, places: readonly DrawnPlace[], kindOf: (place: DrawnPlace) => string) {
  const valueNames: readonly string[] = drawnKinds[part].flat();
  return { valueNames, values: Uint16Array.from(places, (place) => valueNames.indexOf(kindOf(place))) };
}

/** The pool of backgrounds: for each split and world a number of its own, the kinds taking turns. */
class Backdrops {
  readonly #slots: { split: string; number: number; kind: SceneName }[] = [];
  readonly #first = new Map<DrawnCarSplit, readonly number[]>();
  readonly #choice: (place: DrawnPlace) => Random;
  readonly #at: (slot: number) => ReturnType<Artist["scene"]>;

  constructor(
    artist: Artist,
    splits: readonly DrawnCarSplit[],
    size: number,
    seed: number,
    kindsOfWorlds: KindsOfWorlds["background"],
    haze: number,
  ) {
    this.#choice = randomOf(seed, splits, "backdrop");
    for (const split of splits) {
      const firsts = kindsOfWorlds.map((kinds) => {
        const first = this.#slots.length;
        for (let number = 0; number < split.poolSize; number++) {
          this.#slots.push({ split: split.name, number, kind: kinds[number % kinds.length]! });
        }
        return first;
      });
      this.#first.set(split, firsts);
    }
    const sizes = splits.map(({ name, poolSize }) => `${name} ${poolSize}`).join(", ");
    this.#at = sharedPool(
      `urban-cars backdrops ${size} ${seed}, ${kindsOfWorlds.join()}, haze ${haze}: ${sizes}`,
      this.#slots.length,
      { height: size, width: size, channels: 3 },
      (slot) => {
        const { split, number, kind } = this.#slots[slot]!;
        const random = randomStream(seed, `urban-cars/${kind}/${split}`).at(number);
        return inHaze(artist.scene(kind, random, size), haze);
      },
    );
  }

  kindOf(place: DrawnPlace): SceneName {
    return this.#slots[this.#slotOf(place)]!.kind;
  }

  of(place: DrawnPlace) {
    return this.#at(this.#slotOf(place));
  }

  #slotOf(place: DrawnPlace): number {
    const { split, position } = place;
    const first = this.#first.get(split)![split.backgrounds[position]!]!;
    return first + this.#choice(place).integer(split.poolSize);
  }
}
