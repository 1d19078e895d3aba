import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { wellSpecifiedJobs } from "../well-specified/plan.ts";
import { presets } from "../well-specified/presets.ts";
import { measurePool } from "./measure-pools.ts";

const root = temporaryFolder();

test("a split is fitted with all points, with those that learned something, and with networks alone", async () => {
  const [part] = wellSpecifiedJobs(presets.smoke);
  const [pool] = part!.pools;
  const [split] = pool!.splits;
  // At home 0.5 to 0.9; abroad rising up to 0.7, then falling. The last four are networks, the others two chunks.
  const points = [
    [0.5, 0.3, "logistic"],
    [0.55, 0.35, "logistic"],
    [0.6, 0.4, "mlp"],
    [0.65, 0.5, "mlp"],
    [0.7, 0.6, "mlp"],
    [0.75, 0.55, "cnn"],
    [0.8, 0.5, "cnn"],
    [0.85, 0.3, "cnn"],
    [0.9, 0.2, "cnn"],
  ] as const;
  const table = join(root, "points.csv");
  writeFileSync(
    table,
    [
      `classifier,draw,family,features,step,ID,${split!.name}`,
      ...points.map(([id, ood, family], i) => `${i},${i < 5 ? i % 2 : i},${family},pixels-1,10,${id},${ood}`),
    ].join("\n"),
  );
  const { splits } = await measurePool(
    { pool: pool!, classifiers: 9, table, idColumn: "ID", drawColumn: "draw", classes: 2, guessing: 0.52 },
    new AbortController().signal,
  );
  const [found] = splits;
  // Halfway from 0.52 to 0.9 is 0.71: the four networks, and no other.
  expect(found).toMatchObject({
    bestId: 0.9,
    guessing: 0.52,
    oodRange: [0.2, 0.6],
    warnings: expect.any(Array),
  });
  expect(found!.learnedFrom).toBeCloseTo(0.71, 12);
  expect([found!.all.points, found!.learned.points, found!.networks!.points]).toEqual([9, 4, 4]);
  expect([found!.all.draws, found!.learned.draws, found!.networks!.draws]).toEqual([6, 4, 4]);
  // Four networks are too few to judge by, though their line falls steeply.
  expect(found!.learned).toMatchObject({ rLow: -1, rHigh: 1, verdict: "undecided" });
  // Python's statistics.NormalDist().inv_cdf and statistics.correlation.
  expect(found!.all.r).toBeCloseTo(-0.237691981, 8);
  expect(found!.learned.r).toBeCloseTo(-0.982241813, 8);
  expect(found!.networks).toEqual(found!.learned);
  expect(JSON.stringify(found!.draw())).toContain("ColoredMNIST: colour agrees in 90%");
});
