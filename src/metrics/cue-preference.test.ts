/** Li et al. 2023, Fig. 6: how often predictions follow the object and each cue, from four cells by hand. */

import { expect, test } from "vitest";
import { cuePreferenceOf } from "./cue-preference.ts";

/** Two classes and two cues of the same worlds; `copies` images in each of the eight groups. */
function cars(copies: (cell: number) => number, right: readonly number[]) {
  const rows = [0, 1].flatMap((label) =>
    [0, 1, 2, 3].flatMap((cell) =>
      Array.from({ length: copies(cell) }, (_, i) => ({
        label,
        background: cell & 1 ? 1 - label : label,
        object: cell >> 1 ? 1 - label : label,
        predicted: i < right[cell]! * copies(cell) ? label : 1 - label,
      })),
    ),
  );
  const cue = (values: number[], classValues?: number[]) => ({
    values: Uint16Array.from(values),
    valueNames: ["urban", "country"],
    role: "cue" as const,
    ...(classValues && { classValues }),
  });
  const dataset = {
    labels: Uint16Array.from(rows, ({ label }) => label),
    classNames: ["urban", "country"],
    attributes: {
      background: cue(
        rows.map(({ background }) => background),
        [0, 1],
      ),
      coObject: cue(
        rows.map(({ object }) => object),
        [0, 1],
      ),
      weather: cue(rows.map(() => 0)),
    },
  };
  return { dataset, predicted: rows.map((row) => row.predicted), indices: Uint32Array.from(rows.keys()) };
}

// Cells: both common, background uncommon, object uncommon, both uncommon.
const [a, b, c, bc] = [0.95, 0.6, 0.85, 0.2] as const;
const expected = {
  class: (a + b + c + bc) / 4,
  background: (a + c + (1 - b) + (1 - bc)) / 4,
  coObject: (a + b + (1 - c) + (1 - bc)) / 4,
};

test.each([
  ["balanced images", () => 20],
  ["images as in training, groups counting the same", (cell: number) => [400, 40, 40, 20][cell]!],
])("%s: the shares of the paper's formula", (_, copies) => {
  const { dataset, predicted, indices } = cars(copies, [a, b, c, bc]);
  const found = cuePreferenceOf(dataset, indices)!(predicted);
  expect(Object.keys(found)).toEqual(["class", "background", "coObject"]);
  for (const [name, share] of Object.entries(expected)) expect(found[name]).toBeCloseTo(share, 12);
});

test("without a cue that names classes there is nothing to follow", () => {
  const { dataset, indices } = cars(() => 2, [1, 1, 1, 1]);
  const { weather } = dataset.attributes;
  expect(cuePreferenceOf({ ...dataset, attributes: { weather } }, indices)).toBeNull();
  const shared = { ...weather, classValues: [0, 0] };
  expect(cuePreferenceOf({ ...dataset, attributes: { shared } }, indices)).toBeNull();
});
