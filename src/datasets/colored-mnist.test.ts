import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import type { Dataset } from "../core/dataset.ts";
import { mnist } from "../sources/mnist.ts";
import { coloredMnist } from "./colored-mnist.ts";

const root = temporaryFolder();

const build = (settings: Record<string, unknown>, seed = 1) => coloredMnist.build(settings, seed);

/** How often `agrees` holds among the images that `where` picks, and how many those are. */
function rate(
  { images }: Dataset,
  where: (i: number) => boolean,
  agrees: (i: number) => boolean,
): { share: number; n: number } {
  let [n, hits] = [0, 0];
  for (let i = 0; i < images.count; i++) {
    if (!where(i)) continue;
    n++;
    if (agrees(i)) hits++;
  }
  return { share: hits / n, n };
}

function expectWithinThreeErrors({ share, n }: { share: number; n: number }, probability: number): void {
  expect(Math.abs(share - probability)).toBeLessThan(
    3 * Math.sqrt((probability * (1 - probability)) / n) + 1e-12,
  );
}

test("colour agrees with the label at each environment's rate, and the digit's class in 75%", async () => {
  for (const seed of [0, 1, 2]) {
    const dataset = await build({}, seed);
    const { color, environment, digitClass } = dataset.attributes;
    expect(dataset.images.count).toBe(70_000);
    for (const [e, probability] of [0.1, 0.2, 0.9].entries()) {
      const here = (i: number) => environment!.values[i] === e;
      expectWithinThreeErrors(
        rate(dataset, here, (i) => color!.values[i] === dataset.labels[i]),
        probability,
      );
      expectWithinThreeErrors(
        rate(dataset, here, (i) => digitClass!.values[i] === dataset.labels[i]),
        0.75,
      );
    }
    // Noise and agreement are independent: colour says as much about a flipped label as about a kept one.
    const flipped = (i: number) =>
      environment!.values[i] === 0 && digitClass!.values[i] !== dataset.labels[i];
    expectWithinThreeErrors(
      rate(dataset, flipped, (i) => color!.values[i] === dataset.labels[i]),
      0.1,
    );
  }
});

test("environments are disjoint, split 80/20, and together use every digit once", async () => {
  const dataset = await build({ labelNoise: 0 });
  const { environment, part } = dataset.attributes;
  const sizes = [0, 1, 2].map((e) =>
    [0, 1].map(
      (p) =>
        rate(
          dataset,
          (i) => environment!.values[i] === e && part!.values[i] === p,
          () => true,
        ).n,
    ),
  );
  // 70,000 = 23,334 + 23,333 + 23,333; the out part is a fifth, rounded down.
  expect(sizes).toEqual([
    [18_668, 4666],
    [18_667, 4666],
    [18_667, 4666],
  ]);
  // Each digit of MNIST appears exactly once: compare the multiset of grey images by their sums and labels.
  const key = (pixels: Uint8Array, digit: number) =>
    `${digit}:${pixels.reduce((sum, v) => sum + v, 0)}:${pixels.reduce((h, v) => (Math.imul(h, 31) + v) | 0, 7)}`;
  const seen = new Map<string, number>();
  for (const part of ["train", "test"] as const) {
    const { count, image, labels } = await mnist(part);
    for (let i = 0; i < count; i++) {
      const k = key(image(i), labels[i]!);
      seen.set(k, (seen.get(k) ?? 0) + 1);
    }
  }
  for (let i = 0; i < dataset.images.count; i++) {
    const { data } = await dataset.images.pixels(i);
    const grey = new Uint8Array(784);
    for (let p = 0; p < 784; p++) grey[p] = data[3 * p]! + data[3 * p + 1]!;
    const k = key(grey, dataset.attributes.digit!.values[i]!);
    seen.set(k, (seen.get(k) ?? 0) - 1);
  }
  expect([...seen.values()].every((left) => left === 0)).toBe(true);
});

test("train and val come from the training environments' parts, test is the held-out environment", async () => {
  const dataset = await build({ trainPerEnvironment: 50 });
  const { environment, part } = dataset.attributes;
  const where = (split: number) =>
    [...dataset.splits.values.keys()].filter((i) => dataset.splits.values[i] === split);
  expect(new Set(where(0).map((i) => `${environment!.values[i]}${part!.values[i]}`))).toEqual(
    new Set(["00", "10"]),
  );
  expect(new Set(where(1).map((i) => `${environment!.values[i]}${part!.values[i]}`))).toEqual(
    new Set(["01", "11"]),
  );
  expect(new Set(where(2).map((i) => environment!.values[i]))).toEqual(new Set([2]));
});

test("an environment's images do not change with the choice of test environment", async () => {
  const fingerprint = async (testEnvironments: number[]) => {
    const dataset = await build({ trainPerEnvironment: 40, testEnvironments });
    const rows: string[] = [];
    for (let i = 0; i < dataset.images.count; i++) {
      const { data } = await dataset.images.pixels(i);
      rows.push(
        `${dataset.attributes.environment!.values[i]} ${dataset.labels[i]} ${Buffer.from(data).toString("base64")}`,
      );
    }
    return rows.sort();
  };
  expect(await fingerprint([0])).toEqual(await fingerprint([2]));
});

test("colour is the digit in one channel, black elsewhere; 14 keeps every second pixel; 2 channels drop blue", async () => {
  const full = await build({ trainPerEnvironment: 20 });
  const small = await build({ trainPerEnvironment: 20, size: 14, channels: 2 });
  for (let i = 0; i < full.images.count; i += 7) {
    const { data } = await full.images.pixels(i);
    const half = await small.images.pixels(i);
    const on = full.attributes.color!.values[i]!;
    for (let y = 0; y < 28; y++) {
      for (let x = 0; x < 28; x++) {
        const at = 3 * (28 * y + x);
        expect([data[at + 1 - on], data[at + 2]]).toEqual([0, 0]);
        if (y % 2 === 0 && x % 2 === 0)
          expect(half.data[2 * (14 * (y / 2) + x / 2) + on]).toBe(data[at + on]);
      }
    }
    expect(half).toMatchObject({ height: 14, width: 14, channels: 2 });
  }
});

test("repeated digits stay within their part", async () => {
  const dataset = await build({
    trainPerEnvironment: 30_000,
    repeatDigits: true,
    environments: [0.1, 0.9],
    testEnvironments: [],
  });
  expect(dataset.images.count).toBe(2 * (30_000 + 7500));
  const { environment, part } = dataset.attributes;
  const owner = new Map<string, string>();
  for (let i = 0; i < dataset.images.count; i += 11) {
    const { data } = await dataset.images.pixels(i);
    const grey = Buffer.alloc(784);
    for (let p = 0; p < 784; p++) grey[p] = data[3 * p]! + data[3 * p + 1]!;
    const key = grey.toString("base64");
    const home = `${environment!.values[i]} ${part!.values[i]}`;
    expect(owner.get(key) ?? home).toBe(home);
    owner.set(key, home);
  }
});

test.each([
  [
    { trainPerEnvironment: 20_000 },
    /trainPerEnvironment=20000 is more than there are digits[\s\S]*at most 18667|18668/,
  ],
  [{ testEnvironments: [3] }, /position 3[\s\S]*from 0 to 2/],
  [{ environments: [] }, /setting "environments"/],
  [{ environments: [1.5] }, /setting "environments.0"/],
  [{ labelNoise: Number.NaN }, /setting "labelNoise"/],
])("%j is refused", async (settings, message) => {
  await expect(build(settings)).rejects.toThrow(message);
});

test("one environment alone has no test split, and equal rates get names of their own", async () => {
  const alone = await build({ environments: [0.3], trainPerEnvironment: 10 });
  expect(alone.splits.values.includes(2)).toBe(false);
  const twins = await build({ environments: [0.1, 0.1], trainPerEnvironment: 10 });
  expect(twins.attributes.environment!.valueNames).toEqual(["0.1", "0.1 (2)"]);
});

test("digits may come from an IDX pair of one's own", async () => {
  const folder = root;
  const images = Buffer.alloc(16 + 20 * 784, 200);
  images.set([0, 0, 8, 3, 0, 0, 0, 20, 0, 0, 0, 28, 0, 0, 0, 28]);
  writeFileSync(join(folder, "own-images-idx3-ubyte"), images);
  writeFileSync(
    join(folder, "own-labels-idx1-ubyte"),
    Buffer.from([0, 0, 8, 1, 0, 0, 0, 20, ...Array.from({ length: 20 }, (_, i) => i % 4)]),
  );
  const dataset = await build({ digits: join(folder, "own-images-idx3-ubyte"), environments: [0.5] });
  expect(dataset.images.count).toBe(20);
  expect(dataset.classNames).toEqual(["below 2", "2 or above"]);
});
