import { expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import type { StoredRun } from "../runs/run-list.ts";
import { comparedSlices, compareRuns, rowLabel } from "./comparison.ts";
import { formatComparison } from "./comparison-formats.ts";

function run(method: string, seed: number, test: number | null, rate = 0.001): StoredRun {
  return {
    id: `${method}-${seed}-${rate}`,
    folder: `runs/${method}-${seed}`,
    builds: ["b1"],
    format: 5,
    spec: { method: { name: method }, optimiser: { rate }, epochs: 3, seed },
    epoch: 3,
    selection: { rule: "the last epoch", labels: "none" },
    accuracy: [
      { slice: "val", distribution: "ID", count: 10, accuracy: 0.9 },
      { slice: "test", distribution: "OOD", count: 10, accuracy: test },
    ],
  };
}

const runs = [
  run("erm", 0, 0.2),
  run("erm", 1, 0.4),
  run("lff", 0, 0.5),
  run("a&b_c", 0, 0.1),
  run("none", 0, null),
];

test("rows are told apart by what differs, seeds aside; mean, sample deviation and interval by hand", () => {
  const { fields, slices, rows } = compareRuns(runs);
  expect(fields).toEqual(["method.name"]);
  expect(slices).toEqual(["val", "test"]);
  const cells = rows.map(({ values, cells }) => [values[0], cells[1]]);
  // 0.2 and 0.4: mean 0.3, deviation √((0.1² + 0.1²) / 1) = 0.1414.
  expect(cells[0]).toEqual([
    "erm",
    {
      mean: expect.closeTo(0.3, 12) as number,
      deviation: expect.closeTo(0.141421, 6) as number,
      // 12.7062 · 0.141421 / √2 = 1.27062.
      low: expect.closeTo(0.3 - 1.27062, 5) as number,
      high: expect.closeTo(0.3 + 1.27062, 5) as number,
      runs: 2,
    },
  ]);
  expect(cells[1]).toEqual([
    "lff",
    { mean: 0.5, deviation: undefined, low: undefined, high: undefined, runs: 1 },
  ]);
  expect(cells[3]).toEqual(["none", undefined]);
  // All validation accuracies are equal: nothing is best.
});

test("a copy of a run is no second seed, and runs of another format make a row of their own", () => {
  const copy = { ...runs[0]!, folder: "backup/erm-0" };
  const { rows, copies } = compareRuns([...runs, copy]);
  expect(rows[0]!.cells[1]).toMatchObject({ runs: 2, mean: expect.closeTo(0.3, 12) });
  expect(copies).toEqual(["backup/erm-0"]);
  const older = { ...runs[1]!, format: 4 };
  const mixed = compareRuns([runs[0]!, older]);
  expect(mixed.fields).toEqual(["format"]);
  expect(mixed.rows.map(({ values, cells }) => [values[0], cells[1]!.runs])).toEqual([
    ["5", 1],
    ["4", 1],
  ]);
});

test("other fields that differ become columns, and slices can be chosen", () => {
  const { fields, slices } = compareRuns([...runs, run("erm", 0, 0.3, 0.1)], ["test"]);
  expect(fields).toEqual(["method.name", "optimiser.rate"]);
  expect(slices).toEqual(["test"]);
});

test("a slice that no run has is refused; one with a comma in its name is one slice", () => {
  expectError(() => compareRuns(runs, ["test", "tets"]), "usage", 'no run has a slice "tets"', '"test"?');
  const [first] = runs as [StoredRun];
  const named = { ...first.accuracy[1]!, slice: "test, environment 0.9" };
  const environments = [{ ...first, accuracy: [...first.accuracy, named] }];
  expect(comparedSlices(environments, ["test", "environment 0.9", "val"])).toEqual([
    "val",
    "test, environment 0.9",
  ]);
});

test("as Markdown, CSV, JSON and LaTeX", () => {
  const comparison = compareRuns(runs, ["test"]);
  expect(formatComparison([comparison], "markdown").split("\n")).toEqual([
    "| method.name | test |",
    "| --- | ---: |",
    "| erm | 30.0 ± 127.1 (2) |",
    // One seed says nothing about which is best.
    "| lff | 50.0 (1) |",
    "| a&b_c | 10.0 (1) |",
    "| none | – |",
    "",
  ]);
  const latex = formatComparison([comparison], "latex");
  expect(latex).toContain("\\begin{tabular}{lr}\n\\toprule\nmethod.name & test \\\\\n\\midrule\n");
  expect(latex).toContain(
    "erm & 30.0 $\\pm$ 127.1 (2) \\\\\nlff & 50.0 (1) \\\\\na\\&b\\_c & 10.0 (1) \\\\\nnone & -- \\\\",
  );
  const [header, first] = formatComparison([comparison], "csv").split("\n");
  expect(header).toBe("method.name,slice,mean,sd,n,df,low,high");
  expect(first).toMatch(/^erm,test,0\.3\d*,0\.1414\d*,2,1,-0\.97\d+,1\.57\d+$/);
  const rows = JSON.parse(formatComparison([comparison], "json")) as Record<string, unknown>[];
  expect(rows[1]).toEqual({
    "method.name": "lff",
    selection: "the last epoch",
    runs: ["lff-0-0.001"],
    accuracy: { test: { mean: 0.5, sd: null, n: 1, degreesOfFreedom: 0, low: null, high: null } },
  });
});

test("a row's label says of what a bare number is", () => {
  const comparison = {
    dataset: "D",
    fields: ["method.name", "optimiser.rate", "optimiser.nesterov"],
    shown: [0, 1, 2],
  };
  expect(rowLabel(comparison, { values: ["erm", "0.01", "true"] })).toBe("erm, rate 0.01, nesterov true");
  expect(rowLabel(comparison, { values: ["erm", "–", "–"] })).toBe("erm");
});

test("a row without the setting that tells others apart has its method's name", () => {
  const smooth = (smoothing: number): StoredRun => {
    const plain = run("smooth", 0, 0.5);
    return {
      ...plain,
      id: `smooth-${smoothing}`,
      spec: { ...plain.spec, method: { name: "smooth", settings: { smoothing } } },
    };
  };
  const compared = compareRuns([run("erm", 0, 0.5), smooth(0.05), smooth(0.2)]);
  expect(compared.rows.map((row) => rowLabel(compared, row))).toEqual([
    "erm",
    "smooth, smoothing 0.05",
    "smooth, smoothing 0.2",
  ]);
});

test("marked is what a test over seeds cannot tell from the best, not the higher mean", () => {
  const row = (method: string, accuracies: readonly number[]) =>
    accuracies.map((accuracy, seed) => run(method, seed, accuracy));
  const far = [
    ...row("erm", [0.5, 0.52, 0.51]),
    ...row("lff", [0.52, 0.5, 0.5]),
    ...row("bad", [0.1, 0.13, 0.11]),
  ];
  const marked = formatComparison([compareRuns(far, ["test"])], "latex").match(/.*textbf.*/g);
  expect(marked).toHaveLength(2);
  expect(marked!.join()).not.toContain("bad");
  // Two that cannot be told apart: neither is the best.
  const level = compareRuns(far.slice(0, 6), ["test"]);
  expect(formatComparison([level], "latex")).not.toContain("textbf");
  // Nor does a row of one seed, which cannot be compared, make them better than anything.
  const besides = compareRuns([...far.slice(0, 6), run("bad", 0, 0.1)], ["test"]);
  expect(formatComparison([besides], "latex")).not.toContain("textbf");
});

test("one row has a name, and seeds on the same images are told as such", () => {
  const on = (seed: number, data: StoredRun["spec"]): StoredRun => {
    const plain = run("erm", seed, 0.5 + seed / 10);
    return { ...plain, spec: { ...plain.spec, data } };
  };
  const own = { path: "/home/a/photos", identity: "own 1", split: "0.6,0.2,0.2" };
  const same = compareRuns([on(0, own), on(1, { ...own, path: "/mnt/photos" })], ["test"]);
  expect(formatComparison([same], "markdown")).toMatch(/^\| data \| test \|\n.*\n\| photos \| 55\.0 ± /);
  expect(same.remarks).toEqual([expect.stringMatching(/^all seeds have the same images: /)]);
  const drawn = (seed: number) => on(seed, { name: "urban-cars", seed });
  expect(compareRuns([drawn(0), drawn(1)]).remarks).toEqual([]);
  expect(compareRuns([on(0, own)]).remarks).toEqual([]);
});
