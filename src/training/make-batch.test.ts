import { expect, test } from "vitest";
import type { Dataset } from "../core/dataset.ts";
import type { ViewUse } from "../views/view.ts";
import { batchBuffers } from "./batch-feed.ts";
import { type BatchBuffers, BatchMaker, type BatchPlan, type Chains } from "./make-batch.ts";

/** Image i is 4×4 pixels of value 10·i, of class i mod 2; its mask is white on the left, its background 5·i + 1. */
const shape = { height: 4, width: 4, channels: 1 };
const flat = (value: number) => ({ data: new Uint8Array(16).fill(value), ...shape });
const dataset = {
  images: {
    count: 20,
    shape,
    pixels: (index: number) => flat(10 * index),
    describe: (i: number) => `image ${i}`,
  },
  labels: Uint16Array.from({ length: 20 }, (_, i) => i % 2),
  sideImages: {
    mask: {
      shape,
      description: "",
      pixels: () => ({ ...shape, data: Uint8Array.from({ length: 16 }, (_, i) => (i % 4 < 2 ? 255 : 0)) }),
    },
    bg_only: { shape, description: "", pixels: (index: number) => flat(5 * index + 1) },
  },
} as unknown as Dataset;

const part = Uint32Array.from({ length: 20 }, (_, i) => i);
const indices = Uint32Array.from({ length: 8 }, (_, i) => i + 1);

function buffers(plan: Pick<BatchPlan, "batchSize" | "views">): BatchBuffers {
  return batchBuffers(
    new ArrayBuffer(plan.batchSize * (8 + Object.keys(plan.views).length * (8 + 16))),
    plan,
  );
}

interface Asked extends Partial<Omit<BatchPlan, "views">> {
  step?: number | undefined;
  seed?: number;
  data?: Dataset;
}

async function makeAll(
  views: Chains,
  { step, seed = 0, data = dataset, ...plan }: Asked = {},
): Promise<BatchBuffers> {
  const maker = new BatchMaker(data, { labels: data.labels, seed });
  const batch = buffers({ batchSize: 8, views });
  maker.configure({ views, part, scope: "", mean: [99], ...plan });
  await maker.fill(step === undefined ? { indices } : { indices, step }, batch);
  return batch;
}

const make = (names: readonly string[], step: number | undefined, seed = 0) =>
  makeAll({ images: names.map((view) => ({ view })) }, { step, seed });

const first = ({ views }: BatchBuffers, chain = "images") =>
  Array.from({ length: 8 }, (_, i) => views[chain]![16 * i]!);
const plain = [10, 20, 30, 40, 50, 60, 70, 80];

test("images come in the order asked for, as they are when there is no step", async () => {
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
    const maker = new BatchMaker({ ...dataset, images }, { labels: dataset.labels, seed: 0 });
    maker.configure({ views: { images: [] }, part, scope: "" });
    const batch = buffers({ batchSize: 2, views: { images: [] } });
    for (let epoch = 0; epoch < 2; epoch++) await maker.fill({ indices: Uint32Array.of(4, 9) }, batch);
    expect([batch.views.images[0], batch.views.images[16]]).toEqual([40, 90]);
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
    const { views, partners, shares } = await make(["cutmix"], step);
    for (let i = 0; i < 8; i++) {
      const pixels = [...views.images.subarray(16 * i, 16 * (i + 1))];
      const pasted = pixels.filter((value) => value === 10 * (partners[i]! + 1)).length;
      if (partners[i] !== i) expect(pasted / 16).toBeCloseTo(1 - shares[i]!, 6);
      expect(pixels.every((value) => [10 * (i + 1), 10 * (partners[i]! + 1)].includes(value))).toBe(true);
    }
  }
});

test("seed and step decide", async () => {
  const everything = ["crop", "flip", "jitter", "grey", "erase", "mixup"];
  const [a, again, otherStep, otherSeed] = [
    await make(everything, 5),
    await make(everything, 5),
    await make(everything, 6),
    await make(everything, 5, 1),
  ];
  expect(again).toEqual(a);
  expect(otherStep.views).not.toEqual(a.views);
  expect(otherSeed.views).not.toEqual(a.views);
});

const mixup = { view: "mixup" };
const erase = { view: "erase", with: { probability: 1 } };
const swap: ViewUse = { view: "background-swap", with: { masks: ["mask"] } };

test("every chain of a batch begins with the same images, and is mixed with the same partners", async () => {
  const batch = await makeAll({ images: [mixup], again: [mixup], erased: [erase, mixup] }, { step: 2 });
  expect(batch.views.again).toEqual(batch.views.images);
  expect(batch.views.erased).not.toEqual(batch.views.images);
  const unmixed = await makeAll({ images: [], erased: [erase] }, { step: 2 });
  const share = batch.shares[0]!;
  for (let i = 0; i < 8; i++) {
    for (let p = 0; p < 16; p++) {
      const [own, other] = [i, batch.partners[i]!].map((at) => unmixed.views.erased![16 * at + p]!);
      const blended = share * own! + (1 - share) * other!;
      expect(Math.abs(batch.views.erased![16 * i + p]! - blended)).toBeLessThanOrEqual(0.5001);
    }
  }
});

test("another chain has random numbers of its own, and so has another scope", async () => {
  const views = { images: [erase], other: [erase] };
  const [a, scoped] = [await makeAll(views, { step: 1 }), await makeAll(views, { step: 1, scope: "second" })];
  expect(a.views.other).not.toEqual(a.views.images);
  expect(scoped.views.images).not.toEqual(a.views.images);
  // What other chains there are changes nothing.
  expect((await makeAll({ images: [erase] }, { step: 1 })).views.images).toEqual(a.views.images);
});

test("without a step only the images themselves are there", async () => {
  const batch = await makeAll({ images: [erase], other: [erase] });
  expect(first(batch)).toEqual(plain);
  expect(new Set(batch.views.other)).toEqual(new Set([0]));
});

test("a partner of another class gives its background, and the image what its mask holds", async () => {
  for (let step = 0; step < 10; step++) {
    const { views } = await makeAll({ images: [swap] }, { step });
    for (const [i, index] of indices.entries()) {
      const [kept, swapped] = [views.images[16 * i]!, views.images[16 * i + 2]!];
      expect(kept).toBe(10 * index);
      expect(swapped % 5).toBe(1);
      expect(((swapped - 1) / 5) % 2).toBe(1 - (index % 2));
    }
  }
});

test("what a batch holds does not depend on who else makes batches, or in which order", async () => {
  const views = { images: [swap, { view: "crop" }, mixup], other: [erase] };
  const inOrder = await Promise.all([0, 1, 2, 3].map((step) => makeAll(views, { step })));
  const maker = new BatchMaker(dataset, { labels: dataset.labels, seed: 0 });
  maker.configure({ views, part, scope: "", mean: [99] });
  for (const step of [3, 1, 0, 2]) {
    const batch = buffers({ batchSize: 8, views });
    await maker.fill({ indices, step }, batch);
    expect(batch).toEqual(inOrder[step]);
  }
});

test("codes tell which view each image got, and a batch without choices has none but 0", async () => {
  const views = {
    images: [],
    chosen: [
      {
        view: "one-of",
        with: { of: ["original", swap, { view: "erase", with: { probability: 1, scale: [1, 1] } }] },
      },
    ],
  };
  const seen = new Set<number>();
  for (let step = 0; step < 10; step++) {
    const batch = await makeAll(views, { step });
    expect(new Set(batch.codes.images)).toEqual(new Set([0]));
    for (const [i, index] of indices.entries()) {
      const code = batch.codes.chosen![i]!;
      const pixels = batch.views.chosen!.subarray(16 * i, 16 * (i + 1));
      seen.add(code);
      if (code === 0) expect(new Set(pixels)).toEqual(new Set([10 * index]));
      if (code === 1) expect(pixels[2]! % 5).toBe(1);
      // Erased by the mean of the training images.
      if (code === 2) expect(pixels).toContain(99);
    }
  }
  expect(seen).toEqual(new Set([0, 1, 2]));
});

test("an empty mask is told with its image", async () => {
  const sideImages = { ...dataset.sideImages, mask: { shape, description: "", pixels: () => flat(0) } };
  await expect(makeAll({ images: [swap] }, { step: 0, data: { ...dataset, sideImages } })).rejects.toThrow(
    '"mask" of the image is an empty mask\n  where: image 1',
  );
});

test("two mixings of one batch are refused, in one chain or in two", async () => {
  const other = { view: "mixup", with: { alpha: 1 } };
  await expect(makeAll({ images: [mixup, { view: "cutmix" }] }, { step: 0 })).rejects.toThrow("choose one");
  await expect(makeAll({ images: [mixup], second: [other] }, { step: 0 })).rejects.toThrow("choose one");
});
