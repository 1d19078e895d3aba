import { expect, test } from "vitest";
import { randomStream } from "../core/random.ts";
import { kindsNamed, makeFeatures } from "./feature-kinds.ts";

const random = randomStream(1, "test").at(0);
const shape = { height: 8, width: 8, channels: 2 };
const count = 40;
const images = {
  shape,
  count,
  data: Uint8Array.from({ length: count * 128 }, (_, i) => random.integer(i % 2 === 0 ? 256 : 100)),
};
const all = Uint32Array.from({ length: count }, (_, i) => i);
const make = (name: string) => makeFeatures(kindsNamed([name], shape)[0]!, images, all, 0);
const at = (image: number, y: number, x: number, c: number) =>
  images.data[((image * 8 + y) * 8 + x) * 2 + c]! / 255;

test("pixels are means over blocks, and grey ones over channels too", async () => {
  const { values, width, channels } = await make("pixels-4");
  expect(width).toBe(32);
  expect([...channels!.subarray(0, 4)]).toEqual([0, 1, 0, 1]);
  // Image 3, row 1, column 2, second channel: the block of rows 2–3 and columns 4–5.
  const block = [at(3, 2, 4, 1), at(3, 2, 5, 1), at(3, 3, 4, 1), at(3, 3, 5, 1)];
  expect(values[3 * 32 + (1 * 4 + 2) * 2 + 1]).toBeCloseTo(block.reduce((a, b) => a + b) / 4, 6);
  const grey = await make("grey-7");
  expect(grey.width).toBe(49);
  // Eight rows on seven: the first block has two rows and two columns, the last one of each.
  expect(grey.values[48]).toBeCloseTo((at(0, 7, 7, 0) + at(0, 7, 7, 1)) / 2, 6);
  expect(grey.values[0]).toBeCloseTo(
    [0, 1].flatMap((y) => [0, 1].flatMap((x) => [at(0, y, x, 0), at(0, y, x, 1)])).reduce((a, b) => a + b) /
      8,
    6,
  );
});

test("components are centred, uncorrelated, and the largest first", async () => {
  const { values, width } = await make("components-4");
  const column = (k: number) => Array.from(all, (i) => values[i * width + k]!);
  const product = (a: number, b: number) =>
    column(a).reduce((sum, value, i) => sum + value * column(b)[i]!, 0) / count;
  for (let a = 0; a < 4; a++) {
    expect(column(a).reduce((sum, value) => sum + value, 0) / count).toBeCloseTo(0, 6);
    for (let b = 0; b < a; b++) expect(product(a, b)).toBeCloseTo(0, 6);
    if (a > 0) expect(product(a, a)).toBeLessThanOrEqual(product(a - 1, a - 1));
  }
});

test("filters answer alike to alike, to nothing with nothing, and each draw otherwise", async () => {
  const flat = { shape, count: 2, data: new Uint8Array(256).fill(90) };
  const kind = kindsNamed(["filters-16"], shape)[0]!;
  const { values, width } = await makeFeatures(kind, flat, all, 0);
  // 8² with filters of 5² two apart leaves 2² places.
  expect(width).toBe(16 * 4);
  // Filters sum to zero, so that an even image has no answer.
  for (const value of values) expect(Math.abs(value)).toBeLessThan(1e-5);
  const [first, again, other] = [
    await make("filters-16-1"),
    await make("filters-16-1"),
    await make("filters-16-2"),
  ];
  expect(first.values).toEqual(again.values);
  expect(first.values).not.toEqual(other.values);
});

test("kinds that small or grey images have not are left out, and unknown ones refused", () => {
  const names = (size: number, channels: number) =>
    kindsNamed(["pixels", "grey"], { height: size, width: size, channels }).map(({ name }) => name);
  expect(names(8, 1)).toEqual(["pixels-1", "pixels-2", "pixels-4", "pixels-7"]);
  expect(names(28, 3)).toContain("grey-14");
  expect(() => kindsNamed(["pixel"], shape)).toThrow(/called "pixel"[\s\S]*pixels-7/);
});

test("networks come in addition to what is named, once each", () => {
  const extractors = [{ name: "network-a", path: "a.onnx", digest: "0" }];
  const names = (wanted: string[], given = extractors) =>
    kindsNamed(wanted, { height: 2, width: 1, channels: 3 }, given).map(({ name }) => name);
  expect(names(["pixels-1", "random-small-cnn", "random-small-cnn"])).toEqual([
    "pixels-1",
    "random-small-cnn",
    "network-a",
  ]);
  expect(names(["network"])).toEqual(["network-a"]);
  expect(() => names(["network"], [])).toThrow(/features "network" are those of trained networks/);
});
