/** A study made of pools, from end to end in small: made, gone on with, reported, with numbers that `cuelab line` gives. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./helpers/files.ts";
import { cuelabHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const out = join(root, "study");
const words = ["well-specified", "--preset", "smoke", "--out", out, "--quiet"];
// A second process would need the built program.
const chosen = ["--workers", "1", "--parts", "colored-mnist,hard-spurious"];

interface StudyJson {
  classifiers: { done: number; total: number };
  failed: unknown[];
  sections: { name: string; tables: { name: string }[] }[];
  measured: { part: string; pools: { pool: string; splits: { name: string; all: { r: number } }[] }[] }[];
}

const studyJson = async (...more: string[]) => JSON.parse(await cuelabHere(...more, "--json")) as StudyJson;

test("pools are made once, measured and drawn, and the report can be made anew", async () => {
  const study = await studyJson("study", "run", ...words, ...chosen);
  expect(study.classifiers).toEqual({ done: 32, total: 32 });
  expect(study.failed).toEqual([]);
  expect(study.sections.map(({ name }) => name)).toEqual([
    "verdicts",
    "learned",
    "colored-mnist",
    "hard-spurious",
  ]);
  for (const file of [
    "report.html",
    "report.md",
    "tables/table-1.csv",
    "tables/learned.tex",
    "figures/r.png",
  ])
    expect(existsSync(join(out, file)), file).toBe(true);
  for (const name of ["colored-mnist-0.9", "hard-spurious-easy", "hard-spurious-hard"])
    expect(existsSync(join(out, "figures", `${name}.svg`)), name).toBe(true);

  const made = () =>
    readdirSync(join(out, "pools"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.includes("parts/"))
      .map((name) => [name, statSync(join(out, "pools", name)).mtimeMs]);
  const before = made();
  expect(before).toHaveLength(4);
  const again = await studyJson("study", "run", ...words, ...chosen);
  expect(again).toEqual(study);
  expect(made()).toEqual(before);

  const line = JSON.parse(
    await cuelabHere(
      "line",
      join(out, "points", "hard-spurious.csv"),
      "--id",
      "ID",
      "--ood",
      "hard-spurious-hard",
      "--json",
    ),
  ) as { splits: { r: number }[] };
  const hard = study.measured[1]!.pools[0]!.splits.find(({ name }) => name === "hard-spurious-hard");
  expect(hard!.all.r).toBe(line.splits[0]!.r);
}, 60_000);

test("a report has what is there, and refuses where nothing is", async () => {
  rmSync(join(out, "pools", "colored-mnist-0.9"), { recursive: true });
  const part = await studyJson("study", "report", ...words, "--parts", "colored-mnist,hard-spurious");
  expect(part.classifiers).toEqual({ done: 16, total: 32 });
  expect(part.sections.map(({ name }) => name)).toEqual(["verdicts", "learned", "hard-spurious"]);
  expect(readFileSync(join(out, "report.md"), "utf8")).toContain("16 of 32 classifiers");
  expect(existsSync(join(out, "figures", "colored-mnist-0.9.svg"))).toBe(false);
  await expect(cuelabHere("study", "report", ...words, "--parts", "urban-cars")).rejects.toThrow(
    "no pool of the study is finished",
  );
  await expect(cuelabHere("study", "run", ...words, "--parts", "cars")).rejects.toThrow(/has no part "cars"/);
}, 60_000);

test("a pool that cannot be made is told, and the others are reported all the same", async () => {
  const folder = join(out, "pools", "colored-mnist-0.9");
  mkdirSync(folder);
  writeFileSync(join(folder, "mine.txt"), "not a pool");
  const study = await studyJson("study", "run", ...words, ...chosen);
  expect(study.failed).toEqual([
    {
      id: "colored-mnist-0.9",
      label: "ColoredMNIST",
      error: expect.stringContaining("holds no pool") as string,
    },
  ]);
  expect(study.sections.map(({ name }) => name)).toEqual(["verdicts", "learned", "hard-spurious"]);
}, 60_000);

test("'study show' counts classifiers", async () => {
  const shown = await cuelabHere("study", "show", "well-specified");
  expect(shown).toContain("classifiers of each part");
  expect(shown).toMatch(/urban-cars +16 /);
});
