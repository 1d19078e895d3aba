import { expect, test } from "vitest";
import type { Attribute, Dataset } from "../core/dataset.ts";
import { foldsOf, foldTrainedOn, guessingIn, planEnvironments } from "./environments.ts";

const options = { trainImages: 1000, testImages: 1000, seed: 0 };
const count = 300;

function attribute(valueNames: string[], of: (i: number) => number, role: Attribute["role"]): Attribute {
  return { values: Uint16Array.from({ length: count }, (_, i) => of(i)), valueNames, role };
}

/** 100 images a split, two classes in turn, and the given attributes. */
function dataset(attributes: Record<string, Attribute>, shiftedSplits?: string[]): Dataset {
  return {
    name: "made-up",
    images: {
      count,
      shape: { height: 1, width: 1, channels: 1 },
      pixels: () => ({ height: 1, width: 1, channels: 1, data: new Uint8Array(1) }),
      describe: String,
    },
    labels: Uint16Array.from({ length: count }, (_, i) => i % 2),
    classNames: ["a", "b"],
    attributes,
    splits: {
      names: ["train", "val", "test"],
      values: Uint8Array.from({ length: count }, (_, i) => Math.floor(i / 100)),
    },
    provenance: {
      title: "",
      description: "",
      generator: { name: "", version: 1 },
      settings: {},
      seed: 0,
      sources: [],
      license: "",
      skipped: [],
      ...(shiftedSplits && { shiftedSplits }),
    },
  };
}

const inThirds = attribute(["x", "y", "z"], (i) => i % 3, "other");

test("environments keep the parts that they have", () => {
  const part = attribute(["in", "out"], (i) => Number(i >= 200), "other");
  const { environments } = planEnvironments(dataset({ environment: inThirds, part }), options);
  expect(environments.map(({ name }) => name)).toEqual(["x", "y", "z"]);
  for (const [e, { inPart, outPart }] of environments.entries()) {
    expect([...inPart].every((i) => i % 3 === e && i < 200)).toBe(true);
    expect([...outPart].every((i) => i % 3 === e && i >= 200)).toBe(true);
    expect(inPart.length + outPart.length).toBe(100);
  }
});

test("without parts a fifth is kept out, and limits take some of each at random", () => {
  const plan = (limits: object) =>
    planEnvironments(dataset({ place: inThirds }), { ...options, by: "place", ...limits }).environments;
  for (const [e, { inPart, outPart }] of plan({}).entries()) {
    expect([inPart.length, outPart.length]).toEqual([80, 20]);
    expect(new Set([...inPart, ...outPart]).size).toBe(100);
    expect([...inPart, ...outPart].every((i) => i % 3 === e)).toBe(true);
    const [whole, some] = [new Set(inPart), plan({ trainImages: 30, testImages: 7 })[e]!];
    expect([some.inPart.length, some.outPart.length]).toEqual([30, 7]);
    expect([...some.inPart].every((i) => whole.has(i))).toBe(true);
    // Not merely the first ones.
    expect([...some.inPart]).not.toEqual([...inPart.subarray(0, 30)]);
  }
});

test("a share is one of each environment, within the limit", () => {
  // 150, 100 and 50 images, of which four fifths may be trained on.
  const uneven = attribute(["x", "y", "z"], (i) => (i < 150 ? 0 : i < 250 ? 1 : 2), "other");
  const sizes = (limits: object) =>
    planEnvironments(dataset({ domain: uneven }), { ...options, ...limits }).environments.map(
      ({ inPart }) => inPart.length,
    );
  expect(sizes({})).toEqual([120, 80, 40]);
  expect(sizes({ trainShare: 0.3 })).toEqual([36, 24, 12]);
  expect(sizes({ trainShare: 0.3, trainImages: 60 })).toEqual([18, 18, 12]);
  expect(sizes({ trainShare: 0.001 })).toEqual([2, 2, 2]);
});

test("numbers are not taken for slips of the keys", () => {
  const plan = planEnvironments(
    dataset({ domain: attribute(["0.1", "0.2"], (i) => i % 2, "other") }),
    options,
  );
  expect(() => foldsOf(plan, "0.7")).toThrow(/one of: 0\.1, 0\.2$/);
  const named = planEnvironments(
    dataset({ domain: attribute(["snow", "rain"], (i) => i % 2, "other") }),
    options,
  );
  expect(() => foldsOf(named, "sno")).toThrow(/did you mean "snow"/);
});

test("where a cue goes with the class otherwise than in training, the split is out of distribution", () => {
  // Always the class's value in training and validation; in the test split the other one in every fifth image or so.
  const cue = attribute(["p", "q"], (i) => (i >= 200 && i % 10 < 2 ? 1 - (i % 2) : i % 2), "cue");
  const plan = planEnvironments(dataset({ cue }), options);
  expect(plan.environments.map(({ name }) => name)).toEqual(["train", "test"]);
  expect(plan.environments.map(({ inPart, outPart }) => [inPart.length, outPart.length])).toEqual([
    [100, 100],
    [0, 100],
  ]);
  expect(foldsOf(plan, "all")).toEqual([{ training: [0], shifted: [1] }]);
  expect(() => foldTrainedOn(plan, ["train"])).toThrow(/--train-on is for datasets with environments/);
});

test("what the dataset declares as shifted wins, and a shifted validation split is not home", () => {
  const plan = planEnvironments(dataset({}, ["val", "test"]), options);
  expect(plan.environments.map(({ name, inPart, outPart }) => [name, inPart.length, outPart.length])).toEqual(
    [
      ["train", 80, 20],
      ["val", 0, 100],
      ["test", 0, 100],
    ],
  );
});

test("leave one out, or train on some", () => {
  const plan = planEnvironments(dataset({ domain: inThirds }), options);
  expect(foldsOf(plan, "all")).toEqual([
    { training: [1, 2], shifted: [0] },
    { training: [0, 2], shifted: [1] },
    { training: [0, 1], shifted: [2] },
  ]);
  expect(foldsOf(plan, "y")).toEqual([{ training: [0, 2], shifted: [1] }]);
  expect(foldTrainedOn(plan, ["z"])).toEqual({ training: [2], shifted: [0, 1] });
  expect(foldTrainedOn(plan, ["z", "x", "z"])).toEqual({ training: [0, 2], shifted: [1] });
  expect(() => foldsOf(plan, "w")).toThrow(/no environment is called "w"[\s\S]*x, y, z/);
  expect(() => foldTrainedOn(plan, ["x", "y", "z"])).toThrow(/none is left/);
});

test("what has no shift is refused, and tells what to do", () => {
  const same = attribute(["p", "q"], (i) => i % 2, "cue");
  expect(() => planEnvironments(dataset({ same }), options)).toThrow(
    /nothing here is out of distribution[\s\S]*--environment/,
  );
  expect(() => planEnvironments(dataset({ same }), { ...options, by: "sam" })).toThrow(/no attribute "sam"/);
  const part = attribute(["in", "out"], () => 0, "other");
  expect(() => planEnvironments(dataset({ environment: inThirds, part }), options)).toThrow(
    /"x" has no images to measure on[\s\S]*100 in, 0 out/,
  );
  const one = attribute(["only"], () => 0, "other");
  expect(() => planEnvironments(dataset({ environment: one }), options)).toThrow(
    /fewer than two environments/,
  );
});

test("splits can be named as out of distribution, shifted or not, and validation stays home unless it is shifted", () => {
  const named = (names: string[], shifted: string[]) =>
    planEnvironments(dataset({ environment: inThirds }, shifted), { ...options, oodSplits: names });
  const control = named(["test"], []);
  expect(control.kind).toBe("splits");
  expect(
    control.environments.map(({ name, inPart, outPart }) => [name, inPart.length, outPart.length]),
  ).toEqual([
    ["train", 100, 100],
    ["test", 0, 100],
  ]);
  expect(named(["test"], ["val", "test"]).environments.map(({ outPart }) => outPart.length)).toEqual([
    20, 100,
  ]);
  expect(() => named(["tset"], [])).toThrow('no split to be out of distribution is called "tset"');
  expect(() => named(["train"], [])).toThrow("some of: val, test");
  expect(() => named(["val", "val"], [])).toThrow("named twice");
  expect(() =>
    planEnvironments(dataset({ place: inThirds }), { ...options, by: "place", oodSplits: ["test"] }),
  ).toThrow("cannot be told both");
});

test("guessing gets the share of the most frequent class", () => {
  const made = {
    ...dataset({}, ["test"]),
    labels: Uint16Array.from({ length: count }, (_, i) => Number(i % 5 > 3)),
  };
  // Of a hundred images in a row every fifth is of the second class.
  expect(guessingIn(made, planEnvironments(made, options))).toEqual([0.8, 0.8]);
});
