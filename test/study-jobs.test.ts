/** A study of a plugin that is made of all four kinds of jobs, its registered plan, and what it costs. */

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { Lock } from "../src/disk/lock.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { fourKinds as text } from "./helpers/four-kinds-study.ts";

const root = temporaryFolder();
const out = join(root, "study");
const plugin = join(root, "four.mjs");

interface StudyJson {
  plan: { digest: string; recorded: { digest: string; madeBefore: number } | null; differences: string[] };
  runs?: { done: number; total: number };
  classifiers?: { done: number; total: number };
  compute: { failures: number; coreHours: number };
  findings: { claim: string; verdict: string; evidence: string; exploratory?: boolean }[];
  sections: { tables: { caption: string }[] }[];
  measured: { part: string; answers?: object[]; features?: { images: number; width: number }[] }[];
}

const words = ["four", "--preset", "smoke", "--out", out, "--plugin", plugin, "--quiet"];
const run = (...more: string[]) => cuelabJson<StudyJson>(["study", "run", ...words, ...more]);
const file = (...names: string[]) => readFileSync(join(out, ...names), "utf8");

beforeAll(() => writeFileSync(plugin, text));

test("runs, pools, features and audits are made in the order of their needs, once", async () => {
  const study = await run();
  expect(study).toMatchObject({
    runs: { done: 2, total: 2 },
    classifiers: { done: 8, total: 8 },
    "sets of features": { done: 3, total: 3 },
    // One of both seeds' predictions together, and one of each seed's features.
    answers: { done: 3, total: 3 },
    findings: [{ verdict: "seen", evidence: "1 and 2 answers" }],
    failed: [],
  });
  const features = study.measured.find(({ part }) => part === "features")!.features!;
  expect(features).toHaveLength(2);
  expect(features[0]!.width).toBeGreaterThan(1);
  expect(study.compute.coreHours).toBeGreaterThan(0);
  const times = () =>
    ["runs", "pools", "features", "audits"].flatMap((folder) =>
      readdirSync(join(out, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith("time.json"))
        .map((name) => file(folder, name)),
    );
  const before = times();
  expect(before).toHaveLength(2 + 1 + 3 + 3);
  expect(await run()).toEqual(study);
  expect(times()).toEqual(before);
  expect(await cuelabJson(["study", "report", ...words])).toEqual(study);
}, 120_000);

test("the plan is recorded, stands in every table and on the page, and so does what it cost", async () => {
  const { plan, sections } = await cuelabJson<StudyJson>(["study", "report", ...words]);
  expect(plan).toMatchObject({ recorded: { digest: plan.digest, madeBefore: 0 }, differences: [] });
  expect(plan.digest).toMatch(/^[0-9a-f]{12}$/);
  expect(JSON.parse(file("plan.json"))).toMatchObject({
    digest: plan.digest,
    study: "four",
    preset: "smoke",
  });
  expect(sections[0]!.tables[0]!.caption).toBe(`what was measured; plan ${plan.digest}`);
  expect(file("tables", "kinds.tex")).toContain(`% what was measured; plan ${plan.digest}`);
  for (const page of ["report.html", "report.md"]) {
    expect(file(page)).toContain(plan.digest);
    expect(file(page)).toMatch(/2 of 2 runs, 8 of 8 classifiers/);
    expect(file(page)).toContain("Core hours");
    expect(file(page)).toContain("study run four --preset smoke");
  }
  const shown = await cuelab(["study", "show", "four", "--preset", "smoke", "--plugin", plugin]);
  expect(shown.stdout).toContain(plan.digest);
  expect(shown.stdout).toContain("seen where all are there");
});

test("whoever comes while another process makes the study is told", async () => {
  const held = await Lock.take(join(out, "study.lock"), "study");
  const refused = await cuelab(["study", "run", ...words]);
  held.release();
  expect(refused.stderr).toMatch(/another process is working on this study[\s\S]*process \d+ on/);
  expect(refused.code).toBe(3);
});

test("parts bring what they need", async () => {
  const study = await run("--parts", "map");
  expect(study.measured.map(({ part }) => part)).toEqual(["map", "features", "runs"]);
  expect(study.classifiers).toBeUndefined();
});

test("what is changed later is named, and marked exploratory", async () => {
  const { plan } = await run();
  writeFileSync(
    plugin,
    text.replace("seen where all are there", "seen always").replace('"two seeds"', '"both seeds"'),
  );
  const changed = await run();
  expect(changed.plan.recorded!.digest).toBe(plan.digest);
  expect(changed.plan.digest).not.toBe(plan.digest);
  expect(changed.plan.differences).toEqual([
    'finding "Four kinds of jobs are made" changed',
    'part "runs" changed',
  ]);
  expect(changed.findings[0]).toMatchObject({ verdict: "seen", exploratory: true });
  expect(file("report.md")).toContain("seen (exploratory)");
  expect(file("report.md")).toMatch(/what came later is exploratory: finding/);
  expect(JSON.parse(file("plan.json"))).toMatchObject({ digest: plan.digest });
  // Without a record nobody knows what was planned.
  rmSync(join(out, "plan.json"));
  const unplanned = await cuelabJson<StudyJson>(["study", "report", ...words]);
  expect(unplanned.findings[0]).toMatchObject({ exploratory: true });
  expect((await run()).plan.recorded!.madeBefore).toBeGreaterThan(0);
});

test.each([
  ["tuning: [], reporting", "tuning: [1], reporting", "seed 1 are read for tuning and for reporting"],
  [
    "seeds: [0, 1], cues",
    'seeds: [0, 1], purpose: "tuning", cues',
    "seed 0 are read for reporting and for tuning",
  ],
  ["seeds: [0, 1], cues", "seeds: [0, 7], cues", "the seed 7 for reporting, which the plan does not name"],
  ['of: { job: "features" }', 'of: { job: "maps" }', 'needs "maps", which is no part'],
  ['of: { job: "features" }', 'of: { job: "groups" }', "which is made no earlier"],
  ["question: { umap: false }", "question: { metod: 1 }", "metod"],
])("%s made %s is refused before anything is made", async (word, other, expected) => {
  writeFileSync(plugin, text.replace(word, other));
  const place = ["four", "--preset", "smoke", "--out", join(root, "refused"), "--plugin", plugin];
  const { code, stderr } = await cuelab(["study", "run", ...place]);
  expect(stderr).toContain(expected);
  expect(code).toBe(2);
});
