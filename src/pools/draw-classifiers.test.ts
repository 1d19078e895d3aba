import { expect, test } from "vitest";
import { chunkSize, drawChunk, neverDrawn } from "./draw-classifiers.ts";
import { allKinds, kindsNamed } from "./feature-kinds.ts";

const kinds = kindsNamed([...allKinds, "random-small-cnn"], { height: 28, width: 28, channels: 2 });
const options = { seed: 3, vary: "wide", families: ["logistic", "mlp"], kinds, channels: 2 } as const;
const groups = ["pixels", "grey", "components", "filters", "random"];
const drawn = (chunks: number) => Array.from({ length: chunks }, (_, chunk) => drawChunk(chunk, options));

test("every family has every group of kinds once before any comes again, and then other kinds of it", () => {
  const chunks = drawn(100);
  for (const family of options.families) {
    const names = chunks.filter((chunk) => chunk.family === family).map(({ kind }) => kind.name);
    expect(names).toHaveLength(50);
    for (let round = 0; round < 10; round++) {
      const these = names.slice(round * groups.length, (round + 1) * groups.length);
      expect(new Set(these.map((name) => name.split("-")[0]))).toEqual(new Set(groups));
    }
    // Ten rounds: pixels of five sizes twice each, grey of two sizes five times each.
    const times = (name: string) => names.filter((each) => each === name).length;
    for (const size of [1, 2, 4, 7, 14]) expect(times(`pixels-${size}`)).toBe(2);
    for (const size of [7, 14]) expect(times(`grey-${size}`)).toBe(5);
  }
});

test("what few chunks have none of is named", () => {
  // One chunk of each family for each of five groups makes ten.
  expect(neverDrawn(10, options)).toEqual([]);
  const missing = neverDrawn(8, options);
  const there = drawn(8).map(({ family, kind }) => `${family} on ${kind.name.split("-")[0]}`);
  expect(missing).toHaveLength(2);
  const all = options.families.flatMap((family) => groups.map((group) => `${family} on ${group}`));
  expect(new Set([...missing, ...there])).toEqual(new Set(all));
});

test("numbers of classifiers go on from chunk to chunk", () => {
  const numbers = drawn(3).flatMap(({ members }) => members.map(({ number }) => number));
  expect(numbers).toEqual(Array.from({ length: 3 * chunkSize }, (_, i) => i));
});
