/** `eval` beside a baseline, on tables whose counts are known by hand. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tablesOf } from "../../core/section.ts";
import { evaluatePredictions } from "./evaluate-predictions.ts";
import { showEvaluation } from "./show.ts";

const worlds = ["urban", "country"] as const;
let folder: string;
const file = (name: string) => join(folder, name);

/** 100 images a group; right in so many of them by cell: none, background, object, both uncommon. */
function write(name: string, right: readonly number[]): string {
  const rows = [0, 1].flatMap((label) =>
    right.flatMap((correct, cell) =>
      Array.from({ length: 100 }, (_, i) => {
        const [background, object] = [cell & 1 ? 1 - label : label, cell >> 1 ? 1 - label : label];
        const said = i < correct ? label : 1 - label;
        return [
          `${label}-${cell}-${i}`,
          ...[label, said, background, object].map((code) => worlds[code]),
        ].join();
      }),
    ),
  );
  writeFileSync(file(name), `${["id,y_true,y_pred,background,coObject", ...rows].join("\n")}\n`);
  return file(name);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "cuelab-moles-"));
  const counts = [0, 1].flatMap((label) =>
    [3610, 190, 190, 10].map((count, cell) =>
      [label, cell & 1 ? 1 - label : label, cell >> 1 ? 1 - label : label]
        .map((code) => worlds[code])
        .concat(String(count) as never)
        .join(),
    ),
  );
  writeFileSync(file("counts.csv"), `${["class,background,coObject,count", ...counts].join("\n")}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const asked = (tables: string[], baselines: string[]) =>
  evaluatePredictions({
    tables,
    baselines,
    cues: ["background", "coObject"],
    trainCounts: file("counts.csv"),
  });

test("two tables: gaps, ratio, flips and verdicts over images", async () => {
  const report = await asked([write("mine.csv", [98, 92, 70, 30])], [write("erm.csv", [99, 82, 86, 28])]);
  const { sentence, over, kind, cues, groupFlips } = report.moles!;
  expect([over, kind]).toEqual(["images", "cells"]);
  expect(cues.map(({ verdict }) => verdict)).toEqual(["reduced", "amplified", null]);
  expect(sentence).toBe("Reliance on background went down and on coObject came up: a mole.");
  // I.D. .9025·99 + .0475·(82 + 86) + .0025·28 = 97.3975 and 96.215: as in docs/metrics.md.
  expect(100 * cues[0]!.baseline).toBeCloseTo(82 - 97.3975, 10);
  expect(100 * cues[1]!.gap.value).toBeCloseTo(70 - 96.215 - (86 - 97.3975), 10);
  expect(cues[1]!.ratio!.value).toBeCloseTo(26.215 / 11.3975, 10);
  expect(cues[1]!.flips).toEqual({ images: 200, toWrong: 32, toRight: 0 });
  expect(
    groupFlips.find(({ group }) => group.endsWith("urban, background country, coObject urban")),
  ).toMatchObject({
    toWrong: 0,
    toRight: 10,
  });
  const table = tablesOf(showEvaluation(report)).find(({ name }) => name === "gap-changes")!;
  expect(table.rows[1]!.cells.at(-1)).toBe("amplified");
});

test("seeds need a baseline each, and verdicts are then over seeds", async () => {
  const seeds = [0, 1, 2].map((seed) => write(`mine${seed}.csv`, [98, 92 + seed, 70 - seed, 30]));
  const erms = [0, 1, 2].map((seed) => write(`erm${seed}.csv`, [99, 82, 86 - seed, 28]));
  const each = await asked(seeds, erms);
  expect(each.moles).toMatchObject({ over: "seeds", family: 2 });
  expect(each.moles!.cues.map(({ verdict, seeds: n }) => [verdict, n])).toEqual([
    ["reduced", 3],
    ["amplified", 3],
    [null, 3],
  ]);
  const shared = await asked(seeds, erms.slice(0, 1));
  expect(shared.moles).toBeUndefined();
  expect(shared.remarks.join()).toContain("give --baseline once a seed");
});
