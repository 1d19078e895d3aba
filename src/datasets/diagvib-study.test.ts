import { describe, expect, test } from "vitest";
import { crossTabulate } from "../core/cue-statistics.ts";
import type { Dataset } from "../core/dataset.ts";
import { parseAssignments } from "../core/settings.ts";
import { paperFactors } from "./diagvib/factors.ts";
import { paperStudies } from "./diagvib/patterns.ts";
import { diagvibStudy } from "./diagvib-study.ts";

const few = { train: 900, val: 90, test: 90, testId: 90 };

const build = (settings: Record<string, unknown>, seed = 0) => diagvibStudy.build(settings, seed);

/** Images of each class by the cue's class, in one split. */
function matrix(dataset: Dataset, cue: string, split: string): number[][] {
  const code = dataset.splits.names.indexOf(split);
  return crossTabulate(dataset, dataset.attributes[cue]!, { has: (i) => dataset.splits.values[i] === code });
}

const occupied = (table: number[][]) => table.map((row) => row.map((n) => (n > 0 ? "x" : ".")).join(""));

test("ZSO at full size has each of the 729 combinations 60 times in training, 12 in validation", async () => {
  const dataset = await build({ study: "ZSO" });
  const factors = paperFactors.map((factor) => dataset.attributes[factor]!.values);
  for (const [split, times] of [
    [0, 60],
    [1, 12],
  ] as const) {
    const counts = new Map<number, number>();
    for (let i = 0; i < dataset.labels.length; i++) {
      if (dataset.splits.values[i] !== split) continue;
      const key = factors.reduce((code, values) => 3 * code + values[i]!, 0);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(counts.size).toBe(729);
    expect(new Set(counts.values())).toEqual(new Set([times]));
  }
  expect(dataset.splits.names).toEqual(["train", "val", "test"]);
  expect(occupied(matrix(dataset, "hue", "test"))).toEqual(["xxx", "xxx", "xxx"]);
});

test.each([5, 10, 20, 2.5])("FGO-%d has that percentage of violations in every row, exactly", async (f) => {
  const dataset = await build({ study: `FGO-${f}`, count: { train: 43_740 } });
  for (const [row, counts] of matrix(dataset, "hue", "train").entries()) {
    expect(counts.reduce((a, b) => a + b, 0)).toBe(14_580);
    const violations = 14_580 - counts[row]!;
    // At 2.5% there are 364.5, of which either neighbour is as exact.
    expect(Math.abs(violations - (14_580 * f) / 100)).toBeLessThanOrEqual(0.5);
    const others = counts.filter((_, column) => column !== row);
    expect(Math.abs(others[0]! - others[1]!)).toBeLessThanOrEqual(1);
  }
  expect(occupied(matrix(dataset, "hue", "test"))).toEqual([".xx", "x.x", "xx."]);
  expect(occupied(matrix(dataset, "hue", "test_id"))).toEqual(["x..", ".x.", "..x"]);
});

test.each(["ZGO", "CGO-1", "CGO-2", "CGO-3", "CHGO"])(
  "%s: what training lacks is what the test asks, and test_id has the rest",
  async (study) => {
    for (let sample = 0; sample < 5; sample++) {
      for (const [predict, cue] of [
        ["shape", "hue"],
        ["texture", "position"],
      ] as const) {
        const dataset = await build({ predict: [predict], cue: [cue], study, sample, count: few });
        const [train, val, tested, kept] = ["train", "val", "test", "test_id"].map((split) =>
          occupied(matrix(dataset, cue, split)),
        ) as [string[], string[], string[], string[]];
        expect(val).toEqual(train);
        expect(kept).toEqual(train);
        expect(tested).toEqual(train.map((row) => row.replaceAll(/[x.]/g, (c) => (c === "x" ? "." : "x"))));
        // At least one unseen cell in every row, and on every diagonal a seen one.
        for (const [row, cells] of train.entries()) {
          expect(cells).toContain(".");
          expect(cells[row]).toBe("x");
        }
        const cells = train.join("").replaceAll(".", "").length;
        expect(cells).toBe({ ZGO: 3, "CGO-1": 4, "CGO-2": 5, "CGO-3": 6, CHGO: 5 }[study]);
        // Seen cells are equally frequent, to within the one image that may be left.
        const counts = matrix(dataset, cue, "train").flat();
        const seen = counts.filter((n) => n > 0);
        expect(Math.max(...seen) - Math.min(...seen)).toBeLessThanOrEqual(1);
      }
    }
  },
);

test("CGO adds cells row by row to the same ones", async () => {
  for (let sample = 0; sample < 5; sample++) {
    const [one, two, three] = (await Promise.all(
      ["CGO-1", "CGO-2", "CGO-3"].map(async (study) =>
        occupied(matrix(await build({ study, sample, count: few }), "hue", "train")),
      ),
    )) as [string[], string[], string[]];
    expect([two[0], three[0], three[1]]).toEqual([one[0], one[0], two[1]]);
  }
});

test("CHGO couples the first class alone; balanced by classes each class has a third", async () => {
  const dataset = await build({ study: "CHGO", balance: "classes", count: few });
  const train = matrix(dataset, "hue", "train");
  expect(train).toEqual([
    [300, 0, 0],
    [0, 150, 150],
    [0, 150, 150],
  ]);
});

test("the sample chooses the classes, whatever the study; the seed only the images", async () => {
  const names = ({ attributes }: Dataset) => paperFactors.map((factor) => attributes[factor]!.valueNames);
  const base = names(await build({ study: "ZGO", count: few }));
  expect(names(await build({ predict: ["texture"], cue: ["scale"], study: "CGO-2", count: few }, 9))).toEqual(
    base,
  );
  const samples = await Promise.all(
    [1, 2, 3, 4, 17].map(async (sample) => names(await build({ sample, count: few }))),
  );
  expect(new Set([base, ...samples].map((choice) => JSON.stringify(choice))).size).toBe(6);
  for (const classes of [base, ...samples].flat()) expect(new Set(classes).size).toBe(3);
});

test("all 30 pairs × 8 studies × 5 samples, and ZSO of each factor and sample, have a name, and names can be made", async () => {
  const { names, assignments } = diagvibStudy.variants!;
  const all = names();
  expect(all).toHaveLength(30 * 8 * 5 + 6 * 5);
  expect(new Set(all).size).toBe(all.length);
  const made = new Set<string>();
  // Every 29th meets every pair and every study.
  for (const name of all.filter((_, i) => i % 29 === 0)) {
    const settings = parseAssignments(diagvibStudy.settings, assignments(name)!);
    const dataset = await build({ ...settings, count: few });
    const { predict, cue, study, sample } = settings as {
      predict: [string];
      cue: [string];
      study: string;
      sample: number;
    };
    expect(name).toBe(`${predict[0]}-${cue[0]}-${study}-${sample}`);
    expect(dataset.attributes[predict[0]]!.role).toBe("core");
    expect(dataset.attributes[cue[0]]!.role).toBe("cue");
    made.add(`${predict[0]}-${cue[0]}`).add(study);
  }
  expect(made.size).toBe(30 + paperStudies.length);
  expect(assignments("shape-hue")).toBeUndefined();
});

describe("more than two factors", () => {
  test("two cues follow the label independently, and the test has every way to break them", async () => {
    const dataset = await build({
      cue: ["hue", "texture"],
      study: "FGO-10",
      count: { ...few, train: 24_300 },
    });
    const { hue, texture, broken } = dataset.attributes;
    const training = [...dataset.labels.keys()].filter((i) => dataset.splits.values[i] === 0);
    const both = training.filter(
      (i) => hue!.values[i] === dataset.labels[i] && texture!.values[i] === dataset.labels[i],
    );
    // 0.9 · 0.9 of 24,300.
    expect(both).toHaveLength(19_683);
    expect(broken!.valueNames).toEqual(["none", "hue", "texture", "hue and texture"]);
    const inTest = (value: number) =>
      broken!.values.filter(
        (v, i) => v === value && dataset.splits.names[dataset.splits.values[i]!] === "test",
      ).length;
    expect([0, 1, 2, 3].map(inTest)).toEqual([0, 30, 30, 30]);
  });

  test("cues that move together have the same position, in and out of the pattern", async () => {
    const { attributes } = await build({ cue: ["hue+texture"], study: "FGO-20", count: few });
    expect(attributes.hue!.values).toEqual(attributes.texture!.values);
    expect(attributes.hue!.role).toBe("cue");
    expect(attributes.texture!.role).toBe("cue");
  });

  test("a cue of a cue follows it and not the label", async () => {
    const { attributes, labels, splits } = await build({
      cue: ["hue", "hue~scale"],
      study: "FGO-20",
      count: { ...few, train: 8100 },
    });
    const share = (agrees: (i: number) => boolean) =>
      [...labels.keys()].filter((i) => splits.values[i] === 0 && agrees(i)).length / 8100;
    const [hue, scale] = [attributes.hue!.values, attributes.scale!.values];
    expect(share((i) => hue[i] === scale[i])).toBeCloseTo(0.8, 3);
    // Both kept, or broken back by chance: 0.8 · 0.8 + 0.2 · 0.1.
    expect(share((i) => labels[i] === scale[i])).toBeCloseTo(0.66, 3);
    expect(attributes.scale!.classValues).toBeUndefined();
  });

  test("several predicted factors make combined labels, each with its cue", async () => {
    const dataset = await build({
      predict: ["shape", "scale"],
      cue: ["hue", "scale~texture"],
      study: "ZGO",
      count: few,
    });
    const { shape, scale, hue, texture } = dataset.attributes;
    expect(dataset.classNames).toHaveLength(9);
    expect(dataset.classNames[1]).toBe(`shape ${shape!.valueNames[0]}, scale ${scale!.valueNames[1]}`);
    for (let i = 0; i < few.train; i++) {
      const label = dataset.labels[i]!;
      expect(label).toBe(3 * shape!.values[i]! + scale!.values[i]!);
      expect([shape, scale, hue, texture].map((a) => a!.classValues![label])).toEqual([
        shape!.values[i],
        scale!.values[i],
        hue!.values[i],
        texture!.values[i],
      ]);
    }
  });

  test("background and corruption vary where a study asks for them", async () => {
    const plain = await build({ count: few });
    expect(Object.keys(plain.attributes)).not.toContain("background");
    const varied = await build({ cue: ["background"], vary: ["corruption"], count: few });
    expect(varied.attributes.background!.valueNames).toHaveLength(3);
    expect(varied.attributes.corruption!.role).toBe("other");
  });
});

test.each([
  [{ study: "FGO-0" }, /unknown study "FGO-0"[\s\S]*above 0/],
  [{ study: "CGO-4" }, /unknown study/],
  [{ classes: { hue: ["red", "blue"] } }, /classes.hue lists 2 classes/],
  [{ classes: { hue: ["red", "blue", "pink"] } }, /hue has no class "pink"/],
  [{ classes: { hue: ["red", "blue", "red"] } }, /names "red" twice/],
  [{ predict: ["color"] }, /setting "predict.0"/],
  [{ count: { train: 0 } }, /setting "count.train"/],
  [{ textures: "/no/such/folder" }, /no\/such\/folder/],
])("%j is refused", async (settings, message) => {
  await expect(build(settings)).rejects.toThrow(message);
});
