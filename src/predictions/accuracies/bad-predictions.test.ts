/** Prediction files that cannot be meant: cells that are no class, labels without one, and files that name one model twice. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { openAccuracies } from "./open-accuracies.ts";

const root = temporaryFolder();

function file(name: string, content: string): string {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), content);
  return join(root, name);
}

const labels = file("labels.csv", "split,y\ntest,0\ntest,1\ntest,1\n");
const name = (set: string, split = "test", dataset = "toy") =>
  `${set}/${dataset}_split:${split}_seed:0_epoch:best_pred.csv`;

describe("cells", () => {
  test.each(["nan", "NaN", "null"])("%s is no class", async (cell) => {
    const path = file(name(cell), `0\n${cell}\n1\n`);
    await expect(openAccuracies([path], { labels })).rejects.toThrow(
      /"prediction" lacks a class[\s\S]*_pred\.csv, row 2/,
    );
  });

  test.each(["7", "-1", "0.5", "cat"])("%s is none of the classes 0 and 1", async (cell) => {
    const path = file(name(`no${cell}`), `0\n1\n${cell}\n`);
    await expect(openAccuracies([path], { labels })).rejects.toThrow(
      new RegExp(`no class[\\s\\S]*_pred\\.csv, row 3[\\s\\S]*from 0 to 1[\\s\\S]*"${cell}"`),
    );
  });

  test.each(["", "nan"])("a label %j is no class of its own", async (cell) => {
    const bad = file(`labels-${cell}.csv`, `split,y\ntest,0\ntest,${cell}\ntest,1\n`);
    const path = file(name("good"), "0\n1\n1\n");
    await expect(openAccuracies([path], { labels: bad })).rejects.toThrow(
      /"y" lacks a class[\s\S]*labels-.*\.csv, row 2/,
    );
  });

  test("classes between those of the labels are wrong, and counted in a remark", async () => {
    const gap = file("gap.csv", "split,y\ntest,0\ntest,3\ntest,3\n");
    const paths = [file(name("gap"), "2\n3\n1.0\n"), file(name("whole"), "0\n3\n3\n")];
    const table = await openAccuracies(paths, { labels: gap });
    // Of rows 0 3 3, the first file has the second right and two that no label is.
    expect([...(await table.read({ numbers: ["test"], texts: [] })).numbers.get("test")!]).toEqual([
      1 / 3,
      1,
    ]);
    expect(table.remarks).toEqual([
      "2 predictions in 1 of 2 files are classes that no label has, and count as wrong",
    ]);
  });

  test("so are names that no label has, and tables of predictions say it, too", async () => {
    const named = file("named.csv", "split,y\ntest,cat\ntest,dog\n");
    const { remarks } = await openAccuracies([file(name("named"), "cat\nfish\n")], { labels: named });
    expect(remarks.join()).toMatch(/^1 predictions in 1 of 1 files/);
    const own = file("own.csv", "split,y_true,y_pred\ntest,0,0\ntest,1,7\n");
    expect((await openAccuracies([own])).remarks.join()).toMatch(/^1 predictions in 1 of 1 files/);
    const apart = file("apart.csv", "split,y_true,y_pred\ntest,cat,0\ntest,dog,1\n");
    await expect(openAccuracies([apart])).rejects.toThrow(/no prediction is one of the classes/);
  });
});

describe("files", () => {
  test("of two datasets are refused", async () => {
    file(name("two", "test", "toy"), "0\n1\n1\n");
    file(name("two", "test", "yard"), "1\n0\n0\n");
    await expect(openAccuracies([join(root, "two")], { labels })).rejects.toThrow(
      /several datasets[\s\S]*toy_split:test.*yard_split:test[\s\S]*toy and yard/,
    );
  });

  test("of one model and split are refused, with both names", async () => {
    file(name("twice"), "0\n1\n1\n");
    file("twice/toy_split_test_seed_0_epoch_best_pred.csv", "1\n0\n0\n");
    await expect(openAccuracies([join(root, "twice")], { labels })).rejects.toThrow(
      /split "test" twice[\s\S]*toy_split:test.*toy_split_test[\s\S]*seed 0, epoch best/,
    );
    const own = file("once.csv", "split,y_true,y_pred\ntest,0,0\ntest,1,0\n");
    await expect(openAccuracies([own, own])).rejects.toThrow(/split "test" twice/);
  });
});
