/** The study of last layers from end to end: features once, layers by every method, networks with each of them asked. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cuelab } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();

interface StudyJson {
  "last layers": { done: number; total: number };
  "sets of predictions": { done: number; total: number };
  findings: { verdict: string }[];
  measured: { part: string; models?: { label: string; images: number; changes: object[] }[] }[];
}

test("every row but those whose methods find no one to help has a layer, which is kept and asked", {
  timeout: 600_000,
}, async () => {
  const out = join(root, "smoke");
  const words = "study run imagenet-shortcuts --preset smoke --quiet --json --out".split(" ");
  const { code, stdout, stderr } = await cuelab([...words, out]);
  expect([0, 4], stderr).toContain(code);
  const study = JSON.parse(stdout) as StudyJson;
  const { done, total } = study["last layers"];
  expect(total).toBe(19);
  // At chance, a method that looks for errors or environments may have none to go by, and says so.
  expect(done).toBeGreaterThanOrEqual(17);
  const asked = study.measured.find(({ part }) => part === "watermark")!.models!;
  expect(asked).toHaveLength(done);
  // Twelve groups less those of one size alone: four groups of three classes.
  for (const { images, changes } of asked) {
    expect(images).toBe(12);
    expect(changes).toHaveLength(1);
  }
  expect(study.findings.every(({ verdict }) => verdict === "cannot be told")).toBe(true);
  expect(readFileSync(join(out, "report.md"), "utf8")).toContain("-25.4");
});
