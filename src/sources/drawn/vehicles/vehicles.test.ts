import { beforeAll, expect, test } from "vitest";
import { randomStream } from "../../../core/random.ts";
import { type Artist, createArtist } from "../index.ts";
import { objects } from "../objects.ts";

const urban = ["sedan", "hatchback", "coupe"] as const;
const country = ["pickup", "van", "suv", "truck"] as const;
const kinds = [...urban, ...country];
type Kind = (typeof kinds)[number];

let artist: Artist;
beforeAll(async () => {
  artist = await createArtist();
});

test("the same random numbers paint every kind alike: what tells kinds apart is drawn after the paint", () => {
  for (let index = 0; index < 50; index++) {
    const paints = kinds.map((kind) => objects[kind](randomStream(3, "paint").at(index)).paint);
    for (const paint of paints) expect(paint).toEqual(paints[0]);
  }
});

test("paint tells no kind from another", () => {
  const drawn = kinds.map((kind) =>
    Array.from({ length: 320 }, (_, index) => objects[kind](randomStream(4, kind).at(index)).paint),
  );
  // Critical values of chi square at a thousandth, from printed tables: 90 degrees of freedom 137.2, 12 32.9, 6 22.5.
  const names = tableOf(drawn, ({ name }) => name);
  expect(names[0]).toHaveLength(16);
  expect(chiSquare(names)).toBeLessThan(137.2);
  expect(chiSquare(tableOf(drawn, ({ pattern }) => pattern))).toBeLessThan(32.9);
  expect(chiSquare(tableOf(drawn, ({ main }) => main.lightness > 42))).toBeLessThan(22.5);
  expect(chiSquare(tableOf(drawn, ({ gloss }) => gloss > 0.95))).toBeLessThan(22.5);
  // It would be seen if one kind had two of its sixteen colours in place of two others.
  const [first, ...others] = names as [number[], ...number[][]];
  const tampered = first.map((count, i) => (i < 2 ? count + first[i + 2]! : i < 4 ? 0 : count));
  expect(chiSquare([tampered, ...others])).toBeGreaterThan(137.2);
});

test("silhouettes of 32 pixels tell urban from country vehicles, and mostly the kind", () => {
  const means = kinds.map((kind) => {
    const mean = new Float64Array(32 * 32);
    for (let index = 0; index < 30; index++) {
      silhouette(kind, index).forEach((value, at) => {
        mean[at]! += value / 30;
      });
    }
    return mean;
  });
  let [sides, exact, total] = [0, 0, 0];
  for (const kind of kinds) {
    for (let index = 30; index < 50; index++) {
      const shape = silhouette(kind, index);
      const distances = means.map((mean) =>
        mean.reduce((sum, value, at) => sum + (value - shape[at]!) ** 2, 0),
      );
      const guess = kinds[distances.indexOf(Math.min(...distances))]!;
      total++;
      if (guess === kind) exact++;
      if (isUrban(guess) === isUrban(kind)) sides++;
    }
  }
  // Guessing gives 4/7 and 1/7. A mean is no strong classifier: mirrored cars blur it.
  expect(sides / total).toBeGreaterThan(0.85);
  expect(exact / total).toBeGreaterThan(0.6);
});

function isUrban(kind: Kind): boolean {
  return (urban as readonly Kind[]).includes(kind);
}

/** 1 where the vehicle is, standing in the middle of the lower edge. */
function silhouette(kind: Kind, index: number): Uint8Array {
  const { mask, width, height } = artist.object(kind, randomStream(5, kind).at(index), 32);
  const square = new Uint8Array(32 * 32);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (32 - height + y) * 32 + ((32 - width) >> 1) + x;
      square[at] = mask[y * width + x] === 255 ? 1 : 0;
    }
  }
  return square;
}

/** Rows of counts, one a kind, with a column for each value that occurs. */
function tableOf<T>(drawn: readonly (readonly T[])[], property: (drawing: T) => unknown): number[][] {
  const values = [...new Set(drawn.flat().map(property))];
  return drawn.map((row) =>
    values.map((value) => row.filter((drawing) => property(drawing) === value).length),
  );
}

/** Pearson's statistic of independence. */
function chiSquare(table: readonly (readonly number[])[]): number {
  const rows = table.map((row) => row.reduce((sum, count) => sum + count, 0));
  const columns = table[0]!.map((_, column) => table.reduce((sum, row) => sum + row[column]!, 0));
  const total = rows.reduce((sum, count) => sum + count, 0);
  let statistic = 0;
  table.forEach((row, i) => {
    row.forEach((count, j) => {
      const expected = (rows[i]! * columns[j]!) / total;
      statistic += (count - expected) ** 2 / expected;
    });
  });
  return statistic;
}
