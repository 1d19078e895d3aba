/** The paper's tables against each other and against its text; what does not fit is what is noted there, and nothing else. */

import { expect, test } from "vitest";
import * as paper from "./corner-cases.ts";
import { categoriesOf, type PlacedCells, placedCells } from "./corner-cases.ts";

const { table1, table2, table3, table4, table5, table6, table7, table8, table9, table10, table11 } = paper;
const placedTables = { table1, table2, table3, table4, table5, table8, table9 };
const bothAspects = { table1, table2, table3, table4, table5 };

const valuesOf = (cells: PlacedCells) => placedCells.flatMap((cell) => [...cells[cell]]);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test("every network has twelve cells, in both aspects where the table has both", () => {
  const counts = Object.entries(placedTables).map(([name, rows]) => [name, rows.length]);
  expect(Object.fromEntries(counts)).toEqual({
    table1: 5,
    table2: 2,
    table3: 3,
    table4: 2,
    table5: 2,
    table8: 5,
    table9: 5,
  });
  for (const row of Object.values(placedTables).flat())
    for (const cells of [row.square, ...(row.preserve === undefined ? [] : [row.preserve])])
      for (const value of [row.clean, ...valuesOf(cells)]) {
        expect(value, row.network).toBeGreaterThanOrEqual(0);
        expect(value, row.network).toBeLessThan(90);
      }
  for (const row of Object.values(bothAspects).flat()) expect(row.preserve, row.network).toBeDefined();
  for (const row of [...table8, ...table9]) expect(row.preserve, row.network).toBeUndefined();
  // Corners of the printed blocks, by eye.
  expect(table1[0]).toMatchObject({ network: "ConvNeXt-Base", clean: 84.43 });
  expect(table1[0]!.square.CeO[0]).toBe(49.69);
  expect(table1[4]!.preserve!.CoR[2]).toBe(56.51);
  expect(table9[4]!.square.CoR).toEqual([3.198, 15.72, 31.63]);
});

test("proportions that are kept help in every cell, as the text says", () => {
  for (const { network, square, preserve } of Object.values(bothAspects).flat())
    for (const [i, value] of valuesOf(square).entries())
      expect(valuesOf(preserve!)[i], `${network} ${i}`).toBeGreaterThan(value);
});

test("larger objects are easier, but for three rows of cells", () => {
  const against = Object.entries(placedTables).flatMap(([name, rows]) =>
    rows.flatMap(({ network, square, preserve }) =>
      [square, ...(preserve ? [preserve] : [])].flatMap((cells) =>
        placedCells.flatMap((cell) => {
          const [small, middle, large] = cells[cell];
          return small < middle && middle < large ? [] : [`${name} ${network} ${cell}`];
        }),
      ),
    ),
  );
  // Version 2 has 500 images a cell: MViTv2's 72.6 and 72.4 are one image apart.
  expect(against).toEqual(["table1 ConvNeXt-Base CeR", "table8 MVitv2 CeO", "table9 Convnext-Base CoR"]);
});

test("version 2 has 500 images a cell: every cell × 5 is whole, but for the one that is noted", () => {
  const broken = table8.flatMap(({ network, clean, square }) =>
    [clean, ...valuesOf(square)]
      .filter((value) => Math.abs(value * 5 - Math.round(value * 5)) > 1e-9)
      .map((value) => `${network} ${value}`),
  );
  expect(broken).toEqual(["CoATNet 20.9"]);
});

test("Table 6's categories are those of the derived reference", () => {
  const { easy, medium, hard } = categoriesOf(table6);
  expect([easy, medium, hard].map((value) => Number(value.toFixed(2)))).toEqual([75.07, 68.47, 62.18]);
  expect(mean(valuesOf(table6))).toBeCloseTo(68.57, 2);
});

test("averages are the means of categories, but for two that are noted", () => {
  const off = [...table7, ...table10].flatMap(({ method, easy, medium, hard, average }) => {
    const own = mean([easy, medium, hard]);
    // Rounded to two decimals, and by sums of rounded numbers.
    return Math.abs(own - average) < 0.0075 ? [] : [[method, own.toFixed(2), average]];
  });
  expect(off).toEqual([
    ["ERM", "66.36", 65.94],
    ["Pretrained", "51.76", 51.75],
  ]);
});

test("Table 7's pretrained network is none of the printed ResNets", () => {
  const printed = [table1[1]!, ...table5].flatMap(({ square, preserve }) => [square, preserve!]);
  const categories = printed.map((cells) => {
    const { easy, medium, hard } = categoriesOf(cells);
    return [easy, medium, hard].map((value) => Number(value.toFixed(2)));
  });
  expect(categories[0]).toEqual([66.92, 50.25, 25.56]);
  expect(categories[2]).toEqual([57.07, 38.66, 16.56]);
  expect(categories[4]).toEqual([64.37, 39.75, 17.49]);
  expect(categories).not.toContainEqual([65.39, 48.5, 16.54]);
});

test("Table 9 has Table 1's clean accuracies, with Hiera's and MViTv2's exchanged", () => {
  const clean = (rows: typeof table1) => rows.map((row) => row.clean);
  expect(clean(table9).slice(0, 3)).toEqual(clean(table1).slice(0, 3));
  const [hiera, mvit] = clean(table1).slice(3);
  expect(table9.slice(3).map((row) => [row.network, row.clean])).toEqual([
    ["MViT2", hiera],
    ["Hiera", mvit],
  ]);
});

test("augmentations: CoR falls at every size where objects are squeezed, and CeR at 112 as well", () => {
  const [plain, augmented] = table5;
  const change = (cell: (typeof placedCells)[number]) =>
    augmented!.square[cell].map((value, i) => Number((value - plain!.square[cell][i]!).toFixed(2)));
  expect(change("CoR").every((points) => points < 0)).toBe(true);
  expect(change("CeR")).toEqual([0.33, 7.9, -6.98]);
  for (const cell of ["CeO", "CoO"] as const) expect(change(cell).every((points) => points > 0)).toBe(true);
});

test("Table 11's groups add up to its totals", () => {
  for (const { groups, total } of Object.values(table11))
    expect(valuesOf(groups).reduce((sum, value) => sum + value, 0)).toBe(total);
});
