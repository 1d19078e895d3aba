/** `cuelab eval` as people use it: the documented walk-through, every form of input, and what it refuses. */

import { mkdirSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { parquetWriteBuffer } from "hyparquet-writer";
import { beforeAll, describe, expect, test } from "vitest";
import { evaluatePredictions } from "../src/audits/predictions/evaluate-predictions.ts";
import type { EvaluationReport } from "../src/audits/predictions/evaluation-report.ts";
import { CuelabError, type ErrorKind } from "../src/core/errors.ts";
import { randomStream } from "../src/core/random.ts";
import { datasets } from "../src/datasets/index.ts";
import { formats } from "../src/formats/index.ts";
import { writeDataset } from "../src/formats/write-dataset.ts";
import { encodePredictions } from "../src/runs/predictions.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const page = readFileSync(resolve(import.meta.dirname, "../docs/metrics.md"), "utf8");

function file(name: string, content: string | Uint8Array): string {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const json = (value: unknown) => JSON.stringify(value);

beforeAll(() => {
  for (const [, name, content] of page.matchAll(/`([\w-]+\.csv)`:\n\n```csv\n([\s\S]*?)```/g)) {
    file(name!, content!);
  }
});

describe("the documented walk-through", () => {
  const [, command] = /\$ cuelab (eval .*)/.exec(page)!;

  test("prints what the page says", async () => {
    const [, output] = /It prints:\n\n```text\n([\s\S]*?)```/.exec(page)!;
    const { stdout, stderr, code } = await cuelab(command!.split(" "), { cwd: root });
    expect(stderr).toBe("");
    expect(stdout).toBe(output);
    expect(code).toBe(0);
  });

  test("gives the fractions worked out by hand", async () => {
    const report = await cuelabJson<EvaluationReport>(command!.split(" "), { cwd: root });
    expect(report.accuracy).toEqual({
      samples: 0.6,
      meanPerGroup: expect.closeTo(23 / 48, 12),
      trainWeighted: expect.closeTo(151 / 240, 12),
    });
    expect(report.worstGroup).toEqual({ name: "class waterbird, place land", accuracy: 0, n: 1 });
    expect(report.cues.place).toMatchObject({
      majority: expect.closeTo(5 / 7, 12),
      minority: expect.closeTo(1 / 3, 12),
      mmd: expect.closeTo(8 / 21, 12),
    });
    expect(report.accAlpha.map(({ alpha }) => alpha)).toEqual([-1, -0.5, 0, 0.5, 1, 1.5, 2]);
    expect(report.accAlpha[0]!.value).toBeCloseTo(48 / 125, 12);
    expect(report.groups.map(({ n }) => n)).toEqual([4, 2, 1, 3]);
    // Wilson for 6 of 10: (0.6 + z²/20 ± z·√(0.24/10 + z²/400)) / (1 + z²/10) with z = 1.959964.
    expect(report.intervals["accuracy.samples"]).toMatchObject({
      low: expect.closeTo(0.31267, 5),
      high: expect.closeTo(0.83182, 5),
    });
  });
});

const birds = () => readFileSync(join(root, "birds.csv"), "utf8");
const evaluate = (name: string, options = {}) =>
  evaluatePredictions({ tables: [join(root, name)], ...options });

describe("without training counts", () => {
  test("says what to give and prints the rest", async () => {
    const { stdout, code } = await ranHere(["eval", "birds.csv"], { cwd: root });
    expect(stdout).toMatch(/over samples +60\.0%/);
    expect(stdout).toMatch(/not computed: majority-accuracy, minority-accuracy, mmd; give .*--majority/);
    expect(stdout).toMatch(/not computed: train-weighted, acc-alpha; give .*--train-counts/);
    expect(code).toBe(0);
  });

  test("the majority can be said, or told by a column", async () => {
    const args = ["--majority", "place:landbird=land", "--majority", "place:waterbird=water"];
    const said = await jsonHere<EvaluationReport>(["eval", join(root, "birds.csv"), ...args]);
    expect(said.cues.place).toMatchObject({ mmd: expect.closeTo(8 / 21, 12), rule: "said" });
    const lines = birds().trim().split("\n");
    const flagged = lines.map((line, i) => {
      const [, , label, , place] = line.split(",");
      return `${line},${i === 0 ? "placeMajority" : label!.startsWith(place!) ? "True" : "False"}`;
    });
    file("flagged.csv", flagged.join("\n"));
    const told = await evaluate("flagged.csv");
    expect(told.cues.place).toMatchObject({ mmd: expect.closeTo(8 / 21, 12), rule: "column" });
    expect(Object.keys(told.cues)).toEqual(["place"]);
  });

  test("rows of split train are the counts", async () => {
    const train = Object.entries({
      "landbird,land": 9,
      "landbird,water": 1,
      "waterbird,land": 2,
      "waterbird,water": 8,
    });
    const rows = train.flatMap(([key, count]) => {
      const [label, place] = key.split(",");
      return Array.from({ length: count }, () => `0,train,${label},landbird,${place}`);
    });
    file("with-train.csv", `${birds()}${rows.join("\n")}\n`);
    const report = await evaluate("with-train.csv");
    expect(report.accuracy.trainWeighted).toBeCloseTo(151 / 240, 12);
    expect(report.cues.place).toMatchObject({ mmd: expect.closeTo(8 / 21, 12) });
    expect(report.splits).toEqual({ test: 10, train: 20 });
    // The same rows as the table of counts, one an image.
    const counted = await evaluate("birds.csv", { trainCounts: join(root, "with-train.csv") });
    expect(counted.accuracy.trainWeighted).toBeCloseTo(151 / 240, 12);
  });
});

test("agrees with SQL on a table of random predictions", async () => {
  const random = randomStream(3, "test/eval").at(0);
  const rows = Array.from({ length: 4000 }, (_, i) => {
    const label = random.integer(4);
    const [a, b] = [random.boolean(0.6) ? label : random.integer(5), random.integer(3)];
    const logits = Array.from(
      { length: 4 },
      (_, k) => random.normal() + (k === label ? 1 : 0) + (k === a ? 1 : 0),
    );
    return `${i},${i % 5 === 0 ? "train" : "test"},${label},${logits.join()},a${a},b${b}`;
  });
  const path = file(
    "random.csv",
    `id,split,y_true,logit_0,logit_1,logit_2,logit_3,a,b\n${rows.join("\n")}\n`,
  );
  const report = await evaluate("random.csv", { groups: ["class", "a", "b"] });
  const connection = await (await DuckDBInstance.create()).connect();
  const sql = async (query: string) =>
    (await connection.runAndReadAll(query)).getRowsJson().map((row) => row.map(Number));
  await connection.run(`create table t as select *,
    list_position([logit_0, logit_1, logit_2, logit_3], greatest(logit_0, logit_1, logit_2, logit_3)) - 1 as y_pred,
    (y_pred = y_true)::int as ok from '${path}'`);
  const [[samples]] = (await sql("select avg(ok) from t where split = 'test'")) as [[number]];
  expect(report.accuracy.samples).toBeCloseTo(samples, 12);
  const groups = `(select y_true, a, b, avg(ok) acc, count(*) n from t where split = 'test' group by all)`;
  const [[mean, worst, occupied]] = (await sql(`select avg(acc), min(acc), count(*) from ${groups}`)) as [
    number[],
  ] as [[number, number, number]];
  expect(report.accuracy.meanPerGroup).toBeCloseTo(mean, 12);
  expect(report.worstGroup.accuracy).toBeCloseTo(worst, 12);
  expect(report.grouping.occupied).toBe(occupied);
  const [[weighted]] = (await sql(`select sum(acc * trained) / sum(trained) from ${groups} join
    (select y_true, a, b, count(*) trained from t where split = 'train' group by all) using (y_true, a, b)`)) as [
    [number],
  ];
  expect(report.accuracy.trainWeighted).toBeCloseTo(weighted, 12);
  const frequent = `(select y_true, arg_max(a, c) as top from
    (select y_true, a, count(*) c from t where split = 'train' group by all) group by y_true)`;
  const [[majority], [minority]] = (await sql(`select avg(ok) from t join ${frequent} using (y_true)
    where split = 'test' group by a = top order by a = top desc`)) as [[number], [number]];
  expect(report.cues.a).toMatchObject({
    majority: expect.closeTo(majority, 12),
    minority: expect.closeTo(minority, 12),
  });
  const [[ece]] = (await sql(`with c as (select ok, exp(greatest(logit_0, logit_1, logit_2, logit_3)) /
      (exp(logit_0) + exp(logit_1) + exp(logit_2) + exp(logit_3)) p from t where split = 'test')
    select sum(abs(o - p)) / sum(n) from (select sum(ok) o, sum(p) p, count(*) n from c group by ceil(p * 15))`)) as [
    [number],
  ];
  expect(report.calibration!.error).toBeCloseTo(ece, 10);
});

describe("a run's folder", () => {
  const settings = { trainPerEnvironment: 60 };

  /** The form of a finished run, with a model that reads colour alone, as it goes with the class in training. */
  async function runFolder(name: string, seed = 0, more = {}): Promise<string> {
    const dataset = await datasets.get("colored-mnist").build(settings, seed);
    const indices = Uint32Array.from(dataset.splits.values.keys()).filter(
      (i) => dataset.splits.values[i] !== 0,
    );
    const color = dataset.attributes.color!;
    const logits = Float32Array.from(
      Array.from(indices).flatMap((i) =>
        // Colour agrees with the label in a tenth and a fifth of the training images.
        [0, 1].map((k) => (color.classValues![k] === color.values[i] ? 0 : 2)),
      ),
    );
    const spec = { data: { name: "colored-mnist", settings, seed, identity: "x" }, seed, ...more };
    const origin = { run: name.replace("-copy", ""), format: 5, spec };
    file(`${name}/spec.json`, json({ id: origin.run, ...spec }));
    file(`${name}/predictions.parquet`, await encodePredictions(dataset, { indices, logits }, origin));
    file(`${name}/manifest.json`, json({ cuelabRun: 5, files: {} }));
    return join(root, name);
  }

  test("without its manifest is refused, and so is a sweep's record", async () => {
    const folder = await runFolder("unfinished");
    unlinkSync(join(folder, "manifest.json"));
    const { stderr, code } = await ranHere(["eval", folder]);
    expect(stderr).toMatch(/the run is not finished[\s\S]*finish that run first/);
    expect(code).toBe(3);
    await expect(evaluate("birds.csv", { baselines: [folder] })).rejects.toThrow(/not finished/);
    const record = file("runs/grid.sweep.json", json({ cuelabSweep: 1 }));
    await expect(evaluate("birds.csv", { tables: [join(root, "birds.csv"), record] })).rejects.toThrow(
      /a sweep's record[\s\S]*folders of its runs/,
    );
  });

  test("knows its cues, what goes with which class, and how much of each was trained on", async () => {
    const report = await jsonHere<EvaluationReport>(["eval", await runFolder("R"), "--split", "val"]);
    expect(report.cues.color).toMatchObject({
      majority: 1,
      minority: 0,
      mmd: 1,
      rule: "most frequent in training",
    });
    expect(report.remarks).toContainEqual(
      expect.stringMatching(
        /^color: .*not what the dataset declares: green and not red for class below 5, red and not green/,
      ),
    );
    expect(report.training).toMatch(/training split of colored-mnist/);
    expect(report.accuracy.trainWeighted).not.toBeNull();
    // Softmax of 2 and 0 is 0.8808 everywhere.
    const samples = report.accuracy.samples!;
    expect(report.calibration!.error).toBeCloseTo(Math.abs(samples - Math.exp(2) / (1 + Math.exp(2))), 6);
  });

  test("several are seeds: means with standard errors, each with its own training counts", async () => {
    const [first, second] = [await runFolder("S0"), await runFolder("S1", 1)];
    const { stdout, stderr } = await ranHere(["eval", first, second]);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/over samples +\d+\.\d% {2,}\d+\.\d%/);
    expect(stdout).toMatch(/weighted by training group sizes +\d/);
    expect(stdout).toMatch(/mean of each run's worst group +\d/);
  });

  test("seeds on the same images say so, seeds on images of their own do not", async () => {
    const same = { data: { name: "colored-mnist", settings, seed: 0, identity: "x" } };
    const one = await runFolder("same0", 0, same);
    const two = await runFolder("same1", 1, { ...same, data: { ...same.data, places: { a: "/elsewhere" } } });
    const own = await runFolder("own1", 1);
    expect((await evaluatePredictions({ tables: [one, two] })).sameImages).toBe(true);
    expect(await evaluatePredictions({ tables: [one, own] })).not.toHaveProperty("sameImages");
    expect(await evaluatePredictions({ tables: [one] })).not.toHaveProperty("sameImages");
    expect((await ranHere(["eval", one, two])).stdout).toContain(
      "all seeds have the same images, and other images may give other numbers",
    );
  });

  test("one run is one run, and runs that differ in more than the seed have no mean", async () => {
    const [erm, copy] = [await runFolder("erm"), await runFolder("erm-copy")];
    expect(await ranHere(["eval", erm, copy])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the run erm is given twice[\s\S]*a copy is no second one/),
    });
    await expect(evaluatePredictions({ tables: [erm, join(erm, "predictions.parquet")] })).rejects.toThrow(
      /same predictions are given twice/,
    );
    const dro = await runFolder("dro", 1, { method: { name: "group-dro" } });
    expect(await ranHere(["eval", erm, dro])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/differ in more than the seed[\s\S]*other method\.name[\s\S]*--baseline/),
    });
    // Also without the folders that they lay in.
    const bare = [erm, dro].map((folder, i) =>
      file(`bare${i}.parquet`, readFileSync(join(folder, "predictions.parquet"))),
    );
    await expect(evaluatePredictions({ tables: bare })).rejects.toThrow(/differ in more than the seed/);
  });

  test("or --data tells, for a table without its run", async () => {
    const dataset = await datasets.get("colored-mnist").build(settings, 0);
    const out = join(root, "D");
    const format = formats.get("npz");
    await writeDataset(dataset, { out, format, encoding: format.encodings[0]!, force: false, workers: 0 });
    const color = dataset.attributes.color!;
    const rows = Array.from(dataset.labels, (label, i) => [label, color.valueNames[color.values[i]!]].join());
    const path = file("own.csv", `y,color,y_pred\n${rows.map((row) => `${row},${row[0]}`).join("\n")}\n`);
    const report = await jsonHere<EvaluationReport>(["eval", path, "--data", out]);
    expect(report.classes).toEqual(dataset.classNames);
    expect(report.cues.color).toMatchObject({
      majority: 1,
      minority: 1,
      mmd: 0,
      rule: "most frequent in training",
    });
    const trained = dataset.splits.values.filter((split) => split === 0).length;
    expect(report.groups.reduce((sum, { train }) => sum + train!, 0)).toBe(trained);
  });

  test("a declaration that training does not contradict holds", async () => {
    const settings = { trainPerEnvironment: 60, environments: [0.9, 0.8, 0.1] };
    const dataset = await datasets.get("colored-mnist").build(settings, 0);
    const color = dataset.attributes.color!;
    const colors = Array.from(color.values, (value) => color.valueNames[value]!);
    // Predicts class 0 for red.
    const rows = colors.map((name, i) => [dataset.labels[i], name, name === "red" ? 0 : 1].join());
    const path = file("agreeing.csv", `y,color,y_pred\n${rows.join("\n")}\n`);
    const report = await evaluatePredictions({ tables: [path], dataset });
    expect(report.cues.color).toMatchObject({ mmd: 1, rule: "declared by the dataset" });
    expect(report.remarks.join()).not.toMatch(/declares/);
    const said = [{ cue: "color", label: dataset.classNames[0]!, value: "green" }];
    const other = await evaluatePredictions({ tables: [path], dataset, majority: said });
    expect(other.cues.color).toMatchObject({ mmd: -1, rule: "said" });
  });

  test("a table's own word on its training holds against a dataset that is given, and it is told", async () => {
    const folder = await runFolder("own-word");
    const other = await datasets.get("colored-mnist").build({ trainPerEnvironment: 40 }, 0);
    const own = await evaluatePredictions({ tables: [folder] });
    const given = await evaluatePredictions({ tables: [folder], dataset: other });
    expect(given).toMatchObject({ cues: own.cues, accuracy: own.accuracy });
    expect(given.remarks).toContainEqual(
      expect.stringMatching(/trained on other images than .*colored-mnist/),
    );
    const same = await datasets.get("colored-mnist").build(settings, 0);
    expect((await evaluatePredictions({ tables: [folder], dataset: same })).remarks).toEqual(own.remarks);
    await expect(
      evaluatePredictions({ tables: [folder], dataset: { ...other, classNames: ["a", "b"] } }),
    ).rejects.toThrow(/it has other classes/);
  });
});

describe("Parquet of others", () => {
  test("probabilities under class names, whole numbers of 64 bits, booleans", async () => {
    const columns = [
      { name: "y_true", data: ["cat", "dog", "dog"] },
      { name: "prob_cat", data: [0.9, 0.2, 0.7] },
      { name: "prob_dog", data: [0.1, 0.8, 0.3] },
      { name: "year", data: [2020n, 2021n, 2020n] },
      { name: "indoors", data: [true, false, true] },
    ];
    file("probs.parquet", new Uint8Array(parquetWriteBuffer({ columnData: columns, rowGroupSize: 2 })));
    const report = await evaluate("probs.parquet", { groups: ["indoors"] });
    expect(report.accuracy.samples).toBeCloseTo(2 / 3, 12);
    expect(report.split).toBeNull();
    expect(report.groups.map(({ name, n, accuracy }) => [name, n, accuracy])).toEqual([
      ["indoors false", 1, 1],
      ["indoors true", 2, 0.5],
    ]);
    expect(Object.keys(report.cues)).toEqual([]);
  });
});

describe("a baseline", () => {
  const baseline = () => birds().replace("3,test,landbird,landbird", "3,test,landbird,waterbird");

  test("gives what each group gains, with paired intervals", async () => {
    file("baseline.csv", baseline());
    const report = await evaluate("birds.csv", { baselines: [join(root, "baseline.csv")] });
    expect(report.improvement).toEqual({
      samples: expect.closeTo(0.1, 12),
      meanPerGroup: expect.closeTo(1 / 16, 12),
      // Landbirds 4 and 3 of 6.
      classes: { landbird: expect.closeTo(1 / 6, 12), waterbird: 0 },
    });
    expect(report.groups[0]).toMatchObject({ name: "class landbird, place land", iosm: 0.25 });
    // One only ours, none only theirs, of 4: (2/6 − 1/6) ± 1.959964·√((3/6 − 1/36)/6).
    expect(report.groups[0]!.iosmLow).toBeCloseTo(1 / 6 - 1.959964 * Math.sqrt((1 / 2 - 1 / 36) / 6), 6);
  });

  test.each([
    [
      "other ids",
      () => baseline().replace("\n4,", "\n40,"),
      /id differs[\s\S]*other\.csv, row 4[\s\S]*got: 40/,
    ],
    [
      "other classes",
      () => baseline().replace("7,test,waterbird", "7,test,landbird"),
      /class differs[\s\S]*row 7/,
    ],
    [
      "fewer rows",
      () => baseline().split("\n").slice(0, 9).join("\n"),
      /another number of rows[\s\S]*before row 9/,
    ],
    [
      "more rows",
      () => `${baseline()}11,test,landbird,landbird,land\n`,
      /another number of rows[\s\S]*goes on/,
    ],
  ])("of %s is refused", async (_, content, message) => {
    file("other.csv", content());
    await expect(evaluate("birds.csv", { baselines: [join(root, "other.csv")] })).rejects.toThrow(message);
  });
});

describe("WILDS' prediction files", () => {
  const name = "wilds/waterbirds_split:test_seed:0_epoch:best_pred.csv";
  const labels = () =>
    file(
      "wilds/metadata.csv",
      "img_id,y,split,place\n1,0,0,0\n2,1,2,1\n3,1,0,1\n4,0,2,0\n5,0,2,1\n6,1,1,1\n7,0,0,0\n",
    );

  test("lines are the rows of the split in the file's name; training rows of the labels are not needed", async () => {
    file(name, "1\n0\n1\n");
    const report = await evaluate(name, { labels: [labels()], cues: ["place"] });
    expect(report).toMatchObject({ n: 3, split: "test", accuracy: { samples: expect.closeTo(2 / 3, 12) } });
    const counted = await evaluate(name, { labels: [labels()], cues: ["place"], trainCounts: labels() });
    expect(counted.cues.place).toMatchObject({
      majority: 1,
      minority: 0,
      counts: { majority: 2, minority: 1 },
    });
  });

  test.each([
    ["too few", "1\n0\n", /2 predictions and more than 2 rows/],
    ["too many", "1\n0\n1\n1\n", /more than 3 predictions and 3 rows/],
    ["several values a line", "1,0\n0,1\n1,0\n", /row 1[\s\S]*one prediction a line/],
    ["an empty file", "", /0 predictions/],
  ])("%s is refused", async (_, content, message) => {
    file(name, content);
    await expect(evaluate(name, { labels: [labels()], cues: ["place"] })).rejects.toThrow(message);
  });

  test("labels are needed, and must have the split", async () => {
    file(name, "1\n");
    const outcome = await ranHere(["eval", join(root, name)]);
    expect([outcome.code, outcome.stderr]).toEqual([
      2,
      expect.stringMatching(/predictions only[\s\S]*--labels/),
    ]);
    const other = file("wilds/waterbirds_split:id_test_seed:0_epoch:3_pred.csv", "1\n");
    await expect(evaluatePredictions({ tables: [other], labels: [labels()] })).rejects.toThrow(
      /no rows of split "id_test"[\s\S]*splits 0, 2, 1/,
    );
  });
});

describe("GQA-OOD's files", () => {
  /** The true form: groups may be null, and there is more in a question than is needed. */
  const question = (answer: string, local: string, global: string | null = "color") => ({
    answer,
    question: "What color is the bag?",
    imageId: "n1",
    isBalanced: true,
    groups: { global, local },
    types: { structural: "query", semantic: "attr", detailed: "attr" },
    semantic: [{ operation: "select", argument: "bag (1)", dependencies: [] }],
  });
  // Bags: red 3, blue 1 (mean 2); chairs: wood 1, no group.
  const questions = {
    "201": question("red", "bag"),
    "202": question("red", "bag"),
    "203": question("red", "bag"),
    "204": question("blue", "bag"),
    "205": question("wood", "chair", null),
  };
  const answers = [
    { questionId: "201", prediction: "red" },
    { questionId: "202", prediction: "red" },
    { questionId: "203", prediction: "brown" },
    { questionId: "204", prediction: "red" },
    { questionId: "205", prediction: "wood" },
    { questionId: "999", prediction: "yes" },
  ];

  test("head and tail are cut within local groups", async () => {
    const path = file("gqa/answers.json", json(answers));
    const labels = file("gqa/ood_testdev_all.json", json(questions));
    const report = await jsonHere<EvaluationReport>(["eval", path, "--labels", labels, "--beta", "0.2,0.5"]);
    // At β = 0.2 the limits are 2.4 and 1.2: red is head, blue and wood tail. At 0.5 red's 3 is within 3.
    expect(report.headTail).toEqual([
      {
        beta: 0.2,
        head: expect.closeTo(2 / 3, 12),
        tail: 0.5,
        mean: expect.closeTo(7 / 12, 12),
        headCount: 3,
        tailCount: 2,
      },
      { beta: 0.5, head: null, tail: 0.6, mean: null, headCount: 0, tailCount: 5 },
    ]);
    expect(report.groups.map(({ name, n }) => [name, n])).toEqual([
      ["global (none)", 1],
      ["global color", 4],
    ]);
    expect(report.remarks.join("\n")).toMatch(/1 predictions are of questions that are not/);
    expect(report.remarks.join("\n")).toMatch(/1 predictions are classes that no row has \("brown"\)/);
  });

  test("the benchmark's own lists are groups", async () => {
    file("gqa/answers.json", json(answers));
    const { "204": blue, "205": wood, ...red } = questions;
    const labels = [
      file("gqa/ood_testdev_head.json", json(red)),
      file("gqa/ood_testdev_tail.json", json({ "204": blue, "205": wood })),
    ];
    const report = await evaluate("gqa/answers.json", { labels });
    expect(report.groups.map(({ name, n, accuracy }) => [name, n, accuracy])).toEqual([
      ["part head", 3, expect.closeTo(2 / 3, 12)],
      ["part tail", 2, 0.5],
    ]);
    expect(report.accuracy.meanPerGroup).toBeCloseTo(7 / 12, 12);
    await expect(evaluate("gqa/answers.json", { labels: [labels[0], labels[0]] })).rejects.toThrow(
      /201 occurs in two/,
    );
  });

  test.each([
    ["an unanswered question", answers.slice(1), questions, /question 201 has no prediction/],
    [
      "another form of answers",
      { "201": "red" },
      questions,
      /not in GQA's form[\s\S]*questionId, prediction/,
    ],
    ["another form of questions", answers, { "201": { text: "?" } }, /ood\.json[\s\S]*201\.answer/],
  ])("%s is refused", async (_, given, asked, message) => {
    file("gqa/answers.json", json(given));
    const labels = [file("gqa/ood.json", json(asked))];
    await expect(evaluate("gqa/answers.json", { labels })).rejects.toThrow(message);
  });
});

describe("wrong input is refused with its place", () => {
  const header = "id,split,y_true,y_pred,place";
  const one = `${header}\n1,test,0,0,a\n`;
  type Options = Partial<Parameters<typeof evaluatePredictions>[0]>;
  const cases: [string, Options, string, ErrorKind, RegExp][] = [
    ["no rows", {}, header, "input", /has no rows/],
    ["an empty file", {}, "", "input", /table is empty/],
    ["no true class", {}, "id,y_pred\n1,0\n", "input", /no column "y_true"[\s\S]*--label-column/],
    ["no prediction", {}, "id,y_true\n1,0\n", "input", /no column "y_pred"[\s\S]*--prediction-column/],
    ["a column of that name", { mapping: { label: "y_tru" } }, one, "input", /did you mean "y_true"/],
    ["a missing class", {}, `${one}2,test,,0,a\n`, "input", /lacks a class[\s\S]*row 2/],
    ["no split", {}, `${one}2,,0,0,a\n`, "input", /no split[\s\S]*row 2/],
    ["an unknown split", { split: "tset" }, one, "input", /no split "tset"[\s\S]*test \(1 rows\)/],
    [
      "no test split",
      {},
      `${header}\n1,a,0,0,a\n2,b,0,0,a\n`,
      "input",
      /not clear which[\s\S]*a \(1 rows\), b/,
    ],
    [
      "a class outside",
      { classes: ["cat", "dog"] },
      `${header}\n1,test,cat,cot,a\n`,
      "input",
      /row 1[\s\S]*"cat"/,
    ],
    ["other names", {}, `${header}\n1,test,cat,0,a\n2,test,dog,1,a\n`, "input", /no prediction is a class/],
    [
      "a logit",
      {},
      "y_true,logit_0,logit_1\n0,1,2\n1,nan,0\n",
      "input",
      /"logit_0" holds no finite[\s\S]*row 2/,
    ],
    ["a probability", {}, "y_true,prob_0,prob_1\n0,0.5,0.5\n1,0.9,0.9\n", "input", /row 2[\s\S]*0\.9, 0\.9/],
    ["one logit", {}, "y_true,logit_0\n0,1\n", "input", /only one column of logits/],
    ["a class without logit", {}, "y_true,logit_0,logit_1\n2,1,2\n", "input", /row 1[\s\S]*one of: 0, 1/],
    [
      "a logit without class",
      { classes: ["0", "1"] },
      "y_true,logit_0,logit_x\n0,1,2\n",
      "input",
      /"logit_x" is of no/,
    ],
    ["an unknown group", { groups: ["class", "x"] }, one, "usage", /--groups[\s\S]*one of: place/],
    [
      "a value",
      { majority: [{ cue: "place", label: "0", value: "b" }] },
      one,
      "usage",
      /no value of place "b"/,
    ],
    ["a cue", { majority: [{ cue: "x", label: "0", value: "b" }] }, one, "usage", /"x" is no cue/],
    ["both groups", { groups: ["place"], overlapping: ["place"] }, one, "usage", /choose one/],
    ["a β alone", { betas: [1] }, one, "usage", /--head-tail/],
    ["no yes or no", { overlapping: ["place"] }, one, "input", /"place" holds more than yes and no/],
    ["two baselines for one", { baselines: ["a.csv", "b.csv"] }, one, "usage", /1 tables and 2 baselines/],
  ];

  test.each(cases)("%s", async (_, options, content, kind, message) => {
    file("wrong.csv", content);
    const failure = await evaluate("wrong.csv", options).then(
      () => undefined,
      (cause: unknown) => cause,
    );
    expect(failure).toBeInstanceOf(CuelabError);
    expect((failure as CuelabError).message).toMatch(message);
    expect((failure as CuelabError).kind).toBe(kind);
  });

  test.each([
    [["nowhere/table.csv"], 3, /there are no predictions[\s\S]*table/],
    [["birds.csv", "--cues", "plcae"], 2, /did you mean "place"/],
    [["birds.csv", "--majority", "place"], 2, /cue:class=value/],
    [["birds.csv", "--baseline", "counts.txt"], 3, /counts\.txt/],
  ])("%j ends with %i", async (args, code, message) => {
    const outcome = await ranHere(["eval", ...args], { cwd: root });
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stdout).toBe("");
    expect(outcome.code).toBe(code);
  });

  test("training counts: a count that is none, other names, a missing attribute", async () => {
    const counted = (content: string) =>
      evaluate("birds.csv", { cues: ["place"], trainCounts: file("wrong-counts.csv", content) });
    await expect(counted("class,place,count\nlandbird,land,many\n")).rejects.toThrow(/row 1[\s\S]*"many"/);
    await expect(counted("class,place,count\nlandbird,forest,9\n")).rejects.toThrow(
      /no value of "place" has both[\s\S]*land, water[\s\S]*forest/,
    );
    await expect(counted("class,place,count\nseabird,land,9\n")).rejects.toThrow(
      /no class has both[\s\S]*landbird, waterbird[\s\S]*seabird/,
    );
    await expect(counted("class,count\nlandbird,9\n")).rejects.toThrow(/no column "place"/);
    await expect(counted("class,place,count\nlandbird,land,0\n")).rejects.toThrow(/no training images/);
  });
});

test("groups that training lacks are no mistake where its names are known", async () => {
  // Every name is in both splits, and no image of one has all seven values of an image of the other.
  const cues = ["a", "b", "c", "d", "e", "f", "g"];
  const row = (split: string, label: number, values: string) =>
    `${split},${label},${label},${values.split("").join()}`;
  const rows = [
    row("train", 0, "0000000"),
    row("train", 0, "0000111"),
    row("train", 1, "1111000"),
    row("test", 0, "0000001"),
    row("test", 1, "1111110"),
  ];
  file("seven.csv", `split,y,y_pred,${cues.join()}\n${rows.join("\n")}\n`);
  const { stdout, code } = await ranHere(["eval", "seven.csv"], { cwd: root });
  expect(code).toBe(0);
  expect(stdout).toMatch(/mean per group \(unbiased accuracy\) +100\.0%/);
  expect(stdout).toMatch(/not computed: train-weighted, acc-alpha; give fewer --groups.*no group has both/);
  const chosen = await evaluate("seven.csv", { groups: ["class", "a"] });
  expect(chosen.missing).not.toHaveProperty("train-weighted");
  expect(chosen.accuracy.trainWeighted).toBe(1);
});

test("several tables are seeds: their mean, with Student's interval over seeds", async () => {
  const second = file("second.csv", birds().replace("3,test,landbird,landbird", "3,test,landbird,waterbird"));
  const report = await evaluatePredictions({ tables: [join(root, "birds.csv"), second] });
  // 6 and 5 of 10: the mean is 0.55, s = 0.1/√2, s/√2 = 0.05.
  expect(report.accuracy.samples).toBeCloseTo(0.55, 12);
  expect(report.intervals["accuracy.samples"]).toMatchObject({
    over: "seeds",
    seeds: 2,
    degreesOfFreedom: 1,
    standardError: expect.closeTo(0.05, 12),
    // t of one degree of freedom is 12.7062.
    low: expect.closeTo(0.55 - 12.7062 * 0.05, 5),
    high: expect.closeTo(0.55 + 12.7062 * 0.05, 5),
    values: [0.6, 0.5],
  });
  const { stdout } = await ranHere(["eval", join(root, "birds.csv"), second], { cwd: root });
  expect(stdout).toContain("95% over seeds: Student's t, n = 2, 1 degree of freedom");
  expect(stdout).toMatch(/over samples +55\.0% +5\.0% +-8\.5 – 118\.5%/);
  const one = await evaluate("birds.csv");
  expect(one.intervals["accuracy.samples"]).toMatchObject({
    over: "images",
    seeds: 1,
    degreesOfFreedom: null,
  });
  expect(report.groups[0]).toMatchObject({ n: 8, accuracy: expect.closeTo((0.75 + 0.5) / 2, 12) });
});

test("a split that looks misspelt is told, others are not", async () => {
  const rows = "1,a,a,SPLIT\n2,b,a,train\n3,b,b,SPLIT\n";
  for (const [split, told] of [
    ["tset", /split "tset" is evaluated.*was "test" meant\?/],
    ["hospital-2", undefined],
  ] as const) {
    file(`${split}.csv`, `id,label,pred,split\n${rows.replaceAll("SPLIT", split)}`);
    const { remarks } = await evaluate(`${split}.csv`, {});
    if (told === undefined) expect(remarks.join()).not.toContain("meant");
    else expect(remarks.join()).toMatch(told);
  }
});

test("several tables are not more images, and where all agree the interval is none", async () => {
  const twin = file("twin.csv", birds());
  const { stdout } = await ranHere(["eval", join(root, "birds.csv"), twin], { cwd: root });
  expect(stdout).toMatch(/rows +20.*, 10 in each table/);
  expect(stdout).toContain(
    "It is right on 60.0% (the same with all seeds) of 10 test images in each of 2 tables.",
  );
  expect(stdout).toMatch(/over samples +60\.0% +0\.0% +the same in all/);
  expect(stdout).not.toMatch(/60\.0 – 60\.0/);
  expect(stdout).toMatch(/This is one image only in each of 2 tables\./);
  expect(stdout).toMatch(/one image a table/);
});

test("overlapping attributes make a group for each yes, weighted by their training images", async () => {
  const rows =
    "0,0,1,0,test\n0,1,1,1,test\n1,1,0,1,test\n1,0,0,0,test\n0,0,1,1,train\n0,0,1,0,train\n1,0,0,1,train\n";
  file("civil.csv", `y,y_pred,female,muslim,split\n${rows}`);
  const report = await evaluate("civil.csv", { overlapping: ["female", "muslim"], cues: [] });
  expect(report.groups.map(({ name, n, accuracy, train }) => [name, n, accuracy, train])).toEqual([
    ["class 0, female yes", 2, 0.5, 2],
    ["class 1, female yes", 0, null, 0],
    ["class 0, muslim yes", 1, 0, 1],
    ["class 1, muslim yes", 1, 1, 1],
  ]);
  expect(report.accuracy.trainWeighted).toBeCloseTo((2 * 0.5 + 0 + 1) / 4, 12);
});

test("columns of many values are left out unless they are named", async () => {
  const rows = Array.from({ length: 300 }, (_, i) => `${i % 2},${i % 2},file${i}.png,${i % 3}`);
  file("many.csv", `y_true,y_pred,path,colour\n${rows.join("\n")}\n`);
  const report = await evaluate("many.csv");
  expect(report.grouping).toMatchObject({ attributes: ["colour"], nominal: 6, occupied: 6 });
  expect(report.remarks.join()).toMatch(/column "path" is not used: more than 100 values/);
  const named = await evaluate("many.csv", { groups: ["path"], cues: [] });
  expect(named.grouping).toMatchObject({ occupied: 300, single: 300 });
});

test("60,000 rows pass through a heap that could not hold them", async () => {
  const line = (i: number) =>
    `${String(i).padStart(700, "0")},test,${i % 10},${(i * 7) % 10},value-${(i * 31) % 97},value-${i % 89}`;
  const rows = Array.from({ length: 60_000 }, (_, i) => line(i));
  const path = file("large.csv", `id,split,y_true,y_pred,a,b\n${rows.join("\n")}\n`);
  // The program itself takes some 35 MB; the ids alone are 42 MB of text.
  const { code, stdout, stderr } = await cuelab(["eval", path, "--groups", "class", "--json", "--quiet"], {
    env: { NODE_OPTIONS: "--max-old-space-size=64" },
  });
  expect(stderr).toBe("");
  expect(code).toBe(0);
  // i and 7i end in the same digit where 6i ends in 0: for digits 0 and 5.
  expect((JSON.parse(stdout) as EvaluationReport).accuracy.samples).toBeCloseTo(0.2, 12);
});

test("mDE: errors beside AlexNet's, domain by domain, and nothing where a domain is missing", async () => {
  const path = (name: string) => join(root, name);
  const rows = [
    "clipart,cat,cat",
    "clipart,cat,dog",
    "sketch,dog,dog",
    "sketch,dog,cat",
    "sketch,cat,cat",
    "sketch,cat,cat",
  ];
  writeFileSync(path("domains.csv"), `domain,y_true,y_pred\n${rows.join("\n")}\n`);
  writeFileSync(path("alexnet.csv"), "domain,error\nclipart,80\nsketch,50\n");
  const asked = await ranHere([
    "eval",
    path("domains.csv"),
    "--reference-errors",
    path("alexnet.csv"),
    "--json",
  ]);
  const { own, intervals } = JSON.parse(asked.stdout) as {
    own: { name: string; scores: { of: string | null; value: number }[] }[];
    intervals: Record<string, { low: number }>;
  };
  expect(own.find(({ name }) => name === "relative-error")!.scores).toMatchObject([
    { of: "clipart", value: 0.5 / 0.8 },
    { of: "sketch", value: 0.25 / 0.5 },
  ]);
  expect(own.find(({ name }) => name === "mean-relative-error")!.scores[0]!.value).toBeCloseTo(0.5625, 12);
  expect(intervals["own.mean-relative-error"]!.low).toBeLessThan(0.5625);
  for (const [lines, message] of [
    ["clipart,80\nsketch,50\nreal,50", /no images of some groups[\s\S]*real/],
    ["clipart,80", /no errors of some values of domain[\s\S]*sketch/],
    ["clipart,80\nsketch,0", /no errors of a reference/],
  ] as const) {
    writeFileSync(path("odd.csv"), `domain,error\n${lines}\n`);
    const { code, stderr } = await ranHere([
      "eval",
      path("domains.csv"),
      "--reference-errors",
      path("odd.csv"),
    ]);
    expect(stderr).toMatch(message);
    expect(code).toBe(3);
  }
});
