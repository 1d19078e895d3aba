import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { encodePng } from "../images/png.ts";
import { builtInTexture, type textureKinds } from "../sources/textures/index.ts";
import { type FactorName, regions } from "./diagvib/factors.ts";
import { openTextures } from "./diagvib/textures.ts";
import { openWorld } from "./diagvib/world.ts";
import { diagvib } from "./diagvib.ts";

const root = temporaryFolder();
const few = { train: 300, val: 50, test: 50 };
const build = (settings: Record<string, unknown>, seed = 0) => diagvib.build(settings, seed);

test("the label's classes are equally frequent to the image, whatever it is", async () => {
  for (const [predict, classes] of [
    ["shape", 10],
    ["scale", 5],
    ["corruption", 5],
  ] as const) {
    const { labels } = await build({ predict: [predict], count: few });
    const counts = new Uint32Array(classes);
    for (const label of labels.subarray(0, 300)) counts[label]!++;
    expect([...counts]).toEqual(Array<number>(classes).fill(300 / classes));
  }
});

test("all 54,000 combinations occur once in 54,000 images", async () => {
  const dataset = await build({ count: { ...few, train: 54_000 } });
  const factors = Object.values(dataset.attributes);
  const seen = new Set<number>();
  for (let i = 0; i < 54_000; i++)
    seen.add(factors.reduce((code, { values, valueNames }) => code * valueNames.length + values[i]!, 0));
  expect(factors.map(({ valueNames }) => valueNames.length).sort((a, b) => a - b)).toEqual([
    4, 5, 5, 6, 9, 10,
  ]);
  expect(seen.size).toBe(54_000);
});

test("more training images leave those of other splits as they are", async () => {
  const [small, large] = [await build({ count: few }), await build({ count: { ...few, train: 320 } })];
  for (const i of [0, 7, 99]) {
    const [a, b] = [await small.images.pixels(300 + i), await large.images.pixels(320 + i)];
    expect(Buffer.from(a.data).equals(b.data)).toBe(true);
    expect(small.labels[300 + i]).toBe(large.labels[320 + i]);
  }
});

test("values lie in the region of their class, spread over all of it", async () => {
  const world = await openWorld(128, await openTextures("built-in"), 3);
  const classes: Record<FactorName, string> = {
    position: "bottom-left",
    hue: "red",
    lightness: "darker",
    scale: "smaller",
    shape: "4",
    texture: "wood",
    background: "grey",
    corruption: "none",
  };
  const all = Array.from({ length: 400 }, (_, position) =>
    world.realise({ split: "train", part: "train", position }, (factor) => classes[factor]),
  );
  const place = regions.position["bottom-left"]!;
  const lightness = regions.lightness.darker!;
  for (const [name, [low, high], values] of [
    ["row", place.row, all.map(({ row }) => row)],
    ["column", place.column, all.map(({ column }) => column)],
    ["hue", [-15, 15], all.map(({ hue }) => hue)],
    ["darker", lightness.darker, all.map(({ lightness: [darker] }) => darker)],
    ["brighter", lightness.brighter, all.map(({ lightness: [, brighter] }) => brighter)],
    ["scale", [1 / 1.25, 1 / 1.15], all.map(({ scale }) => scale)],
  ] as const) {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    expect(least, name).toBeGreaterThanOrEqual(low);
    expect(most, name).toBeLessThanOrEqual(high);
    // 400 even draws miss the outer twentieth of their range with probability 0.95⁴⁰⁰, about 1e-9.
    expect(most - least, name).toBeGreaterThan(0.9 * (high - low));
  }
  // Table A1: the third row of sevenths, the third pair of elevenths.
  expect(place).toEqual({ row: [5 / 7, 6 / 7], column: [1 / 7, 2 / 7] });
  expect(lightness).toEqual({ darker: [2 / 11, 3 / 11], brighter: [6 / 11, 7 / 11] });
});

test("of one picture a kind all splits take crops, and of twelve each split takes its own", async () => {
  const several = await openTextures("built-in");
  const one = await openTextures("built-in-one");
  expect(one.names).toEqual(several.names);
  for (const [kind, name] of one.names.entries()) {
    const picture = builtInTexture(name as (typeof textureKinds)[number], 0).grey;
    for (const part of ["train", "val", "test"] as const)
      for (const share of [0, 0.99])
        expect(Buffer.compare(one.pick(kind, part, share).grey, picture)).toBe(0);
    expect(Buffer.compare(several.pick(kind, "test", 0).grey, picture)).not.toBe(0);
  }
  const dataset = await build({ predict: ["texture"], textures: "built-in-one", count: few });
  expect(dataset.provenance.sources[2]!.name).toContain("one picture a kind");
});

test("objects can be filled with textures from a folder", async () => {
  const folder = join(root, "textures");
  mkdirSync(join(folder, "rows"), { recursive: true });
  const picture = (value: (y: number, x: number) => number) =>
    encodePng({
      data: Uint8Array.from({ length: 48 * 48 }, (_, i) => value(Math.floor(i / 48), i % 48)),
      width: 48,
      height: 48,
      channels: 1,
    });
  writeFileSync(
    join(folder, "rows", "a.png"),
    picture((y) => (y % 2) * 255),
  );
  writeFileSync(
    join(folder, "columns.png"),
    picture((_, x) => (x % 2) * 255),
  );
  const dataset = await build({ predict: ["texture"], textures: folder, count: few });
  expect(dataset.classNames).toEqual(["columns", "rows"]);
  expect(dataset.provenance.license).toContain("your textures");
  expect(Object.keys(dataset.provenance.sources[2]!.sha256)).toHaveLength(2);
  await dataset.images.pixels(0);
  writeFileSync(
    join(folder, "columns.png"),
    picture(() => 90),
  );
  await expect(build({ textures: folder })).rejects.toThrow(/one grey everywhere[\s\S]*columns\.png/);
});

test.each([
  [{ predict: ["shape", "shape"] }, /cannot predict shape, shape[\s\S]*a factor twice/],
  [
    { predict: ["position", "hue", "lightness", "scale", "shape", "texture"] },
    /54,000 combinations[\s\S]*fewer factors/,
  ],
  [{ classes: { shape: ["11"] } }, /shape has no class "11"/],
  [{ size: 20 }, /setting "size"/],
])("%j is refused", async (settings, message) => {
  await expect(build({ ...settings, count: few })).rejects.toThrow(message);
});
