/** What a sweep says of its data: cues go to methods that may be told of some, seeds draw the images where that is asked for. */

import { expect, test } from "vitest";
import { DataBook } from "../training/data-book.ts";
import { SpecMaker } from "./drive-sweep.ts";
import { sweepEntries } from "./sweep-entries.ts";
import { parseSweep } from "./sweep-file.ts";

const sweep = (own: string) => `
name: cues
base: { model: { name: mlp } }
datasets:
  - { label: Cars, data: { name: urban-cars, settings: { size: 64 } }, method: { explicit: [coObject, background] } }
runs:
  - { label: ERM, method: { name: erm } }
  - { label: Group DRO, method: { name: group-dro${own} } }
`;

async function told(text: string) {
  const entries = sweepEntries(await parseSweep(text, "cues.yaml"));
  const specs = await Promise.all(entries.map((entry) => new SpecMaker(new DataBook()).make(entry, {}, 0)));
  return specs.map(({ method }) => method.explicit);
}

test("a dataset's cues are for those that take them, an entry's own win", async () => {
  expect(await told(sweep(""))).toEqual([undefined, ["background", "coObject"]]);
  expect(await told(sweep(", explicit: [coObject]"))).toEqual([undefined, ["coObject"]]);
});

test("what is missing is asked for in the words of the file", async () => {
  const without = sweep("").replace(/, method: \{ explicit.*?\}/, "");
  await expect(told(without)).rejects.toThrow(
    /try: add method\.explicit, such as method\.explicit: \[background,coObject\]/,
  );
});

test("each seed draws its own images where that is asked for, and else weights alone", async () => {
  const seeds = async (text: string) => {
    const [entry] = sweepEntries(await parseSweep(text, "seeds.yaml"));
    const specs = new SpecMaker(new DataBook());
    const made = await Promise.all([0, 7].map((seed) => specs.make(entry!, {}, seed)));
    return made.map(({ data, seed }) => [data.seed, seed]);
  };
  const each = sweep("").replace("size: 64 }", "size: 64 }, seed: each");
  expect(await seeds(each)).toEqual([
    [0, 0],
    [7, 7],
  ]);
  expect(await seeds(sweep(""))).toEqual([
    [0, 0],
    [0, 7],
  ]);
});
