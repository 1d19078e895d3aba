/** What every metric in the registry must do. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkOrder, checkScores, checkTwice, metricChecks } from "../../src/contracts/metrics.ts";
import { birds, evaluateBirds } from "../../src/contracts/ten-birds.ts";
import { type Metric, metrics } from "../../src/metrics/index.ts";

/**
 * Worked out by hand from the ten birds. Right of n: land on land 3 of 4, on water 1 of 2; water on land 0 of 1, on
 * water 2 of 3; the baseline 3, 0, 0 and 3. Training 90, 10, 20, 80.
 */
const golden: Record<string, Record<string, number>> = {
  accuracy: { "": 6 / 10 },
  // (3/4 + 1/2 + 0 + 2/3) / 4
  "mean-per-group": { "": 23 / 48 },
  // (90·3/4 + 10·1/2 + 20·0 + 80·2/3) / 200
  "train-weighted": { "": 151 / 240 },
  // Common: (3/4 + 2/3)/2 = 17/24, 170 of 200 in training; uncommon: (1/2 + 0)/2 = 1/4, 30 of 200.
  "in-distribution": { "": (0.85 * 17) / 24 + 0.15 / 4 },
  "cue-gap": { place: 1 / 4 - ((0.85 * 17) / 24 + 0.15 / 4) },
  // The baseline: common (3/4 + 1)/2 = 7/8, uncommon 0, so that its gap is −.85·7/8.
  "cue-gap-change": { place: 1 / 4 - ((0.85 * 17) / 24 + 0.15 / 4) + (0.85 * 7) / 8 },
  "worst-group": { "class waterbird, place land": 0 },
  "group-accuracy": {
    "class landbird, place land": 3 / 4,
    "class landbird, place water": 1 / 2,
    "class waterbird, place land": 0,
    "class waterbird, place water": 2 / 3,
  },
  // Weights at −1 are 1/90, 1/10, 1/20, 1/80 = 8, 72, 36, 9 of 720ths; at 2 they are 81, 1, 4, 64.
  "acc-alpha": {
    "-1": (8 * (3 / 4) + 72 * (1 / 2) + 9 * (2 / 3)) / 125,
    "0": 23 / 48,
    "1": 151 / 240,
    "2": (81 * (3 / 4) + 1 * (1 / 2) + 64 * (2 / 3)) / 150,
  },
  "majority-accuracy": { place: 5 / 7 },
  "minority-accuracy": { place: 1 / 3 },
  mmd: { place: 8 / 21 },
  "baseline-difference": { "": 0 },
  // Landbirds 4 and 3 of 6, waterbirds 2 and 3 of 4.
  "class-gap": { landbird: 1 / 6, waterbird: -1 / 4 },
  iosm: {
    "class landbird, place land": 0,
    "class landbird, place water": 1 / 2,
    "class waterbird, place land": 0,
    "class waterbird, place water": -1 / 3,
  },
  "mean-iosm": { "": 1 / 24 },
  // Answers on land: 4 and 1; on water: 2 and 3; both means 2.5. At β = 0.2 the limit is 3, which 3 does not exceed.
  "head-accuracy": { "0": 5 / 7, "0.2": 3 / 4 },
  "tail-accuracy": { "0": 1 / 3, "0.2": 3 / 6 },
  "head-tail-mean": { "0": (5 / 7 + 1 / 3) / 2, "0.2": 5 / 8 },
  // Four at 0.9, three of them right; six at 0.6, three of them right: (|3 − 3.6| + |3 − 3.6|) / 10.
  "calibration-error": { "": 0.12 },
  // Two of five wrong in both places, where the reference has half and four of five.
  "relative-error": { land: 0.4 / 0.5, water: 0.4 / 0.8 },
  "mean-relative-error": { "": (0.8 + 0.5) / 2 },
};

const page = readFileSync(join(import.meta.dirname, "../../docs/metrics.md"), "utf8");

const table = fc.array(fc.constantFrom(...birds), { minLength: 1, maxLength: 30 });
/** A table, and its rows in another order. */
const shuffled = table.chain((rows) =>
  fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })),
);

describe.each(metrics.entries.map((metric) => [metric.name, metric] as const))(
  "%s",
  (name, metric: Metric) => {
    test("gives the value worked out by hand", () => {
      const scores = metric.of(evaluateBirds());
      expect(golden, `a golden value for ${name}`).toHaveProperty([name]);
      expect(scores.map(({ of }) => of ?? "").toSorted()).toEqual(Object.keys(golden[name]!).toSorted());
      for (const { of, value } of scores) expect(value, of ?? "").toBeCloseTo(golden[name]![of ?? ""]!, 12);
    });

    test("docs/metrics.md has a row for it", () => {
      const rows = page.split("\n").filter((line) => line.startsWith("| `"));
      expect(rows.some((row) => row.split(" | ")[0]!.includes(`\`${name}\``))).toBe(true);
    });

    test.each(metricChecks(metric).map((check) => [check.name, check] as const))("%s", (_, check) =>
      check.run(),
    );

    // The contract has tables of its own; these are others each time, and the least of what breaks it is told.
    test("keeps its contract for any table", () => {
      fc.assert(
        fc.property(shuffled, ([rows, others]) => {
          checkOrder(metric, rows, others);
          checkScores(metric, rows);
          checkTwice(metric, rows);
        }),
        { numRuns: 50 },
      );
    });
  },
);
