/** The study of Waterbirds from end to end, on a small folder in the layout of the published one. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";
import { writeWaterbirds } from "./helpers/waterbirds.ts";

const root = temporaryFolder();

interface StudyJson {
  runs: { done: number; total: number };
  findings: { verdict: string }[];
  sections: { tables: { name: string; rows: { source: string; cells: unknown[] }[] }[] }[];
  measured: { cases: { method: string; runs: { groups: { values: object; count: number }[] }[] }[] }[];
}

test("it runs on a folder that is given, and says what it needs where none is", {
  timeout: 600_000,
}, async () => {
  const folder = await writeWaterbirds(join(root, "waterbird_complete95_forest2water2"));
  const refused = await ranHere(["study", "run", "waterbirds", "--preset", "smoke"]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("cuelab study run waterbirds --set folder=");
  const out = join(root, "smoke");
  const study = await jsonHere<StudyJson>([
    "study",
    "run",
    "waterbirds",
    "--preset",
    "smoke",
    "--set",
    `folder=${folder}`,
    "--out",
    out,
    "--quiet",
  ]);
  expect(study.runs).toEqual({ done: 8, total: 8 });
  expect(study.findings).toHaveLength(2);
  expect(study.sections[0]!.tables.map(({ name }) => name)).toEqual(["table-20", "table-20-classes"]);
  expect(study.sections[0]!.tables[0]!.rows.map(({ source }) => source)).toEqual(
    Array(4).fill(["ours", "published"]).flat(),
  );
  const [{ cases }] = study.measured as [StudyJson["measured"][0]];
  expect(cases.map(({ method }) => method)).toEqual(["ERM", "Mixup", "Cutout", "CutMix"]);
  // Six test images of each bird on each ground, as written.
  expect(cases[0]!.runs[0]!.groups.map(({ count }) => count)).toEqual([6, 6, 6, 6]);
  expect(readFileSync(join(out, "report.md"), "utf8")).toContain("87.2");
});
