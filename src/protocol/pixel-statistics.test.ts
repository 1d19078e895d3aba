import { expect, test } from "vitest";
import { pixelStatistics } from "./pixel-statistics.ts";

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
