/** What every intervention and its control must keep: equal random numbers, equal pictures; as many pixels; the image itself untouched. */

import { describe, expect, test } from "vitest";
import type { Pixels } from "../../../core/dataset.ts";
import { randomStream } from "../../../core/random.ts";
import { contentNames } from "../../../images/watermark/contents.ts";
import { changedPixels } from "./controls.ts";
import { interventions } from "./index.ts";
import { type ChangeContext, markPlaces, type Variant } from "./intervention.ts";

const shape = { height: 64, width: 64, channels: 3 };

/** Far from black and white, so that no change is cut off; no two pixels alike. */
function noisy(seed: number): Pixels {
  const random = randomStream(seed, "noisy").at(0);
  // Some readers give Node's buffers, whose slices are no copies.
  return { ...shape, data: Buffer.from(Array.from({ length: 64 * 64 * 3 }, () => 70 + random.integer(100))) };
}

function box(top: number, left: number): Pixels {
  const data = new Uint8Array(64 * 64);
  for (let y = top; y < top + 20; y++) data.fill(255, y * 64 + left, y * 64 + left + 24);
  return { height: 64, width: 64, channels: 1, data };
}

const image = noisy(0);
const context = (stream: string): ChangeContext => ({
  random: randomStream(0, stream).at(0),
  thing: async () => box(10, 14),
  side: async () => noisy(1),
  partner: async (kind) => ({
    pixels: async () => noisy(kind === "same" ? 2 : 3),
    thing: async () => box(30, 20),
  }),
});

const all = interventions.entries.flatMap((intervention) =>
  intervention
    .variants({
      contents: contentNames,
      places: markPlaces,
      qualities: [25, 10],
      severities: [1, 3, 5],
      patches: [4],
      sizes: [0.25, 0.375, 0.5],
      shape,
      mean: [40, 90, 200],
    })
    .map((variant) => [`${intervention.name}: ${variant.name}`, variant] as const),
);

async function made(variant: Variant): Promise<{ changed: Pixels; control: Pixels }> {
  const changed = (await variant.change(image, context("change")))!;
  return { changed, control: (await variant.control(image, context("control"), changed))! };
}

/** Squares that stay where they are by chance, one of 16 on average, and fog, contrast or blur that happen to leave a byte as it was. */
const shares: Record<string, number> = { "patches-shuffled": 0.2, corruptions: 0.05, jpeg: 0.02 };

describe.each(all)("%s", (name, variant) => {
  test("changes the image, and its control as many pixels of it", async () => {
    const before = Buffer.from(image.data);
    const { changed, control } = await made(variant);
    expect(before.equals(image.data)).toBe(true);
    for (const { height, width, channels, data } of [changed, control]) {
      expect({ height, width, channels }).toEqual(shape);
      expect(data).toHaveLength(image.data.length);
    }
    const [ours, theirs] = [changed, control].map((picture) => changedPixels(image, picture).length) as [
      number,
      number,
    ];
    expect(ours).toBeGreaterThan(50);
    const share = shares[name.split(":")[0]!] ?? 0.01;
    expect(Math.abs(ours - theirs)).toBeLessThanOrEqual(Math.max(3, share * 64 * 64));
  });

  test("equal random numbers give equal pictures", async () => {
    const [once, again] = [await made(variant), await made(variant)];
    expect(Buffer.from(once.changed.data).equals(again.changed.data)).toBe(true);
    expect(Buffer.from(once.control.data).equals(again.control.data)).toBe(true);
  });
});

test("names of all variants are told apart", () => {
  expect(new Set(all.map(([name]) => name)).size).toBe(all.length);
  expect(all.length).toBeGreaterThan(60);
});

test("the twelve cells of the paper are there: three sizes, two places, two backgrounds", () => {
  const cells = all.filter(([name]) => /^object-moved: .*(middle|top right)/.test(name));
  expect(cells).toHaveLength(12);
});

test("a thing that was moved is where it should be, and its place is tiled over", async () => {
  const [, variant] = all.find(([name]) => name === "object-moved: 38%, top left")!;
  const { changed } = await made(variant);
  // 24 × 20 pixels become 24 × 20: 0.375 of 64 is 24, its longest side as it was.
  const own = (y: number, x: number) => [...image.data.subarray((y * 64 + x) * 3, (y * 64 + x) * 3 + 3)];
  const now = (y: number, x: number) => [...changed.data.subarray((y * 64 + x) * 3, (y * 64 + x) * 3 + 3)];
  for (const [y, x] of [
    [0, 0],
    [19, 23],
    [7, 11],
  ] as const)
    expect(now(y, x)).toEqual(own(y + 10, x + 14));
  expect(now(29, 37)).not.toEqual(own(29, 37));
  expect(now(50, 50)).toEqual(own(50, 50));
});

test("a background that was exchanged leaves the thing as it is", async () => {
  const [, variant] = all.find(([name]) => name.startsWith("background-exchanged"))!;
  const { changed, control } = await made(variant);
  const inThing = changedPixels(image, changed).filter((at) => box(10, 14).data[at] === 255);
  expect(inThing).toEqual([]);
  expect(Buffer.from(changed.data).equals(control.data)).toBe(false);
});

test("an image without the thing is left out", async () => {
  const nowhere = { ...context("change"), thing: async () => undefined };
  for (const { needs, variants } of interventions.entries.filter(({ needs }) => needs.includes("thing"))) {
    expect(needs.length).toBeGreaterThan(0);
    const [variant] = variants({
      contents: [],
      places: [],
      qualities: [],
      severities: [],
      patches: [],
      sizes: [0.5],
      shape,
      mean: [40, 90, 200],
    });
    expect(await variant!.change(image, nowhere)).toBeUndefined();
  }
});

test("what is plain around the thing has the mean colour of the images, not one grey for all", async () => {
  const mean = [40, 90, 200];
  const [variant] = interventions.get("background-removed").variants({ mean } as never);
  const { data } = (await variant!.change(image, context("change")))!;
  expect([...data.subarray(0, 3)]).toEqual(mean);
  const within = (20 * 64 + 20) * 3;
  expect([...data.subarray(within, within + 3)]).toEqual([...image.data.subarray(within, within + 3)]);
});
