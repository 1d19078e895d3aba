import { expect, test } from "vitest";
import { crossTabulate, cueStatistics, groupCounts } from "./cue-statistics.ts";
import type { Attribute } from "./dataset.ts";

/** Eight images; the cue agrees in six. Training is the first six. */
const cue = (classValues?: number[]): Attribute => ({
  values: Uint16Array.of(0, 0, 0, 1, 1, 1, 0, 1),
  valueNames: ["left", "right"],
  role: "cue",
  ...(classValues ? { classValues } : {}),
});
const place: Attribute = {
  values: Uint16Array.of(0, 0, 1, 1, 0, 1, 0, 0),
  valueNames: ["x", "y", "z"],
  role: "other",
};
const columns = (attributes: Record<string, Attribute>) => ({
  labels: Uint16Array.of(0, 0, 1, 1, 1, 0, 0, 1),
  classNames: ["a", "b"],
  splits: { names: ["train", "val", "test"], values: Uint8Array.of(0, 0, 0, 0, 0, 0, 2, 2) },
  attributes,
});

test("counts by class and value", () => {
  const data = columns({ side: cue() });
  expect(crossTabulate(data, data.attributes.side!, { has: () => true })).toEqual([
    [3, 1],
    [1, 3],
  ]);
});

test("declared and majority agreement, and empty slices left out", () => {
  const [train, held] = cueStatistics(columns({ side: cue([1, 0]) }));
  expect(train).toMatchObject({ slice: "train", count: 6, agreement: 2 / 6, agreementRule: "declared" });
  expect(held).toMatchObject({ slice: "test", count: 2, agreement: 0 });
  const [majority] = cueStatistics(columns({ side: cue() }));
  expect(majority).toMatchObject({ agreement: 4 / 6, agreementRule: "majority" });
});

test("association of a 2 × 2 table, worked by hand", () => {
  // Training: a: 2 left, 1 right; b: 1 left, 2 right. χ² = 6·(2·2 − 1·1)²/3⁴ = 2/3, V = √(2/3/6) = 1/3.
  // Mutual information: ln 2 − H(1/3) = 0.0566330123; both entropies are ln 2.
  const [train] = cueStatistics(columns({ side: cue() }));
  expect(train!.cramersV).toBeCloseTo(1 / 3, 12);
  const entropy = -(1 / 3) * Math.log(1 / 3) - (2 / 3) * Math.log(2 / 3);
  expect(train!.normalisedMutualInformation).toBeCloseTo((Math.log(2) - entropy) / Math.log(2), 12);
});

test("slices by another attribute; a slice of one class gives no association", () => {
  const statistics = cueStatistics(columns({ side: cue(), place }), "place");
  expect(statistics.map(({ slice, count }) => [slice, count])).toEqual([
    ["train", 6],
    ["test", 2],
    ["place x", 5],
    ["place y", 3],
  ]);
  const single = { ...columns({ side: cue() }), labels: new Uint16Array(8) };
  expect(cueStatistics(single)[0]).toMatchObject({ cramersV: null, normalisedMutualInformation: null });
});

test("groups of class and cues, empty ones by name", () => {
  const counted = groupCounts(columns({ side: cue(), place }), ["side", "place"]);
  expect(counted).toMatchObject({ nominal: 12, occupied: 5 });
  expect(counted.groups).toHaveLength(12);
  expect(counted.empty).toHaveLength(7);
  expect(counted.groups[0]).toEqual({
    label: "a",
    values: ["left", "x"],
    counts: { train: 2, val: 0, test: 1 },
  });
  expect(counted.empty.map(({ label, values }) => [label, ...values].join(" "))).toContain("b right z");
});

test("a hundred million nominal groups cost only the occupied ones", () => {
  const wide: Attribute = {
    values: Uint16Array.of(0, 1, 2, 3, 4, 5, 6, 7),
    valueNames: Array.from({ length: 10_000 }, (_, i) => `v${i}`),
    role: "cue",
  };
  const counted = groupCounts(columns({ p: wide, q: wide }));
  expect(counted).toMatchObject({ nominal: 2e8, occupied: 8 });
  expect(counted.groups).toHaveLength(8);
  expect(counted.empty).toEqual([]);
  expect(counted.groups[7]!.values).toEqual(["v7", "v7"]);
});

test("groups stay apart where their number is beyond exact whole numbers", () => {
  // 60¹³ · 2 ≈ 2.6e23: as doubles, keys of neighbours would be one.
  const of = (values: number[]): Attribute => ({
    values: Uint16Array.from(values),
    valueNames: Array.from({ length: 60 }, (_, i) => `v${i}`),
    role: "cue",
  });
  const same = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`c${i}`, of(Array(8).fill(59))]));
  const counted = groupCounts(columns({ ...same, last: of([3, 2, 1, 0, 4, 5, 6, 6]) }));
  expect(counted.nominal).toBeGreaterThan(Number.MAX_SAFE_INTEGER);
  expect(counted.occupied).toBe(8);
  expect(counted.groups.map(({ label, values }) => `${label} ${values.at(-1)}`)).toEqual([
    "a v2",
    "a v3",
    "a v5",
    "a v6",
    "b v0",
    "b v1",
    "b v4",
    "b v6",
  ]);
  expect(counted.groups[0]!.values.slice(0, 12)).toEqual(Array(12).fill("v59"));
});

test("a class without training images has no majority value", () => {
  // Class b only in the test split: of the two test images only a's counts, and agrees.
  const data = { ...columns({ side: cue() }), labels: Uint16Array.of(0, 0, 0, 0, 0, 0, 0, 1) };
  const [, held] = cueStatistics({
    ...data,
    attributes: { side: { ...cue(), values: Uint16Array.of(0, 0, 0, 0, 1, 1, 0, 0) } },
  });
  expect(held).toMatchObject({ slice: "test", count: 2, agreement: 1 });
  const untrained = { ...data, splits: { names: ["train", "test"], values: new Uint8Array(8).fill(1) } };
  expect(cueStatistics(untrained)).toMatchObject([{ slice: "test", count: 8, agreement: null }]);
  expect(cueStatistics(columns({ side: cue([0, 1]) }))[1]).toMatchObject({ agreement: 1 });
});

test.each([
  ["constructor", /has no attribute "constructor"/],
  ["sde", /did you mean "side"/],
])("an attribute that is not there is refused: %s", (name, message) => {
  expect(() => cueStatistics(columns({ side: cue() }), name)).toThrow(message);
});
