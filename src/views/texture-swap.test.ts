/** The texture swap on images whose forms and grain are known. */

import { expect, test } from "vitest";
import { randomStream } from "../core/random.ts";
import { Chain } from "./chain.ts";
import { resolveUse } from "./resolve-use.ts";

const shape = { height: 64, width: 64, channels: 1 };
const of = (value: (x: number, y: number) => number) => ({
  ...shape,
  data: Uint8Array.from({ length: 64 * 64 }, (_, at) => value(at % 64, Math.floor(at / 64))),
});

async function swapped(own: typeof shape & { data: Uint8Array }, other: typeof own) {
  const chain = new Chain([resolveUse({ view: "texture-swap", with: { radius: 0.03, patch: 0.25 } })]);
  const none = async () => {
    throw new Error("nothing else is read");
  };
  const { pixels } = await chain.make(own, {
    label: 0,
    mean: undefined,
    random: randomStream(3, "texture").at(0),
    side: none,
    box: none,
    partner: async () => ({ label: 1, pixels: async () => other, side: none, box: none }),
  });
  return pixels.data;
}

test("the grain is the other's, the forms are the image's own", async () => {
  // Left dark, right light, with a fine chequered grain; the other is of even stripes.
  const own = of((x, y) => (x < 32 ? 60 : 180) + ((x + y) % 2 === 0 ? 10 : -10));
  const striped = of((_, y) => (y % 2 === 0 ? 120 : 100));
  const data = await swapped(own, striped);
  const at = (x: number, y: number) => data[y * 64 + x]!;
  const along = (x: number) => Array.from({ length: 40 }, (_, i) => at(x, 12 + i));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean(along(10))).toBeCloseTo(60, -0.5);
  expect(mean(along(50))).toBeCloseTo(180, -0.5);
  // Neighbours in a row were 20 apart and are equal now, but for what is left of the chequers: a 25th of 10.
  for (const y of [20, 30, 40]) expect(Math.abs(at(10, y) - at(11, y))).toBeLessThanOrEqual(1);
  // Neighbours in a column are as far apart as the stripes.
  const steps = along(10)
    .slice(1)
    .map((value, i) => Math.abs(value - along(10)[i]!));
  expect(mean(steps)).toBeGreaterThan(15);
});

test("of an even image nothing but the forms is left", async () => {
  const data = await swapped(
    of((x) => (x < 32 ? 0 : 200)),
    of(() => 90),
  );
  expect(data[10]).toBe(0);
  expect(data[63]).toBe(200);
});
