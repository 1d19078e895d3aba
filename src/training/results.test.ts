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
