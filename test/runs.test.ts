/** Runs as people look at them afterwards: what was run when, by which build, side by side, in a paper's table. */

import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { codeBehind, digestOf } from "../build-digest.ts";
import { sealed, unsealed } from "../src/disk/vouched.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { cuelabHere, cuelabHereWithNotes } from "./helpers/in-process.ts";
import { importsOf } from "./law.mjs";

const root = temporaryFolder();
const runs = join(root, "runs");

interface RecordedRun {
  id: string;
  state: string;
  builds: string[];
}

interface RecordedSweep {
  entries: {
    label: string;
    dataset?: string;
    chosen: { [path: string]: unknown };
    ties: { stage: number; of: number; by: string; brokenBy: string }[];
    trials: {
      id: string;
      point: { [path: string]: unknown };
      score: number;
      accuracy: number;
      loss: number;
    }[];
    otherwise?: { rule: string; point: { [path: string]: unknown } }[];
    runs: RecordedRun[];
  }[];
}

const file = `
name: two
base:
  model: { name: logistic-regression }
  epochs: 2
  batchSize: 10
datasets:
  - { label: A, data: { name: colored-mnist, settings: { trainPerEnvironment: 60, size: 14 } } }
  - label: B & co
    data: { name: colored-mnist, settings: { trainPerEnvironment: 80, size: 14 } }
    search: false
runs:
  - { label: ERM, method: { name: erm } }
  - { label: "<b>DRO</b>", method: { name: group-dro }, search: { select: { by: val-accuracy } } }
search:
  stages: [{ grid: { optimiser.rate: [1.0e-9, 2.0e-9, 0.01] } }]
  select: { by: val-worst-group, groups: [color] }
  alsoSelect: [{ by: val-loss }]
seeds: 2
`;

let outcome: RecordedSweep;

beforeAll(async () => {
  writeFileSync(join(root, "two.yaml"), file);
  outcome = await cuelabJson<RecordedSweep>(
    ["sweep", "run", join(root, "two.yaml"), "--out", runs, "--report", join(root, "two.html")],
    { cwd: root },
  );
});

test("the build is a digest of the code that training loads, and of no other", () => {
  const { build, files } = JSON.parse(readFileSync("dist/program/build.json", "utf8")) as {
    build: string;
    files: number;
  };
  expect(readFileSync("dist/src/core/build.json", "utf8")).toBe(
    readFileSync("dist/program/build.json", "utf8"),
  );
  // The same files by the sources' own imports: types are gone from what is built.
  const all = importsOf().filter(({ type, target }) => !type && target.endsWith(".ts"));
  const behind = codeBehind(
    ["training/train-process.ts", "training/batch-worker.ts"].map((path) => `dist/src/${path}`),
    (id) => ({
      importedIds: all
        .filter(({ file: one }) => `dist/src/${one}` === id)
        .map(({ target }) => `dist/src/${target}`),
      dynamicallyImportedIds: [],
    }),
  );
  expect(behind.some((path) => /dist\/src\/(cli|reports|audits|studies)\//.test(path))).toBe(false);
  expect(behind).toContain("dist/src/methods/erm.ts");
  expect(files).toBeLessThanOrEqual(behind.length);
  expect(files).toBeGreaterThan(0.9 * behind.length);
  for (const { runs: made } of outcome.entries)
    for (const { builds, state } of made) expect([state, builds]).toEqual(["done", [build]]);
  const code = [{ path: "a.js", text: "1" }];
  expect(digestOf(code)).not.toBe(digestOf([{ path: "a.js", text: "2" }]));
  expect(digestOf(code)).not.toBe(digestOf([{ path: "b.js", text: "1" }]));
});

test("datasets are an axis, and entries search in ways of their own", () => {
  expect(outcome.entries.map(({ label, dataset, trials }) => [label, dataset, trials.length])).toEqual([
    ["ERM", "A", 3],
    ["<b>DRO</b>", "A", 3],
    ["ERM", "B & co", 0],
    ["<b>DRO</b>", "B & co", 0],
  ]);
  expect(outcome.entries.every(({ runs: made }) => made.length === 2)).toBe(true);
  const [{ otherwise }] = outcome.entries as [RecordedSweep["entries"][0]];
  expect(otherwise).toMatchObject([{ rule: "validation loss" }]);
  const { trials } = outcome.entries[0]!;
  const least = trials.reduce((a, b) => (b.loss < a.loss ? b : a));
  expect(otherwise![0]!.point).toEqual(least.point);
});

test("runs list tells state, time, sweep and label; a note is found again", async () => {
  const here = join(runs, outcome.entries[0]!.runs[0]!.id);
  await cuelabHere("runs", "note", here, "looks\u001b[31m odd");
  const listed = JSON.parse(await cuelabHere("runs", "list", runs, "--json")) as {
    id: string;
    state: string;
    sweep: string;
    command: string;
    started: string;
    seconds: number;
    notes: string[];
  }[];
  expect(listed.length).toBe(readdirSync(runs).filter((name) => /^[0-9a-f]{16}$/.test(name)).length);
  for (const run of listed) {
    expect(run).toMatchObject({
      state: "finished",
      sweep: "two",
      command: expect.stringContaining("cuelab sweep run"),
    });
    expect(run.seconds).toBeGreaterThan(0);
  }
  expect(listed.map(({ started }) => started)).toEqual(listed.map(({ started }) => started).toSorted());
  expect(listed.flatMap(({ notes }) => notes)).toEqual(["looks\u001b[31m odd"]);
  const page = await cuelabHere(
    "runs",
    "list",
    runs,
    "--columns",
    "run,label,note,optimiser.rate,test",
    "--sort",
    "-test",
  );
  expect(page).not.toContain("\u001b");
  expect(page).toContain("looks�[31m odd");
  const accuracies = [...page.matchAll(/(\d+\.\d)%$/gm)].map(([, value]) => Number(value));
  expect(accuracies).toEqual(accuracies.toSorted((a, b) => b - a));
  expect(await cuelabHere("runs", "list", runs, "--label", "ERM", "--columns", "label")).not.toContain("DRO");
  await expect(cuelabHere("runs", "list", runs, "--columns", "stat")).rejects.toThrow(/did you mean "state"/);
  await expect(cuelabHere("runs", "list", runs, "--sweep", "tow")).rejects.toThrow(/did you mean "two"/);
});

test("the beginning of an id is enough; what is no run is told as that", async () => {
  const { id } = outcome.entries[0]!.runs[0]!;
  const shown = JSON.parse(await cuelabHere("runs", "show", join(runs, id.slice(0, 8)), "--json")) as {
    id: string;
  };
  expect(shown.id).toBe(id);
  await expect(cuelabHere("runs", "show", join(runs, "nope"))).rejects.toThrow(/no run there/);
  await expect(cuelabHere("runs", "show", root)).rejects.toThrow(/no run there/);
  expect(await cuelabHere("eval", join(runs, id.slice(0, 8)), "-q")).toContain("worst group");
});

test("runs of different builds are told apart wherever one number is made of them", async () => {
  const [one, two] = outcome.entries[2]!.runs as [RecordedRun, RecordedRun];
  const path = join(runs, two.id, "manifest.json");
  const before = readFileSync(path, "utf8");
  try {
    writeFileSync(path, sealed({ ...unsealed(before, path), builds: ["0000000000000000"] }));
    const remark = /different builds of the program \(1 by [0-9a-f]+, 1 by [0-9a-f]+\)/;
    expect((await cuelabHereWithNotes("runs", "compare", runs)).notes).toMatch(remark);
    expect(await cuelabHere("eval", join(runs, one.id), join(runs, two.id))).toMatch(remark);
    expect((await cuelabHereWithNotes("runs", "export", runs, "--sweep", "two")).notes).toMatch(
      /table were made by different builds/,
    );
  } finally {
    writeFileSync(path, before);
  }
});

interface PaperJson {
  rows: {
    label: string;
    dataset: string;
    trials: number;
    steps: number;
    runs: string[];
    trainingLabels: string;
    selectionLabels: string;
    cells: { [metric: string]: { mean: number; n: number; values: { value: number }[] } | null };
  }[];
}

test("the paper's table has a row a label and datasets as columns, of the chosen runs alone", async () => {
  const words = [
    "runs",
    "export",
    runs,
    "--sweep",
    "two",
    "--metrics",
    "accuracy,worst-group:color,mmd:color,val",
  ];
  const { rows } = JSON.parse(await cuelabHere(...words, "--json")) as PaperJson;
  expect(rows.map(({ label, dataset }) => [label, dataset])).toEqual(
    outcome.entries.map(({ label, dataset }) => [label, dataset]),
  );
  expect(rows[0]).toMatchObject({
    trials: 3,
    // Two epochs over two environments of 60, by batches of 10.
    steps: 24,
    trainingLabels: "class",
    selectionLabels: "class on validation, color on validation",
  });
  expect(rows[1]).toMatchObject({
    trainingLabels: "class; color on training",
    selectionLabels: "class on validation",
  });
  for (const [i, { runs: ids, cells }] of rows.entries()) {
    expect(ids).toEqual(outcome.entries[i]!.runs.map(({ id }) => id));
    for (const id of ids) {
      const report = JSON.parse(await cuelabHere("eval", join(runs, id), "--json")) as {
        accuracy: { samples: number };
      };
      expect(cells.accuracy!.values.map(({ value }) => value)).toContain(report.accuracy.samples);
    }
  }
  const latex = await cuelabHere(...words, "--format", "latex");
  expect(latex).toContain(String.raw`\multicolumn{4}{c}{B \& co}`);
  expect(latex).toContain(String.raw`\textless{}b\textgreater{}DRO`);
  expect(await cuelabHere(...words, "--format", "csv")).not.toContain("–");
});

test.each([
  [["--metrics", "acuracy"], /did you mean "accuracy"/],
  [["--metrics", "gap:sky"], /no run has a number for "gap:sky"/],
  [["--metrics", "mmd"], /mmd of which cue/],
  [["--title", "x"], /--title has no effect without --figures/],
  [["--slices", "test"], /--slices has no effect with --sweep/],
])("of a paper's table, %s is refused", async (words, message) => {
  await expect(cuelabHere("runs", "export", runs, "--sweep", "two", ...words)).rejects.toThrow(message);
});

test("figures are drawings with letters, as SVG and PDF; what people changed is not written over", async () => {
  const out = join(root, "figures");
  const words = ["runs", "export", runs, "--sweep", "two", "--metrics", "accuracy", "--figures", out, "-q"];
  await cuelabHere(
    ...words,
    "--title",
    "Mine & <yours>",
    "--labels",
    "accuracy=Test accuracy",
    "--size",
    "240",
  );
  const svg = readFileSync(join(out, "accuracy.svg"), "utf8");
  expect(svg).toContain("Mine &amp; &lt;yours&gt;");
  expect(svg).toContain("Test accuracy");
  const pdf = readFileSync(join(out, "accuracy.pdf"));
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  expect(pdf.includes("/FontFile")).toBe(true);
  expect(pdf.includes("/Subtype /Image")).toBe(false);
  expect(existsSync(join(out, "validation-accuracy.pdf"))).toBe(true);
  // Its own figures may be drawn again, but not what somebody has changed since.
  await cuelabHere(...words);
  appendFileSync(join(out, "accuracy.svg"), "<!-- mine -->");
  await expect(cuelabHere(...words)).rejects.toThrow(/--force/);
});

test("a sweep's page and a comparison's say first what is best, and no name of theirs becomes markup", async () => {
  await cuelabHere("runs", "compare", runs, "--report", join(root, "compared.html"), "-q");
  for (const name of ["two.html", "compared.html"]) {
    const page = readFileSync(join(root, name), "utf8");
    expect(page).toMatch(/highest accuracy \(test\)|cannot be told/);
    expect(page).toContain("validation accuracy by epoch");
    expect(page).not.toContain("<b>DRO");
    expect(page.indexOf("highest accuracy")).toBeLessThan(page.indexOf("<table"));
  }
});

test("a sweep's record answers the four recommendations, with the numbers behind each", async () => {
  const { answers, cues } = JSON.parse(
    await cuelabHere("report", "protocol", "two", "--runs", runs, "--json"),
  ) as {
    answers: { verdict: string; because: string[] }[];
    cues: { label: string; cue: string; told: boolean; mmd: number[] }[];
  };
  expect(answers.map(({ verdict }) => verdict)).toEqual(["partly", "partly", "partly", "yes"]);
  expect(answers[0]!.because.join()).toMatch(
    /2 methods: erm, group-dro.*rules that choose hyperparameters differ on A/,
  );
  // Environments 0.1 and 0.2: colour goes with the class in about 85 of 100 training images.
  const [, percent] = /A: made, .*1 cue \(color (\d+)%\)/.exec(answers[1]!.because.join())!;
  expect(Math.abs(Number(percent) - 85)).toBeLessThan(12);
  expect(answers[3]!.because.join()).toContain(
    "A: validation images are in distribution, test images out of distribution",
  );
  expect(cues.map(({ label, told }) => [label, told])).toEqual(
    outcome.entries.map(({ label }) => [label, label !== "ERM"]),
  );
  for (const { mmd } of cues) expect(mmd).toHaveLength(2);
});

test("--dry-run counts, estimates by similar runs, and writes nothing", async () => {
  const plan = await cuelabJson<{ runs: number; done: number; seconds: number | null }>([
    "sweep",
    "run",
    join(root, "two.yaml"),
    "--out",
    runs,
    "--dry-run",
  ]);
  expect(plan).toMatchObject({ runs: 6 + 4 * 2, done: 6 + 2 * 2 });
  expect(plan.seconds).toBeGreaterThan(0);
  const { stdout } = await cuelab([
    "sweep",
    "run",
    join(root, "two.yaml"),
    "--out",
    join(root, "none"),
    "--dry-run",
  ]);
  expect(stdout).toContain("how long it takes is not known");
  expect(existsSync(join(root, "none"))).toBe(false);
});

test("going on with what another build began is told; the run is then interrupted, and listed as that", async () => {
  const out = join(root, "gone-on");
  const words = [
    "train",
    "--data",
    "colored-mnist",
    "--set",
    "trainPerEnvironment=60",
    "--set",
    "size=14",
    "--model",
    "logistic-regression",
    "--batch-size",
    "10",
    "--epochs",
    "100000",
  ];
  await cuelab([...words, "--max-minutes", "0.01", "--out", out]);
  const path = join(out, "checkpoint.safetensors");
  const bytes = readFileSync(path);
  const { build } = JSON.parse(readFileSync("dist/program/build.json", "utf8")) as { build: string };
  const at = bytes.indexOf(build);
  bytes.write("0000000000000000", at, "latin1");
  writeFileSync(path, bytes);
  const { stderr } = await cuelab([...words, "--max-minutes", "0.01", "--out", out]);
  expect(stderr).toContain("going on with what another build of the program began (0000000000000000");
  const [run] = JSON.parse(await cuelabHere("runs", "list", out, "--json")) as { state: string }[];
  expect(run!.state).toBe("interrupted");
});
