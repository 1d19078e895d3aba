import { beforeAll, describe, expect, test } from "vitest";
import { pixelDigest } from "../core/content-hash.ts";
import type { Dataset } from "../core/dataset.ts";
import { parseAssignments } from "../core/settings.ts";
import { mnist } from "../sources/mnist.ts";
import { variables } from "./biased-mnist/factors.ts";
import { biasedMnist } from "./biased-mnist.ts";

const build = (settings: Record<string, unknown>, seed = 1) => biasedMnist.build(settings, seed);
const classes = Array.from({ length: 10 }, (_, label) => label);
const classCells = [0, 1, 2, 3, 4, 5, 6, 7, 8, 4];
const small = { count: { train: 300, val: 50, test: 50 } };

/** χ² that a true hypothesis passes once in a thousand times; from SciPy: `chi2.isf(1e-3, degrees)`. */
const critical: Record<number, number> = { 80: 124.839, 90: 137.208, 720: 842.987, 810: 940.099 };

const indicesOf = ({ splits }: Dataset, split: number) =>
  [...splits.values.keys()].filter((i) => splits.values[i] === split);

/** The probability of each value given the class, from the rule of the paper. */
function expected(variable: string, label: number, p: number): number[] {
  const ofEntry = (entry: number) => (entry === label ? p : (1 - p) / 9);
  if (variable !== "digitPosition") return classes.map(ofEntry);
  const cells = Array.from({ length: 9 }, () => 0);
  for (const entry of classes) cells[classCells[entry]!]! += ofEntry(entry);
  return cells;
}

describe.each([0.1, 0.5, 0.7, 0.9, 1])("at pBias %d", (p) => {
  let dataset: Dataset;
  let training: number[];
  beforeAll(async () => {
    dataset = await build({ pBias: p });
    training = indicesOf(dataset, 0);
  });

  test.each(variables)("%s has the counts of the rule in every class (χ²)", (variable) => {
    const { values, valueNames } = dataset.attributes[variable]!;
    const counts = classes.map(() => valueNames.map(() => 0));
    for (const i of training) counts[dataset.labels[i]!]![values[i]!]!++;
    let chiSquare = 0;
    for (const label of classes) {
      const n = counts[label]!.reduce((sum, count) => sum + count, 0);
      expected(variable, label, p).forEach((probability, value) => {
        const count = counts[label]![value]!;
        if (probability === 0) expect(count).toBe(0);
        else chiSquare += (count - n * probability) ** 2 / (n * probability);
      });
    }
    const degrees = 10 * (valueNames.length - 1);
    expect(chiSquare).toBeLessThan(p === 1 ? 1e-9 : critical[degrees]!);
  });

  test.each(variables)("the share of %sMajority is p within three standard errors", (variable) => {
    const { values } = dataset.attributes[`${variable}Majority`]!;
    // Of the other nine entries one is the centre again for classes 4 and 9: their share of the position is higher.
    for (const shared of variable === "digitPosition" ? [false, true] : [false]) {
      const members = training.filter(
        (i) => variable !== "digitPosition" || [4, 9].includes(dataset.labels[i]!) === shared,
      );
      const rate = shared ? p + (1 - p) / 9 : p;
      const share = members.filter((i) => values[i] === 1).length / members.length;
      expect(Math.abs(share - rate)).toBeLessThanOrEqual(3 * Math.sqrt((rate * (1 - rate)) / members.length));
    }
  });
});

test("given the class, any two variables are independent (χ² over 50,000 images)", async () => {
  // At 0.5 every pair of values expects at least 13 images a class; fewer would widen the distribution of χ².
  const dataset = await build({ pBias: 0.5 });
  const training = indicesOf(dataset, 0);
  expect(training).toHaveLength(50_000);
  for (const [a, first] of variables.entries()) {
    for (const second of variables.slice(a + 1)) {
      const [one, other] = [dataset.attributes[first]!, dataset.attributes[second]!];
      const [rows, columns] = [one.valueNames.length, other.valueNames.length];
      const tables = classes.map(() => new Float64Array(rows * columns));
      for (const i of training) tables[dataset.labels[i]!]![one.values[i]! * columns + other.values[i]!]!++;
      const chiSquare = tables.reduce((sum, table) => sum + independence(table, rows, columns), 0);
      expect(chiSquare, `${first} and ${second}`).toBeLessThan(critical[10 * (rows - 1) * (columns - 1)]!);
    }
  }
});

function independence(table: Float64Array, rows: number, columns: number): number {
  const rowTotals = new Float64Array(rows);
  const columnTotals = new Float64Array(columns);
  let total = 0;
  table.forEach((count, cell) => {
    rowTotals[Math.floor(cell / columns)]! += count;
    columnTotals[cell % columns]! += count;
    total += count;
  });
  return table.reduce((sum, count, cell) => {
    const mean = (rowTotals[Math.floor(cell / columns)]! * columnTotals[cell % columns]!) / total;
    return sum + (count - mean) ** 2 / mean;
  }, 0);
}

test("validation and test are balanced unless asked otherwise", async () => {
  const share = (dataset: Dataset, split: number, variable: string) => {
    const members = indicesOf(dataset, split);
    const { values } = dataset.attributes[`${variable}Majority`]!;
    return members.filter((i) => values[i] === 1).length / members.length;
  };
  const error = 3 * Math.sqrt(0.09 / 10_000);
  const usual = await build({});
  const asked = await build({ pBiasVal: 0.9, pBiasTest: { texture: 0.9 } });
  for (const variable of variables.filter((name) => name !== "digitPosition")) {
    expect(Math.abs(share(usual, 1, variable) - 0.1)).toBeLessThan(error);
    expect(Math.abs(share(usual, 2, variable) - 0.1)).toBeLessThan(error);
    expect(Math.abs(share(asked, 1, variable) - 0.9)).toBeLessThan(error);
    expect(Math.abs(share(asked, 2, variable) - (variable === "texture" ? 0.9 : 0.1))).toBeLessThan(error);
  }
});

test("majority means the class's value: class 9 and class 4 share the centre", async () => {
  const { attributes, labels } = await build({ ...small, pBias: 0.1 });
  for (const variable of variables) {
    const { values, classValues, role } = attributes[variable]!;
    expect(role).toBe("cue");
    expect(classValues).toEqual(variable === "digitPosition" ? classCells : classes);
    const majority = attributes[`${variable}Majority`]!;
    expect(majority.role).toBe("other");
    labels.forEach((label, i) => {
      expect(majority.valueNames[majority.values[i]!]).toBe(values[i] === classValues![label] ? "yes" : "no");
    });
  }
  expect(attributes.digitPosition!.valueNames[4]).toBe("centre");
});

test("one variable's probability changes that variable alone, and only towards the class's value", async () => {
  const [low, high] = [
    await build({ ...small, pBias: 0.3 }),
    await build({ ...small, pBias: { ...all(0.3), texture: 0.8 } }),
  ];
  for (const variable of variables) {
    const [before, after] = [low.attributes[variable]!.values, high.attributes[variable]!.values];
    if (variable !== "texture") expect(after).toEqual(before);
    else {
      const changed = [...after.keys()].filter((i) => after[i] !== before[i]);
      expect(changed.length).toBeGreaterThan(50);
      for (const i of changed) expect(after[i]).toBe(high.labels[i]);
    }
  }
});

const all = (p: number) => Object.fromEntries(variables.map((variable) => [variable, p]));

test("the splits are MNIST's own digits, 50,000, 10,000 and 10,000, each once", async () => {
  const { labels, splits, images } = await build({});
  expect([0, 1, 2].map((split) => splits.values.filter((value) => value === split).length)).toEqual([
    50_000, 10_000, 10_000,
  ]);
  expect(images.shape).toEqual({ height: 96, width: 96, channels: 3 });
  const [train, test] = [await mnist("train"), await mnist("test")];
  const histogram = (values: Iterable<number>) => {
    const counts = classes.map(() => 0);
    for (const value of values) counts[value]!++;
    return counts;
  };
  expect(histogram(labels.subarray(0, 60_000))).toEqual(histogram(train.labels));
  expect(histogram(labels.subarray(60_000))).toEqual(histogram(test.labels));
});

test("smaller sets are the beginnings of larger ones, split by split", async () => {
  const larger = await build({ count: { train: 200, val: 90, test: 80 } });
  const smaller = await build({ count: { train: 70, val: 90, test: 20 } });
  const pairs = [
    ...Array.from({ length: 70 }, (_, i) => [i, i]),
    ...Array.from({ length: 90 }, (_, i) => [70 + i, 200 + i]),
    ...Array.from({ length: 20 }, (_, i) => [160 + i, 290 + i]),
  ] as [number, number][];
  expect(smaller.images.count).toBe(pairs.length);
  for (const [a, b] of pairs) {
    expect(smaller.labels[a]).toBe(larger.labels[b]);
    expect(pixelDigest(await smaller.images.pixels(a))).toEqual(pixelDigest(await larger.images.pixels(b)));
  }
});

test("no two splits show the same digit", async () => {
  // At p = 1 the class decides all but the digit, so that a digit shown twice would give equal pixels.
  const { images, splits } = await build({
    count: { train: 4000, val: 1000, test: 1000 },
    pBias: 1,
    pBiasVal: 1,
    pBiasTest: 1,
  });
  const seen = new Map<string, number>();
  for (let i = 0; i < images.count; i++) {
    const digest = String(pixelDigest(await images.pixels(i)));
    expect(seen.get(digest) ?? splits.values[i]).toBe(splits.values[i]);
    seen.set(digest, splits.values[i]!);
  }
});

test("scale and palette change pixels and names, never labels or draws", async () => {
  const usual = await build(small);
  const other = await build({ ...small, scale: 48, colors: "muted" });
  expect(other.images.shape).toEqual({ height: 48, width: 48, channels: 3 });
  expect((await other.images.pixels(0)).data).toHaveLength(48 * 48 * 3);
  expect(other.labels).toEqual(usual.labels);
  for (const variable of variables)
    expect(other.attributes[variable]!.values).toEqual(usual.attributes[variable]!.values);
  expect(other.attributes.digitColor!.valueNames[0]).toBe("#cc6677");
});

test.each([
  ["count.train=50001", /setting "count.train" cannot be 50001\s*expected: whole number from 1 to 50000/],
  ["count.val=0", /setting "count.val" cannot be 0\s*expected: whole number from 1 to 10000/],
  ["pBias=1.5", /setting "pBias" cannot be 1.5/],
  ["pBias.color=0.5", /unknown setting "pBias.color"/],
  ["scale=32", /expected: 96 or 64 or 48/],
  ["colors=pastel", /setting "colors" cannot be used\s*expected: paper, muted, or ten colours/],
])("%s is refused", async (assignment, message) => {
  await expect((async () => build(parseAssignments(biasedMnist.settings, [assignment])))()).rejects.toThrow(
    message,
  );
});
