/** Grey boxes and random backgrounds: which pixels they change, and what they say of images without the thing. */

import { describe, expect, test } from "vitest";
import type { Box } from "../core/box.ts";
import type { Pixels } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { alone, Chain } from "./chain.ts";

const box: Box = { left: 2, top: 1, width: 3, height: 2 };
const [height, width, channels] = [5, 8, 3];
const inBox = (pixel: number) => {
  const [x, y] = [pixel % width, Math.floor(pixel / width)];
  return x >= 2 && x < 5 && y >= 1 && y < 3;
};
const image = (): Pixels => ({
  height,
  width,
  channels,
  data: new Uint8Array(height * width * channels).fill(7),
});
const mask: Pixels = {
  height,
  width,
  channels: 1,
  data: Uint8Array.from({ length: height * width }, (_, pixel) => (inBox(pixel) ? 255 : 0)),
};

async function made(view: string, settings = {}, found: { box?: Box; mask?: Pixels } = { box, mask }) {
  const at = {
    ...alone(randomStream(0, "box views").at(0)),
    box: async () => found.box,
    side: async () => found.mask!,
  };
  return (await new Chain([{ view, with: settings }]).make(image(), at)).pixels.data;
}

describe.each([
  ["a box", {}],
  ["the box around a mask", { from: "mask", name: "mask" }],
])("of %s", (_, settings) => {
  test("grey-box changes what is inside, and nothing else", async () => {
    const data = await made("grey-box", settings);
    for (let i = 0; i < data.length; i++) expect(data[i]).toBe(inBox(Math.floor(i / channels)) ? 128 : 7);
  });

  test("random-background changes what is outside, and nothing else", async () => {
    const data = await made("random-background", settings);
    const outside = [...data.keys()].filter((i) => !inBox(Math.floor(i / channels)));
    expect([...data.keys()].filter((i) => inBox(Math.floor(i / channels))).every((i) => data[i] === 7)).toBe(
      true,
    );
    // Noise: a hundred bytes are hardly ever all alike.
    expect(new Set(outside.map((i) => data[i])).size).toBeGreaterThan(20);
  });
});

test("without noise the surroundings are one colour", async () => {
  const data = await made("random-background", { noise: 0 });
  const colour = [...data.subarray(0, channels)];
  for (let i = 0; i < data.length; i++)
    if (!inBox(Math.floor(i / channels))) expect(data[i]).toBe(colour[i % channels]);
});

test("an image without the thing is refused", async () => {
  await expect(made("grey-box", {}, {})).rejects.toThrow(/has no box "car"/);
  const empty = { ...mask, data: new Uint8Array(mask.data.length) };
  await expect(made("random-background", { from: "mask", name: "mask" }, { mask: empty })).rejects.toThrow(
    /empty mask/,
  );
});
