/** What is kept and what is made again. */

import { expect, test } from "vitest";
import { ByteCache } from "./byte-cache.ts";

function counted(mostBytes: number, size = 10) {
  const made: number[] = [];
  const cache = new ByteCache(
    (key) => {
      made.push(key);
      return new Uint8Array(size);
    },
    ({ length }) => length,
    mostBytes,
  );
  return { made, cache };
}

test("what fits is made once, at the same time too", async () => {
  const { made, cache } = counted(30);
  await Promise.all([cache.get(1), cache.get(1), cache.get(2)]);
  await cache.get(1);
  expect(made).toEqual([1, 2]);
});

test("the one that was not asked for longest goes first", async () => {
  const { made, cache } = counted(20);
  for (const key of [1, 2, 1, 3, 1, 2]) await cache.get(key);
  // 3 pushes out 2, which is then made again and pushes out 3.
  expect(made).toEqual([1, 2, 3, 2]);
});

test("one that is larger than the room is handed out all the same", async () => {
  const { made, cache } = counted(5);
  expect(await cache.get(1)).toHaveLength(10);
  await cache.get(2);
  await cache.get(1);
  expect(made).toEqual([1, 2, 1]);
});

test("a failure is told, and not kept", async () => {
  let attempts = 0;
  const cache = new ByteCache(
    () => {
      if (++attempts === 1) throw new Error("no disk");
      return 7;
    },
    () => 1,
    10,
  );
  await expect(cache.get(0)).rejects.toThrow("no disk");
  expect(await cache.get(0)).toBe(7);
});
