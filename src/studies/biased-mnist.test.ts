import { expect, test } from "vitest";
import { drawnPoints } from "../../test/helpers/drawn-points.ts";
import { measuredRun } from "../../test/helpers/measured-run.ts";
import { mean } from "../core/statistics/index.ts";
import { table1, tableA3, tableA4, tableA5 } from "../published/shrestha-2022.ts";
import { biasedMnistJobs } from "./biased-mnist/plan.ts";
import { presets } from "./biased-mnist/presets.ts";
import { growingOrder, variables } from "./biased-mnist/variables.ts";
import { biasedMnistStudy } from "./biased-mnist.ts";
import { labelOf, type MeasuredCase, type MeasuredRun, type MeasuredRuns } from "./jobs/runs-job.ts";
import { type PresetName, presetNames } from "./study.ts";

const asked = (preset: PresetName) => ({ preset, registered: biasedMnistStudy.registered(preset) });

test("the published tables agree with each other", () => {
  // Shrestha et al.: Table 1's column is the mean of Table A4's seven blocks.
  for (const method of ["UpWt", "GDRO", "RUBi", "LNL", "IRMv1"]) {
    const blocks = tableA4.filter((row) => row.method === method);
    expect(blocks.map(({ explicit }) => explicit.join())).toEqual([...variables]);
    // Table 1 is rounded down for LNL (40.66).
    expect(Math.abs(mean(blocks.map(({ unbiased }) => unbiased)) - table1[method]!.biasedMnist)).toBeLessThan(
      0.07,
    );
  }
  expect(mean(tableA4.filter(({ method }) => method === "GDRO").map(({ unbiased }) => unbiased))).toBeCloseTo(
    27.2,
    2,
  );
  // Table A5 begins with the block of Table A4 that is told the distractor shape.
  const shape = (rows: typeof tableA4) =>
    rows.filter(({ explicit }) => explicit.join() === "distractorShape");
  expect(shape(tableA5)).toEqual(shape(tableA4));
  expect(tableA5.filter(({ method }) => method === "UpWt").map(({ explicit }) => explicit)).toEqual(
    growingOrder.map((_, i) => growingOrder.slice(0, i + 1)),
  );
  for (const [method, { male, female, unbiased }] of Object.entries(tableA3)) {
    const groups = mean([male.other, male.blond, female.other, female.blond]);
    // An erratum: 77.8 is printed for LfF, whose groups give 78.1.
    expect(Math.abs(groups - unbiased)).toBeLessThan(method === "LfF" ? 0.4 : 0.08);
    expect(unbiased).toBe(table1[method]!.celeba);
  }
});

test("a row's majority and minority give its unbiased accuracy, as a tenth of the images is majority", () => {
  for (const { method, explicit, unbiased, cues } of tableA4) {
    for (const { majority, minority } of Object.values(cues)) {
      // Rows weigh images, the unbiased accuracy weighs groups; position has a ninth, not a tenth.
      expect(
        Math.abs(0.1 * majority + 0.9 * minority - unbiased),
        `${method} told ${explicit.join()}`,
      ).toBeLessThan(1);
    }
  }
});

test.each(presetNames)(
  "the plan of preset %s tells apart every run and begins with the standard model",
  (preset) => {
    const parts = biasedMnistJobs(presets[preset]);
    for (const { entries, name } of parts) {
      const labels = entries.map((entry) => labelOf(entry.case));
      expect(new Set(labels).size, name).toBe(labels.length);
    }
    expect(parts[0]!.entries[0]!.case).toMatchObject({ method: "StdM", explicit: [] });
  },
);

test("the paper's preset has the paper's runs", () => {
  const parts = biasedMnistJobs(presets.paper);
  const runs = Object.fromEntries(
    parts.map(({ name, entries, seeds }) => [name, entries.length * seeds.length]),
  );
  // Three implicit and 5 × 7 explicit cases, 5 × 7 growing ones, 8 × 5 strengths, with three seeds; 8 × 3 × 4 pairs.
  expect(runs).toEqual({
    methods: 3 * 38,
    growing: 3 * 35,
    strength: 3 * 40,
    hyperparameters: 96,
    search: 8,
  });
  expect(parts[0]!.entries[0]!.run).toMatchObject({
    data: { settings: { scale: 96, pBias: 0.7 } },
    model: { options: { width: 32 } },
    method: { name: "erm", preset: "biased-mnist" },
    optimiser: {},
    epochs: 30,
    batchSize: 128,
  });
});

/** A run that gets `unbiased`, with the given gap on every variable but those named. */
function run(unbiased: number, gap: number, own: Readonly<Record<string, number>> = {}): MeasuredRun {
  return measuredRun({
    unbiased,
    cues: Object.fromEntries(
      variables.map((variable) => {
        const mmd = own[variable] ?? gap;
        return [variable, { majority: unbiased + 0.9 * mmd, minority: unbiased - 0.1 * mmd, mmd }];
      }),
    ),
  });
}

/** Another seed of a run: all its numbers are higher by as much. */
function moved(measured: MeasuredRun, seed: number, more: number): MeasuredRun {
  const gaps = Object.entries(measured.cues).map(([name, gap]) => [name, { ...gap, mmd: gap.mmd! + more }]);
  return { ...measured, seed, unbiased: measured.unbiased + more, cues: Object.fromEntries(gaps) };
}

function parts(changes: Readonly<Record<string, number>>): MeasuredRuns[] {
  const value = (name: string, usual: number) => changes[name] ?? usual;
  const each = (
    method: string,
    explicit: readonly string[],
    measured: MeasuredRun,
    at = {},
  ): MeasuredCase => ({
    method,
    explicit,
    at,
    groupings: [],
    chosen: {},
    failures: [],
    // Three seeds that differ by half a point.
    runs: [-0.005, 0, 0.005].map((more, seed) => moved(measured, seed, more)),
  });
  const part = (name: string, cases: MeasuredCase[]): MeasuredRuns => ({
    kind: "runs",
    job: { kind: "runs", name, title: name, entries: [], seeds: [0, 1, 2], cues: [] },
    cases,
  });
  const told = run(0.3, 0.3, { distractorShape: value("told", 0.02), digitPosition: 0.03 });
  return [
    part("methods", [
      each("StdM", [], run(value("StdM", 0.42), value("gap", 0.3), { digitPosition: 0.07 })),
      each("UpWt", ["distractorShape"], told),
      each("LfF", [], run(value("LfF", 0.57), 0.2)),
    ]),
    part("growing", [
      each("UpWt", ["distractorShape"], told),
      each("UpWt", growingOrder, run(value("all", 0.25), 0.3)),
    ]),
    part("strength", [
      each("StdM", [], run(0.6, 0.3), { pBias: 0.5 }),
      each("StdM", [], run(value("strong", 0.3), 0.3), { pBias: 0.9 }),
    ]),
  ];
}

function verdicts(changes: Readonly<Record<string, number>>): string[] {
  return biasedMnistStudy.report(parts(changes), asked("quick")).findings.map(({ verdict }) => verdict);
}

test("findings follow the numbers, whichever way they come out", () => {
  // In the order: strength, exploitation, explicit, LfF, growing.
  expect(verdicts({})).toEqual(["seen", "seen", "seen", "seen", "seen"]);
  // Seeds move alike, so that every difference is exact: what is below three points is as good as none.
  expect(verdicts({ strong: 0.6 })[0]).toBe("equivalent to none");
  expect(verdicts({ strong: 0.7 })[0]).toBe("contradicted");
  expect(verdicts({ gap: 0.05 })[1]).toBe("contradicted");
  expect(verdicts({ told: 0.28 })[2]).toBe("equivalent to none");
  expect(verdicts({ told: 0.5 })[2]).toBe("contradicted");
  expect(verdicts({ LfF: 0.425 })[3]).toBe("equivalent to none");
  expect(verdicts({ LfF: 0.3 })[3]).toBe("contradicted");
  expect(verdicts({ all: 0.44 })[4]).toBe("contradicted");
  expect(verdicts({ StdM: 0.11, LfF: 0.12 }).slice(3)).toEqual(["cannot be told", "cannot be told"]);
});

test("tables have ours beside the published numbers of the same case", () => {
  const { sections } = biasedMnistStudy.report(parts({}), asked("quick"));
  const tables = new Map(
    sections.flatMap((section) => (section.tables ?? []).map((table) => [table.name, table])),
  );
  const upweighting = tables.get("table-1")!.rows.find(({ cells }) => cells[0] === "UpWt")!;
  expect(upweighting.cells.slice(1)).toEqual([
    "Distractor shape",
    { mean: expect.closeTo(0.3, 9) as number, deviation: expect.closeTo(0.005, 9) as number, runs: 3 },
    { mean: 0.215, deviation: null, runs: 0 },
    { mean: 0.301, deviation: null, runs: 0 },
  ]);
  const growing = tables.get("table-a5")!.rows;
  expect(growing.map(({ source }) => source)).toEqual(["ours", "published", "ours", "published"]);
  expect(growing[3]!.cells.slice(0, 4)).toEqual([
    "UpWt",
    "7, up to digit position",
    "published",
    { mean: 0.44, deviation: null, runs: 0 },
  ]);
});

test("a method whose runs all failed stays in the table, with the reason", () => {
  const [methods, ...rest] = parts({});
  const failed = { ...methods!.cases[2]!, runs: [], failures: ["the loss is NaN"] };
  const measured = [{ ...methods!, cases: [methods!.cases[0]!, failed] }, ...rest];
  const [table] = biasedMnistStudy.report(measured, asked("quick")).sections[0]!.tables!;
  expect(table!.rows.map(({ cells }) => [cells[0], cells[2]])).toEqual([
    ["StdM", expect.objectContaining({ mean: expect.closeTo(0.42, 9) as number, runs: 3 })],
    ["LfF", "the loss is NaN"],
  ]);
});

test("Fig. A8 follows each hyperparameter with the other at the paper's value", () => {
  const grid = [1e-4, 1e-3, 1e-2].flatMap((rate) =>
    [0, 1e-5, 1e-3].map((weightDecay) => ({
      ...parts({})[0]!.cases[0]!,
      at: { rate, weightDecay },
      runs: [run(rate === 1e-3 ? 0.5 : 0.3, 0.2)],
    })),
  );
  const { job } = parts({})[0]!;
  const { sections } = biasedMnistStudy.report(
    [{ kind: "runs", job: { ...job, name: "hyperparameters" }, cases: grid }],
    asked("quick"),
  );
  const points = (name: string) => drawnPoints(sections, name).map(({ x, y }) => [x, y]);
  expect(points("fig-a8-rate")).toEqual([
    [1e-4, 0.3],
    [1e-3, 0.5],
    [1e-2, 0.3],
  ]);
  expect(points("fig-a8-weight-decay")).toEqual([
    [1e-5, 0.5],
    [1e-3, 0.5],
  ]);
});

test("one seed tells nothing of others, and noise tells what it could have seen", () => {
  const [methods] = parts({});
  const cases = (of: (each: MeasuredCase) => readonly MeasuredRun[]) => [
    { ...methods!, cases: methods!.cases.map((each) => ({ ...each, runs: of(each) })) },
  ];
  const lff = (measured: readonly MeasuredRuns[]) =>
    biasedMnistStudy.report(measured, asked("quick")).findings[3]!;
  const alone = lff(cases(({ runs }) => runs.slice(0, 1)));
  expect(alone.verdict).toBe("cannot be told");
  expect(alone.evidence).toContain("with one seed, which tells nothing of others");
  const noisy = lff(
    cases(({ method, runs }) =>
      runs.map((run, seed) => (method === "LfF" ? moved(run, seed, [-0.3, 0.1, 0.2][seed]!) : run)),
    ),
  );
  expect(noisy.verdict).toBe("cannot be told");
  expect(noisy.evidence).toMatch(
    /3 seeds, 2 degrees of freedom\), cannot be told, could have seen \d+\.\d or more/,
  );
});
