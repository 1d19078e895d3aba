/** Pictures that look the same, found as by comparing all pairs; and what counts as one. */

import { expect, test } from "vitest";
import { randomStream } from "../../../core/random.ts";
import type { Planes } from "../looks/look.ts";
import { lightCopy, perceptualHashes } from "../looks/small-copies.ts";
import { nearDuplicates } from "./near-duplicates.ts";
import { clustersBy, foldsOf, unitsOf } from "./units.ts";

const cells = 256;

test("all pairs within seven bits whose copies are alike, and no others", async () => {
  const random = randomStream(0, "hashes").at(0);
  const count = 250;
  const hashes = new BigUint64Array(count);
  const light = new Uint8Array(count * cells);
  const word = () => (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
  for (let i = 0; i < count; i++) {
    const source = i < 60 ? undefined : random.integer(60);
    let hash = source === undefined ? word() : hashes[source]!;
    // Zero to eleven bits turned: those beyond seven are another picture.
    if (source !== undefined)
      for (let k = random.integer(12); k > 0; k--) hash ^= 1n << BigInt(random.integer(64));
    hashes[i] = hash;
    for (let c = 0; c < cells; c++)
      light[i * cells + c] =
        source === undefined
          ? random.integer(256)
          : Math.min(255, light[source * cells + c]! + random.integer(3));
  }
  const found = await nearDuplicates({
    hashes,
    mirroredHashes: hashes.map((hash) => ~hash),
    light,
    count,
    broken: new Map(),
  });
  const distance = (a: number, b: number) => (hashes[a]! ^ hashes[b]!).toString(2).replaceAll("0", "").length;
  const correlated = (a: number, b: number) => {
    const [x, y] = [a, b].map((i) => Array.from(light.subarray(i * cells, (i + 1) * cells)));
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / cells;
    const [mx, my] = [mean(x!), mean(y!)];
    const dot = (p: number[], mp: number, q: number[], mq: number) =>
      p.reduce((sum, value, i) => sum + (value - mp) * (q[i]! - mq), 0);
    return dot(x!, mx, y!, my) / Math.sqrt(dot(x!, mx, x!, mx) * dot(y!, my, y!, my)) >= 0.99;
  };
  // Every pair, and what follows from them.
  const group = Array.from({ length: count }, (_, i) => i);
  for (let a = 0; a < count; a++)
    for (let b = a + 1; b < count; b++)
      if (group[a] !== group[b] && distance(a, b) <= 7 && correlated(a, b)) {
        const [from, to] = [Math.max(group[a]!, group[b]!), Math.min(group[a]!, group[b]!)];
        for (let i = 0; i < count; i++) if (group[i] === from) group[i] = to;
      }
  expect([...found]).toEqual(group);
  expect(new Set(group).size).toBeLessThan(220);
});

test("a mirrored copy, larger and a shade lighter, is a copy; one that stands on its head is none", async () => {
  const random = randomStream(0, "mirrored").at(0);
  const side = 32;
  const blocks = Array.from({ length: 64 }, () => random.integer(200));
  const picture = (scale: number, place: (x: number, y: number) => [number, number]): Planes => {
    const [width, height] = [side * scale, side * scale];
    const light = Uint8Array.from({ length: width * height }, (_, i) => {
      const [x, y] = place(Math.floor((i % width) / scale), Math.floor(i / width / scale));
      return blocks[8 * Math.floor(y / 5) + Math.floor(x / 5)]! + (scale === 2 ? 9 : 0);
    });
    return { width, height, light, red: light, green: light, blue: light };
  };
  const pictures = [
    picture(1, (x, y) => [x, y]),
    picture(2, (x, y) => [side - 1 - x, y]),
    picture(1, (x, y) => [x, side - 1 - y]),
  ];
  const hashed = pictures.map(perceptualHashes);
  expect(hashed[0]!.mirrored).toBe(hashed[1]!.upright);
  const found = await nearDuplicates({
    hashes: BigUint64Array.from(hashed, ({ upright }) => upright),
    mirroredHashes: BigUint64Array.from(hashed, ({ mirrored }) => mirrored),
    light: Uint8Array.from(pictures.flatMap((each) => [...lightCopy(each)])),
    count: 3,
    broken: new Map(),
  });
  expect([...found]).toEqual([0, 0, 2]);
});

test("many images of one hash, all plain, are no copies of each other and take no time", async () => {
  const count = 20_000;
  const plain = {
    hashes: new BigUint64Array(count),
    mirroredHashes: new BigUint64Array(count),
    light: new Uint8Array(count * cells),
    count,
    broken: new Map(),
  };
  expect(new Set(await nearDuplicates(plain)).size).toBe(count);
});

test("of a cluster one image counts, and all of it lies in one fold", () => {
  // 0, 2 and 5 by one way, 5 and 7 by another.
  const one = { codes: [4, -1, 4, -1, -1, 4, -1, -1] };
  const other = { codes: [-1, -1, -1, -1, -1, 9, -1, 9] };
  const clusters = clustersBy(8, [one, other]);
  expect([...clusters]).toEqual([0, 1, 0, 3, 4, 0, 6, 0]);
  const digests = Uint32Array.of(50, 41, 30, 77, 12, 31, 8, 99);
  const { images, chosen } = unitsOf([0, 1, 2, 3, 4, 5, 7], clusters, digests);
  expect([...images]).toEqual([1, 2, 3, 4]);
  expect([...chosen]).toEqual([1, 0, 1, 0]);
  const folds = foldsOf([0, 1, 2, 5, 7], clusters, digests, 5);
  expect(new Set([folds[0], folds[2], folds[3], folds[4]]).size).toBe(1);
});
