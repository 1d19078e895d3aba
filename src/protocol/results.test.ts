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
  const plain = { ...dataset, provenance: {} } as unknown as Dataset;
  const rows = accuracyTable(plain, Uint32Array.of(4, 5), Uint16Array.of(0, 1));
  expect(rows.map(({ slice, distribution }) => [slice, distribution])).toEqual([["test", "ID"]]);
});
