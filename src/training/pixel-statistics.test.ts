import { expect, test } from "vitest";
import type { Dataset } from "../core/dataset.ts";
import { pixelStatistics, pixelsOf } from "./pixel-statistics.ts";

const shape = { height: 2, width: 2, channels: 2 };

/** Images with the given bytes in each channel, the same at all four places. */
function images(...bytes: [number, number][]) {
  return {
    images: {
      count: bytes.length,
      shape,
      pixels: (i: number) => ({
        ...shape,
        data: Uint8Array.from({ length: 8 }, (_, at) => bytes[i]![at % 2]!),
      }),
      describe: String,
    },
  };
}

test("mean and deviation of each channel, of two values", async () => {
  const { mean, deviation } = await pixelStatistics(images([0, 51], [255, 102]), Uint32Array.of(0, 1));
  expect(mean).toEqual([0.5, 0.3]);
  expect(deviation[0]).toBeCloseTo(0.5, 15);
  expect(deviation[1]).toBeCloseTo(0.1, 15);
});

test("a channel that never changes has deviation 1, whatever its value", async () => {
  for (const value of [0, 1, 77, 254, 255]) {
    const { deviation } = await pixelStatistics(images([value, 3], [value, 9]), Uint32Array.of(0, 1));
    expect(deviation[0]).toBe(1);
    expect(deviation[1]).toBeCloseTo(3 / 255, 15);
  }
});

test("what a spec gives is taken as it is, or for all channels where it is the same for all", async () => {
  const dataset = images([0, 0]) as unknown as Dataset;
  const given = (mean: number[], deviation: number[], name = "resnet18") =>
    pixelsOf({ model: { name, options: {} }, pixels: { mean, deviation } }, dataset);
  expect(await given([0.1, 0.2], [0.3, 0.4])).toEqual({ mean: [0.1, 0.2], deviation: [0.3, 0.4] });
  expect(await given([0.5, 0.5, 0.5], [0.5, 0.5, 0.5])).toEqual({ mean: [0.5, 0.5], deviation: [0.5, 0.5] });
  await expect(given([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])).rejects.toMatchObject({
    kind: "usage",
    message: expect.stringMatching(/3 channels, and the images have 2[\s\S]*--pixels data/),
  });
  // A network that does not standardise has none.
  expect(await given([0.1, 0.2], [0.3, 0.4], "small-cnn")).toBeUndefined();
});
