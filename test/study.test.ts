/** Studies as people use them: run, gone on with, reported, with numbers that `cuelab eval` gives too. */

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeCeleba } from "./helpers/celeba.ts";
import { countBuilds } from "./helpers/count-builds.ts";
import { cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();

interface StudyJson {
  folder: string;
  runs: { done: number; total: number };
  findings: { claim: string; verdict: string }[];
  sections: { name: string; tables: { name: string; rows: { source: string; cells: unknown[] }[] }[] }[];
  measured: {
    part: string;
    cases: {
      method: string;
      explicit: string[];
      runs: {
        id: string;
        unbiased: number;
        samples: number;
        cues: Record<string, { mmd: number }>;
        scores: number[];
      }[];
    }[];
  }[];
}

const out = join(root, "smoke");
const smoke = ["biased-mnist", "--preset", "smoke", "--out", out, "--quiet"];

test("a study makes its runs, tables, figures and findings, and does nothing twice", async () => {
  const counted = countBuilds(join(root, "builds"));
  const study = await cuelabJson<StudyJson>(["study", "run", ...smoke], counted.options);
  // What is known of data is known to all parts: two strengths are two datasets.
  const here = counted.builds().filter(({ process: of }) => of === "parent");
  expect(here.map(({ dataset }) => dataset)).toHaveLength(new Set(here.map(({ dataset }) => dataset)).size);
  // Eight methods, one in two forms; five told all variables; one at another strength; one with few images; one at another rate.
  // Parts share the rest.
  expect(study.runs).toEqual({ done: 17, total: 17 });
  expect(study.measured.map(({ part }) => part)).toEqual([
    "methods",
    "growing",
    "strength",
    "repeats",
    "hyperparameters",
  ]);
  expect(study.findings).toHaveLength(15);
  for (const file of ["report.html", "report.md", "study.json", "tables/table-a4.csv", "tables/table-1.tex"])
    expect(existsSync(join(out, file)), file).toBe(true);
  for (const name of ["fig-3a", "fig-3b", "fig-3b-published", "fig-5", "fig-5-published", "fig-6", "fig-a7"])
    for (const kind of ["svg", "png"])
      expect(existsSync(join(out, "figures", `${name}.${kind}`)), name).toBe(true);
  const page = readFileSync(join(out, "report.html"), "utf8");
  expect(page).toContain("Published, Table 1");
  expect(page).toContain("study run biased-mnist --preset smoke");

  const manifests = () =>
    readdirSync(join(out, "runs")).map((id) => readFileSync(join(out, "runs", id, "manifest.json"), "utf8"));
  const before = manifests();
  const again = await jsonHere<StudyJson>(["study", "run", ...smoke]);
  expect(again).toEqual(study);
  expect(manifests()).toEqual(before);
}, 240_000);

test("a study's numbers are those of `cuelab eval` for the same run", async () => {
  const { measured } = JSON.parse(readFileSync(join(out, "study.json"), "utf8")) as StudyJson;
  const told = measured[0]!.cases.find(({ method }) => method === "GDRO")!;
  const [run] = told.runs;
  const evaluated = await jsonHere<{
    accuracy: { samples: number; meanPerGroup: number };
    cues: Record<string, { mmd: number }>;
  }>(["eval", join(out, "runs", run!.id), "--groups", "class,distractorShape"]);
  expect(run!.unbiased).toBe(evaluated.accuracy.meanPerGroup);
  expect(run!.samples).toBe(evaluated.accuracy.samples);
  for (const [cue, { mmd }] of Object.entries(run!.cues)) expect(mmd).toBe(evaluated.cues[cue]!.mmd);
  // Seven powers of the training priors, each scored on validation images.
  const tuned = measured.find(({ part }) => part === "hyperparameters")!.cases;
  expect(tuned.map(({ runs }) => runs[0]!.scores.length)).toEqual([7, 7]);
});

test("a report shows what is finished, and refuses where nothing is", async () => {
  const [gone] = readdirSync(join(out, "runs"));
  rmSync(join(out, "runs", gone!, "manifest.json"));
  const part = await jsonHere<StudyJson>(["study", "report", ...smoke]);
  expect(part.runs).toEqual({ done: 16, total: 17 });
  expect(readFileSync(join(out, "report.md"), "utf8")).toContain("16 of 17 runs");
  const none = await ranHere([
    "study",
    "report",
    "biased-mnist",
    "--preset",
    "smoke",
    "--out",
    join(root, "none"),
  ]);
  expect(none).toMatchObject({ code: 3 });
  expect(none.stderr).toContain("no run of the study is finished");
});

test.each([
  [["study", "run", "biased-mnst"], 'unknown study "biased-mnst"'],
  [["study", "run", "biased-mnist", "--preset", "tiny"], "smoke, quick, day, paper"],
  [["study", "run", "biased-mnist", "--parts", "table-1"], "one of: methods, repeats"],
  [["study", "run", "biased-mnist", "--set", "folder=x"], "takes no settings"],
  [["study", "run", "biased-mnist", "--preset", "smoke", "--resume", "--out", join(root, "new")], "--resume"],
  [["study", "run", "celeba", "--preset", "smoke"], "--set folder=…"],
  [["sweep", "run", "biased-mnist:tiny"], 'no study has a preset "tiny"'],
])("%j is refused with what to do", async (words, expected) => {
  const { code, stderr } = await ranHere(words);
  expect(code).toBe(2);
  expect(stderr).toContain(expected);
});

test("a sweep may be a study, which goes on where it was, and parts can be chosen", async () => {
  const whole = await jsonHere<StudyJson>([
    "sweep",
    "run",
    "biased-mnist:smoke",
    "--resume",
    "--out",
    out,
    "--quiet",
  ]);
  expect(whole.runs).toEqual({ done: 17, total: 17 });
  const part = await jsonHere<StudyJson>(["study", "run", ...smoke, "--parts", "strength"]);
  expect(part.runs).toEqual({ done: 2, total: 2 });
  expect(part.sections.map(({ name }) => name)).toEqual(["strength"]);
  const shown = await jsonHere<{ presets: { preset: string; parts: { name: string; runs: number }[] }[] }>([
    "study",
    "show",
    "biased-mnist",
  ]);
  expect(shown.presets.find(({ preset }) => preset === "paper")!.parts[0]).toMatchObject({
    name: "methods",
    runs: 135,
  });
});

test("the study of CelebA runs from end to end on a folder in its layout", async () => {
  const folder = await writeCeleba(join(root, "faces"));
  const study = await jsonHere<StudyJson>([
    "study",
    "run",
    "celeba",
    "--preset",
    "smoke",
    "--set",
    `folder=${folder}`,
    "--out",
    join(root, "celeba"),
  ]);
  // Eight methods with Table A6's settings and LfF with its first γ, and two pairs of rate and weight decay.
  expect(study.runs).toEqual({ done: 11, total: 11 });
  expect(study.sections.map(({ tables }) => tables.map(({ name }) => name))).toEqual([
    ["table-a3", "budget"],
    ["equal-seconds"],
    ["fig-6"],
  ]);
  // Of ten test images four are blond, and one of these is a man: every accuracy is a number of images.
  const [ours] = study.sections[0]!.tables[0]!.rows;
  const [maleOther, maleBlond, other, blond] = ours!.cells.slice(2) as { mean: number }[];
  for (const [cell, images] of [
    [maleOther, 2],
    [maleBlond, 1],
    [other, 4],
    [blond, 3],
  ] as const)
    expect(cell!.mean * images).toBeCloseTo(Math.round(cell!.mean * images), 9);
  // One epoch is the last one, and the mean over all that are averaged.
  const [, lately] = study.sections[0]!.tables[0]!.rows;
  expect(lately!.cells[1]).toBe("ours, mean of the last epochs");
  const means = (cells: unknown[]) => cells.slice(2, 7).map((cell) => (cell as { mean: number }).mean);
  expect(means(lately!.cells)).toEqual(means(ours!.cells));
  expect(existsSync(join(root, "celeba", "figures", "fig-4.png"))).toBe(true);
}, 240_000);
