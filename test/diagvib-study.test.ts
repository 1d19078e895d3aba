/** The study of DiagViB-6 from end to end, and what its runs measure against the predictions that they leave. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeSafetensors } from "../src/runs/safetensors.ts";
import { diagvibJobs } from "../src/studies/diagvib/plan.ts";
import { presets } from "../src/studies/diagvib/presets.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();

interface StudyJson {
  runs: { done: number; total: number };
  findings: { verdict: string }[];
  sections: { tables?: { name: string; rows: { cells: unknown[] }[] }[] }[];
  measured: { cases?: Case[] }[];
}

interface Case {
  method: string;
  about: { study: string; predict: string; cue?: string; other?: string };
  runs: { id: string; unbiased: number; groups: Group[] }[];
}

interface Group {
  class: string;
  values: { broken?: string };
  count: number;
  accuracy: number;
}

test("it runs, measures the mean of classes, and knows the coupled class of CHGO", {
  timeout: 600_000,
}, async () => {
  const out = join(root, "smoke");
  const words = ["study", "run", "diagvib", "--preset", "smoke", "--out", out, "--quiet"];
  const study = await jsonHere<StudyJson>(words);
  expect(study.runs.done).toBe(study.runs.total);
  expect(study.findings.every(({ verdict }) => verdict === "cannot be told")).toBe(true);
  const cases = study.measured.flatMap(({ cases: own = [] }) => own);
  for (const { about, runs } of cases) {
    const [{ id, unbiased, groups }] = runs as [Case["runs"][0]];
    // Groups that training alone has are listed, too.
    const tested = groups.filter(({ count }) => count > 0);
    // Autoencoders are shown the dataset without a study, in which all ten shapes are predicted.
    if (/places?$/.test(about.study)) {
      expect(tested).toHaveLength(10);
      continue;
    }
    expect(tested).toHaveLength(about.other === undefined ? 3 : 9);
    const results = JSON.parse(readFileSync(join(out, "runs", id, "results.json"), "utf8")) as {
      accuracy: { slice: string; count: number; accuracy: number; classMean?: number }[];
    };
    const whole = results.accuracy.find(({ slice }) => slice === "test")!;
    if (about.other !== undefined) {
      for (const broken of ["hue", "position", "hue and position"]) {
        const own = tested.filter(({ values }) => values.broken === broken);
        const right = own.reduce((sum, { count, accuracy }) => sum + count * accuracy, 0);
        const slice = results.accuracy.find((each) => each.slice === `test, broken ${broken}`)!;
        expect(own.reduce((sum, { count }) => sum + count, 0)).toBe(slice.count);
        expect(right / slice.count).toBeCloseTo(slice.accuracy, 12);
      }
      continue;
    }
    // Two roads to one number: the run's own, and the predictions read again.
    if (about.study === "ZSO") expect(whole).not.toHaveProperty("classMean");
    else expect(unbiased).toBeCloseTo(whole.classMean!, 12);
    // 120 test images over two violating cells of the coupled class and one of each other.
    if (about.study === "CHGO") expect(groups.map(({ count }) => count)).toEqual([60, 30, 30]);
  }
  const tables = study.sections.flatMap(({ tables: own = [] }) => own.map(({ name }) => name));
  expect(tables).toEqual(
    expect.arrayContaining([
      "table-a2",
      "table-a3",
      "table-2",
      "sums",
      "two-cues",
      "lines",
      "one-picture",
      "methods-cgo-1",
      "rest-networks",
    ]),
  );
  const report = readFileSync(join(out, "report.md"), "utf8");
  expect(report).toContain("100 ± 0");
  const refused = await ranHere(["study", "run", "diagvib", "--preset", "smoke", "--set", "weight=x"]);
  expect(refused.code).toBe(2);
});

test("the row RN50-IN trains a new head alone, on given weights: a small network's, in a sweep", {
  timeout: 300_000,
}, async () => {
  const options = { width: 4, blocks: "1,1,1,1" };
  const count = { train: 96, val: 30, test: 60, testId: 0 };
  const words = (values: object, prefix = "") =>
    Object.entries(values).map(([key, value]) => `${prefix}${key}=${value}`);
  const flags = (flag: string, values: readonly string[]) => values.flatMap((value) => [flag, value]);
  const given = join(root, "given");
  await jsonHere([
    ...`train --data diagvib-study --model resnet50 --steps 1 --out ${given}`.split(" "),
    ...flags("--set", ["size=32", ...words(count, "count.")]),
    ...flags("--model-set", words(options)),
  ]);
  const weights = join(given, "weights.safetensors");
  const jobs = diagvibJobs(presets.paper, weights).filter((job) => job.kind === "runs");
  const zso = jobs.find(({ name }) => name === "zso");
  const { run } = zso!.entries.find(({ case: { method } }) => method === "RN50-IN")!;
  const { data, model } = run as { data: { settings: object }; model: object };
  const small = {
    ...run,
    data: { ...data, settings: { ...data.settings, size: 32, count } },
    model: { ...model, options },
    batchSize: 32,
    epochs: 1,
  };
  const sweep = join(root, "sweep.yaml");
  writeFileSync(
    sweep,
    JSON.stringify({ name: "frozen", base: {}, runs: [{ label: "RN50-IN", ...small }], seeds: [1] }),
  );
  const out = join(root, "sweep");
  await jsonHere(["sweep", "run", sweep, "--out", out]);
  const folder = join(out, readdirSync(out).find((name) => existsSync(join(out, name, "spec.json")))!);
  const spec = JSON.parse(readFileSync(join(folder, "spec.json"), "utf8")) as { pixels: { mean: number[] } };
  expect(spec.pixels.mean).toEqual([0.485, 0.456, 0.406]);
  const tensors = (path: string) => decodeSafetensors(readFileSync(path), path).tensors;
  const [before, after] = [tensors(weights), tensors(join(folder, "weights.safetensors"))];
  expect([...after.keys()]).toEqual([...before.keys()]);
  for (const [name, { data: values }] of before) {
    if (name.startsWith("fc.")) expect(after.get(name)!.data).not.toEqual(values);
    else expect(after.get(name)!.data, name).toEqual(values);
  }
});
