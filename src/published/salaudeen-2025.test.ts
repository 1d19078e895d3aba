/** The paper's tables against each other, and its standard errors against its own slopes, R and counts. */

import { describe, expect, test } from "vitest";
import { normalCdf } from "../core/statistics/index.ts";
import {
  averageFits,
  type PublishedFit,
  type PublishedGroupFit,
  pairFits,
  table1,
  table3,
  waterbirdsGroupFits,
  waterbirdsGroupPairs,
} from "./salaudeen-2025.ts";

const same = (fit: PublishedFit) => [fit.slope, fit.intercept, fit.r];
const find = (dataset: string, ood: string) =>
  averageFits.find((fit) => fit.dataset === dataset && fit.ood === ood)!;

test("Table 1 repeats the other tables, but for what is noted", () => {
  const others = new Map([
    ["CXR 1", "3"],
    ["SpawriousM2M_hard 0", "1"],
  ]);
  for (const fit of table1.filter(({ dataset }) => !["TerraIncognita", "Waterbirds"].includes(dataset))) {
    const ood = others.get(`${fit.dataset} ${fit.ood}`) ?? fit.ood;
    expect(same(fit), `${fit.dataset} ${fit.ood}`).toEqual(same(find(fit.dataset, ood)));
  }
  expect(same(table1[1]!)).not.toEqual(same(find("CXR", "1")));
});

test("every dataset has one average fit an environment, and one for each pair", () => {
  const count = (list: readonly { dataset: string }[], name: string) =>
    list.filter(({ dataset }) => dataset === name).length;
  for (const [name, environments] of [
    ["ColoredMNIST", 3],
    ["PACS", 4],
    ["Camelyon", 5],
    ["CXR", 5],
    ["FMoW", 6],
  ] as const) {
    expect(count(averageFits, name)).toBe(environments);
    expect(count(pairFits, name)).toBe(environments * (environments - 1));
    expect(count(table3, name)).toBe(environments);
  }
  expect(count(averageFits, "CivilComments")).toBe(16);
});

/** Models of a split: rows of Table 3 over the ID environments that each model has a row for. */
function models({ dataset, ood }: PublishedFit): number {
  const { total } = table3.find((row) => row.dataset === dataset && row.ood === ood)!;
  return total / (averageFits.filter((fit) => fit.dataset === dataset).length - 1);
}

/** Whether n gives the printed standard error, when every printed number may be off by half of its last digit. */
function fits({ slope, r, standardError }: PublishedFit, n: number): boolean {
  const error = (slope: number, r: number) => slope * Math.sqrt((1 - r ** 2) / (r ** 2 * (n - 2)));
  const [steep, tight] = [Math.abs(slope), Math.abs(r)];
  const most = error(steep + 0.005, tight - 0.005);
  const least = error(steep - 0.005, Math.min(1, tight + 0.005));
  return least <= standardError + 0.005 && most >= standardError - 0.005;
}

test("standard errors are |slope| √((1 - R²) / (R² (n - 2))) where n counts each model once", () => {
  const known = ["ColoredMNIST", "SpawriousM2M_easy", "SpawriousM2M_hard", "PACS", "Camelyon", "CXR", "FMoW"];
  const of = (names: readonly string[]) => averageFits.filter(({ dataset }) => names.includes(dataset));
  expect(of(known).filter((fit) => !fits(fit, models(fit)))).toEqual([]);
  // With a row for each ID environment counted by itself, CXR's would not come out.
  expect(of(["CXR"]).filter((fit) => fits(fit, 4 * models(fit)))).toEqual([]);
  // These were fitted to fewer or more models than Table 3 counts.
  const others = of(["SpawriousO2O_easy", "SpawriousO2O_hard", "Waterbirds"]);
  expect(others.filter((fit) => fits(fit, models(fit)))).toEqual([]);
  expect(of(["CivilComments"]).every((fit) => fits(fit, 980))).toBe(true);
});

describe("Waterbirds' groups", () => {
  const names = ["y=0,a=0", "y=0,a=1", "y=1,a=0", "y=1,a=1"];
  const of = <Fit extends PublishedFit>(fits: readonly Fit[], id: string) =>
    fits.filter((fit) => fit.id === id);
  const place = (group: string) => names.indexOf(group);

  /** The least-squares solution of the 16 lines of Table 26 and the 4 of Table 25, on the probit scale (NumPy's lstsq). */
  const means = {
    0: { average: 1.32, id: [2.01, 1.91, 0.49, 0.45], ood: [2.11, 1.96, 0.73, 0.6] },
    1: { average: 1.57, id: [2.23, 0.63, -0.65, 1.11], ood: [2.27, 0.7, -0.24, 1.18] },
  } as const;

  test("there is a fit for each group and for each pair, in both directions", () => {
    const keys = [...waterbirdsGroupFits, ...waterbirdsGroupPairs].map(
      ({ id, idGroup, oodGroup }) => `${id} ${idGroup} ${oodGroup}`,
    );
    expect(new Set(keys).size).toBe(2 * (4 + 16));
    expect(waterbirdsGroupPairs.every(({ idGroup }) => names.includes(idGroup!))).toBe(true);
    expect(same(table1.find(({ dataset }) => dataset === "Waterbirds")!)).toEqual(
      same(waterbirdsGroupFits[0]!),
    );
  });

  test("standard errors and p-values go with 1,003 models in every row", () => {
    const all = [...waterbirdsGroupFits, ...waterbirdsGroupPairs];
    // An R that is printed as 0.00 allows any standard error; its p-value says more.
    expect(all.filter((fit) => !fits(fit, 1003) && Math.abs(fit.r) > 0.005)).toEqual([]);
    const chance = (r: number) => 2 * normalCdf(-r * Math.sqrt(1001 / (1 - r ** 2)));
    const off = all.filter(({ r, pValue }) => {
      const [least, most] = [Math.max(0, Math.abs(r) - 0.005), Math.min(0.9999, Math.abs(r) + 0.005)];
      return chance(most) > pValue + 0.005 || chance(least) < pValue - 0.005;
    });
    expect(off).toEqual([]);
    // Another number of models would not do.
    for (const n of [900, 1100]) expect(all.every((fit) => fits(fit, n))).toBe(false);
    const averages = averageFits.filter(({ dataset }) => dataset === "Waterbirds");
    expect(averages.every((fit) => fits(fit, 1003))).toBe(true);
  });

  test("spreads of groups in Table 25 are those of Table 26 only if it regresses ID on OOD", () => {
    const spread = ({ slope, r }: PublishedFit) => slope / r;
    for (const direction of ["0", "1"]) {
      const pair = (id: string, ood: string) =>
        of(waterbirdsGroupPairs, direction).find((fit) => fit.idGroup === id && fit.oodGroup === ood)!;
      const average = (ood: string) =>
        of(waterbirdsGroupFits, direction).find(({ oodGroup }) => oodGroup === ood)!;
      // Of waterbirds on water over landbirds on land, as each ID group's column tells it where R has two digits.
      const ratios = names
        .filter((id) => Math.min(...["y=0,a=0", "y=1,a=1"].map((ood) => Math.abs(pair(id, ood).r))) > 0.15)
        .map((id) => spread(pair(id, "y=1,a=1")) / spread(pair(id, "y=0,a=0")));
      const printed = spread(average("y=1,a=1")) / spread(average("y=0,a=0"));
      for (const ratio of ratios) {
        expect(Math.abs(Math.log(ratio * printed)), `direction ${direction}`).toBeLessThan(0.15);
        expect(Math.abs(Math.log(ratio / printed))).toBeGreaterThan(1);
      }
      expect(ratios.length).toBeGreaterThan(0);
    }
  });

  test("every line goes through the same means, those of Table 25 with ID and OOD exchanged", () => {
    const miss = (fit: PublishedGroupFit) => {
      const { average, id, ood } = means[fit.id as "0" | "1"];
      const there = ood[place(fit.oodGroup)]!;
      return fit.idGroup === undefined
        ? average - fit.slope * there - fit.intercept
        : there - fit.slope * id[place(fit.idGroup)]! - fit.intercept;
    };
    // Slopes and intercepts are rounded to 0.01, means to 0.01, and means lie within 2.3 of 0.
    for (const fit of [...waterbirdsGroupFits, ...waterbirdsGroupPairs])
      expect(Math.abs(miss(fit)), JSON.stringify(fit)).toBeLessThan(0.035);
    const { average, ood } = means[1];
    const asPrinted = of(waterbirdsGroupFits, "1").map(
      (fit) => ood[place(fit.oodGroup)]! - fit.slope * average - fit.intercept,
    );
    expect(Math.max(...asPrinted.map(Math.abs))).toBeGreaterThan(1);
  });

  test("the averages of direction 1 are those of the training split as ID", () => {
    // Images of y=0,a=0 … in Waterbirds' training split, and in validation and test together.
    const training = [3498, 184, 56, 1057];
    const others = [467 + 2255, 466 + 2255, 133 + 642, 133 + 642];
    const mean = (groups: readonly number[], counts: readonly number[]) =>
      groups.reduce((sum, group, i) => sum + counts[i]! * normalCdf(group), 0) /
      counts.reduce((sum, count) => sum + count, 0);
    const { average, id, ood } = means[1];
    expect(mean(id, training)).toBeCloseTo(normalCdf(average), 2);
    expect(Math.abs(mean(id, others) - normalCdf(average))).toBeGreaterThan(0.1);
    // Table 24 puts the OOD average at 0.47 · 1.57 + 0.16.
    const { slope, intercept } = averageFits.find((fit) => fit.dataset === "Waterbirds" && fit.ood === "0")!;
    expect(mean(ood, others)).toBeCloseTo(normalCdf(slope * average + intercept), 1);
    expect(Math.abs(mean(ood, training) - normalCdf(slope * average + intercept))).toBeGreaterThan(0.1);
  });
});
