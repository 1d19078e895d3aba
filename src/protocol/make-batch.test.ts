import { expect, test } from "vitest";
import type { Dataset } from "../core/dataset.ts";
import type { AugmentationName } from "./augmentations.ts";
import { type BatchBuffers, BatchMaker } from "./make-batch.ts";

/** Image i is 4×4 pixels of value 10·i. */
const dataset = {
  images: {
    count: 20,
    shape: { height: 4, width: 4, channels: 1 },
    pixels: (index: number) => ({
      data: new Uint8Array(16).fill(10 * index),
      height: 4,
      width: 4,
      channels: 1,
    }),
    describe: String,
  },
} as unknown as Dataset;

async function make(augment: AugmentationName[], step: number | undefined, seed = 0): Promise<BatchBuffers> {
  const buffers = {
    images: new Uint8Array(8 * 16),
    partners: new Int32Array(8),
    shares: new Float32Array(8),
  };
  const indices = Uint32Array.from({ length: 8 }, (_, i) => i + 1);
  await new BatchMaker(dataset, augment, seed).fill(
    step === undefined ? { indices } : { indices, step },
    buffers,
  );
  return buffers;
}

const first = ({ images }: BatchBuffers) => Array.from({ length: 8 }, (_, i) => images[16 * i]!);

test("images come in the order asked for, as they are when there is no step", async () => {
  const plain = [10, 20, 30, 40, 50, 60, 70, 80];
  expect(first(await make([], 3))).toEqual(plain);
  const untouched = await make(["mixup", "crop", "erase"], undefined);
  expect(first(untouched)).toEqual(plain);
  expect([...untouched.shares]).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
});

test("images that take long to make are made once; others anew every time", async () => {
  const madeTwice = async (costly: boolean) => {
    let made = 0;
    const images = {
      ...dataset.images,
      ...(costly && { costly }),
      pixels: (index: number) => {
        made++;
        return dataset.images.pixels(index);
      },
    };
    const maker = new BatchMaker({ ...dataset, images }, [], 0);
    const buffers = { images: new Uint8Array(32), partners: new Int32Array(2), shares: new Float32Array(2) };
    for (let epoch = 0; epoch < 2; epoch++) await maker.fill({ indices: Uint32Array.of(4, 9) }, buffers);
    expect([buffers.images[0], buffers.images[16]]).toEqual([40, 90]);
    return made;
  };
  expect([await madeTwice(true), await madeTwice(false)]).toEqual([2, 4]);
});

test("mixup blends each image with its partner by one share", async () => {
  for (let step = 0; step < 20; step++) {
    const batch = await make(["mixup"], step);
    const share = batch.shares[0]!;
    expect([...batch.partners].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    first(batch).forEach((value, i) => {
      const blended = share * 10 * (i + 1) + (1 - share) * 10 * (batch.partners[i]! + 1);
      // Bytes are rounded.
      expect(Math.abs(value - blended)).toBeLessThanOrEqual(0.5001);
    });
  }
});

test("cutmix pastes a rectangle whose area is the partner's share of the loss", async () => {
  for (let step = 0; step < 20; step++) {
    const { images, partners, shares } = await make(["cutmix"], step);
    for (let i = 0; i < 8; i++) {
      const pixels = [...images.subarray(16 * i, 16 * (i + 1))];
      const pasted = pixels.filter((value) => value === 10 * (partners[i]! + 1)).length;
      if (partners[i] !== i) expect(pasted / 16).toBeCloseTo(1 - shares[i]!, 6);
      expect(pixels.every((value) => [10 * (i + 1), 10 * (partners[i]! + 1)].includes(value))).toBe(true);
    }
  }
});

test("seed and step decide", async () => {
  const everything: AugmentationName[] = ["crop", "flip", "jitter", "grey", "erase", "mixup"];
  const [a, again, otherStep, otherSeed] = [
    await make(everything, 5),
    await make(everything, 5),
    await make(everything, 6),
    await make(everything, 5, 1),
  ];
  expect(again).toEqual(a);
  expect(otherStep.images).not.toEqual(a.images);
  expect(otherSeed.images).not.toEqual(a.images);
});
