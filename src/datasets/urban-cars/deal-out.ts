/**
 * Deals things in photos out to splits. A photo goes to one split with everything in it: two things of one photo share
 * its light and its camera, which a network could recognise.
 */

import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import type { RandomStream } from "../../core/random.ts";
import { worlds } from "./worlds.ts";

interface Thing {
  world: number;
  /** Equal for things of one photo. */
  photo: string;
}

/** For each image of all splits a thing of its world, by its place in the list; `splits` holds the images' worlds. */
export function dealOut(
  things: readonly Thing[],
  splits: readonly Uint8Array[],
  reuse: boolean,
  name: string,
  stream: RandomStream,
): Uint32Array {
  const dealt = splits.map((images) => new Uint32Array(images.length));
  /** Photos that have a split already, by things of the other world. */
  const owners = new Map<string, number>();
  for (const [world, worldName] of worlds.entries()) {
    const shuffled = things.flatMap((thing, i) => (thing.world === world ? [i] : []));
    stream.at(world).shuffle(shuffled);
    const photos = new Map<string, number[]>();
    for (const i of shuffled) {
      const own = photos.get(things[i]!.photo);
      if (own) own.push(i);
      else photos.set(things[i]!.photo, [i]);
    }
    const wanted = splits.map((images) => images.filter((own) => own === world).length);
    const shares = sharePhotos(photos, owners, wanted, reuse);
    if (shares.some((own, split) => own.length < (reuse ? Math.min(1, wanted[split]!) : wanted[split]!)))
      throw tooFew(`${worldName} ${name}`, photos, wanted, reuse);
    for (const [split, images] of splits.entries()) {
      let used = 0;
      for (const [i, own] of images.entries()) {
        if (own === world) dealt[split]![i] = shares[split]![used++ % shares[split]!.length]!;
      }
    }
  }
  return Uint32Array.from(dealt.flatMap((part) => [...part]));
}

/** The things of each split: of photos that it has already, then of others in their order, as many as it needs. */
function sharePhotos(
  photos: ReadonlyMap<string, readonly number[]>,
  owners: Map<string, number>,
  wanted: readonly number[],
  reuse: boolean,
): number[][] {
  const total = sum(wanted);
  const available = sum([...photos.values()].map((own) => own.length));
  const targets = wanted.map((n) =>
    reuse && available < total ? Math.min(n, Math.max(1, Math.floor((available * n) / total))) : n,
  );
  const shares: number[][] = wanted.map(() => []);
  const free: string[] = [];
  for (const [photo, own] of photos) {
    const split = owners.get(photo);
    if (split === undefined) free.push(photo);
    else shares[split]!.push(...own);
  }
  for (const [split, target] of targets.entries()) {
    const own = shares[split]!;
    // Splits after this one need a photo each.
    const kept = targets.filter((n, other) => other > split && n > 0 && shares[other]!.length === 0).length;
    while (own.length < target && free.length > kept) {
      const photo = free.shift()!;
      owners.set(photo, split);
      own.push(...lookUp(photos, photo));
    }
  }
  return shares;
}

function tooFew(
  what: string,
  photos: ReadonlyMap<string, readonly number[]>,
  wanted: readonly number[],
  reuse: boolean,
): CuelabError {
  const available = sum([...photos.values()].map((own) => own.length));
  const several = photos.size < available;
  return new CuelabError({
    kind: "input",
    what: several ? `there are too few photos of ${what}` : `there are too few ${what}`,
    expected:
      `${sum(wanted)}: ${wanted.join(" + ")} for train, val and test` +
      (several ? ", no photo in two of them" : ""),
    got: several
      ? `${available} in ${photos.size} ${photos.size === 1 ? "photo" : "photos"}`
      : `${available}`,
    todo: reuse
      ? "add photos, or lower count.train, count.val and count.test"
      : "lower count.train, count.val and count.test, or pass --set reuse=true to use photos again within a split",
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, n) => total + n, 0);
}
