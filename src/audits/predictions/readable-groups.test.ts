/** Cues without end: groups that can be read instead of single images. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { evaluatePredictions } from "./evaluate-predictions.ts";

const path = join(temporaryFolder(), "many.csv");

/** 200 rows of 2 classes with cues a, b, c, of 7, 9 and 11 values: 1,386 combinations. Wrong are class 1 with b = 3. */
const rows = Array.from({ length: 200 }, (_, i) => {
  const [label, b] = [i % 2, i % 9];
  return { label, predicted: label === 1 && b === 3 ? 0 : label, a: i % 7, b, c: i % 11 };
});
writeFileSync(
  path,
  `y_true,y_pred,a,b,c\n${rows.map(({ label, predicted, a, b, c }) => [label, predicted, `a${a}`, `b${b}`, `c${c}`].join(",")).join("\n")}\n`,
);

const groupsOf = (cue: "a" | "b" | "c") => {
  const sums = new Map<string, { n: number; right: number }>();
  for (const row of rows) {
    const key = `class ${row.label}, ${cue} ${cue}${row[cue]}`;
    const sum = sums.get(key) ?? { n: 0, right: 0 };
    sums.set(key, { n: sum.n + 1, right: sum.right + Number(row.predicted === row.label) });
  }
  return sums;
};

test("more groups than images: class and one cue at a time, the worst of these, and a remark", async () => {
  const report = await evaluatePredictions({ tables: [path] });
  const expected = new Map([...groupsOf("a"), ...groupsOf("b"), ...groupsOf("c")]);
  expect(report.grouping).toMatchObject({
    oneByOne: true,
    nominal: 2 * (7 + 9 + 11),
    occupied: expected.size,
  });
  expect(report.worstGroup).toMatchObject({
    name: "class 1, b b3",
    accuracy: 0,
    n: expected.get("class 1, b b3")!.n,
  });
  for (const { name, n, accuracy } of report.groups.filter((group) => group.n > 0))
    expect([n, accuracy]).toEqual([expected.get(name)!.n, expected.get(name)!.right / expected.get(name)!.n]);
  const mean = [...expected.values()].reduce((sum, { n, right }) => sum + right / n, 0) / expected.size;
  expect(report.accuracy.meanPerGroup).toBeCloseTo(mean, 12);
  // An image is in three groups: an interval that took them for different images would be too narrow.
  expect(report.intervals["accuracy.meanPerGroup"]).toBeUndefined();
  expect(report.remarks.join()).toContain("class × 3 cues are 1,386 groups for 200 images");
});

test("whoever chooses groups gets them", async () => {
  const { grouping } = await evaluatePredictions({ tables: [path], groups: ["class", "a", "b", "c"] });
  expect(grouping).toMatchObject({ nominal: 1386 });
  expect(grouping.oneByOne).toBeUndefined();
});
