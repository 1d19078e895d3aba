/** Areas and their overlap, worked by hand. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { photo, writeAt } from "../../../test/helpers/photos.ts";
import { openSubject } from "../open-subject.ts";
import { type ComparedImage, coveredArea, measureAgreement } from "./agreement.ts";
import { dataBiasAudit } from "./audit.ts";

type Corners = [left: number, top: number, width: number, height: number];
const box = ([left, top, width, height]: Corners) => ({ left, top, width, height });
const image = (className: string, own: Corners[], other: Corners[]): ComparedImage => ({
  className,
  own: own.map(box),
  other: other.map(box),
});

test("boxes that overlap cover their common part once", () => {
  expect(coveredArea([])).toBe(0);
  expect(coveredArea([box([3, 4, 10, 20])])).toBe(200);
  // Two squares of 10 × 10, moved by 5 and 5: 100 + 100 − 25.
  expect(coveredArea([box([0, 0, 10, 10]), box([5, 5, 10, 10])])).toBe(175);
  // One within the other, and one far away.
  expect(coveredArea([box([0, 0, 10, 10]), box([2, 2, 3, 3]), box([50, 50, 2, 1])])).toBe(102);
  // Boxes that touch share no pixel.
  expect(coveredArea([box([0, 0, 4, 4]), box([4, 0, 4, 4])])).toBe(32);
});

test("agreement of classes is the mean of their images', and of all classes the mean of theirs", () => {
  const { classes, ...all } = measureAgreement([
    // The same, and half of it: 1 and 1/2.
    image("tench", [[0, 0, 10, 10]], [[0, 0, 10, 10]]),
    image("tench", [[0, 0, 10, 10]], [[0, 0, 10, 5]]),
    // 25 of 175, of the other's 100 three quarters outside; and nothing of the other, which counts as 0.
    image("goldfish", [[0, 0, 10, 10]], [[5, 5, 10, 10]]),
    image("goldfish", [[0, 0, 10, 10]], []),
    // Two boxes against one around both: 32 of 40.
    image(
      "crane",
      [
        [0, 0, 4, 4],
        [6, 0, 4, 4],
      ],
      [[0, 0, 10, 4]],
    ),
  ]);
  expect(classes.map(({ name }) => name)).toEqual(["goldfish", "tench", "crane"]);
  const [goldfish, tench, crane] = classes;
  expect(goldfish!.iou).toBeCloseTo(25 / 175 / 2, 12);
  expect(goldfish!.outside).toBeCloseTo(0.75, 12);
  expect(tench).toEqual({ name: "tench", images: 2, iou: 0.75, outside: 0 });
  expect(crane!.iou).toBeCloseTo(0.8, 12);
  expect(crane!.outside).toBeCloseTo(0.2, 12);
  // Exactly 0.8 is not below it.
  expect(all).toMatchObject({ images: 5, alone: 1, threshold: 0.8, below: 2 });
  expect(all.iou).toBeCloseTo((25 / 350 + 0.75 + 0.8) / 3, 12);
});

test("sets of boxes that have no image in common are an error", () => {
  expect(() => measureAgreement([image("tench", [[0, 0, 1, 1]], [])])).toThrow("in both sets");
});

test("a folder's boxes against a detector's table: by file and class, from question to page", async () => {
  const folder = mkdtempSync(join(tmpdir(), "cuelab-agreement-"));
  try {
    const red = [200, 60, 60] as const;
    const thing = { left: 4, top: 4, width: 10, height: 10 };
    for (const name of ["a.jpg", "b.jpg", "c.jpg"]) writeAt(folder, name, await photo(40, 40, thing, red));
    const head = "file,class,left,top,width,height\n";
    writeAt(folder, "own.csv", `${head}a.jpg,tench,0,0,10,10\nb.jpg,tench,0,0,10,10\nc.jpg,crane,0,0,8,4\n`);
    // b.jpg has a box of another class alone, which says nothing of tenches.
    writeAt(folder, "other.csv", `${head}a.jpg,tench,0,0,10,5\nb.jpg,crane,0,0,10,10\nc.jpg,crane,0,0,8,4\n`);
    const options = { boxes: join(folder, "own.csv"), compare: join(folder, "other.csv") };
    const { subject } = await openSubject("objects", [folder], options);
    const { agreement, ...answer } = await dataBiasAudit.ask({}, subject, {});
    expect(agreement).toMatchObject({ images: 3, alone: 1, below: 1 });
    // (1/2 + 0) / 2 of tenches, and 1 of cranes.
    expect(agreement!.iou).toBeCloseTo((0.25 + 1) / 2, 12);
    const section = dataBiasAudit.show({ agreement, ...answer }).at(-1)!;
    expect(section.tables![0]!.rows.map(({ cells }) => cells[0])).toEqual(["tench", "crane"]);
    expect(section.facts!.at(-1)![1]).toContain("139 of 1,000 classes below 0.8");
    expect(section.figures![0]!.draw().description).toContain("2 classes: 0.625 on average, 1 below 0.8");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
