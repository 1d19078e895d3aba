import { expect, test } from "vitest";
import type { Attribute, Dataset } from "../core/dataset.ts";
import type { Supervision } from "../methods/method.ts";
import { chooseExplicit, explicitGroups } from "./groups.ts";

const attribute = (role: Attribute["role"], ...values: number[]): Attribute => ({
  values: Uint16Array.from(values),
  valueNames: ["x", "y", "z"],
  role,
});

const dataset: Pick<Dataset, "labels" | "classNames" | "attributes"> = {
  classNames: ["a", "b"],
  labels: Uint16Array.of(0, 0, 1, 1, 0, 1),
  attributes: {
    colour: attribute("cue", 0, 1, 0, 1, 0, 2),
    shape: attribute("cue", 2, 2, 2, 0, 2, 1),
    place: attribute("other", 0, 0, 1, 1, 0, 1),
  },
};

test("only combinations that occur in training are numbered, in the order in which they do", () => {
  // The last image is not one of training: neither its colour nor its shape gets a number.
  const rows = Uint32Array.of(0, 1, 2, 3, 4);
  const { groups, bias } = explicitGroups(dataset, ["colour", "shape"], rows);
  expect([...bias.codes]).toEqual([0, 1, 0, 2, 0]);
  expect([...bias.sizes]).toEqual([3, 1, 1]);
  expect([...groups.codes]).toEqual([0, 1, 2, 3, 0]);
  expect([...groups.sizes]).toEqual([2, 1, 1, 1]);
  expect([0, 1, 2, 3].map((number) => [...groups.members(number)])).toEqual([[0, 4], [1], [2], [3]]);
});

test("one cue, and codes as large as they can be", () => {
  const code = {
    ...attribute("cue", 65_535, 0, 65_535, 1, 65_535, 0),
    valueNames: Array.from({ length: 65_536 }, (_, i) => `v${i}`),
  };
  const large = { ...dataset, attributes: { code } };
  const { groups, bias } = explicitGroups(large, ["code"], Uint32Array.of(0, 1, 2, 3, 4, 5));
  expect([...bias.codes]).toEqual([0, 1, 0, 2, 0, 1]);
  expect([...groups.codes]).toEqual([0, 1, 2, 3, 0, 4]);
});

const explicitMethod = { name: "told", supervision: { groups: ["train" as const] } };

test("explicit cues are taken in the dataset's order, and a dataset's only cue without being named", () => {
  expect(chooseExplicit(explicitMethod, ["shape", "colour"], dataset)).toEqual(["colour", "shape"]);
  expect(chooseExplicit(explicitMethod, ["place"], dataset)).toEqual(["place"]);
  // The class is part of every group: it may be named, and changes nothing.
  expect(chooseExplicit(explicitMethod, ["class", "place"], dataset)).toEqual(["place"]);
  const { shape: _, ...attributes } = dataset.attributes;
  expect(chooseExplicit(explicitMethod, undefined, { attributes })).toEqual(["colour"]);
  expect(chooseExplicit({ name: "untold", supervision: {} }, undefined, dataset)).toBeUndefined();
});

test("what cannot be explicit is refused, and the cues are listed", () => {
  const choose = (given?: string[], supervision: Supervision = { groups: ["train"] }) => {
    return () => chooseExplicit({ name: "m", supervision }, given, dataset);
  };
  expect(choose()).toThrow(/must be told which cues[\s\S]*cues: colour, shape; other attributes: place/);
  expect(choose([])).toThrow(/must be told/);
  expect(choose(["class"])).toThrow(/must be told which cues it may see beside the class/);
  expect(choose(["colr"])).toThrow(/no attribute "colr"[\s\S]*colour, shape/);
  expect(choose(["constructor"])).toThrow(/no attribute "constructor"/);
  expect(choose(["shape", "shape"])).toThrow(/"shape" is named twice/);
  expect(choose(["shape"], {})).toThrow(/uses no labels of cues[\s\S]*leave --explicit away/);
});
