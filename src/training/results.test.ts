import { expect, test } from "vitest";
import type { Dataset } from "../core/dataset.ts";
import { accuracyTable } from "./results.ts";

/** Training sees environments a and b, validation too; the test split also holds c. */
const dataset = {
  labels: Uint16Array.of(0, 1, 0, 1, 0, 1),
  classNames: ["0", "1"],
  splits: { names: ["train", "val", "test"], values: Uint8Array.of(0, 0, 1, 1, 2, 2) },
  attributes: {
    place: { values: Uint16Array.of(0, 1, 0, 1, 0, 2), valueNames: ["a", "b", "c"], role: "other" },
  },
  provenance: { statisticsBy: "place" },
} as unknown as Dataset;

const plain = { ...dataset, provenance: {} } as unknown as Dataset;

test("what training has not seen is out of distribution, and so is a split that holds some of it", () => {
  const indices = Uint32Array.of(2, 3, 4, 5);
  const rows = accuracyTable(dataset, indices, Uint16Array.of(0, 1, 0, 0));
  expect(rows.map(({ slice, distribution, accuracy }) => [slice, distribution, accuracy])).toEqual([
    ["val", "ID", 1],
    ["val, place a", "ID", 1],
    ["val, place b", "ID", 1],
    ["test", "OOD", 0.5],
    ["test, place a", "ID", 1],
    ["test, place c", "OOD", 0],
  ]);
});

test("without an attribute to tell by, every split counts as in distribution", () => {
  const rows = accuracyTable(plain, Uint32Array.of(4, 5), Uint16Array.of(0, 1));
  expect(rows.map(({ slice, distribution }) => [slice, distribution])).toEqual([["test", "ID"]]);
});

test("a split that is shifted by design is out of distribution", () => {
  const shifted = { ...plain, provenance: { ...plain.provenance, shiftedSplits: ["test"] } };
  const rows = accuracyTable(shifted, Uint32Array.of(4, 5), Uint16Array.of(0, 1));
  expect(rows.map(({ slice, distribution }) => [slice, distribution])).toEqual([["test", "OOD"]]);
});

test("a shifted split also has the mean of its classes", () => {
  // Three images of one class, one of them right, and one of the other: 2 of 4, and (1/3 + 1) / 2.
  const uneven = {
    ...plain,
    labels: Uint16Array.of(0, 1, 0, 0, 0, 1),
    splits: { names: ["train", "val", "test"], values: Uint8Array.of(0, 0, 2, 2, 2, 2) },
    provenance: { shiftedSplits: ["test"] },
  } as unknown as Dataset;
  const indices = Uint32Array.of(2, 3, 4, 5);
  const [test] = accuracyTable(uneven, indices, Uint16Array.of(0, 1, 1, 1));
  expect(test).toMatchObject({ accuracy: 0.5, classMean: expect.closeTo(2 / 3, 12) });
  expect(accuracyTable(plain, indices, Uint16Array.of(0, 1, 1, 1))[0]).not.toHaveProperty("classMean");
});

test("where a label combines factors, each factor's own accuracy is told", () => {
  // Labels 0 to 3 are two shapes by two hues.
  const combined = {
    ...plain,
    labels: Uint16Array.of(0, 1, 2, 3, 0, 3),
    classNames: ["a red", "a blue", "b red", "b blue"],
    attributes: {
      shape: {
        values: Uint16Array.of(0, 0, 1, 1, 0, 1),
        valueNames: ["a", "b"],
        role: "core" as const,
        classValues: [0, 0, 1, 1],
      },
      hue: {
        values: Uint16Array.of(0, 1, 0, 1, 0, 1),
        valueNames: ["red", "blue"],
        role: "core" as const,
        classValues: [0, 1, 0, 1],
      },
    },
  };
  const rows = accuracyTable(combined, Uint32Array.of(4, 5), Uint16Array.of(1, 3));
  expect(rows.map(({ slice, accuracy }) => [slice, accuracy])).toEqual([
    ["test", 0.5],
    ["test, shape alone", 1],
    ["test, hue alone", 0.5],
  ]);
});

/** Two cues that go with the class in 19 of 20 training images each; the test split breaks none, one, or both. */
test("images of a shifted split whose cues are as in training are in distribution, and weigh as there in one row", () => {
  const cells = (copies: readonly number[]) =>
    [0, 1].flatMap((label) =>
      copies.flatMap((n, broken) => Array.from({ length: n }, () => ({ label, broken }))),
    );
  const rows = [...cells([361, 19, 19, 1]), ...cells([10, 10, 10, 10])];
  const cue = (bit: number) => ({
    values: Uint16Array.from(rows, ({ label, broken }) => (broken & bit ? 1 - label : label)),
    valueNames: ["urban", "country"],
    role: "cue" as const,
    classValues: [0, 1],
  });
  const names = ["none", "background", "coObject", "both"];
  const cars = {
    labels: Uint16Array.from(rows, ({ label }) => label),
    classNames: ["urban", "country"],
    splits: { names: ["train", "test"], values: Uint8Array.from(rows, (_, i) => (i < 800 ? 0 : 1)) },
    attributes: {
      background: cue(1),
      coObject: cue(2),
      broken: { values: Uint16Array.from(rows, ({ broken }) => broken), valueNames: names, role: "other" },
    },
    provenance: { statisticsBy: "broken", shiftedSplits: ["test"] },
  } as unknown as Dataset;
  const indices = Uint32Array.from({ length: 80 }, (_, i) => 800 + i);
  // Right in all, 8, 6 and 2 of 10 images of a cell.
  const right = [10, 8, 6, 2];
  const predicted = Uint16Array.from(indices, (index) => {
    const { label, broken } = rows[index]!;
    return (index - 800) % 10 < right[broken]! ? label : 1 - label;
  });
  const found = accuracyTable(cars, indices, predicted);
  expect(found.map(({ slice, distribution }) => [slice, distribution])).toEqual([
    ["test", "OOD"],
    ["test, cues as common as in training", "ID"],
    ["test, broken none", "ID"],
    ["test, broken background", "OOD"],
    ["test, broken coObject", "OOD"],
    ["test, broken both", "OOD"],
  ]);
  expect(found[0]!.accuracy).toBeCloseTo(0.65, 12);
  expect(found[1]!.accuracy).toBeCloseTo(0.9025 + 0.0475 * (0.8 + 0.6) + 0.0025 * 0.2, 12);
});
