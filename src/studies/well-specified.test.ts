import { expect, test } from "vitest";
import { drawnPoints } from "../../test/helpers/drawn-points.ts";
import { measuredSplit } from "../../test/helpers/measured-split.ts";
import type { MeasuredPools, MeasuredSplit } from "./jobs/pools-job.ts";
import { presetNames, type StudyReport } from "./study.ts";
import { wellSpecifiedJobs } from "./well-specified/plan.ts";
import { presets } from "./well-specified/presets.ts";
import { wellSpecifiedStudy } from "./well-specified.ts";

const plan = (preset: (typeof presetNames)[number]) => wellSpecifiedJobs(presets[preset]);
const asked = (preset: (typeof presetNames)[number]) => ({
  preset,
  registered: wellSpecifiedStudy.registered(preset),
});

test("no two pools or splits of a preset have the same name, and every family has a control or published signs", () => {
  for (const preset of presetNames) {
    const parts = plan(preset);
    const pools = parts.flatMap((part) => part.pools);
    const splits = pools.flatMap((pool) => pool.splits);
    expect(new Set(pools.map(({ name }) => name)).size).toBe(pools.length);
    expect(new Set(splits.map(({ name }) => name)).size).toBe(splits.length);
    for (const { name, pools } of parts) {
      const roles = pools.flatMap((pool) => pool.splits.map(({ role }) => role));
      expect(roles).toContain("shifted");
      expect(roles.includes("control"), name).toBe(name !== "colored-mnist");
    }
    // Datasets and their sizes differ, and nothing else does: no pool was made to fit a dataset.
    const specs = pools.map(({ spec, classifiers, networks }) =>
      JSON.stringify({ ...spec, groups: [], oodSplits: null, classifiers, networks }),
    );
    expect(new Set(specs).size).toBe(1);
  }
});

test("the paper's preset has all of DiagViB-6's pairs, studies and samples, and as many points as Table 3 counts", () => {
  const parts = plan("paper");
  // 6 · 5 pairs, 8 studies, 5 samples, and ZSO of 6 factors.
  expect(parts.find(({ name }) => name === "diagvib")!.pools).toHaveLength(1230);
  const { classifiers, spec } = parts[0]!.pools[0]!;
  // Table 3 has 20,020 rows with ColoredMNIST's environment 2 left out, one for each of two ID environments.
  expect(classifiers * spec.checkpoints).toBeGreaterThanOrEqual(20_020 / 2);
});

/** The quick plan, measured: R by the name of the split, `otherwise` for those that are not named. */
function quick(
  parts: readonly string[],
  r: Readonly<Record<string, number>>,
  otherwise: number,
  more: Partial<MeasuredSplit> = {},
): MeasuredPools[] {
  return plan("quick")
    .filter(({ name }) => parts.includes(name))
    .map(
      (part): MeasuredPools => ({
        kind: "pools",
        job: part,
        pools: part.pools.map((pool) => ({
          pool,
          classifiers: pool.classifiers,
          splits: pool.splits.map((split) => ({
            ...measuredSplit(split, r[split.name] ?? otherwise),
            ...more,
          })),
        })),
      }),
    );
}

function measured(...words: Parameters<typeof quick>): StudyReport {
  return wellSpecifiedStudy.report(quick(...words), asked("quick"));
}

const verdicts = ({ findings }: StudyReport) => findings.map(({ verdict }) => verdict);
const [signs, controls, constructed, strength, violations, groups] = [0, 1, 2, 3, 4, 5];

test("the table has Table 1's form, ours first and then its twelve rows with what is wrong about them", () => {
  const { sections } = measured(["colored-mnist"], { "colored-mnist-0.9": -0.85 }, 0.6);
  const { columns, rows } = sections[0]!.tables![0]!;
  expect(columns.map(({ title }) => title)).toEqual([
    "Dataset",
    "OOD",
    "Source",
    "Verdict",
    "slope",
    "offset",
    "R",
    "95% interval",
    "p-value",
    "std error",
    "points",
  ]);
  const texts = rows.map(({ cells }) =>
    cells.map((cell) => (cell !== null && typeof cell === "object" && "text" in cell ? cell.text : cell)),
  );
  expect(texts[2]).toEqual([
    "ColoredMNIST",
    "colour agrees in 90%",
    "ours",
    "well-specified",
    "−1.70",
    "−0.50",
    "−0.85",
    "−0.95 to −0.75",
    // Points of one draw are not independent.
    null,
    null,
    "100",
  ]);
  expect(rows.filter(({ source }) => source === "published")).toHaveLength(12);
  // As printed, four of twelve have R below 0.3.
  expect(texts.slice(3).filter((cells) => cells[3] === "well-specified")).toHaveLength(4);
  expect(texts[4]).toContain("Env 1 (in Table 20: Env 3)");
  // One point a split in the figure for all points, one for those that learned, and the published ones hollow.
  const points = drawnPoints(sections, "r");
  expect(points.filter(({ published }) => published)).toHaveLength(12);
  expect(points).toHaveLength(3 + 3 + 12);
  // Every learned fit is well-specified here, and two of three splits are not.
  expect(sections[0]!.text).toContain("2 of all 3 splits get another verdict");
  expect(sections.find(({ name }) => name === "colored-mnist")!.figures!.map(({ beside }) => beside)).toEqual(
    [true, true, true],
  );
});

test("in accuracies that mean nothing nothing is found", () => {
  const { meaningless } = presets.smoke;
  const { findings } = wellSpecifiedStudy.report(
    quick(["colored-mnist", "urban-cars"], {}, -0.5),
    asked("smoke"),
  );
  expect(findings).toHaveLength(6);
  for (const { verdict, evidence } of findings)
    expect([verdict, evidence]).toEqual(["cannot be told", meaningless]);
});

test("signs are seen as published, or not", () => {
  const published = { "colored-mnist-0.1": 0.5, "colored-mnist-0.2": 0.4, "colored-mnist-0.9": -0.8 };
  expect(verdicts(measured(["colored-mnist"], published, 0))[signs]).toBe("seen");
  expect(verdicts(measured(["colored-mnist"], { ...published, "colored-mnist-0.1": 0.05 }, 0))[signs]).toBe(
    "cannot be told",
  );
  const turned = { "colored-mnist-0.1": -0.5, "colored-mnist-0.2": -0.4, "colored-mnist-0.9": 0.8 };
  expect(verdicts(measured(["colored-mnist"], turned, 0))[signs]).toBe("contradicted");
  expect(verdicts(measured(["colored-mnist"], {}, 0))[signs]).toBe("cannot be told");
  expect(verdicts(measured([], {}, 0))).toEqual(Array(6).fill("cannot be told"));
});

test("controls decide by being on the line, unless nothing was learned", () => {
  const parts = ["biased-mnist", "diagvib"];
  expect(verdicts(measured(parts, {}, 0.9))[controls]).toBe("seen");
  expect(verdicts(measured(parts, { "biased-mnist-0.1": 0.1 }, 0.9))[controls]).toBe("contradicted");
  expect(verdicts(measured(parts, {}, -0.9))[controls]).toBe("contradicted");
  expect(verdicts(measured(parts, {}, 0.3))[controls]).toBe("cannot be told");
  expect(verdicts(measured(parts, { "biased-mnist-0.1": 0.3 }, 0.9))[controls]).toBe("seen");
  const nothing = measured(parts, {}, 0.9, { bestId: 0.55 });
  expect(nothing.findings[controls]).toMatchObject({ verdict: "cannot be told" });
  expect(nothing.findings[controls]!.evidence).toContain("Biased MNIST, p 0.1");
  expect(nothing.sections.at(-1)!.text).toContain("next to nothing was learned");
});

test("shortcuts made on purpose pass more often than nature's, which Table 1 has once in five", () => {
  expect(verdicts(measured(["urban-cars"], {}, -0.5))[constructed]).toBe("seen");
  // One of four is more than one of five, and no more than half.
  expect(verdicts(measured(["urban-cars"], { "urban-cars-all": -0.5 }, 0.9))[constructed]).toBe(
    "cannot be told",
  );
  const none = measured(["urban-cars"], {}, 0.9);
  expect(none.findings[constructed]).toMatchObject({ verdict: "contradicted" });
  expect(none.findings[constructed]!.evidence).toContain("1 of the 5 natural ones");
  // What transfers nothing passes without merit, and what is undecided says nothing.
  const flat = measured(["urban-cars"], {}, -0.5, { warnings: ["no-transfer"] });
  expect(flat.findings[constructed]).toMatchObject({ verdict: "contradicted" });
  expect(flat.findings[constructed]!.evidence).toContain("0 of our 4 splits");
  expect(verdicts(measured(["urban-cars"], {}, 0.3))[constructed]).toBe("cannot be told");
});

test("R falls with the strength of the shortcut, or not", () => {
  const falling = {
    "biased-mnist-0.5": 0.9,
    "biased-mnist-0.75": 0.6,
    "biased-mnist-0.9": 0.5,
    "biased-mnist-0.95": 0,
    "biased-mnist-0.99": -0.5,
  };
  expect(verdicts(measured(["biased-mnist"], falling, 0.9))[strength]).toBe("seen");
  expect(verdicts(measured(["biased-mnist"], { ...falling, "biased-mnist-0.99": 0.9 }, 0.9))[strength]).toBe(
    "contradicted",
  );
  expect(verdicts(measured(["biased-mnist"], {}, 0.9))[strength]).toBe("cannot be told");
  const cells = (r: readonly number[]) =>
    Object.fromEntries(
      ["shape-hue", "hue-shape"].flatMap((pair) =>
        ["ZGO", "FGO-5", "FGO-20"].map((study, i) => [`diagvib-${pair}-${study}`, r[i]!]),
      ),
    );
  expect(verdicts(measured(["diagvib"], cells([-0.5, 0.1, 0.8]), 0.9))[violations]).toBe("seen");
  const reversed = measured(["diagvib"], cells([0.8, 0.1, -0.5]), 0.9);
  expect(reversed.findings[violations]).toMatchObject({ verdict: "contradicted" });
  expect(reversed.findings[violations]!.evidence).toContain(
    "DiagViB-6, shape with hue, violations 0: 0.80 (0.70 to 0.90), 5: 0.10 (0.00 to 0.20), 20: −0.50",
  );
});

test("the overview counts what passes in each family, controls left out", () => {
  const { sections } = measured(["urban-cars", "watermark"], { "urban-cars-all": 0.9 }, -0.5);
  expect(sections[0]!.text).toContain(
    "Of 7 splits whose shortcut is broken, 6 pass (R < 0.3) and 1 do not; undecided: 0",
  );
  expect(sections[0]!.text).toContain("(that pass: urban-cars 3 of 4, watermark 3 of 3)");
});

test("a group reveals what the average hides, or repeats it", () => {
  const hidden = { "urban-cars-all": 0.7, "urban-cars-both-uncommon": -0.6 };
  expect(verdicts(measured(["urban-cars"], hidden, 0.7))[groups]).toBe("seen");
  expect(verdicts(measured(["urban-cars"], { ...hidden, "urban-cars-all": 0.1 }, 0.7))[groups]).toBe(
    "cannot be told",
  );
  expect(verdicts(measured(["urban-cars"], {}, 0.7))[groups]).toBe("contradicted");
});
