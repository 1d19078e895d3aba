/** Sets of images worked out by hand on eight images. */

import { expect, test } from "vitest";
import { columnWords } from "../core/group-words.ts";
import type { EnvironmentPlan } from "../training/environments.ts";
import { poolPairs } from "./line-pairs.ts";
import { groupAttributes, measuredSets } from "./measured-sets.ts";

const attribute = (valueNames: string[], values: number[]) => ({
  valueNames,
  values: Uint16Array.from(values),
  role: "cue" as const,
});

const dataset = {
  name: "eight",
  labels: Uint16Array.from([0, 0, 0, 1, 1, 0, 1, 1]),
  classNames: ["polar bear", "cat"],
  attributes: {
    place: attribute(["0.5, wet", "0_5_wet", "sea"], [0, 1, 0, 0, 1, 0, 1, 1]),
    night: attribute(["no", "yes"], [0, 0, 0, 0, 1, 1, 1, 0]),
  },
};
const plan: EnvironmentPlan = {
  kind: "splits",
  environments: [
    { name: "train", inPart: Uint32Array.of(0, 1, 2, 3), outPart: Uint32Array.of(4, 5) },
    { name: "test", inPart: new Uint32Array(0), outPart: Uint32Array.of(6, 7) },
  ],
};
const found = (groups: string[], testImages = 10) => {
  const { sets, empty } = measuredSets(plan, dataset, { groups, testImages });
  return {
    sets: sets.map(({ column, indices }): [string, number[]] => [column, [...indices]]),
    empty: empty.map(({ column }) => column),
  };
};

const parts = [
  ["env0_in_acc", [0, 1, 2, 3]],
  ["env0_out_acc", [4, 5]],
  ["env1_out_acc", [6, 7]],
];

test("without groups there are the parts, of which in ones are thinned out evenly", () => {
  expect(found([])).toEqual({ sets: parts, empty: [] });
  expect(found([], 2).sets[0]).toEqual(["env0_in_acc", [0, 2]]);
});

test("groups with images have a column, and the others are told", () => {
  const { sets, empty } = found(["place"]);
  // Both names of places become 0_5_wet, so that the second gets a number.
  expect(sets).toEqual([
    ...parts,
    ["env0_in_acc class=polar_bear place=0_5_wet", [0, 2]],
    ["env0_in_acc class=polar_bear place=0_5_wet~2", [1]],
    ["env0_in_acc class=cat place=0_5_wet", [3]],
    ["env0_out_acc class=polar_bear place=0_5_wet", [5]],
    ["env0_out_acc class=cat place=0_5_wet~2", [4]],
    ["env1_out_acc class=cat place=0_5_wet~2", [6, 7]],
  ]);
  // Three parts of six groups each.
  expect(empty).toHaveLength(18 - 6);
  expect(empty).toContain("env1_out_acc class=polar_bear place=sea");
  const { sets: all } = measuredSets(plan, dataset, { groups: ["place", "night"], testImages: 10 });
  expect(all.at(-1)).toMatchObject({
    column: "env1_out_acc class=cat place=0_5_wet~2 night=yes",
    group: { class: "cat", place: "0_5_wet", night: "yes" },
    environment: 1,
    part: "out",
  });
  // Of a thinned part, those images that are measured.
  expect(found(["place"], 2).sets[3]).toEqual(["env0_in_acc class=polar_bear place=0_5_wet", [0, 2]]);
});

test("attributes come in the dataset's order, once", () => {
  expect(groupAttributes(dataset, ["night", "place"])).toEqual(["place", "night"]);
  expect(() => groupAttributes(dataset, ["night", "night"])).toThrow(/"night" is named twice/);
  expect(() => groupAttributes(dataset, ["size"])).toThrow(/no attribute "size"[\s\S]*place, night/);
});

test("the class may be named, and alone it makes the groups", () => {
  expect(groupAttributes(dataset, ["class", "night"])).toEqual(["night"]);
  expect(groupAttributes(dataset, ["class"])).toEqual(["class"]);
  expect(found(["class"]).sets.slice(parts.length)).toEqual([
    ["env0_in_acc class=polar_bear", [0, 1, 2]],
    ["env0_in_acc class=cat", [3]],
    ["env0_out_acc class=polar_bear", [5]],
    ["env0_out_acc class=cat", [4]],
    ["env1_out_acc class=cat", [6, 7]],
  ]);
});

test("groups that have images are counted against the limit, not those that could be", () => {
  const valueNames = Array.from({ length: 600 }, (_, i) => `v${i}`);
  const wide = (values: Iterable<number>, images: number) => ({
    name: "wide",
    labels: new Uint16Array(images),
    classNames: ["polar bear", "cat"],
    attributes: { code: { valueNames, values: Uint16Array.from(values), role: "cue" as const } },
  });
  const { sets } = measuredSets(plan, wide([0, 599, 0, 7, 0, 0, 0, 0], 8), {
    groups: ["code"],
    testImages: 10,
  });
  expect(sets.map(({ column }) => column).slice(parts.length)).toEqual([
    "env0_in_acc class=polar_bear code=v0",
    "env0_in_acc class=polar_bear code=v7",
    "env0_in_acc class=polar_bear code=v599",
    "env0_out_acc class=polar_bear code=v0",
    "env1_out_acc class=polar_bear code=v0",
  ]);
  const inPart = Uint32Array.from({ length: 600 }, (_, i) => i);
  const one = { ...plan, environments: [{ name: "train", inPart, outPart: new Uint32Array() }] };
  expect(() =>
    measuredSets(one, wide(valueNames.keys(), 600), { groups: ["code"], testImages: 600 }),
  ).toThrow(/600 groups have images[\s\S]*at most 512[\s\S]*class \(2\) × code \(600\)/);
});

test("words of columns have no comma, dot, space or quote, and stay apart", () => {
  expect(columnWords(["0.1", "0,1", "a b", 'say "hi"', "été"])).toEqual([
    "0_1",
    "0_1~2",
    "a_b",
    "say_hi_",
    "été",
  ]);
});

test("OOD groups are fitted on the mean at home, and on each group there", () => {
  const { sets } = measuredSets(plan, dataset, { groups: ["place"], testImages: 10 });
  const folds = [{ training: [0], shifted: [1] }];
  const ood = "env1_out_acc class=cat place=0_5_wet~2";
  const averages = [
    { id: ["env0_out_acc"], ood: "env1_out_acc" },
    { id: ["env0_out_acc"], ood },
  ];
  expect(poolPairs(plan, folds, sets, { groupPairs: false })).toEqual(averages);
  expect(poolPairs(plan, folds, sets, { groupPairs: true })).toEqual([
    ...averages,
    { id: ["env0_out_acc class=polar_bear place=0_5_wet"], ood },
    { id: ["env0_out_acc class=cat place=0_5_wet~2"], ood },
  ]);
});

test("an attribute named class would take the class's place in every group, and is refused", () => {
  const odd = { ...dataset, attributes: { ...dataset.attributes, class: dataset.attributes.night } };
  const sets = (groups: string[]) => measuredSets(plan, odd, { groups, testImages: 10 }).sets;
  expect(() => sets(["class", "place"])).toThrow(
    /cannot be named "class": groups use that name[\s\S]*rename/,
  );
  expect(sets(["place"]).length).toBeGreaterThan(parts.length);
});
