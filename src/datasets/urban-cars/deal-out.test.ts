import { expect, test } from "vitest";
import { randomStream } from "../../core/random.ts";
import { dealOut } from "./deal-out.ts";

const stream = randomStream(0, "deal-out");
/** Images of a split: so many urban ones, then so many of the country. */
const images = (urban: number, country: number) =>
  Uint8Array.from([...Array<number>(urban).fill(0), ...Array<number>(country).fill(1)]);

/** Three things a photo, every fourth photo with things of both worlds. */
const things = Array.from({ length: 90 }, (_, i) => {
  const photo = Math.floor(i / 3);
  return { world: photo % 4 === 0 ? i % 2 : photo % 2, photo: `${photo}.jpg` };
});

test.each([false, true])(
  "a photo is in one split with all its things, of both worlds (reuse %s)",
  (reuse) => {
    const splits = reuse
      ? [images(60, 60), images(9, 9), images(9, 9)]
      : [images(14, 14), images(5, 5), images(5, 5)];
    const dealt = dealOut(things, splits, reuse, "things", stream);
    const splitOf = splits.flatMap((own, split) => Array<number>(own.length).fill(split));
    const worldOf = splits.flatMap((own) => [...own]);
    const owners = new Map<string, number>();
    for (const [image, thing] of dealt.entries()) {
      const { world, photo } = things[thing]!;
      expect(world).toBe(worldOf[image]);
      expect(owners.get(photo) ?? splitOf[image], photo).toBe(splitOf[image]);
      owners.set(photo, splitOf[image]!);
    }
    expect(new Set(owners.values())).toEqual(new Set([0, 1, 2]));
    if (!reuse) expect(new Set(dealt).size).toBe(dealt.length);
  },
);

test("with one thing a photo, none is left over where there are just as many as images", () => {
  const single = Array.from({ length: 20 }, (_, i) => ({ world: i % 2, photo: `${i}.jpg` }));
  const dealt = dealOut(single, [images(6, 6), images(2, 2), images(2, 2)], false, "things", stream);
  expect([...dealt].sort((a, b) => a - b)).toEqual([...single.keys()]);
});

test("few photos with many things: a photo for each split where they may be used again, else an error", () => {
  const crowded = Array.from({ length: 60 }, (_, i) => ({
    world: i % 2,
    photo: `${Math.floor(i / 20)}.jpg`,
  }));
  const splits = [images(20, 20), images(4, 4), images(4, 4)];
  expect(() => dealOut(crowded, splits, false, "things", stream)).toThrow(
    /too few photos of urban things[\s\S]*28: 20 \+ 4 \+ 4[\s\S]*got: 30 in 3 photos[\s\S]*reuse=true/,
  );
  const dealt = dealOut(crowded, splits, true, "things", stream);
  const photosOf = (from: number, to: number) =>
    new Set([...dealt.subarray(from, to)].map((thing) => crowded[thing]!.photo));
  expect([photosOf(0, 40).size, photosOf(40, 48).size, photosOf(48, 56).size]).toEqual([1, 1, 1]);
});
