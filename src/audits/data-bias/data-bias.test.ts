/** Equations 1 and 2 on numbers worked by hand, and the correlations of figure 4. */

import { expect, test } from "vitest";
import type { Dataset } from "../../core/dataset.ts";
import { compareWithAccuracy } from "./correlate.ts";
import { datasetObjects } from "./dataset-objects.ts";
import { dataBiasInShort } from "./in-short.ts";
import { centreCells, type ImageObjects, measureDataBias } from "./measure.ts";

const image = (
  className: string,
  [width, height]: [number, number],
  ...boxes: [left: number, top: number, width: number, height: number][]
): ImageObjects => ({
  className,
  width,
  height,
  boxes: boxes.map(([left, top, width, height]) => ({ left, top, width, height })),
  describe: "photo.jpg",
});

test("centredness and size, with several objects an image, by hand", async () => {
  const { classes, images, objects, without, centres } = await measureDataBias([
    // In the middle, half as wide and half as high: 1 and 1/4.
    image("cat", [200, 100], [50, 25, 100, 50]),
    // Centres at (1/4, 1/2) and (3/4, 3/4) of 100 × 100: 3/4 each; areas 1/4 and 1/100.
    image("cat", [100, 100], [0, 25, 50, 50], [70, 70, 10, 10]),
    // In the corner, 10 × 20 of 100 × 200: centre (0.05, 0.05), so 0.55; area 0.01.
    image("ant", [100, 200], [0, 0, 10, 20]),
    image("ant", [64, 64]),
  ]);
  const [cat, ant] = classes;
  expect(cat).toMatchObject({ name: "cat", images: 2, objects: 3 });
  expect(cat!.centre).toBeCloseTo((1 + 0.75) / 2, 12);
  expect(cat!.size).toBeCloseTo((0.25 + (0.25 + 0.01) / 2) / 2, 12);
  expect(cat!.product).toBeCloseTo(0.875 * 0.19, 12);
  expect(ant).toMatchObject({ name: "ant", images: 1, objects: 1 });
  expect(ant!.centre).toBeCloseTo(0.55, 12);
  expect(ant!.size).toBeCloseTo(0.01, 12);
  expect({ images, objects, without }).toEqual({ images: 3, objects: 4, without: 1 });
  // Of 32 cells: a half is the first of cell 16, a quarter of 8, three quarters of 24, 0.05 lies in cell 1.
  expect(centreCells).toBe(32);
  expect([centres[16]![16], centres[16]![8], centres[24]![24], centres[1]![1]]).toEqual([1, 1, 1, 1]);
  expect(centres.flat().reduce((sum, count) => sum + count, 0)).toBe(4);
});

test("the scores reach their bounds: 1 and 1 for the whole image, towards 0.5 and 0 for a corner's pixel", async () => {
  const { classes } = await measureDataBias([
    image("whole", [30, 20], [0, 0, 30, 20]),
    image("pixel", [1000, 1000], [999, 0, 1, 1]),
  ]);
  expect(classes[0]).toMatchObject({ name: "whole", centre: 1, size: 1, product: 1 });
  expect(classes[1]!.centre).toBeCloseTo(0.5005, 12);
  expect(classes[1]!.size).toBeCloseTo(1e-6, 15);
});

test("a box that leaves its image is refused with the image's name", async () => {
  await expect(measureDataBias([image("cat", [100, 100], [60, 0, 50, 50])])).rejects.toThrow("photo.jpg");
});

test("Kendall's and Spearman's coefficients over classes, by hand", async () => {
  const one = (name: string, centre: number, size: number) => ({
    name,
    images: 1,
    objects: 1,
    centre,
    size,
    product: centre * size,
  });
  const classes = [one("a", 0.9, 0.4), one("b", 0.8, 0.6), one("c", 0.7, 0.2), one("d", 0.6, 0.1)];
  const accuracies = new Map([
    ["a", 0.1],
    ["b", 0.2],
    ["c", 0.4],
    ["d", 0.3],
    ["e", 0.9],
  ]);
  const { correlations, unmatched, points } = compareWithAccuracy(classes, accuracies);
  // Centre falls a, b, c, d while accuracy ranks 1, 2, 4, 3: one of six pairs agrees, τ = (1 − 5) / 6, and the ranks
  // differ by 3, 1, 2, 2 … : ρ = 1 − 6 · (9 + 1 + 4 + 4) / (4 · 15) = −0.8.
  expect(correlations[0]!.kendall.tau).toBeCloseTo(-4 / 6, 12);
  expect(correlations[0]!.spearman.rho).toBeCloseTo(-0.8, 12);
  // Size ranks 3, 4, 2, 1 against 1, 2, 4, 3: pairs (a,b) and (c,d) agree, four do not; ρ = 1 − 6 · 16 / 60.
  expect(correlations[1]!.kendall.tau).toBeCloseTo(-2 / 6, 12);
  expect(correlations[1]!.spearman.rho).toBeCloseTo(-0.6, 12);
  expect(unmatched).toEqual(["e"]);
  expect(points).toHaveLength(4);
});

test("classes that are alike are named together, and none stands out where all are", async () => {
  const centred = ["cat", "cow"].map((name) => image(name, [100, 100], [25, 25, 50, 50]));
  const inShort = async (images: ImageObjects[]) => {
    const bias = await measureDataBias(images);
    return dataBiasInShort({ bias } as Parameters<typeof dataBiasInShort>[0])[1];
  };
  expect(await inShort(centred)).toBe("All classes are alike in both.");
  expect(await inShort([...centred, image("ant", [100, 200], [0, 0, 10, 20])])).toBe(
    "Most in the middle and largest: cat and cow (1.00, 25.0%); least: ant (0.55, 1.0%).",
  );
});

test("of a dataset whose images show several objects all of them count", async () => {
  const boxes = [
    { left: 0, top: 0, width: 10, height: 10 },
    { left: 5, top: 5, width: 10, height: 10 },
  ];
  const dataset = {
    images: { count: 1, shape: { height: 20, width: 20, channels: 3 }, describe: () => "photo.jpg" },
    labels: [0],
    classNames: ["cat"],
    splits: { names: ["test"], values: [0] },
    boxes: { object: { description: "", at: () => boxes[0], all: async () => boxes } },
  } as unknown as Dataset;
  const { classes, objects } = await measureDataBias(datasetObjects(dataset));
  expect(objects).toBe(2);
  // Centres at 1/4 and 1/2 of the image: 3/4 and 1; each a quarter of it.
  expect(classes[0]).toMatchObject({ centre: 0.875, size: 0.25 });
});
